/** What the verdicts of checks are called, and how many have passed. */
import type { Check } from '../safety.ts';
import { say } from '../text/say.ts';

/** `Stop`, `Read this`. */
export function verdictWord(verdict: Check['verdict']): string {
  return VERDICTS[verdict];
}

/** `15 checks passed`. */
export function passedWords(count: number): string {
  return say('{count, plural, one {# check passed} other {# checks passed}}', { count });
}

const VERDICTS: Readonly<Record<Check['verdict'], string>> = {
  fine: say('Fine'),
  read: say('Read this'),
  stop: say('Stop'),
  unseen: say('Not known'),
};
