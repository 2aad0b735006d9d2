/** Keeps the app away from a folder of data that other users of this computer can change. */
import { AppError } from '../../../shared/errors.ts';
import { say } from '../../../shared/text/say.ts';
import { sharedFolder } from './sharedFolder.ts';

/**
 * Whoever can write to the folder could put words into the journal, or a link in the place of a copy.
 *
 * @throws AppError `not_available_here` for a folder that belongs to another user, or that others may write to.
 */
export function refuseSharedFolder(folder: string): void {
  const sharing = sharedFolder(folder);
  if (sharing === null) return;
  throw new AppError(
    'not_available_here',
    sharing === 'owned-by-another'
      ? say('The folder of the app’s data belongs to another user of this computer: {folder}', { folder })
      : say('Other users of this computer may write to the folder of the app’s data: {folder}', { folder }),
    say(
      'The app keeps its journal and its safety copies there, and has neither read nor changed anything. Make {folder} yours alone (owner: you, mode 700), or name another folder in the environment variable WALLET_FERRY_DATA. Then start again.',
      { folder },
    ),
  );
}
