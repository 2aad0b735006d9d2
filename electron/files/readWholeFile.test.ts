import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fixtureFile } from '../../e2e/testNode/walletFixture.ts';
import { readWholeFile } from './readWallet.ts';
import { CAN_LINK, ON_WINDOWS } from './testing/system.ts';
import { makeTestFolder } from './testing/testFolder.ts';

vi.mock('node:fs/promises', { spy: true });

const fixture = fixtureFile('legacy-hd');

describe('readWholeFile', () => {
  let folder: string;
  beforeEach(() => {
    folder = makeTestFolder();
  });
  afterEach(() => vi.mocked(stat).mockReset());

  it('returns every byte', async () => {
    expect(Buffer.from(await readWholeFile(fixture)).equals(readFileSync(fixture))).toBe(true);
  });

  it.runIf(CAN_LINK)('follows a link', async () => {
    const link = join(folder, 'link');
    symlinkSync(fixture, link);
    expect(Buffer.from(await readWholeFile(link)).equals(readFileSync(fixture))).toBe(true);
  });

  it.each([
    ['a path with nothing at it', 'file_missing', 'nothing_at_path', () => join(folder, 'nothing')],
    ['a folder', 'not_a_file', 'folder_not_file', () => folder],
    ['a device', 'not_a_file', 'not_regular_file', () => (ON_WINDOWS ? '\\\\.\\NUL' : '/dev/zero')],
    ['an impossible path', 'bad_input', 'path_invalid', () => 'a\0b'],
    ['an empty file', 'file_empty', 'file_empty', () => newFile('', 'empty')],
    ['a short file', 'not_a_wallet', 'not_core_wallet', () => newFile('short', 'short')],
  ])('refuses %s', async (_, code, finding, path) => {
    await expect(readWholeFile(path())).rejects.toMatchObject({ code, finding: { code: finding } });
  });

  it.skipIf(ON_WINDOWS)('does not wait for someone to write to a pipe', async () => {
    const pipe = join(folder, 'pipe');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    await expect(readWholeFile(pipe)).rejects.toMatchObject({ code: 'not_a_file' });
  });

  it('says what another file is', async () => {
    const finding = { code: 'not_core_wallet', kind: { code: 'pdf' } };
    const reading = readWholeFile(newFile(`%PDF-${'x'.repeat(9000)}`, 'pdf'));
    await expect(reading).rejects.toMatchObject({ code: 'not_a_wallet', finding });
  });

  it('does not read a file that is too large for a wallet', async () => {
    const path = newFile(readFileSync(fixture), 'large');
    truncateSync(path, 2 ** 31 + 1);
    const finding = { code: 'file_too_large' };
    await expect(readWholeFile(path)).rejects.toMatchObject({ code: 'beyond_limits', finding });
  });

  it('notices that the file changed during the read', async () => {
    const path = newFile(readFileSync(fixture), 'wallet.dat');
    const { stat: real } = await vi.importActual<typeof import('node:fs/promises')>('node:fs/promises');
    // The second look at it, after reading: something has been written meanwhile.
    vi.mocked(stat)
      .mockImplementationOnce(real)
      .mockImplementationOnce(async (...args) => {
        writeFileSync(path, 'more', { flag: 'a' });
        return real(...args);
      });
    await expect(readWholeFile(path)).rejects.toMatchObject({ code: 'file_changed' });
  });

  function newFile(content: string | Uint8Array, name: string): string {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  }
});
