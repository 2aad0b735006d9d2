/** What is remembered of a node that work was begun on, and by what it is known again. */
import type { Network } from '../../shared/network.ts';
import { type NodeAddress, sameNode } from '../../shared/node.ts';

export interface KnownNode {
  readonly address: NodeAddress;
  readonly network: Network;
  readonly walletsFolder: string | null;
  /** True for the app's own offline engine. */
  readonly offline: boolean;
}

/**
 * By its address, or by its wallets folder: a node that is started anew may listen at another port, as the offline
 * engine always does. Another network is always another node.
 */
export function isKnownNode(
  known: Omit<KnownNode, 'offline'>,
  { address, network, walletsFolder }: Omit<KnownNode, 'offline'>,
): boolean {
  if (network !== known.network) return false;
  return (
    sameNode(address, known.address) ||
    (known.walletsFolder !== null && known.walletsFolder === walletsFolder)
  );
}
