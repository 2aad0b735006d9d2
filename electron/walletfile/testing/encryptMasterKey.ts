/** Makes the encryption of wallets, which the app only reads. */
import { cbc } from '@noble/ciphers/aes.js';
import { type EncryptedMasterKey, stretchPassphrase } from '../keys/crypter.ts';

/** A master key (32 bytes) under a passphrase, for an `mkey` record. The salt is 8 bytes. */
export async function encryptMasterKey(
  masterKey: Uint8Array,
  passphrase: string | Uint8Array,
  salt: Uint8Array,
  iterations: number,
): Promise<EncryptedMasterKey> {
  const { key, iv } = await stretchPassphrase(passphrase, salt, iterations);
  return { encrypted: cbc(key, iv).encrypt(masterKey), salt, derivationMethod: 0, iterations };
}
