/** What a rehearsal proved, in numbers. */
import type { MigrationProof } from '../../../shared/rehearsal.ts';
import { say } from '../../../shared/text/say.ts';

interface ProofFact {
  label: string;
  text: string;
}

export function proofFacts(proof: MigrationProof): ProofFact[] {
  const { scripts, solvable, ready, addressRecords, transactions, lockedCoins } = proof;
  const facts: (ProofFact | null)[] = [
    {
      label: say('Scripts'),
      text: scriptsText(scripts),
    },
    solvable > 0
      ? {
          label: say('Solvable scripts'),
          text: say('{count, number} put apart', { count: solvable }),
        }
      : null,
    ready > 0
      ? {
          label: say('Kept ready'),
          text: say('{count, plural, one {# key more than before} other {# keys more than before}}', {
            count: ready,
          }),
        }
      : null,
    { label: say('Labels'), text: kept(addressRecords, 'labels') },
    { label: say('Transactions'), text: kept(transactions, 'transactions') },
    lockedCoins > 0 ? { label: say('Locked coins'), text: kept(lockedCoins, 'coins') } : null,
  ];
  return facts.filter((fact) => fact !== null);
}

function scriptsText({ old, primary, watchonly }: MigrationProof['scripts']): string {
  const found = primary + watchonly;
  if (primary > 0 && watchonly > 0) {
    return say(
      '{found, number} of {old, number} found again: {primary, number} in the main wallet, {watchonly, number} in the watch-only one',
      { found, old, primary, watchonly },
    );
  }
  if (found === 0) return say('{found, number} of {old, number} found again', { found, old });
  return primary > 0
    ? say('{found, number} of {old, number} found again, in the main wallet', { found, old })
    : say('{found, number} of {old, number} found again, in the watch-only wallet', { found, old });
}

function kept(count: number, what: 'labels' | 'transactions' | 'coins'): string {
  if (count === 0) return say('None to keep');
  return say(
    '{what, select, labels {{count, plural, one {# record, kept} other {All # records kept}}} transactions {{count, plural, one {# transaction, kept} other {All # transactions kept}}} other {{count, plural, one {# coin, kept} other {All # coins kept}}}}',
    { what, count },
  );
}
