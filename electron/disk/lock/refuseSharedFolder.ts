/** Keeps the app away from a folder of data that other users of this computer can change. */
import { existsSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { say } from '../../../shared/text/say.ts';
import { fileError } from '../fileError.ts';
import { type SharedWay, sharedDataFolder, sharedMessage, sharedWay } from './sharedFolder.ts';

/**
 * Whoever can write to the folder could put words into the journal, or a link in the place of a copy; and whoever can
 * write to one above it could put another folder in its place, into which a node would then write whole wallets.
 *
 * @throws AppError `not_available_here` for a folder that belongs to another user, or that others may write to, and for
 * one below such a folder, whether it is there yet or not.
 */
export function refuseSharedFolder(folder: string): void {
  const shared = sharedDataFolder(folder);
  if (shared === null) return;
  const isAbove = !existsSync(folder) || !isWithin(shared.folder, folder);
  throw isAbove ? sharedAbove(folder, shared) : sharedItself(shared);
}

/**
 * The real path of a folder of data that this process has by now. It may have been made by somebody else since the first
 * look, and a link in its path may lead elsewhere later: this path is to be used from now on. Throws as above.
 */
export function realOwnFolder(folder: string): string {
  const real = existsSync(folder) ? realpathSync(folder) : folder;
  refuseSharedFolder(real);
  return real;
}

/** Whether it is that folder, or lies in it. */
function isWithin(path: string, folder: string): boolean {
  return [folder, realpathSync(folder)].some((own) => path === own || path.startsWith(`${own}${sep}`));
}

function sharedItself({ folder, how }: SharedWay): AppError {
  return new AppError(
    'not_available_here',
    how === 'owned-by-another'
      ? say('The folder of the app’s data belongs to another user of this computer: {folder}', { folder })
      : say('Other users of this computer may write to the folder of the app’s data: {folder}', { folder }),
    say(
      'The app keeps its journal and its safety copies there, and has neither read nor changed anything. Remove from {folder} what is not yours, and make it yours alone (owner: you, mode 700). Or name another folder in the environment variable WALLET_FERRY_DATA. Then start again.',
      { folder },
    ),
  );
}

function sharedAbove(data: string, { folder, how }: SharedWay): AppError {
  const words = { data, folder };
  return how === 'owned-by-another'
    ? new AppError(
        'not_available_here',
        say(
          'Another user of this computer could put another folder in the place of the app’s data: {folder} is theirs.',
          words,
        ),
        say(
          'The app keeps its journal and its safety copies in {data}, and has neither read nor changed anything. Name a folder below your own home in the environment variable WALLET_FERRY_DATA, and start again.',
          words,
        ),
      )
    : new AppError(
        'not_available_here',
        say(
          'Other users of this computer could put another folder in the place of the app’s data: they may write to {folder}.',
          words,
        ),
        say(
          'The app keeps its journal and its safety copies in {data}, and has neither read nor changed anything. Take that right away, with “chmod go-w” on {folder}, or name another folder in the environment variable WALLET_FERRY_DATA. Then start again.',
          words,
        ),
      );
}

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
