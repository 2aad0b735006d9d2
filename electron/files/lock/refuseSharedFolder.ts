/** Keeps the app away from a folder of data that other users of this computer can change. */
import { existsSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { AppError } from '../../../shared/model/errors.ts';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import { sharedFolderText } from '../../../shared/wording/findings/sharedFolderText.ts';
import { say } from '../../../shared/wording/say.ts';
import { fileError, writeError } from '../fileError.ts';
import { type SharedWay, sharedDataFolder, sharedWay } from '../owned/sharedFolder.ts';

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
  const hint = isAbove ? hintAbove(shared) : hintItself(shared);
  throw new AppError('not_available_here', sharedFolderText(shared), hint);
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

function hintItself({ folder }: SharedWay): string {
  return say(
    'Nothing was read or changed. Remove what is not yours from {folder} and make it yours alone (mode 700), or set WALLET_FERRY_DATA to another folder.',
    { folder },
  );
}

function hintAbove({ folder, how }: SharedWay): string {
  if (how === 'owned-by-another')
    return say(
      'Nothing was read or changed. Set WALLET_FERRY_DATA to a folder in your home, and start again.',
    );
  return say(
    'Nothing was read or changed. Run “chmod go-w” on {folder}, or set WALLET_FERRY_DATA to another folder.',
    { folder },
  );
}

/**
 * For a folder that the user chose for new files, asked before each of them is written.
 *
 * @throws AppError `not_available_here` where another user can change the folder or put another one in its place, and
 * what looking at it throws.
 */
export function refuseSharedOutput(folder: string): void {
  if (process.getuid === undefined) return;
  let shared: SharedWay | null;
  try {
    shared = sharedWay(folder);
  } catch (error) {
    throw writeError(error, join(folder, 'new'));
  }
  if (shared === null) return;
  throw new FileError('not_available_here', { code: 'folder_shared', ...shared });
}

/**
 * To be asked right before a copy is written: rights can change while the app runs.
 *
 * @throws AppError `not_available_here` where another user can change the folder or put another one in its place, and
 * what looking at it throws.
 */
export function refuseSharedCopies(folder: string): void {
  if (process.getuid === undefined) return;
  try {
    const shared = sharedWay(folder);
    if (shared === null) return;
    throw new AppError(
      'not_available_here',
      sharedFolderText(shared),
      say(
        'No wallet was changed and no copy made. Quit, check what lies in {folder}, and make it yours alone.',
        { folder: shared.folder },
      ),
    );
  } catch (error) {
    throw fileError(error, folder);
  }
}
