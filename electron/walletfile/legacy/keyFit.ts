/** Whether private keys yield their public keys, which takes most of the time of a migration. Threads can share that work. */

import { decryptKey } from '../keys/crypter.ts';
import { belongsTo, readDer } from '../keys/privateKey.ts';
import { usualForm } from '../keys/publicKey.ts';
import type { RecordsByType } from '../records/records.ts';

/** Whether a private key (32 bytes) yields a public key. */
export type KeyFit = (privateKey: Uint8Array, publicKey: Uint8Array) => boolean;

/** Trusts every key, for work that is of use only if the keys have no condition and `keysFit` finds that all of them fit. */
export const provedApart: KeyFit = () => true;

/**
 * Whether the private keys of a wallet fit, without those that cannot be read. `turns`: one number in shared memory, 0 at first;
 * each thread with the same `turns` then does a share of the work, and all of them must find that their share fits. `masterKey`:
 * null for a wallet without encryption.
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
    for (const { publicKey, der } of plain.slice(from, from + KEYS_AT_ONCE)) {
      const secret = readDer(der);
      const fits = secret === null || belongsTo(secret, usualForm(publicKey));
      secret?.fill(0);
      if (!fits) return false;
    }
    const start = Math.max(0, from - plain.length);
    for (const key of encrypted.slice(start, Math.max(0, from + KEYS_AT_ONCE - plain.length))) {
      const secret = masterKey && decryptKey(masterKey, key);
      secret?.fill(0);
      if (!secret) return false;
    }
  }
  return true;
}

/** How many keys a thread takes at once: they take a millisecond. */
const KEYS_AT_ONCE = 32;
