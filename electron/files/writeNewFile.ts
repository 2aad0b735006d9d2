/** Writes a text, or bytes, to a new file that only this user can read, never over another one. */
import { statSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { FileError } from '../../shared/model/findings/fileError.ts';
import { flushFolder, isThere, writeWholeFile } from './durableFile.ts';
import { writeError } from './fileError.ts';
import { type FileMark, isSameFile, markOf } from './fileMark.ts';
import { folderReplaced } from './openFolder.ts';
import { systemError } from './systemCode.ts';

/**
 * Flushed when it returns; gives the file's size in bytes. All of it in one go, so that a thread that is ended does not
 * leave half of it.
 *
 * @throws AppError with no file left behind: `file_exists`, `folder_missing`, `no_space`, `file_unreadable` for a folder
 * that this user may not write to, `bad_input` for a path that is not absolute, `file_changed` where another folder lies in
 * the place of the one that `refuseTaken` saw: here, or before the work for the file, if `seen` has what it gave then.
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

/** Gives what its folder is known by. Throws what `writeNewFile` would throw for such a path, before work is done for it. */
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

/** Follows links: a folder may be chosen by one. */
function markAt(folder: string): FileMark {
  return markOf(statSync(folder, { bigint: true }));
}
