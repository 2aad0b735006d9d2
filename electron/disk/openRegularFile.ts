/** Opens only regular files for reading: a pipe could be waited for forever, and a device could be endless. */
import type { StatsBase } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { AppError } from '../../shared/errors.ts';
import { say } from '../../shared/text/say.ts';
import { noFile, OPEN_TO_READ } from './openFile.ts';

/** Throws AppError `not_a_file` for folders, devices, pipes and sockets, and else the system's error. */
export async function openRegularFile(path: string): Promise<FileHandle> {
  refuseSpecial(await stat(path));
  // Should the file become a pipe just now, opening it must not wait for someone to write to it.
  const handle = await open(path, OPEN_TO_READ);
  try {
    refuseSpecial(await handle.stat());
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function refuseSpecial(stats: Pick<StatsBase<unknown>, 'isFile' | 'isDirectory'>): void {
  const reason = noFile(stats);
  if (reason === 'folder') {
    throw new AppError(
      'not_a_file',
      say('This is a folder, not a file.'),
      say('Nothing was changed. Choose the file inside it, mostly wallet.dat.'),
    );
  }
  if (reason === 'special') {
    throw new AppError(
      'not_a_file',
      say('This is not a regular file.'),
      say('Nothing was changed. Choose another file.'),
    );
  }
}

/**
 * Gives the work an open file and its size in bytes. Throws what the work throws, AppError `file_changed` when size, time
 * of change or the file itself are others after it, and else as `openRegularFile` does.
 */
export async function whileUnchanged<T>(
  path: string,
  work: (handle: FileHandle, size: number) => Promise<T>,
): Promise<T> {
  const handle = await openRegularFile(path);
  try {
    const before = await handle.stat({ bigint: true });
    const done = await work(handle, Number(before.size));
    const after = await stat(path, { bigint: true });
    if (SAME_FACTS.some((fact) => before[fact] !== after[fact])) throw fileChanged();
    return done;
  } finally {
    await handle.close();
  }
}

const SAME_FACTS = ['size', 'mtimeNs', 'ino', 'dev'] as const;

export function fileChanged(): AppError {
  return new AppError(
    'file_changed',
    say('The file changed while it was read.'),
    say('Something else writes to it, such as a node. Wait, then try again.'),
  );
}
