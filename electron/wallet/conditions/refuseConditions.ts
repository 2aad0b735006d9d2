/** Refuses a wallet for what is in it, as a node does, where the app's own engine does not go on. */
import type { Condition } from '../../../shared/conditions.ts';
import { AppError } from '../../../shared/errors.ts';
import { say } from '../../../shared/text/say.ts';
import { conditionLines } from '../../../shared/words/conditionWords.ts';
import { ENGINE_REFUSES } from './conditionTable.ts';

/** Throws AppError `wallet_error` that names the records. */
export function refuseConditions(conditions: readonly Condition[]): void {
  const [first] = conditions.filter(({ code }) => ENGINE_REFUSES.has(code));
  if (!first) return;
  throw new AppError(
    'wallet_error',
    conditionLines(first).join(' '),
    say('Nothing was changed. A rescue saves all that is whole.'),
  );
}
