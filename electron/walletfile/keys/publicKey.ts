/**
 * Public keys by libsecp256k1, Bitcoin Core's own library, as WebAssembly: it makes one in a sixth of the time of Node's
 * crypto or of `@noble/curves`, and of a migration of hundreds of keys that is half. Until it is ready, milliseconds after
 * it was first asked for, and where a system runs no WebAssembly, `@noble/curves` makes them.
 */
import { randomBytes } from 'node:crypto';
import type { instantiateSecp256k1 } from '@bitauth/libauth/build/lib/crypto/secp256k1.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { once } from '../bytes/once.ts';

let library: Awaited<ReturnType<typeof instantiateSecp256k1>> | null = null;

/** Makes the library ready, for who will make keys soon. Resolves with whether it is. Never throws. */
export const makeLibraryReady = once(async (): Promise<boolean> => {
  try {
    // Its front page makes other libraries ready too, and has all wait for them.
    const { instantiateSecp256k1 } = await import('@bitauth/libauth/build/lib/crypto/secp256k1.js');
    library = await instantiateSecp256k1(randomBytes(32));
    return true;
  } catch {
    return false;
  }
});

/** The public key, of 33 bytes or of 65, of a private key of 32 bytes. Throws where that is none. */
export function publicKeyOf(privateKey: Uint8Array, compressed = true): Uint8Array {
  const by = libraryFor(privateKey);
  const made = compressed
    ? by?.derivePublicKeyCompressed(privateKey)
    : by?.derivePublicKeyUncompressed(privateKey);
  return typeof made === 'object' ? made : secp256k1.getPublicKey(privateKey, compressed);
}

/**
 * The public key (33 bytes) whose private key is that of another one plus `tweak` (32 bytes), as children have it (BIP 32)
 * and outputs of taproot (BIP 341). Throws where there is none.
 */
export function tweakedPublicKey(publicKey: Uint8Array, tweak: Uint8Array): Uint8Array {
  const made = libraryFor(tweak)?.addTweakPublicKeyCompressed(publicKey, tweak);
  if (typeof made === 'object') return made;
  const { Point } = secp256k1;
  // The tweak is no secret: the time that this takes tells of it.
  const added = Point.BASE.multiplyUnsafe(Point.Fn.fromBytes(tweak));
  return Point.fromBytes(publicKey).add(added).toBytes(true);
}

/** Whether these bytes, 33 or 65 of them, are a point of the curve, not written in the hybrid form. */
export function isPublicKey(bytes: Uint8Array): boolean {
  const [form] = bytes;
  const isWhole = bytes.length === 33 ? form === 2 || form === 3 : bytes.length === 65 && form === 4;
  return isWhole && (libraryNow()?.validatePublicKey(bytes) ?? secp256k1.utils.isValidPublicKey(bytes));
}

/** `CPubKey` takes it as whole (first byte 6 or 7), but a private key never gives it. */
export function isHybrid({ 0: form, length }: Uint8Array): boolean {
  return length === 65 && (form === 6 || form === 7);
}

/** A hybrid key in the usual uncompressed form (`04` and both coordinates). Other keys stay as they are. */
export function usualForm(publicKey: Uint8Array): Uint8Array {
  if (!isHybrid(publicKey)) return publicKey;
  const usual = publicKey.slice();
  usual[0] = 4;
  return usual;
}

/** It would take a number of fewer bytes for one that ends in zeros. */
function libraryFor(number: Uint8Array): typeof library {
  return number.length === 32 ? libraryNow() : null;
}

function libraryNow(): typeof library {
  if (library === null) void makeLibraryReady();
  return library;
}
