/** Writes text or bytes to a new file that only this user can read. Never replaces a file. */
import { statSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { FileError } from '../../shared/model/findings/fileError.ts';
import { flushFolder, isThere, writeWholeFile } from './durableFile.ts';
import { writeError } from './fileError.ts';
import { type FileMark, isSameFile, markOf } from './fileMark.ts';
import { folderReplaced } from './openFolder.ts';
import { systemError } from './systemCode.ts';

/**
 * Writes and flushes the file, and returns its size in bytes. Does so in one go, so that a thread that is stopped leaves
 * no partial file. `seen` is the result of `refuseTaken` from before the work for the file.
 *
 * @throws AppError, and leaves no file: `file_exists`, `folder_missing`, `no_space`, `file_unreadable` if this user may
 * not write to the folder, `bad_input` for a relative path, `file_changed` if another folder has replaced the one in
 * `seen`, or replaces the folder during the call.
 */
export function writeNewFile(path: string, content: string | Uint8Array, seen?: FileMark): number {
  const now = refuseTaken(path);
  const folder = dirname(path);
  const refuseAnother = (mark: FileMark) => {
    if (!isSameFile(mark, seen ?? now)) throw folderReplaced(folder);
  };
  refuseAnother(now);
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : Buffer.from(content);
  try {
    writeWholeFile(path, bytes, () => refuseAnother(markAt(folder)));
  } catch (error) {
    throw writeError(error, path);
  } finally {
    bytes.fill(0);
  }
  flushFolder(folder);
  return bytes.length;
}

/**
 * Checks a path before the work for its file, and throws what `writeNewFile` would. Returns the mark of the folder.
 */
export function refuseTaken(path: string): FileMark {
  if (!isAbsolute(path)) {
    throw new FileError('bad_input', { code: 'path_not_absolute' });
  }
  try {
    if (isThere(path)) throw systemError('EEXIST');
    if (!statSync(dirname(path)).isDirectory()) throw systemError('ENOTDIR');
    return markAt(dirname(path));
  } catch (error) {
    throw writeError(error, path);
  }
}

/** Follows links: the user may choose a folder through one. */
function markAt(folder: string): FileMark {
  return markOf(statSync(folder, { bigint: true }));
}
