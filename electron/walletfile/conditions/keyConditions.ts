/** Conditions of a legacy wallet's keys and encryption: `LoadKey`, `LoadCryptedKey`, and what `MigrateToDescriptor` asserts. */
import { equalBytes } from '@noble/curves/utils.js';
import type { Condition } from '../../../shared/model/conditions.ts';
import { byteText } from '../bytes/byteText.ts';
import { quickHash256 } from '../bytes/quickHash.ts';
import { decryptKey } from '../keys/crypter.ts';
import { belongsTo, readDer } from '../keys/privateKey.ts';
import { isHybrid, publicKeyOf, usualForm } from '../keys/publicKey.ts';
import type { LegacyWallet } from '../legacy/legacyWallet.ts';
import type { Of, RecordsByType } from '../records/recordsByType.ts';
import { hasKeyLength } from './descriptorConditions.ts';
import { conditionOf } from './recordConditions.ts';

/** Each plain key takes about 50 microseconds. */
export function keyConditions(records: RecordsByType): Condition[] {
  const plain = records.of('key');
  const encrypted = records.of('ckey');
  const damaged = [
    ...plain.filter((record) => !isWholeKey(record)),
    ...encrypted.filter((record) => !isWholeEncryptedKey(record)),
  ];
  const unread =
    records.entries('key').length + records.entries('ckey').length - plain.length - encrypted.length;
  const whole = plain.filter((record) => !damaged.includes(record));
  const hybrid = [...plain, ...encrypted].filter(({ publicKey }) => isHybrid(publicKey));
  const misfits = whole.filter((record) => !isHybrid(record.publicKey) && !isOwn(record));
  const defaults = records.entries('defaultkey');
  const right = records.of('defaultkey').filter(({ publicKey }) => hasKeyLength(publicKey));
  return [
    ...conditionOf('key-damaged', [
      ...namesOf(damaged.map(({ publicKey }) => publicKey)),
      ...Array.from({ length: unread }, () => 'key'),
    ]),
    ...conditionOf('key-form', namesOf(hybrid.map(({ publicKey }) => publicKey))),
    ...conditionOf('key-misfit', namesOf(misfits.map(({ publicKey }) => publicKey))),
    ...conditionOf('keys-mixed', plain.length > 0 && encrypted.length > 0 ? ['key', 'ckey'] : []),
    ...conditionOf('default-key', defaults.length > right.length ? ['defaultkey'] : []),
  ];
}

export function masterConditions({ records, watchesOnly }: LegacyWallet): Condition[] {
  const masters = records.of('mkey').length;
  const plain = records.entries('key').length;
  const encrypted = records.entries('ckey').length;
  const isNeedless = masters > 0 && encrypted === 0;
  return [
    // `LegacyDataSPKM::GetKey` then searches the plain keys, and `MigrateToDescriptor` asserts that it finds each key.
    ...conditionOf('master-missing', encrypted > 0 && masters === 0 ? ['mkey'] : []),
    // `CheckDecryptionKey` asserts that an encrypted wallet has no plain keys.
    ...conditionOf('master-needless', isNeedless && plain > 0 ? ['mkey'] : []),
    // `EraseMasterKey` fails because a migration opens the file read-only.
    ...conditionOf('master-watching', isNeedless && watchesOnly ? ['mkey'] : []),
  ];
}

/** Public keys whose private key the master key does not decrypt. If all have checksums, a node tries only one. */
export function undecryptableKeys(records: RecordsByType, masterKey: Uint8Array): string[] {
  return records.of('ckey').flatMap(({ publicKey, encrypted }) => {
    const secret = decryptKey(masterKey, { publicKey, encrypted });
    secret?.fill(0);
    return secret ? [] : [Buffer.from(publicKey).toString('hex')];
  });
}

function namesOf(publicKeys: readonly Uint8Array[]): string[] {
  return publicKeys.map((publicKey) => Buffer.from(publicKey.subarray(0, 65)).toString('hex'));
}

/** Whether a node loads a plain key. Without a checksum it must fit its public key, in either form. */
function isWholeKey({ publicKey, der, checksum }: Of<'key'>): boolean {
  if (!hasKeyLength(publicKey)) return false;
  if (checksum?.some((byte) => byte !== 0)) {
    if (quickHash256(joined(publicKey, der)) !== byteText(checksum)) return false;
    return readDer(der) !== null;
  }
  const secret = readDer(der);
  return secret !== null && belongsTo(secret, usualForm(publicKey));
}

function isWholeEncryptedKey({ publicKey, encrypted, checksum }: Of<'ckey'>): boolean {
  return hasKeyLength(publicKey) && (checksum === null || quickHash256(encrypted) === byteText(checksum));
}

function isOwn({ publicKey, der }: Of<'key'>): boolean {
  const secret = readDer(der);
  return secret !== null && equalBytes(publicKeyOf(secret, publicKey.length === 33), publicKey);
}

function joined(publicKey: Uint8Array, der: Uint8Array): Uint8Array {
  const whole = new Uint8Array(publicKey.length + der.length);
  whole.set(publicKey);
  whole.set(der, publicKey.length);
  return whole;
}
