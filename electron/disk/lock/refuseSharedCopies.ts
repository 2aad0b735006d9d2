/** Keeps copies of wallets out of a folder of the app that others can change by now. */
import { AppError } from '../../../shared/errors.ts';
import { say } from '../../../shared/text/say.ts';
import { fileError } from '../fileError.ts';
import { type SharedWay, sharedMessage, sharedWay } from './sharedFolder.ts';

/**
 * To be asked right before a copy is written: rights can change while the app runs.
 *
 * @throws AppError `not_available_here` where another user can change the folder or put another one in its place, and
 * what looking at it throws.
 */
export function refuseSharedCopies(folder: string): void {
  const shared = lookAt(folder);
  if (shared === null) return;
  throw new AppError(
    'not_available_here',
    sharedMessage(shared),
    say(
      'No wallet was changed, and the app writes no copy of one there. End the app, look at what lies in {folder}, and make it yours alone before you start again.',
      { folder: shared.folder },
    ),
  );
}

function lookAt(folder: string): SharedWay | null {
  if (process.getuid === undefined) return null;
  try {
    return sharedWay(folder);
  } catch (error) {
    throw fileError(error, folder);
  }
}
