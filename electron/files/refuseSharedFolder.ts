/** Keeps the app away from a folder of data that other users of this computer can change. */
import { type Stats, statSync } from 'node:fs';
import { AppError } from '../../shared/errors.ts';
import { say } from '../../shared/say.ts';

/**
 * Whoever can write to the folder could put words into the journal, or a link in the place of a copy. Looks at the folder
 * itself, links followed; one that is not there yet is made for this user alone. On Windows rights are no bits: there it
 * passes.
 *
 * @throws AppError `not_available_here` for a folder that belongs to another user, or that others may write to.
 */
export function refuseSharedFolder(folder: string): void {
  const user = process.getuid?.();
  const facts = factsOf(folder);
  if (user === undefined || facts === null) return;
  if (facts.uid !== user) {
    throw refusal(
      folder,
      say('The folder of the app’s data belongs to another user of this computer: {folder}', { folder }),
    );
  }
  // Many systems give each user a group of their own, which may write as they do.
  const isOwnGroup = facts.gid === process.getgid?.();
  if ((facts.mode & OTHERS_WRITE) !== 0 || ((facts.mode & GROUP_WRITES) !== 0 && !isOwnGroup)) {
    throw refusal(
      folder,
      say('Other users of this computer may write to the folder of the app’s data: {folder}', { folder }),
    );
  }
}

const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;

/** Null also where this user cannot look: then nothing of it can be used either. */
function factsOf(folder: string): Stats | null {
  try {
    return statSync(folder);
  } catch {
    return null;
  }
}

function refusal(folder: string, message: string): AppError {
  return new AppError(
    'not_available_here',
    message,
    say(
      'The app keeps its journal and its safety copies there, and has neither read nor changed anything. Make {folder} yours alone (owner: you, mode 700), or name another folder in the environment variable WALLET_FERRY_DATA. Then start again.',
      { folder },
    ),
  );
}
