/** What of a wallet's encryption a passphrase is tried on. */
import { sameBytes } from '../bytes/sameBytes.ts';
import { type EncryptedKey, type EncryptedMasterKey, encryptedKeyChecksum } from '../key/crypter.ts';
import type { RecordsByType } from './recordsByType.ts';

/** Plain data, so that it can be given to another thread. */
export interface Encryption {
  readonly masterKeys: readonly EncryptedMasterKey[];
  /** One key that must decrypt to its own public key; null where the file has none. */
  readonly sample: EncryptedKey | null;
}

/** Null for a wallet without encryption. */
export function encryptionOf(records: RecordsByType): Encryption | null {
  // Copies: the records are views, and a view takes the whole file along to the other thread.
  const masterKeys = records.of('mkey').map(({ encrypted, salt, derivationMethod, iterations }) => ({
    encrypted: encrypted.slice(),
    salt: salt.slice(),
    derivationMethod,
    iterations,
  }));
  const sample = sampleOf(records);
  if (masterKeys.length === 0 && sample === null) return null;
  const copied = sample && { publicKey: sample.publicKey.slice(), encrypted: sample.encrypted.slice() };
  return { masterKeys, sample: copied };
}

/** A key that its checksum proves, where there is one: a damaged key would make each passphrase look wrong. */
function sampleOf(records: RecordsByType): EncryptedKey | null {
  const keys = records.of('ckey');
  const proved = keys.find(
    ({ encrypted, checksum }) => checksum !== null && sameBytes(checksum, encryptedKeyChecksum(encrypted)),
  );
  return proved ?? keys[0] ?? records.of('walletdescriptorckey')[0] ?? null;
}
