/** The verdicts of checks in words. */
import type { Check } from '../safety.ts';
import { say } from '../text/say.ts';

export const VERDICTS: Readonly<Record<Check['verdict'], string>> = {
  fine: say('Passed'),
  unseen: say('Not known'),
  read: say('Warning'),
  stop: say('Stop'),
};

/** `14 checks passed`. */
export function checksPassed(count: number): string {
  return say('{count, plural, one {# check passed} other {# checks passed}}', { count });
}
