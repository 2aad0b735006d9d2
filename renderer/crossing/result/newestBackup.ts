/** The backup of a wallet that counts: the newest one that was begun after a given moment. */
import type { Crossing } from '../../../shared/crossing.ts';
import { type NodeAddress, sameNode } from '../../../shared/node.ts';

/** Of the wallet on that node. `crossings` are newest first; `since` is in unix seconds. Null when there is none. */
export function newestBackup(
  crossings: readonly Crossing[],
  wallet: string,
  since: number,
  node: NodeAddress | undefined,
): Crossing | null {
  return (
    crossings.find(
      (one) =>
        one.kind === 'backup' &&
        one.wallet === wallet &&
        one.started >= since &&
        node !== undefined &&
        sameNode(one.node.address, node),
    ) ?? null
  );
}
