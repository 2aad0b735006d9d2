/** What a failed call to the file system means, in our words. */
import { AppError } from '../../shared/errors.ts';
import { say } from '../../shared/text/say.ts';
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
        say(
          'Nothing was changed. It may have been moved, or the disk or stick it is on is not connected. Choose it again.',
        ),
      );
    case 'EACCES':
    case 'EPERM':
      return new AppError(
        'file_unreadable',
        say('This user may not open {path}.', { path }),
        say(
          'Nothing was changed. Give your user the right to read it, or copy it to a folder of yours with the system’s own means.',
        ),
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return new AppError(
        'no_space',
        say('The disk is full.'),
        say('What is on it is as it was. Free some space there and try again.'),
      );
    case 'ENAMETOOLONG':
    case 'ERR_INVALID_ARG_VALUE':
      return new AppError(
        'bad_input',
        say('This cannot be the path of a file.'),
        say('Nothing was changed. Choose the file again.'),
      );
    case 'EMFILE':
    case 'ENFILE':
      return new AppError(
        'file_unreadable',
        say('{path} cannot be opened just now: too many files and connections are open on this computer.', {
          path,
        }),
        say('Nothing was changed. End programs that you do not need, wait a moment, and try again.'),
      );
    case 'EIO':
      return new AppError(
        'file_unreadable',
        say('The disk reported an error while reading {path}.', { path }),
        say(
          'The app changed nothing on it. The disk or stick may be failing: copy what can be copied from it before anything else.',
        ),
      );
    default:
      return new AppError(
        'file_unreadable',
        say('{path} cannot be read.', { path }),
        say('Nothing was changed. Try again, or copy the file to another disk first.'),
      );
  }
}
