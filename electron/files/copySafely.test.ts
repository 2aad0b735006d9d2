import { type FileHandle, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { copySafely } from './copySafely.ts';
import type * as OpenFile from './openFile.ts';
import { ON_WINDOWS } from './testing/system.ts';
import { makeTestFolder } from './testing/testFolder.ts';

/** Done when the source has been opened, before it is read. */
const { turn } = vi.hoisted(() => ({ turn: { after: async () => {} } }));

vi.mock('./openFile.ts', async (original) => {
  const real = await original<typeof OpenFile>();
  return {
    ...real,
    whileUnchanged: <T>(path: string, work: (handle: FileHandle, size: number) => Promise<T>) =>
      real.whileUnchanged(path, async (handle, size) => {
        await turn.after();
        return work(handle, size);
      }),
  };
});

let folder: string;
let [source, copy] = ['', ''];
beforeEach(async () => {
  turn.after = async () => {};
  folder = makeTestFolder();
  [source, copy] = [join(folder, 'a'), join(folder, 'b')];
  await writeFile(source, 'wallet', { mode: 0o444 });
});

it('copies a file to a new one that only its owner can read and write', async () => {
  const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(await copySafely(source, copy)).toMatchObject({ size: 6, sha256 });
  expect(await readFile(copy, 'utf8')).toBe('wallet');
  if (!ON_WINDOWS) expect((await stat(copy)).mode & 0o777).toBe(0o600);
});

// On Windows, links need a right of their own, and open files keep their names.
it.skipIf(ON_WINDOWS)('writes nothing through a link', async () => {
  await symlink(join(folder, 'elsewhere'), copy);
  await expect(copySafely(source, copy)).rejects.toMatchObject({ code: 'file_exists' });
  expect((await readdir(folder)).sort()).toEqual(['a', 'b']);
});

it.skipIf(ON_WINDOWS)('notices a replaced source, and leaves no copy', async () => {
  await writeFile(join(folder, 'other'), 'wallet');
  turn.after = () => rename(join(folder, 'other'), source);
  await expect(copySafely(source, copy)).rejects.toMatchObject({ code: 'file_changed' });
  expect(await readdir(folder)).toEqual(['a']);
});

// SECURITY.md: Another user who can write to a folder
it.skipIf(ON_WINDOWS)('removes nothing that replaced its copy', async () => {
  turn.after = async () => {
    await rename(copy, join(folder, 'moved'));
    await writeFile(copy, 'of another');
  };
  const stopped = copySafely(source, copy, AbortSignal.abort());
  await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
  expect(await readFile(copy, 'utf8')).toBe('of another');
});
