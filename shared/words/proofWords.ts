/** The proof of a migration in rows: before and after. */
import type { Network } from '../network.ts';
import type { Compared, Proof } from '../safety.ts';
import { say } from '../text/say.ts';
import { formatCount } from './format/formatCount.ts';
import { walletBalance } from './walletBalance.ts';

interface ProofRow {
  readonly label: string;
  /** Null where it could not be compared. */
  readonly before: string | null;
  readonly after: string;
}

/** `network` gives the unit of amounts. */
export function proofRows(proof: Proof, network: Network): ProofRow[] {
  const isAmiss = [proof.misplaced, proof.keyless].some((list) => (list?.total ?? 0) > 0);
  const { file, before, after } = proof.balance;
  return [
    row(say('Scripts'), proof.scripts, isAmiss),
    row(say('Labels'), proof.labels),
    row(say('Transactions'), proof.transactions),
    {
      label: say('Balance'),
      before:
        before === null && file === null ? null : walletBalance(before ?? file, network, before === null),
      after: walletBalance(after, network),
    },
  ];
}

function row(label: string, compared: Compared | null, isAmiss = false): ProofRow {
  if (compared === null) return { label, before: null, after: say('Not compared') };
  const { before, after, missing } = compared;
  const words = () => {
    if (missing.total > 0) return `${formatCount(after)} ${say('(some missing)')}`;
    if (isAmiss) return `${formatCount(after)} ${say('(some wrong)')}`;
    return say('all {count, number}', { count: after });
  };
  return { label, before: formatCount(before), after: words() };
}
