/** The backup of a wallet that counts: the newest one that was begun after a given moment. */
import { type NodeAddress, sameNode } from '../../../shared/node.ts';
import type { Operation } from '../../../shared/operation.ts';

/** Of the wallet on that node. `operations` are newest first; `since` is in unix seconds. Null when there is none. */
export function newestBackup(
  operations: readonly Operation[],
  wallet: string,
  since: number,
  node: NodeAddress | undefined,
): Operation | null {
  return (
    operations.find(
      (one) =>
        one.kind === 'backup' &&
        one.wallet === wallet &&
        one.started >= since &&
        node !== undefined &&
        sameNode(one.node.address, node),
    ) ?? null
  );
}
