/**
 * Hashes by Node's own crypto, returned as `toLatin1`. They are faster for wallets with thousands of keys, which need about
 * ten hashes for each key.
 */
import { hash } from 'node:crypto';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { createBase58check } from '@scure/base';
import { orNull } from './once.ts';
import { toLatin1 } from './textCoding.ts';

export function quickSha256(data: Uint8Array | string): string {
  return hash('sha256', data, 'binary');
}

/** SHA-256 twice. */
export function quickHash256(data: Uint8Array): string {
  return hash('sha256', innerHash(data), 'binary');
}

/** RIPEMD-160 of SHA-256. */
export function quickHash160(data: Uint8Array): string {
  return hasRipemd ? hash('ripemd160', innerHash(data), 'binary') : toLatin1(ripemd160(innerHash(data)));
}

/** SHA-256 in bytes that the next call overwrites: a new Buffer for each hash takes three times as long as the hash. */
function innerHash(data: Uint8Array): Buffer {
  inner.write(quickSha256(data), 'latin1');
  return inner;
}

const inner = Buffer.alloc(32);

/** Whether the last four bytes are the checksum of the others. */
export function endsWithChecksum(data: Uint8Array): boolean {
  return quickHash256(data.subarray(0, -4)).startsWith(toLatin1(data.subarray(-4)));
}

/** The text form of addresses and keys, whose last four bytes are a checksum. Decoding throws for a wrong one. */
export const base58check = createBase58check((data: Uint8Array) => hash('sha256', data, 'buffer'));

/** False in Electron, whose BoringSSL lacks this old hash, and in some builds of OpenSSL 3. */
const hasRipemd = orNull(() => hash('ripemd160', '', 'buffer')) !== null;
