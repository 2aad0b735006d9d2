/** A folder that is held on to while something is done in it: what is done next is done in that very folder, or not. */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileError } from '../../shared/model/findings/fileError.ts';
import { type FileMark, markOf, sameMark } from './fileMark.ts';

export interface HeldFolder {
  readonly mark: FileMark;
  /**
   * The path for one step on what is called `name` in the folder, whether it is there or not. On Linux it leads through
   * the open folder, so that no swap after this question leads the step elsewhere. Throws AppError `file_changed` where
   * the folder's path leads to something else by now.
   */
  at(name: string): Promise<string>;
  /** Holds on to a folder in it. Needs this one until it is closed itself. Throws what `holdFolder` throws. */
  hold(name: string): Promise<HeldFolder>;
  close(): Promise<void>;
}

/**
 * `path` has to be real: its last part is not followed where it is a link.
 *
 * @throws AppError `file_changed` for what is no folder, and else the system's error.
 */
export function holdFolder(path: string): Promise<HeldFolder> {
  return hold(path, async () => path);
}

/** Closes the folder when the work ends. */
export async function during<T>(folder: HeldFolder, work: (folder: HeldFolder) => Promise<T>): Promise<T> {
  try {
    return await work(folder);
  } finally {
    await folder.close();
  }
}

/** `path` is for words; `whereNow` leads there through the folders above that are held. */
async function hold(path: string, whereNow: () => Promise<string>): Promise<HeldFolder> {
  const handle = await openFolder(path, await whereNow());
  try {
    const mark = await markOfFolder(path, await whereNow());
    if (handle !== null && !sameMark(markOf(await handle.stat({ bigint: true })), mark)) throw swapped(path);
    const through = await wayThrough(handle, mark);
    const at = async (name: string) => {
      const here = await whereNow();
      if (!sameMark(await markOfFolder(path, here), mark)) throw swapped(path);
      return join(through ?? here, name);
    };
    return {
      mark,
      at,
      hold: (name) => hold(join(path, name), () => at(name)),
      close: async () => handle?.close(),
    };
  } catch (error) {
    await handle?.close();
    throw error;
  }
}

/** Null on Windows, which opens no folders. */
async function openFolder(path: string, here: string): Promise<FileHandle | null> {
  if (process.platform === 'win32') return null;
  await markOfFolder(path, here);
  return open(here, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
}

async function markOfFolder(path: string, here: string): Promise<FileMark> {
  const facts = await lstat(here, { bigint: true });
  if (!facts.isDirectory()) throw swapped(path);
  return markOf(facts);
}

/** Linux names each open folder by a path of its own. Null elsewhere, and where `/proc` cannot be seen. */
async function wayThrough(handle: FileHandle | null, mark: FileMark): Promise<string | null> {
  if (handle === null || process.platform !== 'linux') return null;
  const through = `/proc/self/fd/${handle.fd}`;
  const leadsThere = await stat(through, { bigint: true }).then(
    (facts) => sameMark(markOf(facts), mark),
    () => false,
  );
  return leadsThere ? through : null;
}

/** The error for a folder that has been replaced by another one. */
export function swapped(path: string): FileError {
  return new FileError('file_changed', { code: 'folder_replaced', path });
}
