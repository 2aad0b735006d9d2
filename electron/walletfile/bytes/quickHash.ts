/**
 * Hashes by Node's own crypto, given as `byteText`: for wallets with thousands of keys, which need some ten hashes for
 * each of them.
 */
import { hash } from 'node:crypto';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { byteText } from './byteText.ts';
import { orNull } from './once.ts';

export function quickSha256(data: Uint8Array | string): string {
  return hash('sha256', data, 'binary');
}

/** SHA-256 twice. */
export function quickHash256(data: Uint8Array): string {
  return hash('sha256', hash('sha256', data, 'buffer'), 'binary');
}

/** RIPEMD-160 of SHA-256. */
export function quickHash160(data: Uint8Array): string {
  const inner = hash('sha256', data, 'buffer');
  return hasRipemd ? hash('ripemd160', inner, 'binary') : byteText(ripemd160(inner));
}

/** Some builds come without this old hash: OpenSSL 3 can be made without it, and BoringSSL, as in Electron, too. */
const hasRipemd = orNull(() => hash('ripemd160', '', 'buffer')) !== null;
