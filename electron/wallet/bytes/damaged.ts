/** The error for a file that is a wallet, and is broken. */
import { AppError } from '../../../shared/errors.ts';
import { say } from '../../../shared/text/say.ts';

/** `what` is a clause of its own without its full stop: "page 7 is named twice". */
export function damaged(what: string): AppError {
  return new AppError(
    'not_a_wallet',
    say('The wallet file is damaged: {fault}.', { fault: what }),
    say(
      'The file was not changed. Keep it. Try another copy of this backup first; inspecting the file shows what can still be read.',
    ),
  );
}
