/** The output scripts that a descriptor stands for (BIP 381 to 386). */
import { schnorr } from '@noble/curves/secp256k1.js';
import { bytesToHex, bytesToNumberBE } from '@noble/curves/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { say } from '../../../shared/text/say.ts';
import { once } from '../bytes/once.ts';
import {
  deriveKey,
  type ExtendedPrivateKey,
  type ExtendedPublicKey,
  HARDENED,
  privateChildren,
  withoutPrivateKey,
} from '../key/extendedKey.ts';
import { publicChildren, publicMultiple } from '../key/publicChildren.ts';
import { hash160, makeOutputScript } from '../script/script.ts';
import {
  type Descriptor,
  type DescriptorCache,
  descriptorError,
  type KeyExpression,
  type KeyOrigin,
  type KeySources,
  keysOf,
  type PrivateKeys,
  type ScriptExpression,
  type SingleKey,
  type TreeKey,
} from './descriptor.ts';
import { originAt } from './descriptorKey.ts';

/** What a descriptor gives at one index. */
export interface Expansion {
  /** scriptPubKeys: one, for combo two (uncompressed key) or four, and none for unused. */
  scripts: Uint8Array[];
  /** The public keys in the order of the descriptor, and where each comes from. */
  keys: { publicKey: Uint8Array; origin: KeyOrigin }[];
  /** Redeem scripts and witness scripts that the output scripts hold by their hash. */
  innerScripts: Uint8Array[];
}

/**
 * A function that expands a descriptor at any index from 0 to 2^31 − 1 (ignored by descriptors without range).
 * Keep it to expand many: what all indexes share is derived once. The function throws AppError `bad_input` when
 * a hardened step needs a private key that is neither given nor made needless by the cache.
 */
export function expander(descriptor: Descriptor, sources: KeySources = {}): (index: number) => Expansion {
  const { script } = descriptor;
  const keys = keysOf(script).map((key, place) => ({ key, at: publicKeyAt(key, place, sources) }));
  return (index) => {
    if (!Number.isInteger(index) || index < 0 || index >= HARDENED) {
      throw descriptorError(say('The index must be from 0 to 2147483647.'));
    }
    const publicKeys = keys.map(({ at }) => at(index));
    const innerScripts: Uint8Array[] = [];
    const scripts = makeScripts(script, publicKeys, innerScripts);
    return {
      scripts,
      innerScripts,
      get keys() {
        return keys.map(({ key }, i) => ({
          publicKey: publicKeys[i] ?? new Uint8Array(),
          origin: originAt(key, index),
        }));
      },
    };
  };
}

/** The scriptPubKeys of a descriptor at one index. Throws as `expander` does. */
export function expand(descriptor: Descriptor, index: number, sources?: KeySources): Uint8Array[] {
  return expander(descriptor, sources)(index).scripts;
}

function makeScripts(
  script: ScriptExpression,
  publicKeys: Uint8Array[],
  innerScripts: Uint8Array[],
): Uint8Array[] {
  const [publicKey = new Uint8Array()] = publicKeys;
  switch (script.kind) {
    case 'unused':
      return [];
    case 'raw':
    case 'addr':
      return [script.scriptPubKey];
    case 'sh':
      return makeScripts(script.inner, publicKeys, innerScripts).map((inner) => {
        innerScripts.push(inner);
        return makeOutputScript({ kind: 'p2sh', scriptHash: hash160(inner) });
      });
    case 'wsh':
      return makeScripts(script.inner, publicKeys, innerScripts).map((inner) => {
        innerScripts.push(inner);
        return makeOutputScript({ kind: 'p2wsh', scriptHash: sha256(inner) });
      });
    case 'multi':
      return [makeOutputScript({ kind: 'multisig', required: script.threshold, publicKeys })];
    case 'sortedmulti': {
      const sorted = publicKeys.toSorted((a, b) => (bytesToHex(a) < bytesToHex(b) ? -1 : 1));
      return [makeOutputScript({ kind: 'multisig', required: script.threshold, publicKeys: sorted })];
    }
    case 'tr':
      return [makeOutputScript({ kind: 'p2tr', outputKey: taprootOutputKey(publicKey) })];
    case 'rawtr':
      return [makeOutputScript({ kind: 'p2tr', outputKey: publicKey.slice(1) })];
    case 'pk':
      return [makeOutputScript({ kind: 'p2pk', publicKey })];
    case 'pkh':
      return [makeOutputScript({ kind: 'p2pkh', keyHash: hash160(publicKey) })];
    case 'wpkh':
      return [makeOutputScript({ kind: 'p2wpkh', keyHash: hash160(publicKey) })];
    case 'combo': {
      const scripts = scriptsOfKey(publicKey);
      const [, , segwit] = scripts;
      if (segwit) innerScripts.push(segwit);
      return scripts;
    }
  }
}

/** What a key makes by itself: p2pk, p2pkh and, where it is compressed, p2wpkh and that in p2sh. */
export function scriptsOfKey(publicKey: Uint8Array): Uint8Array[] {
  const keyHash = hash160(publicKey);
  const scripts = [
    makeOutputScript({ kind: 'p2pk', publicKey }),
    makeOutputScript({ kind: 'p2pkh', keyHash }),
  ];
  if (publicKey.length !== 33) return scripts;
  const segwit = makeOutputScript({ kind: 'p2wpkh', keyHash });
  return [...scripts, segwit, makeOutputScript({ kind: 'p2sh', scriptHash: hash160(segwit) })];
}

/** The key that a taproot output shows for an internal key without scripts (BIP 341, BIP 386). */
function taprootOutputKey(publicKey: Uint8Array): Uint8Array {
  const { lift_x, pointToBytes, taggedHash } = schnorr.utils;
  const x = publicKey.subarray(1);
  const { Point } = schnorr;
  const tweak = Point.Fn.fromBytes(taggedHash('TapTweak', x));
  return pointToBytes(lift_x(bytesToNumberBE(x)).add(publicMultiple(tweak)));
}

/**
 * A function that gives the public key (33 or 65 bytes) at an index. What all indexes share is derived once, at
 * the first call. `place` is the key's number in its descriptor. The function throws AppError `bad_input`
 * when a hardened step needs a private key that is not there.
 */
function publicKeyAt(
  { key }: KeyExpression,
  place: number,
  { privateKeys, cache }: KeySources,
): (index: number) => Uint8Array {
  if (key.kind === 'single') return () => key.publicKey;
  if (key.children === 'hardened') {
    const remembered = cache?.children.get(place);
    const parent = once(() => privateNode(key, key.path.length, privateKeys));
    return (index) => remembered?.get(index)?.publicKey ?? deriveKey(parent(), [index + HARDENED]).publicKey;
  }
  const parent = () => cache?.parents.get(place) ?? treeNode(key, key.path.length, privateKeys);
  if (key.children === 'none') {
    const end = once(() => parent().publicKey);
    return () => end();
  }
  const child = once(() => publicChildren(parent()));
  return (index) => child()(index);
}

/**
 * A function that gives the private key (32 bytes) of a key expression at an index; what all indexes share is derived once.
 * It throws AppError `bad_input` where that is not there.
 */
export function privateKeyAt(
  { key }: KeyExpression,
  privateKeys: PrivateKeys,
): (index: number) => Uint8Array {
  if (key.kind === 'single') {
    const found = privateKeyOf(key, privateKeys);
    return () => found ?? privateKeyMissing();
  }
  const parent = once(() => privateNode(key, key.path.length, privateKeys));
  if (key.children === 'none') return () => parent().privateKey;
  const child = once(() => privateChildren(parent()));
  const first = key.children === 'hardened' ? HARDENED : 0;
  return (index) => child()(index + first).privateKey;
}

/**
 * The public keys that a node caches of a new descriptor, up to the index before `rangeEnd`. Source: `BIP32PubkeyProvider::GetPubKey`
 * in `descriptor.cpp`. Throws as `expander`'s function does.
 */
export function cacheOf({ script }: Descriptor, privateKeys: PrivateKeys, rangeEnd: number): DescriptorCache {
  const parents = new Map<number, ExtendedPublicKey>();
  const children = new Map<number, Map<number, ExtendedPublicKey>>();
  const lastHardened = new Map<number, ExtendedPublicKey>();
  for (const [place, { key }] of keysOf(script).entries()) {
    if (key.kind === 'single') continue;
    if (key.children === 'hardened') {
      const parent = privateNode(key, key.path.length, privateKeys);
      const indexes = Array.from({ length: rangeEnd }, (_, index) => index);
      const childAt = (index: number) => withoutPrivateKey(deriveKey(parent, [index + HARDENED]));
      children.set(place, new Map(indexes.map((index) => [index, childAt(index)])));
      continue;
    }
    parents.set(place, treeNode(key, key.path.length, privateKeys));
    const steps = key.path.findLastIndex((child) => child >= HARDENED) + 1;
    if (steps > 0) lastHardened.set(place, treeNode(key, steps, privateKeys));
  }
  return { parents, children, lastHardened };
}

/** The node after the first steps of a tree key's path. Throws as `publicKeyAt`'s function does. */
export function treeNode(key: TreeKey, steps: number, privateKeys?: PrivateKeys): ExtendedPublicKey {
  const path = key.path.slice(0, steps);
  if (path.every((child) => child < HARDENED)) return deriveKey(key.root, path);
  return withoutPrivateKey(privateNode(key, steps, privateKeys));
}

/** The private key of a key expression, of a tree key's root; undefined when it is not among them. */
export function privateKeyOf(key: SingleKey | TreeKey, privateKeys: PrivateKeys): Uint8Array | undefined {
  if (key.kind === 'tree') return privateKeys.get(bytesToHex(key.root.publicKey));
  const found = privateKeys.get(bytesToHex(key.publicKey));
  if (found || !key.xOnly) return found;
  // 32 bytes do not tell which of two points was meant, and both have the same use in taproot.
  return privateKeys.get(`03${bytesToHex(key.publicKey.subarray(1))}`);
}

function privateNode(key: TreeKey, steps: number, privateKeys?: PrivateKeys): ExtendedPrivateKey {
  const privateKey = privateKeys && privateKeyOf(key, privateKeys);
  return deriveKey({ ...key.root, privateKey: privateKey ?? privateKeyMissing() }, key.path.slice(0, steps));
}

function privateKeyMissing(): never {
  throw descriptorError(
    say('A hardened step needs the private key.'),
    say('Nothing was changed. An encrypted wallet needs its passphrase for this.'),
  );
}
