/** Keeps the app from placing a copy, with its keys, in a wallets folder that others of this computer can change. */
import { AppError } from '../../../shared/model/errors.ts';
import { sharedFolderText } from '../../../shared/wording/findings/sharedFolderText.ts';
import { say } from '../../../shared/wording/say.ts';
import { type SharedWay, sharedWay } from '../../files/owned/sharedFolder.ts';
import { orNull } from '../../walletfile/bytes/once.ts';

/** Null where nobody else can change the folder, and where it is not there. */
export function sharedWalletsFolder(walletsFolder: string): SharedWay | null {
  return orNull(() => sharedWay(walletsFolder));
}

/** What is the matter, and what can be done about it, in sentences. */
export function sharedWords(shared: SharedWay): { message: string; todo: string } {
  const { folder, how } = shared;
  const todo =
    how === 'owned-by-another'
      ? // A node of that user could not open what this one places for itself alone.
        say('Place the copy and migrate it as that user, or work without a node.')
      : say('Run “chmod go-w” on {folder}, or work without a node.', { folder });
  return { message: sharedFolderText(shared), todo };
}

/** How to do by hand what the app does where it can place a copy itself. */
export const BY_HAND = say(
  'Put a copy as wallet.dat into a new folder in the wallets folder and migrate that, or work without a node.',
);

/** Throws AppError `not_available_here` where another user can change the folder, or put another one in its place. */
export function refuseSharedWalletsFolder(walletsFolder: string): void {
  const shared = sharedWalletsFolder(walletsFolder);
  if (shared === null) return;
  const { message, todo } = sharedWords(shared);
  throw new AppError('not_available_here', message, `${say('Nothing was sent.')} ${todo}`);
}
