/** Refuses a wallet for what is in it, as a node does, where the app's own engine does not go on. */
import type { Condition } from '../../../shared/model/conditions.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { conditionLines } from '../../../shared/wording/conditionWords.ts';
import { say } from '../../../shared/wording/say.ts';
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
