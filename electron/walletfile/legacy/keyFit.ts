/**
 * Checks that the records of private keys are undamaged and that the keys yield their public keys. This takes most of the time of
 * a migration, so threads can share it.
 */
import { equalBytes } from '@noble/curves/utils.js';
import { decryptKey, encryptedKeyChecksum } from '../keys/crypter.ts';
import { belongsTo, keyChecksum, readDer } from '../keys/privateKey.ts';
import { usualForm } from '../keys/publicKey.ts';
import type { Of, RecordsByType } from '../records/records.ts';

/** Whether a private key (32 bytes) yields a public key. */
export type KeyFit = (privateKey: Uint8Array, publicKey: Uint8Array) => boolean;

/** Trusts every key and its checksum. The results are valid only if `keysFit` then finds that all of them fit. */
export const provedApart: KeyFit = () => true;

/** Trusts every key with a right checksum or without one, for results that need no more: deriving public keys takes long. */
export const byChecksum: KeyFit = () => true;

/** Whether a plain key is readable and has its checksum. Without a checksum it must fit its public key, in either form. */
export function isWholeKey({ publicKey, der, checksum }: Of<'key'>, fits: KeyFit): boolean {
  const secret = readDer(der);
  if (hasChecksum(checksum)) return secret !== null && equalBytes(checksum, keyChecksum(publicKey, der));
  return secret !== null && fits(secret, usualForm(publicKey));
}

/** Whether an encrypted key has its checksum, which wallets before 0.20 do not store. */
export function isWholeEncryptedKey({ encrypted, checksum }: Of<'ckey'>): boolean {
  return checksum === null || equalBytes(checksum, encryptedKeyChecksum(encrypted));
}

function hasChecksum(checksum: Uint8Array | null): checksum is Uint8Array {
  return checksum?.some((byte) => byte !== 0) ?? false;
}

/**
 * Whether the private keys of a wallet are whole and fit. `turns`: one number in shared memory, 0 at first; threads with the
 * same `turns` share the work, and the keys fit only if every thread says so. `masterKey`: null for a wallet without
 * encryption.
 */
export function keysFit(
  records: RecordsByType,
  masterKey: Uint8Array | null,
  turns: Int32Array = new Int32Array(1),
): boolean {
  const plain = records.of('key');
  const encrypted = masterKey ? records.of('ckey') : [];
  const count = plain.length + encrypted.length;
  const take = () => Atomics.add(turns, 0, KEYS_AT_ONCE);
  for (let from = take(); from < count; from = take()) {
    for (const record of plain.slice(from, from + KEYS_AT_ONCE)) if (!fitsWhole(record)) return false;
    const start = Math.max(0, from - plain.length);
    for (const record of encrypted.slice(start, Math.max(0, from + KEYS_AT_ONCE - plain.length))) {
      const secret = masterKey && isWholeEncryptedKey(record) ? decryptKey(masterKey, record) : null;
      secret?.fill(0);
      if (!secret) return false;
    }
  }
  return true;
}

function fitsWhole({ publicKey, der, checksum }: Of<'key'>): boolean {
  const secret = readDer(der);
  const isWhole = !hasChecksum(checksum) || equalBytes(checksum, keyChecksum(publicKey, der));
  const fits = isWhole && secret !== null && belongsTo(secret, usualForm(publicKey));
  secret?.fill(0);
  return fits;
}

/** How many keys a thread takes at once: they take a millisecond. */
const KEYS_AT_ONCE = 32;
