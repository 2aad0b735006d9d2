/** A list in a sentence, cut where it gets too long to read. */
import { say } from '../../../shared/text/say.ts';

const MOST = 100;

/** At most a hundred of them, separated by commas, and how many more there are. */
export function cutList(items: readonly string[]): string {
  const more = items.length - MOST;
  return more > 0
    ? say('{list} and {more, number} more', { list: items.slice(0, MOST).join(', '), more })
    : items.join(', ');
}
