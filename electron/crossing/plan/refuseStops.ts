/** Turns a check that stops into the refusal of the operation. */
import { AppError } from '../../../shared/errors.ts';
import type { Check } from '../../../shared/safety.ts';
import { say } from '../../../shared/text/say.ts';

/** Throws AppError `stopped_by_check` for the first one that stops. */
export function refuseStops(checks: readonly Check[]): void {
  const stop = checks.find(({ verdict }) => verdict === 'stop');
  if (!stop) return;
  const hint = [say('Nothing was sent to the node.'), ...stop.text, ...stop.todo].join(' ');
  throw new AppError('stopped_by_check', say('{title}.', { title: stop.title }), hint);
}
