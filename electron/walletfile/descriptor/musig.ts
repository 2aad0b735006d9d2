/** One public key of several (BIP 327), and the node of a key tree that it stands for (BIP 328). Nothing secret is at work here. */
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex, equalBytes } from '@noble/curves/utils.js';
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { once } from '../bytes/once.ts';
import type { ExtendedPublicKey } from '../keys/extendedKey.ts';
import { sortedBytes } from './makeScripts.ts';

/** 33 bytes, of keys of 33 bytes in any order, as descriptors sort them. Source: `KeyAgg` of BIP 327. */
export function aggregateKey(publicKeys: readonly Uint8Array[]): Uint8Array {
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

/** Its chain code is the same for all. */
export function aggregateNode(publicKey: Uint8Array): ExtendedPublicKey {
  return { depth: 0, parentFingerprint: 0, childNumber: 0, chainCode: chainCode(), publicKey };
}

const chainCode = once(() => hexToBytes('868087ca02a6f974c4598924c36b57762d32cb45717167e300622c7167e38965'));
