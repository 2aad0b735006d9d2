/** Writes a text to a new file that only this user can read, never over another one. */
import { lstatSync, statSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { say } from '../../shared/text/say.ts';
import { flushFolder, writeWholeFile } from './durableFile.ts';
import { systemCode } from './systemCode.ts';

/**
 * Flushed when it returns; gives the file's size in bytes. All of it in one go, so that a thread that is ended does not
 * leave half of it.
 *
 * @throws AppError with no file left behind: `file_exists`, `folder_missing`, `no_space`, `file_unreadable` for a folder
 * that this user may not write to, `bad_input` for a path that is not absolute.
 */
export function writeNewFile(path: string, text: string): number {
  refuseTaken(path);
  const bytes = Buffer.from(text, 'utf8');
  try {
    writeWholeFile(path, bytes);
  } catch (error) {
    throw writeError(error, path);
  } finally {
    bytes.fill(0);
  }
  flushFolder(dirname(path));
  return bytes.length;
}

/** Throws what `writeNewFile` would throw for such a path, before work is done for it. */
export function refuseTaken(path: string): void {
  if (!isAbsolute(path)) {
    throw new AppError(
      'bad_input',
      say('The path for the new file is not complete.'),
      say('Nothing was written. Give the path from the root of the disk on.'),
    );
  }
  const folder = dirname(path);
  try {
    if (lstatSync(path, { throwIfNoEntry: false })) throw taken(path);
    if (!statSync(folder).isDirectory()) throw noFolder(folder);
  } catch (error) {
    throw writeError(error, path);
  }
}

function writeError(error: unknown, path: string): AppError {
  if (error instanceof AppError) return error;
  switch (systemCode(error)) {
    case 'EEXIST':
      return taken(path);
    case 'ENOENT':
    case 'ENOTDIR':
      return noFolder(dirname(path));
    case 'ENOSPC':
    case 'EDQUOT':
      return new AppError(
        'no_space',
        say('There is not enough space in {path}.', { path: dirname(path) }),
        say('No file was left there. Make room, or choose another place.'),
      );
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new AppError(
        'file_unreadable',
        say('You may not write to {path}.', { path: dirname(path) }),
        say('Nothing was written. Choose a folder of yours.'),
      );
    case 'ENAMETOOLONG':
    case 'ERR_INVALID_ARG_VALUE':
      return new AppError(
        'bad_input',
        say('This cannot be the path of a file.'),
        say('Choose another name.'),
      );
    default:
      return new AppError(
        'file_unreadable',
        say('{path} could not be written.', { path }),
        say('No file was left there. Try again, or choose another disk.'),
      );
  }
}

function taken(path: string): AppError {
  return new AppError(
    'file_exists',
    say('There is already something at {path}.', { path }),
    say('Nothing was written. The app never overwrites a file: choose another name.'),
  );
}

function noFolder(folder: string): AppError {
  return new AppError(
    'folder_missing',
    say('There is no folder {path}.', { path: folder }),
    say('Nothing was written. Make the folder, connect the disk, or choose another place.'),
  );
}
