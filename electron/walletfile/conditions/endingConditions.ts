/** Lists the conditions in a wallet file that crash a node when it loads the wallet or answers about it. */
import type { Condition } from '../../../shared/model/conditions.ts';
import { CONDITION_RULES, isInRelease } from './conditionTable.ts';

/** `release`: the node's number, as 310000 for 31.0. */
export function endingConditions(conditions: readonly Condition[], release: number): Condition[] {
  const codes = new Set(
    CONDITION_RULES.filter(
      ({ loading, releases }) =>
        (loading === 'ends' || loading === 'ends-later') && isInRelease(release, releases),
    ).map(({ code }) => code),
  );
  return conditions.filter(({ code }) => codes.has(code));
}
