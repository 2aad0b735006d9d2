/** What a failed call to the file system means, in our words. */
import { dirname } from 'node:path';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/wording/say.ts';
import { systemCode } from './systemCode.ts';

/** Any error thrown for `path` as an AppError. One that is an AppError already stays what it is. */
export function fileError(thrown: unknown, path: string): AppError {
  if (thrown instanceof AppError) return thrown;
  switch (systemCode(thrown)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new AppError(
        'file_missing',
        say('There is nothing at {path}.', { path }),
        say('Nothing was changed. Connect the disk, or choose another place.'),
      );
    case 'EACCES':
    case 'EPERM':
      return new AppError(
        'file_unreadable',
        say('You may not open {path}.', { path }),
        say('Nothing was changed. Give your user the right to read it.'),
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return new AppError(
        'no_space',
        say('The disk is full.'),
        say('Nothing was changed. Make room and try again.'),
      );
    case 'ENAMETOOLONG':
    case 'ERR_INVALID_ARG_VALUE':
      return new AppError(
        'bad_input',
        say('This is not a file’s path.'),
        say('Nothing was changed. Choose again.'),
      );
    case 'EMFILE':
    case 'ENFILE':
      return new AppError(
        'file_unreadable',
        say('{path} cannot be opened: too many files are open.', { path }),
        say('Nothing was changed. Close other programs and try again.'),
      );
    case 'EIO':
      return new AppError(
        'file_unreadable',
        say('The disk failed while reading {path}.', { path }),
        say('Nothing was changed. Copy what you can from the disk first.'),
      );
    default:
      return new AppError(
        'file_unreadable',
        say('{path} cannot be read.', { path }),
        say('Nothing was changed. Try again, or use another disk.'),
      );
  }
}

/** The same for what is written: `path` is that of the new file or folder. */
export function writeError(thrown: unknown, path: string): AppError {
  if (thrown instanceof AppError) return thrown;
  const folder = { path: dirname(path) };
  switch (systemCode(thrown)) {
    case 'EEXIST':
      return new AppError(
        'file_exists',
        say('There is already something at {path}.', { path }),
        say('Nothing was changed. Choose another name.'),
      );
    case 'ENOENT':
    case 'ENOTDIR':
      return new AppError(
        'folder_missing',
        say('There is no folder {path}.', folder),
        say('Nothing was changed. Connect the disk, or choose another place.'),
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return new AppError(
        'no_space',
        say('Not enough space in {path}.', folder),
        say('Nothing was changed. Make room and try again.'),
      );
    case 'EFBIG':
      return new AppError(
        'no_space',
        say('{path} takes no file of this size.', folder),
        say('Nothing was changed. Choose a folder on another disk.'),
      );
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new AppError(
        'file_unreadable',
        say('You may not write to {path}.', folder),
        say('Nothing was changed. Choose another folder.'),
      );
    case 'ENAMETOOLONG':
    case 'ERR_INVALID_ARG_VALUE':
      return fileError(thrown, path);
    default:
      return new AppError(
        'file_unreadable',
        say('{path} could not be written.', { path }),
        say('Nothing was changed. Try again, or use another disk.'),
      );
  }
}
