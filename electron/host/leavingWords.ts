/** What is said to someone who closes the app while crossings run. */
import { say } from '../../shared/text/say.ts';
import type { RunningWork } from './host.ts';

/** `all` is at least 1. */
export function leavingWords({ all, inEngine }: RunningWork): { message: string; detail: string } {
  const message = say(
    '{count, plural, one {A crossing is still running} other {# crossings are still running}}',
    {
      count: all,
    },
  );
  const atNode = all - inEngine;
  const sentences = [
    atNode > 0 &&
      inEngine > 0 &&
      say(
        '{count, plural, one {One of them runs in the offline engine.} other {# of them run in the offline engine.}}',
        { count: inEngine },
      ),
    inEngine > 0 &&
      say(
        'The offline engine ends with the app. What it has not finished it gives up, and the wallet stays as it was.',
      ),
    atNode > 0 &&
      (inEngine > 0
        ? say(
            'The node goes on with the rest when the app is closed, and the app finds out what came of it when it is started again.',
          )
        : say(
            '{count, plural, one {The node goes on with it when the app is closed, and the app finds out what came of it when it is started again.} other {The node goes on with them when the app is closed, and the app finds out what came of it when it is started again.}}',
            { count: all },
          )),
  ];
  return { message, detail: sentences.filter((sentence) => sentence !== false).join(' ') };
}
