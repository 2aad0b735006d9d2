/** The output scripts of a descriptor's expression whose keys are known (BIP 379 to 387). */
import { schnorr } from '@noble/curves/secp256k1.js';
import { bytesToHex } from '@noble/curves/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { bytesWithSize, encode } from '../bytes/serialization.ts';
import { tweakedPublicKey } from '../keys/publicKey.ts';
import { hash160, makeOutputScript } from '../script/script.ts';
import type { DescriptorKey, ScriptExpression, TaprootTree } from './descriptor.ts';
import { miniscriptScript, multisigLeaf } from './miniscriptScript.ts';

/**
 * `keyBytes` gives the public keys, in leaves of taproot their 32 bytes. Redeem scripts and witness scripts are put to
 * `innerScripts`.
 */
export function makeScripts(
  script: ScriptExpression,
  keyBytes: (key: DescriptorKey) => Uint8Array,
  innerScripts: Uint8Array[],
): Uint8Array[] {
  switch (script.kind) {
    case 'unused':
      return [];
    case 'raw':
    case 'addr':
      return [script.scriptPubKey];
    case 'sh':
      return makeScripts(script.inner, keyBytes, innerScripts).map((inner) => {
        innerScripts.push(inner);
        return makeOutputScript({ kind: 'p2sh', scriptHash: hash160(inner) });
      });
    case 'wsh':
      return makeScripts(script.inner, keyBytes, innerScripts).map((inner) => {
        innerScripts.push(inner);
        return makeOutputScript({ kind: 'p2wsh', scriptHash: sha256(inner) });
      });
    case 'multi':
      return [multisig(script.threshold, script.keys.map(keyBytes))];
    case 'sortedmulti':
      return [multisig(script.threshold, sortedBytes(script.keys.map(keyBytes)))];
    case 'multi_a':
      return [joined(multisigLeaf(script.threshold, script.keys.map(keyBytes)))];
    case 'sortedmulti_a':
      return [joined(multisigLeaf(script.threshold, sortedBytes(script.keys.map(keyBytes))))];
    case 'miniscript':
      return [joined(miniscriptScript(script.node, keyBytes))];
    case 'tr': {
      const leafKey = (key: DescriptorKey) => keyBytes(key).subarray(1);
      const root = script.tree && treeHash(script.tree, leafKey);
      return [makeOutputScript({ kind: 'p2tr', outputKey: taprootOutputKey(keyBytes(script.key), root) })];
    }
    case 'rawtr':
      return [makeOutputScript({ kind: 'p2tr', outputKey: keyBytes(script.key).slice(1) })];
    case 'pk':
      return [makeOutputScript({ kind: 'p2pk', publicKey: keyBytes(script.key) })];
    case 'pkh':
      return [makeOutputScript({ kind: 'p2pkh', keyHash: hash160(keyBytes(script.key)) })];
    case 'wpkh':
      return [makeOutputScript({ kind: 'p2wpkh', keyHash: hash160(keyBytes(script.key)) })];
    case 'combo': {
      const scripts = scriptsOfKey(keyBytes(script.key));
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

function multisig(required: number, publicKeys: Uint8Array[]): Uint8Array {
  return makeOutputScript({ kind: 'multisig', required, publicKeys });
}

/** In the order of their bytes, as BIP 67 sorts public keys and BIP 341 two branches. */
export function sortedBytes(keys: readonly Uint8Array[]): Uint8Array[] {
  return keys.toSorted((a, b) => (bytesToHex(a) < bytesToHex(b) ? -1 : 1));
}

function joined(parts: readonly (number | Uint8Array)[]): Uint8Array {
  return concatBytes(...parts.map((part) => (typeof part === 'number' ? Uint8Array.of(part) : part)));
}

/** The hash that a taproot output holds its scripts by (BIP 341). `leafKey` gives 32 bytes. */
function treeHash(tree: TaprootTree, leafKey: (key: DescriptorKey) => Uint8Array): Uint8Array {
  const { taggedHash } = schnorr.utils;
  if ('left' in tree)
    return taggedHash(
      'TapBranch',
      ...sortedBytes([treeHash(tree.left, leafKey), treeHash(tree.right, leafKey)]),
    );
  const [leaf = new Uint8Array()] = makeScripts(tree, leafKey, []);
  return taggedHash('TapLeaf', Uint8Array.of(LEAF_VERSION), encode(bytesWithSize, leaf));
}

/** `TAPROOT_LEAF_TAPSCRIPT` */
const LEAF_VERSION = 0xc0;

/** The key that a taproot output shows for an internal key and the hash of its scripts (BIP 341, BIP 386). */
function taprootOutputKey(publicKey: Uint8Array, root: Uint8Array | null): Uint8Array {
  const x = publicKey.subarray(1);
  const tweak = schnorr.utils.taggedHash('TapTweak', x, root ?? new Uint8Array());
  // Of the two keys with this x, the even one.
  return tweakedPublicKey(Uint8Array.of(2, ...x), tweak).subarray(1);
}
