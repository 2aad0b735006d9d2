import { appendFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { type FileHandle, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hashFile } from './hash.ts';
import { ON_WINDOWS } from './testing/system.ts';
import { makeTestFolder } from './testing/testFolder.ts';

const MEGABYTE = 1024 * 1024;

let folder: string;
let path: string;

beforeEach(() => {
  folder = makeTestFolder();
  path = join(folder, 'file');
});
afterEach(() => vi.restoreAllMocks());

/** Has it happen once the first chunk is read. */
async function afterFirstChunk(act: () => void): Promise<void> {
  const handle = await open(path);
  const prototype: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const { read } = prototype;
  vi.spyOn(prototype, 'read').mockImplementationOnce(async function (this: FileHandle, ...args: unknown[]) {
    const chunk = await Reflect.apply(read, this, args);
    act();
    return chunk;
  });
}

describe('hashFile', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    // The third vector of FIPS 180-2, B.3: one million times "a".
    ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
  ])('gives the SHA-256 of known content', async (content, sha256) => {
    await writeFile(path, content);
    expect(await hashFile(path)).toBe(sha256);
  });

  it('can be cancelled before and meanwhile', async () => {
    await writeFile(path, Buffer.alloc(3 * MEGABYTE));
    await expect(hashFile(path, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
    const controller = new AbortController();
    await afterFirstChunk(() => controller.abort());
    await expect(hashFile(path, controller.signal)).rejects.toMatchObject({ code: 'cancelled' });
  });

  const changes: [string, string, () => void][] = [
    ['grows', 'file_changed', () => appendFileSync(path, 'more')],
    ['is cut', 'file_changed', () => truncateSync(path, 5)],
    ['is touched', 'file_changed', () => utimesSync(path, 1, 1)],
    [
      'keeps its size and time',
      'file_changed',
      () => {
        const { atime, mtime } = statSync(path);
        writeFileSync(path, 'y', { flag: 'r+' });
        utimesSync(path, atime, mtime);
      },
    ],
    ['vanishes', 'file_missing', () => rmSync(path, { force: true })],
  ];
  // Windows removes a file once nobody reads it.
  const here = changes.filter(([what]) => !ON_WINDOWS || what !== 'vanishes');
  it.each(here)('notices that the file %s meanwhile', async (_, code, change) => {
    await writeFile(path, Buffer.alloc(3 * MEGABYTE));
    // Whole seconds, which every system keeps.
    utimesSync(path, 2, 2);
    await afterFirstChunk(change);
    await expect(hashFile(path)).rejects.toMatchObject({ code });
  });

  it('refuses what is missing or not a file', async () => {
    await expect(hashFile(path)).rejects.toMatchObject({ code: 'file_missing' });
    await expect(hashFile(folder)).rejects.toMatchObject({ code: 'not_a_file' });
  });
});
