/**
 * Keys of a seed's tree (BIP 32) by way of Node's own crypto where it has the curve. The same as `extendedKey.ts`
 * gives; a migration needs some twenty, and would wait longer for tables to be filled than for the keys themselves.
 */
import { createECDH } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { createView, utf8ToBytes } from '@noble/hashes/utils.js';
import { hash160 } from '../script/script.ts';
import { type ExtendedPrivateKey, HARDENED } from './extendedKey.ts';

/** The compressed public key of a private key of 32 bytes. */
export function quickPublicKey(privateKey: Uint8Array): Uint8Array {
  if (!hasCurve) return secp256k1.getPublicKey(privateKey, true);
  const pair = createECDH('secp256k1');
  pair.setPrivateKey(privateKey);
  return Uint8Array.from(pair.getPublicKey(null, 'compressed'));
}

/** The root of a seed's tree. */
export function quickRoot(seed: Uint8Array): ExtendedPrivateKey {
  const derived = hmac(sha512, utf8ToBytes('Bitcoin seed'), seed);
  const privateKey = derived.slice(0, 32);
  const publicKey = quickPublicKey(privateKey);
  return {
    depth: 0,
    parentFingerprint: 0,
    childNumber: 0,
    chainCode: derived.slice(32),
    privateKey,
    publicKey,
  };
}

/** The node at the end of a path of child numbers; hardened ones carry `HARDENED`. */
export function quickDerive(root: ExtendedPrivateKey, path: readonly number[]): ExtendedPrivateKey {
  return path.reduce((parent, childNumber) => {
    const { privateKey, chainCode } = children(parent)(childNumber);
    return {
      depth: parent.depth + 1,
      parentFingerprint: createView(hash160(parent.publicKey)).getUint32(0, false),
      childNumber,
      chainCode,
      privateKey,
      publicKey: quickPublicKey(privateKey),
    };
  }, root);
}

/** A function that gives the private key (32 bytes) and the chain code of a child, by its number. */
export function children(
  parent: ExtendedPrivateKey,
): (childNumber: number) => { privateKey: Uint8Array; chainCode: Uint8Array } {
  const { Fn } = secp256k1.Point;
  const parentNumber = Fn.fromBytes(parent.privateKey);
  const data = new Uint8Array(37);
  return (childNumber) => {
    data.fill(0);
    if (childNumber < HARDENED) data.set(parent.publicKey);
    else data.set(parent.privateKey, 1);
    createView(data).setUint32(33, childNumber, false);
    const derived = hmac(sha512, parent.chainCode, data);
    // Fn refuses what is not below the order of the curve, which no one will ever see (1 in 2^127).
    const privateKey = Fn.toBytes(Fn.add(Fn.fromBytes(derived.subarray(0, 32)), parentNumber));
    return { privateKey, chainCode: derived.slice(32) };
  };
}

/** BoringSSL, as in Electron, comes without it. */
const hasCurve = canUse('secp256k1');

function canUse(curve: string): boolean {
  try {
    createECDH(curve);
    return true;
  } catch {
    return false;
  }
}
