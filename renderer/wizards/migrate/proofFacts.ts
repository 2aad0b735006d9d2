/** What a rehearsal proved, in numbers. */
import type { MigrationProof } from '../../../shared/inspection.ts';
import { say } from '../../../shared/say.ts';
import { counted, formatCount } from '../../words/formatCount.ts';

export interface ProofFact {
  label: string;
  text: string;
}

export function proofFacts(proof: MigrationProof): ProofFact[] {
  const { scripts, solvable, ready, addressRecords, transactions, lockedCoins } = proof;
  const found = scripts.primary + scripts.watchonly;
  const facts: (ProofFact | null)[] = [
    {
      label: say('Scripts'),
      text: say('{found} of {old} found again{scripts}', {
        found: formatCount(found),
        old: formatCount(scripts.old),
        scripts: placesOf(scripts),
      }),
    },
    solvable > 0
      ? {
          label: say('Solvable scripts'),
          text: say('{solvable} put apart', { solvable: formatCount(solvable) }),
        }
      : null,
    ready > 0
      ? { label: say('Kept ready'), text: say('{count} more than before', { count: counted(ready, 'key') }) }
      : null,
    { label: say('Labels'), text: kept(addressRecords, 'record') },
    { label: say('Transactions'), text: kept(transactions, 'transaction') },
    lockedCoins > 0 ? { label: say('Locked coins'), text: kept(lockedCoins, 'coin') } : null,
  ];
  return facts.filter((fact) => fact !== null);
}

function placesOf({ primary, watchonly }: MigrationProof['scripts']): string {
  if (primary > 0 && watchonly > 0) {
    return say(': {primary} in the main wallet, {watchonly} in the watch-only one', {
      primary: formatCount(primary),
      watchonly: formatCount(watchonly),
    });
  }
  if (primary + watchonly === 0) return '';
  return primary > 0 ? say(', in the main wallet') : say(', in the watch-only wallet');
}

function kept(total: number, one: string): string {
  if (total === 0) return say('None to keep');
  return total === 1 ? `1 ${one}, kept` : say('All {count} kept', { count: counted(total, one) });
}
