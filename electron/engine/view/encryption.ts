/** What of a wallet's encryption a passphrase is tried on. */
import type { EncryptedKey, EncryptedMasterKey } from '../../wallet/crypter.ts';
import type { RecordsByType } from './recordsByType.ts';

/** Plain data, so that it can be given to another thread. */
export interface Encryption {
  readonly masterKeys: readonly EncryptedMasterKey[];
  /** One key that must decrypt to its own public key; null where the wallet has none. */
  readonly sample: EncryptedKey | null;
}

/** Null for a wallet without encryption. */
export function encryptionOf(records: RecordsByType, sample: EncryptedKey | null): Encryption | null {
  const masterKeys = records.of('mkey').map(({ encrypted, salt, derivationMethod, iterations }) => ({
    encrypted: encrypted.slice(),
    salt: salt.slice(),
    derivationMethod,
    iterations,
  }));
  if (masterKeys.length === 0 && sample === null) return null;
  // Copies: the records are views, and a view takes the whole file along to the other thread.
  const copied = sample && { publicKey: sample.publicKey.slice(), encrypted: sample.encrypted.slice() };
  return { masterKeys, sample: copied };
}
