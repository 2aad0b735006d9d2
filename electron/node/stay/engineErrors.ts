/** Why the offline engine cannot be started on a folder, or does not run any more. */
import { AppError } from '../../../shared/errors.ts';
import type { FoundNode } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';

/** Both are the engine's own sentences; `todo` is what to do next where it is not to be seen from the first. */
export function engineRefused(words: string, todo: string | null = null): AppError {
  return new AppError(
    'cannot_connect',
    say('The offline engine did not start. {words}', { words }),
    todo === null
      ? say('No wallet was changed. Put this right and try again, or choose another folder.')
      : say('No wallet was changed. {todo}', { todo }),
  );
}

export function engineBrokeOff(): AppError {
  return new AppError(
    'cannot_connect',
    say('The offline engine ended while it was starting.'),
    say('No wallet was changed. Try again; if it happens again, choose another folder.'),
  );
}

export function engineSilent(): AppError {
  return new AppError(
    'timed_out',
    say('The offline engine did not get ready in time.'),
    say(
      'It was ended, and no wallet was changed. The disk may be slow or asleep: try again, or choose another folder.',
    ),
  );
}

export function engineNotWanted(): AppError {
  return new AppError(
    'cancelled',
    say('The app was asked to do something else while the offline engine was starting.'),
    say('The offline engine was ended, and no wallet was changed.'),
  );
}

export function folderOfNode(folder: string, { address }: FoundNode): AppError {
  return new AppError(
    'busy',
    say('The node at port {port} of this computer runs on the wallets of {folder}.', {
      port: address.port,
      folder,
    }),
    say(
      'Two programs on one wallet file can damage it, so nothing was started. Connect to that node instead, stop it first, or choose another folder.',
    ),
  );
}

export function notAFolder(path: string): AppError {
  return new AppError(
    'bad_input',
    say('{path} is not the full path of a folder.', { path }),
    say('Nothing was started. Choose the folder again.'),
  );
}

export function engineHasWork(): AppError {
  return new AppError(
    'crossing_running',
    say('The offline engine is at work on another folder.'),
    say(
      'Nothing was changed. It can run on one folder at a time. Wait until the crossing that runs now has ended.',
    ),
  );
}

/** The wallets are safe: the engine puts a finished wallet in its place by one renaming. */
export function engineEnded(): AppError {
  return new AppError(
    'connection_lost',
    say('The offline engine has stopped.'),
    say('Each wallet is either as it was or finished. Start the offline engine again to go on.'),
  );
}
