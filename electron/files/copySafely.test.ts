import {
  type FileHandle,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { copySafely } from './copySafely.ts';
import type * as OpenFile from './openFile.ts';

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

/** Where links need a right of their own, and open files keep their names. */
const onWindows = process.platform === 'win32';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'copy-safely-'));
  onTestFinished(async () => {
    turn.after = async () => {};
    await rm(folder, { recursive: true });
  });
  return folder;
}

it('copies a file to a new one that only its owner can read and write', async () => {
  const folder = await newFolder();
  await writeFile(join(folder, 'a'), 'wallet', { mode: 0o444 });
  const { size, sha256 } = await copySafely(join(folder, 'a'), join(folder, 'b'));
  expect({ size, sha256 }).toEqual({ size: 6, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(await readFile(join(folder, 'b'), 'utf8')).toBe('wallet');
  if (!onWindows) expect((await stat(join(folder, 'b'))).mode & 0o777).toBe(0o600);
});

it.skipIf(onWindows)('writes nothing through a link', async () => {
  const folder = await newFolder();
  await writeFile(join(folder, 'a'), 'wallet');
  await symlink(join(folder, 'elsewhere'), join(folder, 'b'));
  await expect(copySafely(join(folder, 'a'), join(folder, 'b'))).rejects.toMatchObject({
    code: 'file_exists',
  });
  expect((await readdir(folder)).sort()).toEqual(['a', 'b']);
});

it.skipIf(onWindows)('notices a replaced source, and leaves no copy', async () => {
  const folder = await newFolder();
  await writeFile(join(folder, 'a'), 'wallet');
  await writeFile(join(folder, 'other'), 'wallet');
  turn.after = () => rename(join(folder, 'other'), join(folder, 'a'));
  await expect(copySafely(join(folder, 'a'), join(folder, 'b'))).rejects.toMatchObject({
    code: 'file_changed',
  });
  expect(await readdir(folder)).toEqual(['a']);
});

// SECURITY.md: Another user of this computer
it.skipIf(onWindows)('removes nothing that replaced its copy', async () => {
  const folder = await newFolder();
  await writeFile(join(folder, 'a'), 'wallet');
  turn.after = async () => {
    await rename(join(folder, 'b'), join(folder, 'moved'));
    await writeFile(join(folder, 'b'), 'of another');
  };
  const stopped = copySafely(join(folder, 'a'), join(folder, 'b'), AbortSignal.abort());
  await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
  expect(await readFile(join(folder, 'b'), 'utf8')).toBe('of another');
});
