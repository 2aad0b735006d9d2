/** Makes the output scripts of a descriptor's expression from its keys (BIP 379 to 387). */

import { schnorr } from '@noble/curves/secp256k1.js';
import { bytesToHex } from '@noble/curves/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesWithSize, encode } from '../bytes/serialization.ts';
import { tweakedPublicKey } from '../keys/publicKey.ts';
import { hash160, joinParts, makeOutputScript, OP, pushData, pushNumber } from '../script/script.ts';
import type { DescriptorKey, Fragment, Miniscript, ScriptExpression, TaprootTree } from './descriptor.ts';

/** `keyBytes`: gives the public keys, 32 bytes in taproot leaves. `innerScripts`: receives redeem scripts and witness scripts. */
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
      return [joinParts(multisigLeaf(script.threshold, script.keys.map(keyBytes)))];
    case 'sortedmulti_a':
      return [joinParts(multisigLeaf(script.threshold, sortedBytes(script.keys.map(keyBytes))))];
    case 'miniscript':
      return [joinParts(miniscriptScript(script.node, keyBytes))];
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

/** The scripts of a single key: p2pk, p2pkh and, if it is compressed, p2wpkh and p2sh-p2wpkh. */
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

/** Sorts by bytes, as BIP 67 sorts public keys and BIP 341 two branches. */
export function sortedBytes(keys: readonly Uint8Array[]): Uint8Array[] {
  return keys.toSorted((a, b) => (bytesToHex(a) < bytesToHex(b) ? -1 : 1));
}

/** The hash of a taproot output's scripts (BIP 341). `leafKey` gives 32 bytes. */
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

/** The output key for an internal key and the hash of its scripts (BIP 341, BIP 386). */
function taprootOutputKey(publicKey: Uint8Array, root: Uint8Array | null): Uint8Array {
  const x = publicKey.subarray(1);
  const tweak = schnorr.utils.taggedHash('TapTweak', x, root ?? new Uint8Array());
  // BIP 341 takes the even one of the two keys with this x.
  return tweakedPublicKey(Uint8Array.of(2, ...x), tweak).subarray(1);
}

/** Gives 33 bytes, or 32 in tapscript. */
type KeyBytes = (key: DescriptorKey) => Uint8Array;

/** Opcodes, and the bytes of pushes. Source: `ToScript` of `miniscript.h`. */
type Parts = readonly (number | Uint8Array)[];

export function miniscriptScript(root: Miniscript, keyBytes: KeyBytes): Parts {
  const parts: (number | Uint8Array)[] = [];
  const ahead: Item[] = [root];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const before = parts.at(-1);
    if (next === OP.VERIFY && typeof before === 'number' && HAVE_VERIFY.has(before)) {
      parts.splice(-1, 1, before + 1);
    } else if (typeof next === 'number' || next instanceof Uint8Array) {
      parts.push(next);
    } else {
      for (const item of partsOf[next.fragment](next, keyBytes).toReversed()) ahead.push(item);
    }
  }
  return parts;
}

type Item = number | Uint8Array | Miniscript;

/** Each fragment's opcodes, with its parts still as nodes. */
const partsOf: Readonly<Record<Fragment, (node: Miniscript, keyBytes: KeyBytes) => readonly Item[]>> = {
  '0': () => [pushNumber(0)],
  '1': () => [pushNumber(1)],
  pk_k: ({ keys }, keyBytes) => keys.map((key) => pushData(keyBytes(key))),
  pk_h: ({ keys }, keyBytes) => [
    OP.DUP,
    OP.HASH160,
    ...keys.map((key) => pushData(hash160(keyBytes(key)))),
    OP.EQUALVERIFY,
  ],
  older: ({ number }) => [pushNumber(number), OP.CHECKSEQUENCEVERIFY],
  after: ({ number }) => [pushNumber(number), OP.CHECKLOCKTIMEVERIFY],
  sha256: ({ hash }) => hashLock(OP.SHA256, hash),
  hash256: ({ hash }) => hashLock(OP.HASH256, hash),
  ripemd160: ({ hash }) => hashLock(OP.RIPEMD160, hash),
  hash160: ({ hash }) => hashLock(OP.HASH160, hash),
  a: ({ subs }) => [OP.TOALTSTACK, ...subs, OP.FROMALTSTACK],
  s: ({ subs }) => [OP.SWAP, ...subs],
  c: ({ subs }) => [...subs, OP.CHECKSIG],
  d: ({ subs }) => [OP.DUP, OP.IF, ...subs, OP.ENDIF],
  v: ({ subs }) => [...subs, OP.VERIFY],
  j: ({ subs }) => [OP.SIZE, OP.NOTEQUAL0, OP.IF, ...subs, OP.ENDIF],
  n: ({ subs }) => [...subs, OP.NOTEQUAL0],
  and_v: ({ subs }) => subs,
  and_b: ({ subs }) => [...subs, OP.BOOLAND],
  or_b: ({ subs }) => [...subs, OP.BOOLOR],
  or_c: ({ subs: [x, ...y] }) => [...part(x), OP.NOTIF, ...y, OP.ENDIF],
  or_d: ({ subs: [x, ...y] }) => [...part(x), OP.IFDUP, OP.NOTIF, ...y, OP.ENDIF],
  or_i: ({ subs: [x, ...y] }) => [OP.IF, ...part(x), OP.ELSE, ...y, OP.ENDIF],
  andor: ({ subs: [x, y, ...z] }) => [...part(x), OP.NOTIF, ...z, OP.ELSE, ...part(y), OP.ENDIF],
  thresh: ({ subs, number }) => [
    ...subs.flatMap((sub, at) => (at === 0 ? sub : [sub, OP.ADD])),
    pushNumber(number),
    OP.EQUAL,
  ],
  multi: ({ keys, number }, keyBytes) => [
    pushNumber(number),
    ...keys.map((key) => pushData(keyBytes(key))),
    pushNumber(keys.length),
    OP.CHECKMULTISIG,
  ],
  multi_a: ({ keys, number }, keyBytes) => multisigLeaf(number, keys.map(keyBytes)),
};

function hashLock(opcode: number, hash: Uint8Array): Parts {
  return [OP.SIZE, pushNumber(32), OP.EQUALVERIFY, opcode, pushData(hash), OP.EQUAL];
}

function part(node: Miniscript | undefined): readonly Miniscript[] {
  return node ? [node] : [];
}

/** `keys`: 32 bytes each (BIP 387). */
function multisigLeaf(threshold: number, keys: readonly Uint8Array[]): Parts {
  const signatures = keys.flatMap((key, at) => [pushData(key), at === 0 ? OP.CHECKSIG : OP.CHECKSIGADD]);
  return [...signatures, pushNumber(threshold), OP.NUMEQUAL];
}

/** Opcodes whose successor includes OP_VERIFY. */
const HAVE_VERIFY: ReadonlySet<number> = new Set([OP.EQUAL, OP.NUMEQUAL, OP.CHECKSIG, OP.CHECKMULTISIG]);
