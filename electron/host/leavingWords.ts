/** What is said to someone who closes the app while operations run. */

import { say } from '../../shared/say.ts';
import type { RunningWork } from '../services.ts';

/** `all` is at least 1. */
export function leavingWords({ all, inEngine }: RunningWork): { message: string; detail: string } {
  const message =
    all === 1 ? say('An operation is still running') : say('{all} operations are still running', { all });
  const atNode = all - inEngine;
  const sentences = [
    atNode > 0 &&
      inEngine > 0 &&
      (inEngine === 1
        ? say('One of them runs in the offline engine.')
        : say('{inEngine} of them run in the offline engine.', { inEngine })),
    inEngine > 0 &&
      say(
        'The offline engine ends with the app. What it has not finished it gives up, and the wallet stays as it was.',
      ),
    atNode > 0 &&
      say(
        'The node goes on with {which} when the app is closed, and the app finds out what came of it when it is started again.',
        { which: inEngine > 0 ? 'the rest' : all === 1 ? 'it' : 'them' },
      ),
  ];
  return { message, detail: sentences.filter((sentence) => sentence !== false).join(' ') };
}
