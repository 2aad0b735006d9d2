import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import type { FileFacts } from '../../../shared/model/files.ts';
import { cutOffChange } from '../../walletfile/testing/cutOffChange.ts';
import { searchWallets } from './searchWallets.ts';

let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'search-')));
});
afterEach(() => rmSync(home, { recursive: true }));

const put = (name: string, content?: Parameters<typeof fixtureFile>[0] | Buffer) => {
  const path = join(home, name);
  mkdirSync(dirname(path), { recursive: true });
  if (content instanceof Buffer) writeFileSync(path, content);
  else if (typeof content === 'string') copyFileSync(fixtureFile(content), path);
  return path;
};

async function search(folders = [home], options: { leaveOut?: string[]; signal?: AbortSignal } = {}) {
  const found: FileFacts[] = [];
  const progress: [number, string][] = [];
  const searched = await searchWallets({
    folders,
    leaveOut: options.leaveOut ?? [],
    tell: (looked, folder, files) => {
      progress.push([looked, folder]);
      found.push(...files);
    },
    paceMs: 0,
    signal: options.signal ?? new AbortController().signal,
  });
  return { ...searched, progress, paths: found.map(({ path }) => path).sort(), found };
}

describe('searchWallets', () => {
  it('finds a wallet whose beginning only its journal still has', async () => {
    const { path, after } = await cutOffChange(home);
    writeFileSync(path, new Uint8Array(after).fill(0, 0, 100));
    put('other.dat', Buffer.from('no wallet'));
    put('other.dat-journal', Buffer.from('no journal'));
    expect((await search()).paths).toContain(path);
    expect((await search()).paths).not.toContain(join(home, 'other.dat'));
  });

  it('finds wallets by their content, whatever they are called and however deep they lie', async () => {
    const expected = [
      put('.bitcoin/wallets/savings/wallet.dat', 'descriptor-hd'),
      put('Documents/old/2012/notes.txt', 'legacy-hd'),
      put('Pictures/coins.jpg', 'legacy-hd-encrypted'),
    ].sort();
    put('Documents/wallet.dat', Buffer.from('not a wallet'));
    put('empty/wallet.dat', Buffer.alloc(0));
    const { paths, looked, unread, progress, found } = await search();
    expect(paths).toEqual(expected);
    expect(found.map(({ kind }) => kind).sort()).toEqual([
      'descriptor-wallet',
      'legacy-wallet',
      'legacy-wallet',
    ]);
    expect({ looked, unread }).toEqual({ looked: 5, unread: 0 });
    expect(progress.at(-1)?.[0]).toBe(5);
    expect(progress.map(([, folder]) => folder)).toContain(join(home, 'Documents/old/2012'));
  });

  it('passes over databases that are no wallets', async () => {
    const header = Buffer.alloc(4096);
    header.write('SQLite format 3\0');
    put('places.sqlite', header);
    const berkeley = Buffer.alloc(8192);
    berkeley.writeUInt32LE(0x00053162, 12);
    berkeley.writeUInt32LE(9, 16);
    berkeley.writeUInt32LE(4096, 20);
    put('other.db', berkeley);
    expect(await search()).toMatchObject({ paths: [], looked: 2 });
  });

  it('tells of a file once, where folders lie in each other, and follows no links', async () => {
    const path = put('data/wallet.dat', 'legacy-hd');
    symlinkSync(home, join(home, 'data', 'loop'));
    symlinkSync(path, join(home, 'link.dat'));
    expect((await search([join(home, 'data'), home])).paths).toEqual([path]);
  });

  it('passes over what a node keeps of the chain, and folders that are left out', async () => {
    put('.bitcoin/blocks/wallet.dat', 'legacy-hd');
    put('app/copies/wallet.dat', 'legacy-hd');
    expect(await search([home], { leaveOut: [join(home, 'app')] })).toMatchObject({ paths: [], looked: 0 });
  });

  it('goes on where a folder is missing', async () => {
    const path = put('wallet.dat', 'legacy-hd');
    expect(await search([join(home, 'gone'), home])).toMatchObject({ paths: [path], unread: 0 });
  });

  it.skipIf(process.platform === 'win32')('does not wait for a pipe', async () => {
    execFileSync('mkfifo', [join(home, 'pipe')]);
    expect(await search()).toMatchObject({ looked: 0 });
  });

  it('ends when it is cancelled', async () => {
    for (let number = 0; number < 20; number += 1) put(`folder ${number}/wallet.dat`, Buffer.from('x'));
    const stopping = new AbortController();
    const cancelled = new Error('cancelled');
    const searching = search([home], { signal: stopping.signal });
    stopping.abort(cancelled);
    await expect(searching).rejects.toBe(cancelled);
  });
});
