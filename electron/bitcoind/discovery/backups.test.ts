import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findBackups } from './searchWallets.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backups-'));
});
afterEach(() => rm(folder, { recursive: true }));

const put = async (path: string, modified: number) => {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), 'content');
  await utimes(join(folder, path), modified, modified);
};

describe('findBackups', () => {
  it('finds what migrations of each release left, newest first', async () => {
    await put('savings_1795180638.legacy.bak', 300);
    await put('legacy-hd/legacy-hd-1795181286.legacy.bak', 100);
    await put('family/alice/alice_1795180650.legacy.bak', 200);
    await put('too/deep/by/one_1795180650.legacy.bak', 400);
    await put('legacy-hd/wallet.dat', 500);
    await put('savings.bak', 500);
    await mkdir(join(folder, 'folder_1795180650.legacy.bak'));
    expect(await findBackups(folder)).toEqual([
      {
        path: join(folder, 'savings_1795180638.legacy.bak'),
        name: 'savings_1795180638.legacy.bak',
        size: 7,
        modified: 300,
      },
      {
        path: join(folder, 'family/alice/alice_1795180650.legacy.bak'),
        name: 'alice_1795180650.legacy.bak',
        size: 7,
        modified: 200,
      },
      {
        path: join(folder, 'legacy-hd/legacy-hd-1795181286.legacy.bak'),
        name: 'legacy-hd-1795181286.legacy.bak',
        size: 7,
        modified: 100,
      },
    ]);
  });

  it('gives the newest 500 at most', async () => {
    for (let n = 0; n < 502; n++) await put(`w${n}_1795180650.legacy.bak`, 1000 + n);
    const found = await findBackups(folder);
    expect(found).toHaveLength(500);
    expect(found[0]?.name).toBe('w501_1795180650.legacy.bak');
  });

  it('finds nothing in a folder that is not there', async () => {
    expect(await findBackups(join(folder, 'gone'))).toEqual([]);
  });
});
