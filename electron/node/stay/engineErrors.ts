/** Why the offline engine cannot be started on a folder, or does not run any more. */
import { AppError } from '../../../shared/errors.ts';
import type { FoundNode } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';

/** Both are the engine's own sentences; `todo` is what to do next where it is not to be seen from the first. */
export function engineRefused(words: string, todo: string | null): AppError {
  return new AppError(
    'cannot_connect',
    say('The offline engine did not start. {words}', { words }),
    todo === null ? TRY_AGAIN : say('No wallet was changed. {todo}', { todo }),
  );
}

export function engineBrokeOff(): AppError {
  return new AppError('cannot_connect', say('The offline engine ended while starting.'), TRY_AGAIN);
}

export function engineSilent(): AppError {
  return new AppError('timed_out', say('The offline engine did not start in time.'), TRY_AGAIN);
}

const TRY_AGAIN = say('No wallet was changed. Try again, or choose another folder.');

export function folderOfNode(folder: string, { address }: FoundNode): AppError {
  return new AppError(
    'busy',
    say('The node at port {port} uses {folder}.', { port: address.port, folder }),
    say('Two programs can damage a wallet. Connect to that node, stop it, or choose another folder.'),
  );
}

export function notAFolder(): AppError {
  return new AppError('bad_input', say('This is not a full path.'), say('Choose another folder.'));
}

export function engineHasWork(): AppError {
  return new AppError(
    'crossing_running',
    say('The offline engine is at work on another folder.'),
    say('Nothing was changed. Wait until its crossing ends.'),
  );
}

/** The wallets are safe: the engine puts a finished wallet in its place by one renaming. */
export function engineEnded(): AppError {
  return new AppError(
    'connection_lost',
    say('The offline engine has stopped.'),
    say('Each wallet is as it was, or finished. Start it again.'),
  );
}
