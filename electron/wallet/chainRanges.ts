/** How far a migrated wallet's chains are in use, and how many keys they keep ready beyond that. */
import type { ChainBranch } from './chainDescriptors.ts';
import type { StoredTransaction } from './legacyWallet.ts';
import type { OwnKey, OwnKeys } from './ownKeys.ts';

/**
 * The next index of each branch: behind the highest that a stored transaction pays to. A branch in use is filled up
 * with `keypoolSize` keys behind that, unless the wallet is encrypted: a node does both when it meets such a
 * transaction, the second only in a wallet that is open (`MarkUnusedAddresses` in `scriptpubkeyman.cpp`).
 */
export function extendChains(
  branches: readonly ChainBranch[],
  transactions: readonly StoredTransaction[],
  keys: OwnKeys,
  { keypoolSize, encrypted }: { keypoolSize: number; encrypted: boolean },
): Map<ChainBranch, number> {
  const paid = new Set<OwnKey>();
  if (branches.length > 0) {
    for (const { transaction } of transactions) {
      for (const { scriptPubKey } of transaction.outputs) {
        const key = keys.ofScript(scriptPubKey);
        if (key) paid.add(key);
      }
    }
  }
  return new Map(branches.map((branch) => [branch, nextIndexOf(branch, paid, encrypted ? 0 : keypoolSize)]));
}

function nextIndexOf(branch: ChainBranch, paid: ReadonlySet<OwnKey>, ready: number): number {
  let next = 0;
  for (const [key, index] of branch.ownKeys) if (index >= next && paid.has(key)) next = index + 1;
  if (next === 0) return 0;
  for (let index = branch.children.length; index < next + ready; index += 1) {
    branch.children.push(branch.childAt(index));
  }
  return next;
}
