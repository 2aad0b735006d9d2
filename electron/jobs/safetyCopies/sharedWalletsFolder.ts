/** Refuses to place a copy, with its keys, in a wallets folder that other users of this computer can change. */
import { AppError } from '../../../shared/model/errors.ts';
import { notSent, sharedFolderText } from '../../../shared/wording/findings/hints.ts';
import { say } from '../../../shared/wording/say.ts';
import { findSharedFolder, type SharedFolder } from '../../files/owned/sharedFolder.ts';
import { orNull } from '../../walletfile/bytes/once.ts';

/** Null if nobody else can change the folder, or if it is missing. */
export function sharedWalletsFolder(walletsFolder: string): SharedFolder | null {
  return orNull(() => findSharedFolder(walletsFolder));
}

/** The problem and its remedy, in sentences. */
export function sharedWords(shared: SharedFolder): { message: string; todo: string } {
  const { folder, how } = shared;
  const todo =
    how === 'owned-by-another'
      ? // The copy is readable only by this user, so a node of the other user could not open it.
        say('Run the app as the node’s user, or work without a node.')
      : say('Run “chmod go-w” on {folder}, or work without a node.', { folder });
  return { message: sharedFolderText(shared), todo };
}

/** How the user can place a copy by hand. */
export const BY_HAND = say(
  'Copy it as wallet.dat into a new folder in its wallets folder and migrate that, or work without a node.',
);

/** Throws AppError `not_available_here` if another user can change or replace the folder. */
export function refuseSharedWalletsFolder(walletsFolder: string): void {
  const shared = sharedWalletsFolder(walletsFolder);
  if (shared === null) return;
  const { message, todo } = sharedWords(shared);
  throw new AppError('not_available_here', message, notSent(todo));
}
