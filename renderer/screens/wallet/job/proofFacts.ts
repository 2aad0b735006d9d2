/** What a rehearsal proved, in numbers. */
import type { MigrationProof } from '../../../../shared/model/migrationPreview.ts';
import { formatCount } from '../../../../shared/wording/format/counted.ts';
import { listed } from '../../../../shared/wording/format/listed.ts';
import { say } from '../../../../shared/wording/say.ts';

/** What there was none of is left out, but for labels and transactions, which every wallet may have. */
export function proofFacts(proof: MigrationProof): { label: string; value: string }[] {
  const { scripts, solvable, ready, addressRecords, transactions, lockedCoins } = proof;
  const { old, primary, watchonly } = scripts;
  const found = say('{found, number} of {old, number}', { found: primary + watchonly, old });
  const apart = watchonly > 0 && say('{count, number} watch-only', { count: watchonly });
  return [
    { label: say('Scripts'), value: listed([found, apart]) },
    ...(solvable > 0 ? [{ label: say('Solvable scripts'), value: formatCount(solvable) }] : []),
    ...(ready > 0 ? [{ label: say('More keys ready'), value: formatCount(ready) }] : []),
    { label: say('Labels'), value: kept(addressRecords) },
    { label: say('Transactions'), value: kept(transactions) },
    ...(lockedCoins > 0 ? [{ label: say('Locked coins'), value: kept(lockedCoins) }] : []),
  ];
}

function kept(count: number): string {
  return count === 0 ? say('None') : say('{count, number} kept', { count });
}
