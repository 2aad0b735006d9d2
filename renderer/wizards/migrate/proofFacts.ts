/** What a rehearsal proved, in numbers. */
import type { MigrationProof } from '../../../shared/inspection.ts';
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
      label: 'Scripts',
      text: `${formatCount(found)} of ${formatCount(scripts.old)} found again${placesOf(scripts)}`,
    },
    solvable > 0 ? { label: 'Solvable scripts', text: `${formatCount(solvable)} put apart` } : null,
    ready > 0 ? { label: 'Kept ready', text: `${counted(ready, 'key')} more than before` } : null,
    { label: 'Labels', text: kept(addressRecords, 'record') },
    { label: 'Transactions', text: kept(transactions, 'transaction') },
    lockedCoins > 0 ? { label: 'Locked coins', text: kept(lockedCoins, 'coin') } : null,
  ];
  return facts.filter((fact) => fact !== null);
}

function placesOf({ primary, watchonly }: MigrationProof['scripts']): string {
  if (primary > 0 && watchonly > 0) {
    return `: ${formatCount(primary)} in the main wallet, ${formatCount(watchonly)} in the watch-only one`;
  }
  if (primary + watchonly === 0) return '';
  return primary > 0 ? ', in the main wallet' : ', in the watch-only wallet';
}

function kept(total: number, one: string): string {
  if (total === 0) return 'None to keep';
  return total === 1 ? `1 ${one}, kept` : `All ${counted(total, one)} kept`;
}
