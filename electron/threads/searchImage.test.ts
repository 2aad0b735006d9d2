import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readBerkeley } from '../wallet/database/berkeley.ts';
import { recordsByType } from '../wallet/record/recordsByType.ts';
import { walletFile } from '../wallet/testing/wallets.ts';
import { rescuedFile } from './rescueFile.ts';
import { searchImage } from './searchImage.ts';

describe('a disk image with deleted wallets', () => {
  let folder: string;
  let image: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'image-'));
    image = join(folder, 'disk.img');
    const other = Buffer.from(Array.from({ length: 40 * 512 }, (_, at) => (at * 31) >> 3));
    writeFileSync(
      image,
      Buffer.concat([other, walletFile('legacy-hd'), other, walletFile('legacy-hd-encrypted')]),
    );
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('tells what is in it, and writes nothing unasked', async () => {
    const before = readFileSync(image);
    const found = await searchImage({ path: image, folder: null });
    expect(found).toMatchObject([
      { kind: 'berkeley-db', encrypted: true, path: null },
      { kind: 'berkeley-db', encrypted: false, path: null },
    ]);
    expect(readFileSync(image).equals(before)).toBe(true);
  });

  it('gives each as a file that can be rescued, and writes over nothing', async () => {
    const out = join(folder, 'out');
    mkdirSync(out);
    const found = await searchImage({ path: image, folder: out });
    const plain = found.find(({ encrypted }) => !encrypted)?.path ?? '';
    const { facts } = await rescuedFile(plain, { logs: 'none', network: 'regtest' }, undefined);
    const { records } = readBerkeley(walletFile('legacy-hd'));
    expect(facts.saved.keys).toBe(recordsByType(records).of('key').length);
    const again = await searchImage({ path: image, folder: out });
    expect(again.map(({ path }) => path)).toEqual([join(out, 'found-3.dat'), join(out, 'found-4.dat')]);
    await expect(searchImage({ path: image, folder: join(out, 'none') })).rejects.toMatchObject({
      code: 'folder_missing',
    });
  });
});
