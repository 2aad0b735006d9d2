/** Opens only regular files for reading: a pipe could be waited for forever, and a device could be endless. */
import { type FileHandle, lstat, open, stat } from 'node:fs/promises';
import { FileError } from '../../shared/model/findings/fileError.ts';
import { NOT_BEHIND_A_LINK, NoFileError, OPEN_TO_READ, refuse } from './openFile.ts';

/** Throws AppError `not_a_file` for folders, devices, pipes and sockets, and else the system's error. */
export async function openRegularFile(path: string): Promise<FileHandle> {
  try {
    return await openLookedAt(path, stat, OPEN_TO_READ);
  } catch (error) {
    throw error instanceof NoFileError ? notAFile(error) : error;
  }
}

/**
 * The same for a file and no link to one, of the user of this number where one is named. Throws NoFileError, and else the
 * system's error.
 */
export function openUnlinked(path: string, owner: number | null = null): Promise<FileHandle> {
  return openLookedAt(path, lstat, OPEN_TO_READ | (NOT_BEHIND_A_LINK ?? 0), owner);
}

async function openLookedAt(
  path: string,
  look: typeof stat | typeof lstat,
  flags: number,
  owner: number | null = null,
): Promise<FileHandle> {
  // Where the system cannot refuse a link when it opens, it is seen here.
  refuse(await look(path));
  // Should the file become a pipe just now, opening it must not wait for someone to write to it.
  const handle = await open(path, flags);
  try {
    const stats = await handle.stat();
    refuse(stats);
    if (owner !== null && stats.uid !== owner) throw new NoFileError('of-another-user');
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function notAFile({ reason }: NoFileError): FileError {
  return new FileError('not_a_file', { code: reason === 'folder' ? 'folder_not_file' : 'not_regular_file' });
}

/** What an open file begins with, of so many bytes at most. */
export async function firstBytes(file: FileHandle, count: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(count), 0, count, 0);
  return buffer.subarray(0, bytesRead);
}

/**
 * Gives the work an open file and its size in bytes. Throws what the work throws, AppError `file_changed` when size, time
 * of change or the file itself are others after it, and else as `openRegularFile` does.
 */
export async function whileUnchanged<T>(
  path: string,
  work: (handle: FileHandle, size: number) => Promise<T>,
): Promise<T> {
  await using handle = await openRegularFile(path);
  const before = await handle.stat({ bigint: true });
  const done = await work(handle, Number(before.size));
  const after = await stat(path, { bigint: true });
  if (SAME_FACTS.some((fact) => before[fact] !== after[fact])) throw fileChanged();
  return done;
}

const SAME_FACTS = ['size', 'mtimeNs', 'ino', 'dev'] as const;

export function fileChanged(): FileError {
  return new FileError('file_changed', { code: 'file_changed' });
}
