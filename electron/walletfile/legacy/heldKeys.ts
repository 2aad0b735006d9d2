/** The private keys of a legacy wallet as a migration takes them over: proved to be whole. */
import { equalBytes } from '@noble/curves/utils.js';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import { byteText } from '../bytes/byteText.ts';
import { quickHash256 } from '../bytes/quickHash.ts';
import { damaged } from '../database/problemLog.ts';
import { decryptKey, encryptedKeyChecksum, encryptKey } from '../keys/crypter.ts';
import { derForms, keyChecksum, readDer, readStoredKey } from '../keys/privateKey.ts';
import type { Of } from '../records/recordsByType.ts';
import { isCompressed, type LegacyKey } from './legacyKeys.ts';
import type { LegacyWallet } from './legacyWallet.ts';

/** A private key as records of descriptors hold it. */
export type HeldKey = { der: Uint8Array; checksum: Uint8Array } | { encrypted: Uint8Array };

export type HeldKeys = ReturnType<typeof heldKeys>;

/**
 * Plain ones are proved by their checksum, or by their public key where they have none, and encrypted ones by the
 * checksum of their encrypted bytes. `masterKey` is null for a wallet without encryption; with it, plain ones are held
 * encrypted. Throws FileError `not_a_wallet` for damaged keys.
 */
export function heldKeys({ records, keys }: LegacyWallet, masterKey: Uint8Array | null) {
  const held = new Map<LegacyKey, HeldKey>();
  let broken = 0;
  // A key can have a record of either kind. The second is proved too: damage in it is damage of the wallet.
  for (const record of [...records.of('ckey'), ...records.of('key')]) {
    const proved = provedKey(record, masterKey);
    const key = keys.ofPublicKey(record.publicKey);
    if (!proved) broken += 1;
    else if (key?.record === record) held.set(key, proved);
  }
  if (broken > 0) throw damagedKeys(broken);
  const of = (key: LegacyKey) => {
    const found = held.get(key);
    if (!found) throw damagedKeys(1);
    return found;
  };
  return {
    of,
    /** The 32 bytes of a private key, proved to yield its public key. Throws `wallet_error` when it does not. */
    secretOf(key: LegacyKey): Uint8Array {
      const found = of(key);
      if ('encrypted' in found) return decrypted(key, found.encrypted, masterKey);
      const secret = readDer(found.der);
      if (!secret) throw damagedKeys(1);
      return secret;
    },
    /** Whether a private key is the one that is held, without arithmetic on the curve. */
    holds(key: LegacyKey, secret: Uint8Array): boolean {
      const found = of(key);
      if (!('encrypted' in found)) return equalBytes(readDer(found.der) ?? new Uint8Array(), secret);
      // The same key and text always encrypt to the same bytes: the IV is made of the public key.
      return masterKey !== null && equalBytes(encryptKey(masterKey, key.publicKey, secret), found.encrypted);
    },
  };
}

/** A private key (32 bytes) in the form in which a wallet with or without encryption holds it. */
export function holdKey(
  secret: Uint8Array,
  { publicKey, der, checksum }: { publicKey: Uint8Array; der: Uint8Array; checksum: Uint8Array },
  masterKey: Uint8Array | null,
): HeldKey {
  return masterKey ? { encrypted: encryptKey(masterKey, publicKey, secret) } : { der, checksum };
}

function provedKey(record: Of<'key' | 'ckey'>, masterKey: Uint8Array | null): HeldKey | null {
  if (record.type === 'ckey') {
    const { encrypted, checksum } = record;
    // Wallets before 0.20 have no checksum here.
    return checksum && !equalBytes(checksum, encryptedKeyChecksum(encrypted)) ? null : { encrypted };
  }
  const { publicKey, der, checksum } = record;
  if (!masterKey && checksum && isProved(publicKey, der, checksum)) return { der, checksum };
  const key = readStoredKey({ publicKey, der, checksum });
  return key && holdKey(key.privateKey, { publicKey, der, checksum: keyChecksum(publicKey, der) }, masterKey);
}

/** As `readStoredKey` proves it, for keys in the form in which all releases since 0.8 write them. */
function isProved(publicKey: Uint8Array, der: Uint8Array, checksum: Uint8Array): boolean {
  const { size, start } = isCompressed(publicKey) ? derForms.compressed : derForms.uncompressed;
  if (der.length !== size || !equalBytes(der.subarray(0, start.length), start)) return false;
  const whole = new Uint8Array(publicKey.length + der.length);
  whole.set(publicKey);
  whole.set(der, publicKey.length);
  return quickHash256(whole) === byteText(checksum);
}

function decrypted(
  { publicKey }: LegacyKey,
  encrypted: Uint8Array,
  masterKey: Uint8Array | null,
): Uint8Array {
  const secret = masterKey && decryptKey(masterKey, { publicKey, encrypted });
  if (secret) return secret;
  throw new FileError('wallet_error', { code: 'key_not_decrypted' });
}

function damagedKeys(count: number): FileError {
  return damaged({ code: 'private_keys_incomplete', count });
}
