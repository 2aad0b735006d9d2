/** One sentence on the checks that stop an operation. */
import type { Check } from '../../shared/safety.ts';
import { say } from '../../shared/say.ts';

/** Null where none stops it. Some titles are sentences that end in a full stop of their own. */
export function stoppedBy(checks: readonly Check[]): string | null {
  const stops = checks.flatMap(({ verdict, title }) =>
    verdict === 'stop' ? [title.replace(/\.$/, '')] : [],
  );
  return stops.length === 0 ? null : say('Stopped by a check: {stops}.', { stops: stops.join('. ') });
}
