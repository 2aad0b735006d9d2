/**
 * Derives public keys with libsecp256k1, Bitcoin Core's own library, as WebAssembly. It takes a sixth of the time of Node's crypto
 * or `@noble/curves`, which halves the time of a migration with hundreds of keys. `@noble/curves` stands in until the library has
 * loaded, some milliseconds after the first use, and on systems without WebAssembly.
 */
import { randomBytes } from 'node:crypto';
import { secp256k1Base64Bytes } from '@bitauth/libauth/build/lib/bin/secp256k1/secp256k1.base64.js';
import type { instantiateSecp256k1Bytes } from '@bitauth/libauth/build/lib/crypto/secp256k1.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { once } from '../bytes/once.ts';
import { fromLatin1 } from '../bytes/textCoding.ts';

let secp256k1Wasm: Awaited<ReturnType<typeof instantiateSecp256k1Bytes>> | null = null;

/** Loads the library ahead of use. Resolves with whether that worked. Never throws. */
export const preloadSecp256k1 = once(async (): Promise<boolean> => {
  try {
    // The package's main module would load its other libraries too, and wait for them.
    const { instantiateSecp256k1Bytes } = await import('@bitauth/libauth/build/lib/crypto/secp256k1.js');
    // Node decodes them in a twentieth of the time that `instantiateSecp256k1` takes for it.
    const bytes = Uint8Array.from(Buffer.from(secp256k1Base64Bytes, 'base64'));
    secp256k1Wasm = await instantiateSecp256k1Bytes(bytes.buffer, randomBytes(32));
    return true;
  } catch {
    return false;
  }
});

/** The public key (33 or 65 bytes) of a private key (32 bytes). Throws for an invalid private key. */
export function publicKeyOf(privateKey: Uint8Array, compressed = true): Uint8Array {
  const fast = libraryFor(privateKey);
  const derived = compressed
    ? fast?.derivePublicKeyCompressed(privateKey)
    : fast?.derivePublicKeyUncompressed(privateKey);
  return typeof derived === 'object' ? derived : secp256k1.getPublicKey(privateKey, compressed);
}

/**
 * Adds `tweak` (32 bytes) to a public key as to its private key, for child keys (BIP 32) and taproot outputs (BIP 341). Returns 33
 * bytes. Throws if there is no such key.
 */
export function tweakedPublicKey(publicKey: Uint8Array, tweak: Uint8Array): Uint8Array {
  const tweaked = libraryFor(tweak)?.addTweakPublicKeyCompressed(publicKey, tweak);
  if (typeof tweaked === 'object') return tweaked;
  const { Point } = secp256k1;
  // The time that this takes depends on the tweak, which is not a secret.
  const added = Point.BASE.multiplyUnsafe(Point.Fn.fromBytes(tweak));
  return Point.fromBytes(publicKey).add(added).toBytes(true);
}

/** Whether bytes are a private key: 32 bytes of a number above 0 and below the order of the curve. */
export function isPrivateKey(bytes: Uint8Array): boolean {
  return (
    bytes.length === ORDER.length && bytes.some((byte) => byte !== 0) && Buffer.compare(bytes, ORDER) < 0
  );
}

const ORDER = secp256k1.Point.Fn.toBytes(-1n + secp256k1.Point.Fn.ORDER);
/** Whether bytes are a public key on the curve, in compressed or uncompressed form. */
export function isPublicKey(bytes: Uint8Array): boolean {
  const [form] = bytes;
  const isWhole = bytes.length === 33 ? form === 2 || form === 3 : bytes.length === 65 && form === 4;
  return isWhole && (libraryNow()?.validatePublicKey(bytes) ?? secp256k1.utils.isValidPublicKey(bytes));
}

/** Whether a public key has the old hybrid form (first byte 6 or 7), which `CPubKey` accepts but no key derivation gives. */
export function isHybrid({ 0: form, length }: Uint8Array): boolean {
  return length === 65 && (form === 6 || form === 7);
}

/** Converts a hybrid key to the uncompressed form (`04` and both coordinates). Returns other keys unchanged. */
export function withoutHybridForm(publicKey: Uint8Array): Uint8Array {
  if (!isHybrid(publicKey)) return publicKey;
  const usual = publicKey.slice();
  usual[0] = 4;
  return usual;
}

/** The library would pad a shorter number with zeros, instead of rejecting it. */
function libraryFor(number: Uint8Array): typeof secp256k1Wasm {
  return number.length === 32 ? libraryNow() : null;
}

function libraryNow(): typeof secp256k1Wasm {
  if (secp256k1Wasm === null) void preloadSecp256k1();
  return secp256k1Wasm;
}

/**
 * Finds the key that a damaged public key names: one that has its first or its second half. All keys are the `toLatin1` of public
 * keys. A key in `unproved` may be the damaged one itself: it counts if it is a public key and the name is none. Undefined if it names
 * no key.
 */
export function damagedKeyNames(
  proved: Iterable<string>,
  unproved: Iterable<string>,
): (name: string) => string | undefined {
  const [byHalf, byHalfUnproved] = [proved, unproved].map((keys) => {
    const found = new Map<string, string>();
    for (const key of keys) for (const half of halvesOf(key)) found.set(half, key);
    return (name: string) => halvesOf(name).flatMap((half) => found.get(half) ?? [])[0];
  });
  return (name) => {
    const key = byHalf?.(name);
    if (key !== undefined || isPublicKey(fromLatin1(name))) return key;
    const other = byHalfUnproved?.(name);
    return other !== undefined && isPublicKey(fromLatin1(other)) ? other : undefined;
  };
}

function halvesOf(key: string): string[] {
  const middle = key.length >> 1;
  return [`first ${key.slice(0, middle)}`, `second ${key.slice(middle)}`];
}
