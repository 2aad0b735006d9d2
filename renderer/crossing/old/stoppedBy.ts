/** One sentence on the checks that stop an operation. */
import type { Check } from '../../../shared/safety.ts';
import { say } from '../../../shared/text/say.ts';
import { listedApart } from '../../words/format/listed.ts';

/** Null where none stops it. Some titles are sentences that end in a full stop of their own. */
export function stoppedBy(checks: readonly Check[]): string | null {
  const stops = checks.flatMap(({ verdict, title }) =>
    verdict === 'stop' ? [title.replace(/\.$/, '')] : [],
  );
  if (stops.length === 0) return null;
  return say('{count, plural, one {Stopped by a check: {checks}.} other {Stopped by # checks: {checks}.}}', {
    count: stops.length,
    checks: listedApart(stops),
  });
}
