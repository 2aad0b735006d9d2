/** Keeps a folder open during work in it, so that each step happens in that folder or not at all. */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileError } from '../../shared/model/findings/fileError.ts';
import { type FileMark, isSameFile, markOf } from './fileMark.ts';

export interface OpenFolder extends AsyncDisposable {
  readonly mark: FileMark;
  /**
   * The path for one step on the entry `name`, existing or not. On Linux the path goes through the open folder, so
   * that a swap after this call cannot redirect the step. Throws AppError `file_changed` if the folder's path now
   * leads elsewhere.
   */
  at(name: string): Promise<string>;
  /** Opens a folder in this one, which must stay open until that is closed. Throws as `openFolder` does. */
  openInside(name: string): Promise<OpenFolder>;
}

/**
 * `path` must be a real path: a link as its last part is not followed.
 *
 * @throws AppError `file_changed` if it is no folder, else the system's error.
 */
export function openFolder(path: string): Promise<OpenFolder> {
  return openPath(path, async () => path);
}

/** `path` is for messages; `currentPath` leads there through the open folders above. */
async function openPath(path: string, currentPath: () => Promise<string>): Promise<OpenFolder> {
  const handle = await openHandle(path, await currentPath());
  try {
    const mark = await markOfFolder(path, await currentPath());
    if (handle !== null && !isSameFile(markOf(await handle.stat({ bigint: true })), mark))
      throw folderReplacedError(path);
    const through = await pathThrough(handle, mark);
    const at = async (name: string) => {
      const here = await currentPath();
      if (!isSameFile(await markOfFolder(path, here), mark)) throw folderReplacedError(path);
      return join(through ?? here, name);
    };
    return {
      mark,
      at,
      openInside: (name) => openPath(join(path, name), () => at(name)),
      [Symbol.asyncDispose]: async () => handle?.close(),
    };
  } catch (error) {
    await handle?.close();
    throw error;
  }
}

/** Null on Windows, which cannot open folders. */
async function openHandle(path: string, here: string): Promise<FileHandle | null> {
  if (process.platform === 'win32') return null;
  await markOfFolder(path, here);
  return open(here, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
}

async function markOfFolder(path: string, here: string): Promise<FileMark> {
  const facts = await lstat(here, { bigint: true });
  if (!facts.isDirectory()) throw folderReplacedError(path);
  return markOf(facts);
}

/** Linux has a path for each open folder. Null elsewhere, and without a visible `/proc`. */
async function pathThrough(handle: FileHandle | null, mark: FileMark): Promise<string | null> {
  if (handle === null || process.platform !== 'linux') return null;
  const through = `/proc/self/fd/${handle.fd}`;
  const leadsThere = await stat(through, { bigint: true }).then(
    (facts) => isSameFile(markOf(facts), mark),
    () => false,
  );
  return leadsThere ? through : null;
}

export function folderReplacedError(path: string): FileError {
  return new FileError('file_changed', { code: 'folder_replaced', path });
}
