/** Expands descriptors to their keys and output scripts (BIP 379 to 390). */
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex, equalBytes } from '@noble/curves/utils.js';
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { once } from '../bytes/once.ts';
import {
  deriveChild,
  type ExtendedPrivateKey,
  type ExtendedPublicKey,
  extendedPublicKeyRecord,
  HARDENED,
  privateChildDeriver,
  publicChildDeriver,
  withoutPrivateKey,
} from '../keys/extendedKey.ts';
import { publicKeyOf } from '../keys/publicKey.ts';
import {
  type AggregateKey,
  type Descriptor,
  type DescriptorCache,
  type DescriptorKey,
  descriptorError,
  isAggregate,
  type KeyExpression,
  type KeyOrigin,
  type KeySources,
  keyIndexesOf,
  keysOf,
  type PrivateKeys,
  publicKeysOf,
  type ScriptExpression,
  type SingleKey,
  type TreeKey,
} from './descriptor.ts';
import { originAt } from './descriptorKey.ts';
import { makeScripts, sortedBytes } from './makeScripts.ts';

/** The scripts and keys of a descriptor at one index. */
export interface Expansion {
  /** One scriptPubKey; two (uncompressed key) or four for combo; none for unused. */
  scripts: Uint8Array[];
  /** The public keys in the order of the descriptor, with their origins. */
  keys: { publicKey: Uint8Array; origin: KeyOrigin }[];
  /** Redeem scripts and witness scripts whose hashes the output scripts contain. */
  innerScripts: Uint8Array[];
}

/**
 * A function that expands a descriptor at an index from 0 to 2^31 − 1, which unranged descriptors ignore. Reuse it, because it
 * derives once what all indexes share. It throws `bad_input` if a hardened step needs a private key that is missing and not cached.
 */
export function expander(descriptor: Descriptor, sources: KeySources = {}): (index: number) => Expansion {
  const { script } = descriptor;
  const places = keyIndexesOf(script);
  const known = new Map(
    [...places.keys()].map((key) => [key, publicKeyDeriver(key, sources, places)] as const),
  );
  return (index) => {
    if (!Number.isInteger(index) || index < 0 || index >= HARDENED) {
      throw descriptorError({ code: 'descriptor_index_impossible' });
    }
    const publicKeys = new Map([...known].map(([key, at]) => [key, at(index)] as const));
    const keyBytes = (key: DescriptorKey) => publicKeys.get(key) ?? new Uint8Array();
    const innerScripts: Uint8Array[] = [];
    const scripts = makeScripts(script, keyBytes, innerScripts);
    return {
      scripts,
      innerScripts,
      get keys() {
        return keysOf(script).map((key) => ({ publicKey: keyBytes(key), origin: originAt(key, index) }));
      },
    };
  };
}

/** The scriptPubKeys of a descriptor at one index. Throws as `expander` does. */
export function expand(descriptor: Descriptor, index: number, sources?: KeySources): Uint8Array[] {
  return expander(descriptor, sources)(index).scripts;
}

/**
 * Returns a function that derives the public key (33 or 65 bytes) at an index. It derives what all indexes share once, at the first
 * call. `places`: the numbers of the descriptor's keys, for the cache. It throws `bad_input` if a hardened step needs a private key
 * that is missing.
 */
export function publicKeyDeriver(
  expression: DescriptorKey,
  sources: KeySources,
  places: KeyIndexes = new Map(),
): (index: number) => Uint8Array {
  if (isAggregate(expression)) return aggregateAt(expression, sources, places);
  const { key } = expression;
  const { privateKeys, cache } = sources;
  const place = places.get(expression) ?? 0;
  if (key.kind === 'single') return () => key.publicKey;
  if (key.children === 'hardened') {
    const remembered = cache?.children.get(place);
    const child = once(() => privateChildDeriver(privateNode(key, key.path.length, privateKeys)));
    return (index) => remembered?.get(index)?.publicKey ?? publicKeyOf(child()(index + HARDENED).privateKey);
  }
  const parent = () => cache?.parents.get(place) ?? treeNode(key, key.path.length, privateKeys);
  if (key.children === 'none') {
    const end = once(() => parent().publicKey);
    return () => end();
  }
  const child = once(() => publicChildDeriver(parent()));
  return (index) => child()(index);
}

type KeyIndexes = ReadonlyMap<DescriptorKey, number>;

function aggregateAt(
  key: AggregateKey,
  sources: KeySources,
  places: KeyIndexes,
): (index: number) => Uint8Array {
  if (key.path.length > 0 || key.children !== 'none') {
    const below = once(() => {
      const root = aggregateRoot(key, sources, places);
      return publicKeyDeriver(
        { origin: null, key: { kind: 'tree', root, path: key.path, children: key.children }, mark: 'h' },
        {},
      );
    });
    return (index) => below()(index);
  }
  const participantDerivers = key.participants.map((one) => publicKeyDeriver(one, sources, places));
  return (index) => aggregateKey(participantDerivers.map((at) => at(index)));
}

/** The node at which the steps after `musig()` begin, with the chain code that all share (BIP 328). */
function aggregateRoot(
  { participants }: AggregateKey,
  sources: KeySources,
  places: KeyIndexes,
): ExtendedPublicKey {
  const publicKey = aggregateKey(participants.map((one) => publicKeyDeriver(one, sources, places)(0)));
  return { depth: 0, parentFingerprint: 0, childNumber: 0, chainCode: chainCode(), publicKey };
}

/** The nodes below `musig()` whose children a descriptor gives, by key index. Throws as `expander`'s function does. */
function aggregateParents(
  script: ScriptExpression,
  sources: KeySources,
): ReadonlyMap<number, ExtendedPublicKey> {
  const places = keyIndexesOf(script);
  return new Map(
    [...places].flatMap(([key, place]) => {
      if (!isAggregate(key) || (key.path.length === 0 && key.children === 'none')) return [];
      return [[place, deriveChild(aggregateRoot(key, sources, places), key.path)] as const];
    }),
  );
}

/** A function that gives the private key (32 bytes) of a key expression at an index. It throws `bad_input` if the key is missing. */
export function privateKeyDeriver(
  { key }: KeyExpression,
  privateKeys: PrivateKeys,
): (index: number) => Uint8Array {
  if (key.kind === 'single') {
    const found = privateKeyOf(key, privateKeys);
    return () => found ?? privateKeyMissing();
  }
  const parent = once(() => privateNode(key, key.path.length, privateKeys));
  if (key.children === 'none') return () => parent().privateKey;
  const child = once(() => privateChildDeriver(parent()));
  const first = key.children === 'hardened' ? HARDENED : 0;
  return (index) => child()(index + first).privateKey;
}

/** The public keys that a node caches of a new descriptor, up to the index before `rangeEnd`. Throws as `expander`'s function does. */
export function cacheOf({ script }: Descriptor, privateKeys: PrivateKeys, rangeEnd: number): DescriptorCache {
  return cacheOfKeys(script, (key) => keyCacheOf(key, privateKeys, rangeEnd));
}

/** What a node caches of one key: see `DescriptorCache`. */
export interface KeyCache {
  parent?: ExtendedPublicKey;
  children?: ReadonlyMap<number, ExtendedPublicKey>;
  lastHardened?: ExtendedPublicKey;
}

/** The cache of a descriptor by those of its keys. `place`: the key's number. Throws what `keyCache` throws. */
export function cacheOfKeys(
  script: ScriptExpression,
  keyCache: (key: TreeKey, place: number) => KeyCache,
): DescriptorCache {
  const parents = new Map<number, ExtendedPublicKey>();
  const children = new Map<number, ReadonlyMap<number, ExtendedPublicKey>>();
  const lastHardenedNodes = new Map<number, ExtendedPublicKey>();
  for (const [expression, place] of keyIndexesOf(script)) {
    if (isAggregate(expression) || expression.key.kind === 'single') continue;
    const { parent, children: ofKey, lastHardened } = keyCache(expression.key, place);
    if (parent) parents.set(place, parent);
    if (ofKey) children.set(place, ofKey);
    if (lastHardened) lastHardenedNodes.set(place, lastHardened);
  }
  const cache = { parents, children, lastHardened: lastHardenedNodes };
  for (const [place, node] of aggregateParents(script, { cache })) parents.set(place, node);
  return cache;
}

/** Source: `BIP32PubkeyProvider::GetPubKey` in `descriptor.cpp`. Throws as `publicKeyDeriver`'s function does. */
export function keyCacheOf(key: TreeKey, privateKeys: PrivateKeys, rangeEnd: number): KeyCache {
  if (key.children === 'hardened') {
    const node = privateNode(key, key.path.length, privateKeys);
    const childAt = (index: number) => withoutPrivateKey(deriveChild(node, [index + HARDENED]));
    return { children: new Map(Array.from({ length: rangeEnd }, (_, index) => [index, childAt(index)])) };
  }
  const parent = treeNode(key, key.path.length, privateKeys);
  const steps = hardenedStepsOf(key);
  return steps > 0 ? { parent, lastHardened: treeNode(key, steps, privateKeys) } : { parent };
}

/** The number of steps in a key's path up to the last hardened one. */
export function hardenedStepsOf({ path }: TreeKey): number {
  return path.findLastIndex((child) => child >= HARDENED) + 1;
}

/** The node after the last hardened step, by its root and path, and the steps from there. */
export function hardenedPrefixOf(key: TreeKey): { name: string; steps: readonly number[] } {
  const hardened = hardenedStepsOf(key);
  const name = `${bytesToHex(extendedPublicKeyRecord(key.root))} ${key.path.slice(0, hardened)}`;
  return { name, steps: key.path.slice(hardened) };
}

/** The node after the first steps of a tree key's path. Throws as `publicKeyDeriver`'s function does. */
export function treeNode(key: TreeKey, steps: number, privateKeys?: PrivateKeys): ExtendedPublicKey {
  const path = key.path.slice(0, steps);
  if (path.every((child) => child < HARDENED)) return deriveChild(key.root, path);
  return withoutPrivateKey(privateNode(key, steps, privateKeys));
}

/** The private key of a single key, or of a tree key's root; undefined if it is missing. */
export function privateKeyOf(key: SingleKey | TreeKey, privateKeys: PrivateKeys): Uint8Array | undefined {
  const [found] = publicKeysOf(key).flatMap((publicKey) => privateKeys.get(bytesToHex(publicKey)) ?? []);
  return found;
}

/** The same with its private key. Throws without that of the root. */
export function privateNode(key: TreeKey, steps: number, privateKeys?: PrivateKeys): ExtendedPrivateKey {
  const privateKey = privateKeys && privateKeyOf(key, privateKeys);
  return deriveChild(
    { ...key.root, privateKey: privateKey ?? privateKeyMissing() },
    key.path.slice(0, steps),
  );
}

function privateKeyMissing(): never {
  throw descriptorError({ code: 'private_key_needed' });
}

/** The aggregate of public keys, all 33 bytes; their order does not matter. Source: `KeyAgg` of BIP 327. */
function aggregateKey(publicKeys: readonly Uint8Array[]): Uint8Array {
  const sorted = sortedBytes(publicKeys);
  const { Point } = secp256k1;
  const list = schnorr.utils.taggedHash('KeyAgg list', ...sorted);
  const second = sorted.find((key) => !equalBytes(key, sorted[0] ?? key));
  const points = sorted.map((key) => {
    const point = Point.fromBytes(key);
    if (second && equalBytes(key, second)) return point;
    const coefficient = schnorr.utils.taggedHash('KeyAgg coefficient', concatBytes(list, key));
    return point.multiplyUnsafe(Point.Fn.create(BigInt(`0x${bytesToHex(coefficient)}`)));
  });
  return points.reduce((sum, point) => sum.add(point)).toBytes(true);
}

const chainCode = once(() => hexToBytes('868087ca02a6f974c4598924c36b57762d32cb45717167e300622c7167e38965'));
