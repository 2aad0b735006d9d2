import {
  appendFileSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type WalletPart, walletPart } from '../../../shared/model/migrationPreview.ts';
import { systemCode, systemError } from '../../files/fileError.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { sourceOf } from '../../walletfile/bytes/byteSource.ts';
import { walletPath } from '../../walletfile/testing/wallets.ts';
import { doTask, type OpenedWalletCache, readShared } from './threadTask.ts';

const largeFiles = vi.hoisted(() => ({
  onOpened: (_: string): void => {},
  failingRead: Number.POSITIVE_INFINITY,
}));
vi.mock('../../files/largeFile.ts', async (original) => {
  const real = await original<typeof import('../../files/largeFile.ts')>();
  const openLargeFile: typeof real.openLargeFile = (path, ...rest) => {
    const file = real.openLargeFile(path, ...rest);
    largeFiles.onOpened(path);
    return file;
  };
  const withMarkedFile: typeof real.withMarkedFile = (marked, work, blocks) =>
    real.withMarkedFile(
      marked,
      async (content) => {
        const source = sourceOf(content);
        let reads = 0;
        const read: typeof source.read = (offset, length) => {
          reads += 1;
          if (reads === largeFiles.failingRead) throw systemError('EIO');
          return source.read(offset, length);
        };
        const found = await work({ ...source, read });
        // As the real one does with an error that a parser takes for damage.
        if (reads >= largeFiles.failingRead) throw systemError('EIO');
        return found;
      },
      blocks,
    );
  return { ...real, openLargeFile, withMarkedFile };
});

it('keeps nothing of a large wallet that it read while the disk failed', async () => {
  const file = await doTask({ kind: 'read', input: { path: walletPath('descriptor-hd') } }, new Map());
  const wallet = { id: 1, file: { ...file, bytes: null }, kind: 'sqlite', network: 'regtest' } as const;
  const call = { name: 'w', release: 28, masterKey: null, unlockedUntil: 0, now: 0 } as const;
  const question = { ...call, method: 'listdescriptors', params: [] };
  const ask = (open: OpenedWalletCache) => doTask({ kind: 'ask', input: { wallet, question } }, open);
  const right = await ask(new Map());
  let isFailing = true;
  for (let read = 1; isFailing; read += 1) {
    const open: OpenedWalletCache = new Map();
    await doTask({ kind: 'open', input: { wallet } }, open);
    largeFiles.failingRead = read;
    isFailing = (await ask(open).catch(systemCode)) === 'EIO';
    largeFiles.failingRead = Number.POSITIVE_INFINITY;
    expect(await ask(open), `read ${read}`).toBe(right);
  }
});

it('keeps no copy of a large file that changes meanwhile', async () => {
  const folder = makeTestFolder();
  const from = join(folder, 'wallet.dat');
  copyFileSync(walletPath('legacy-hd'), from);
  truncateSync(from, 2 ** 28 + 4096);
  largeFiles.onOpened = (path) => appendFileSync(path, 'more');
  const input = { from, to: join(folder, 'copy.dat'), part: join(folder, 'part') };
  const copied = doTask({ kind: 'copy', input }, new Map());
  await expect(copied).rejects.toMatchObject({ code: 'file_changed' });
  largeFiles.onOpened = () => {};
  expect(readdirSync(folder)).toEqual(['wallet.dat']);
});

describe('readShared', () => {
  let folder: string;
  beforeEach(() => {
    folder = makeTestFolder();
  });

  it.each([0, 1, 3_000_000])('gives a file of %i bytes in shared memory', (size) => {
    const path = join(folder, 'file');
    const written = Buffer.from(`SQLite format 3\0${'x'.repeat(size)}`).subarray(0, size);
    writeFileSync(path, written);
    const read = readShared(path);
    expect(Buffer.compare(read, written)).toBe(0);
    expect(read.buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  // SECURITY.md: A hostile wallets folder
  it('reads no more than the beginning of what is no wallet, and nothing larger than 2 GiB', async () => {
    const path = join(folder, 'file');
    writeFileSync(path, '');
    truncateSync(path, 2 ** 42);
    expect(readShared(path)).toHaveLength(4096);
    writeFileSync(path, 'SQLite format 3\0');
    truncateSync(path, 2 ** 42);
    expect(() => readShared(path)).toThrow(expect.objectContaining({ code: 'EFBIG' }));
    expect(await doTask({ kind: 'read', input: { path } }, new Map())).toMatchObject({
      size: 2 ** 42,
      bytes: null,
      start: { length: 4096 },
    });
    writeFileSync(`${path}-journal`, 'of an interrupted change');
    await expect(doTask({ kind: 'read', input: { path } }, new Map())).rejects.toMatchObject({
      finding: { code: 'large_file_has_journal', ending: '-journal' },
    });
    truncateSync(path, 5000);
    expect(readShared(path)).toHaveLength(5000);
  });

  it('throws the system’s error', () => {
    expect(() => readShared(join(folder, 'nothing'))).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    expect(() => readShared(folder)).toThrow(expect.objectContaining({ code: 'EISDIR' }));
  });
});

describe('a wallet that a migration has proved', () => {
  const open = async (path: string) => {
    const file = await doTask({ kind: 'read', input: { path } }, new Map());
    const wallet = { id: 1, file, kind: 'sqlite', network: 'regtest' } as const;
    return doTask({ kind: 'open', input: { wallet } }, new Map());
  };
  const migrate = async (files: Record<WalletPart, string>, name: string) => {
    for (const path of Object.values(files)) writeFileSync(path, '');
    const file = await doTask({ kind: 'look', input: { path: walletPath(name) } }, new Map());
    const input = {
      file: { ...file, bytes: null },
      network: 'regtest',
      name,
      now: 1_700_000_000,
      files,
    } as const;
    return doTask({ kind: 'migrate', input }, new Map());
  };

  it.each(['legacy-hd', 'legacy-imported', 'legacy-watchonly', 'legacy-solvable'])(
    'is opened with the facts that its file gives: %s',
    async (name) => {
      const folder = makeTestFolder();
      const files = {
        primary: join(folder, 'primary'),
        watchonly: join(folder, 'watchonly'),
        solvables: join(folder, 'solvables'),
      };
      const migrated = await migrate(files, name);
      for (const part of walletPart.options) {
        if (migrated[part] === null) expect(readFileSync(files[part])).toHaveLength(0);
        else expect(migrated[part]?.facts).toEqual(await open(files[part]));
      }
    },
  );
});
