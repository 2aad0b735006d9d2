/** Refuses a wallet for what is in it, as a node does, where the app's own engine does not go on. */
import type { Condition } from '../../../shared/model/conditions.ts';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import { ENGINE_REFUSES } from './conditionTable.ts';

/** Throws `wallet_error`, which names the records. */
export function refuseConditions(conditions: readonly Condition[]): void {
  const condition = conditions.find(({ code }) => ENGINE_REFUSES.has(code));
  if (condition) throw new FileError('wallet_error', { code: 'condition_refused', condition });
}
