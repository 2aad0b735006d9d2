/**
 * Rebuilds the cache that lets a locked node derive a descriptor's scripts. A node refuses a wallet with an incomplete cache,
 * and with a wrong key in it gives out addresses that nobody can spend from.
 */
import { equalBytes } from '@noble/curves/utils.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { orNull } from '../../walletfile/bytes/once.ts';
import {
  type Descriptor,
  type DescriptorCache,
  isAggregate,
  keyIndexesOf,
  type PrivateKeys,
  type TreeKey,
} from '../../walletfile/descriptor/descriptor.ts';
import { aggregateParents, cacheOf } from '../../walletfile/descriptor/descriptorExpand.ts';
import type { StoredDescriptor } from '../../walletfile/descriptor/storedDescriptors.ts';
import {
  deriveKey,
  type ExtendedPublicKey,
  extendedPublicKeyRecord,
  HARDENED,
} from '../../walletfile/keys/extendedKey.ts';

/**
 * Returns a function that rebuilds a cache from private keys, or from the node after the last hardened step if two records of
 * the wallet agree on it. Null if neither exists.
 */
export function provedCaches(stored: readonly StoredDescriptor[]) {
  const told = new Map<string, Told>();
  for (const one of stored) learn(one, told);
  return (
    { network, script }: Descriptor,
    privateKeys: PrivateKeys,
    rangeEnd: number,
  ): DescriptorCache | null => {
    const parents = new Map<number, ExtendedPublicKey>();
    const children = new Map<number, ReadonlyMap<number, ExtendedPublicKey>>();
    const lastHardened = new Map<number, ExtendedPublicKey>();
    for (const [expression, place] of keyIndexesOf(script)) {
      if (isAggregate(expression)) continue;
      const { key } = expression;
      if (key.kind === 'single') continue;
      const alone: Descriptor = { network, script: { kind: 'combo', key: expression } };
      const made = orNull(() => cacheOf(alone, privateKeys, rangeEnd)) ?? ofRecords(key, told);
      if (!made) return null;
      const [parent, ofKey, hardened] = [made.parents.get(0), made.children.get(0), made.lastHardened.get(0)];
      if (parent) parents.set(place, parent);
      if (ofKey) children.set(place, ofKey);
      if (hardened) lastHardened.set(place, hardened);
    }
    const cache = { parents, children, lastHardened };
    for (const [place, node] of aggregateParents(script, { cache })) parents.set(place, node);
    return cache;
  };
}

/** What records say about one node after hardened steps. */
interface Told {
  readonly nodes: ExtendedPublicKey[];
  /** Its descendants, with the steps from it. */
  readonly below: { steps: readonly number[]; node: ExtendedPublicKey }[];
}

function learn({ descriptor, sources }: StoredDescriptor, told: Map<string, Told>): void {
  if (!descriptor) return;
  const { cache } = sources(null);
  for (const [expression, place] of keyIndexesOf(descriptor.script)) {
    if (isAggregate(expression)) continue;
    const { key } = expression;
    if (key.kind === 'single' || key.children === 'hardened') continue;
    const { name, steps } = placeOf(key);
    const known = told.get(name) ?? { nodes: [], below: [] };
    const [node, parent] = [cache.lastHardened.get(place), cache.parents.get(place)];
    if (node) known.nodes.push(node);
    if (parent) known.below.push({ steps, node: parent });
    told.set(name, known);
  }
}

function ofRecords(key: TreeKey, told: ReadonlyMap<string, Told>): DescriptorCache | null {
  if (key.children === 'hardened') return null;
  const { name, steps } = placeOf(key);
  const { nodes, below } = told.get(name) ?? { nodes: [], below: [] };
  const node = nodes.find(
    (one) =>
      nodes.filter((other) => isSame(one, other)).length > 1 ||
      below.some((child) => orNull(() => isSame(deriveKey(one, child.steps), child.node))),
  );
  if (!node) return null;
  const parent = deriveKey(node, steps);
  return { parents: new Map([[0, parent]]), children: new Map(), lastHardened: new Map([[0, node]]) };
}

/** The node after the last hardened step, by its root and path, and the steps from there. */
function placeOf({ root, path }: TreeKey): { name: string; steps: readonly number[] } {
  const hardened = path.findLastIndex((step) => step >= HARDENED) + 1;
  const name = `${bytesToHex(extendedPublicKeyRecord(root))} ${path.slice(0, hardened)}`;
  return { name, steps: path.slice(hardened) };
}

function isSame(one: ExtendedPublicKey, other: ExtendedPublicKey): boolean {
  return equalBytes(extendedPublicKeyRecord(one), extendedPublicKeyRecord(other));
}
