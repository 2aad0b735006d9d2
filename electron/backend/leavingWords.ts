/** Tells a user who closes the app what happens to the running jobs. */
import { say } from '../../shared/wording/say.ts';
import type { RunningWork } from './host.ts';

/** `all` is at least 1. */
export function leavingWords({ all, inEngine }: RunningWork): { message: string; detail: string } {
  const message = say('{count, plural, one {# job} other {# jobs}} still running', { count: all });
  const sentences = [
    inEngine > 0 &&
      say('The offline engine ends with the app; wallets it has not finished stay as they were.'),
    inEngine < all && say('The node continues; we’ll show the result next time.'),
  ];
  return { message, detail: sentences.filter((sentence) => sentence !== false).join(' ') };
}
