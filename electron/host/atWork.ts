/** Which nodes operations run on now. */
import { type NodeAddress, sameNode } from '../../shared/node.ts';
import type { Operation } from '../../shared/operation.ts';

interface AtWork {
  /** Takes in how an operation stands. */
  note(operation: Pick<Operation, 'id' | 'state' | 'node'>): void;
  /** How many run on the node of this address; null: none. */
  countOn(address: NodeAddress | null): number;
}

export function createAtWork(): AtWork {
  const nodes = new Map<Operation['id'], NodeAddress>();
  return {
    note({ id, state, node }) {
      if (state === 'running') nodes.set(id, node.address);
      else nodes.delete(id);
    },
    countOn: (address) =>
      address ? [...nodes.values()].filter((other) => sameNode(other, address)).length : 0,
  };
}
