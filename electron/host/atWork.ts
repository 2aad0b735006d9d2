/** Which nodes crossings run on now. */

import type { Crossing } from '../../shared/crossing.ts';
import { type NodeAddress, sameNode } from '../../shared/node.ts';

interface AtWork {
  /** Takes in how a crossing stands. */
  note(crossing: Pick<Crossing, 'id' | 'state' | 'node'>): void;
  /** How many run on the node of this address; null: none. */
  countOn(address: NodeAddress | null): number;
}

export function createAtWork(): AtWork {
  const nodes = new Map<Crossing['id'], NodeAddress>();
  return {
    note({ id, state, node }) {
      if (state === 'running') nodes.set(id, node.address);
      else nodes.delete(id);
    },
    countOn: (address) =>
      address ? [...nodes.values()].filter((other) => sameNode(other, address)).length : 0,
  };
}
