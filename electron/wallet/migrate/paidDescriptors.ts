/** Which of a migrated wallet's descriptors were paid to before, and how many keys they keep ready from there on. */
import { byteText } from '../bytes/byteText.ts';
import type { StoredTransaction } from '../legacy/legacyWallet.ts';
import type { OwnKey, OwnKeys } from '../legacy/ownKeys.ts';
import type { ChainBranch } from './chainDescriptors.ts';
import type { MigrationPlan } from './migrationPlan.ts';

/**
 * Finds the own keys that stored transactions pay to, and sets the next index of chains and scripts behind the highest
 * that is paid to. A chain in use is filled up with `keypoolSize` keys behind that, unless the wallet is encrypted: a
 * node does both when it meets such a transaction, the second only in a wallet that is open (`MarkUnusedAddresses` in
 * `scriptpubkeyman.cpp`).
 */
export function markPaid(
  plan: MigrationPlan,
  transactions: readonly StoredTransaction[],
  keys: OwnKeys,
  { keypoolSize, encrypted }: { keypoolSize: number; encrypted: boolean },
): ReadonlySet<OwnKey> {
  const paid = new Set<OwnKey>();
  for (const { transaction } of transactions) {
    for (const { scriptPubKey } of transaction.outputs) {
      const key = keys.ofScript(scriptPubKey);
      if (key) paid.add(key);
      const placed = plan.ofScripts.get(byteText(scriptPubKey));
      if (placed) placed.planned.nextIndex = 1;
    }
  }
  for (const branch of plan.branches) extend(branch, paid, encrypted ? 0 : keypoolSize);
  return paid;
}

function extend(branch: ChainBranch, paid: ReadonlySet<OwnKey>, ready: number): void {
  for (const [key, index] of branch.ownKeys) {
    if (index >= branch.nextIndex && paid.has(key)) branch.nextIndex = index + 1;
  }
  if (branch.nextIndex === 0) return;
  for (let index = branch.children.length; index < branch.nextIndex + ready; index += 1) {
    branch.children.push(branch.childAt(index));
  }
}
