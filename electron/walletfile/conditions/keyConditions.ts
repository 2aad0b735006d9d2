/** Conditions of a legacy wallet's private keys: `LoadKey` and `LoadCryptedKey`, and what `MigrateToDescriptor` asserts. */
import { equalBytes } from '@noble/curves/utils.js';
import type { Condition } from '../../../shared/model/conditions.ts';
import { byteText } from '../bytes/byteText.ts';
import { quickHash256 } from '../bytes/quickHash.ts';
import { belongsTo, readDer } from '../keys/privateKey.ts';
import { isHybrid, publicKeyOf, usualForm } from '../keys/publicKey.ts';
import type { Of, RecordsByType } from '../records/recordsByType.ts';
import { hasKeyLength } from './descriptorConditions.ts';
import { found } from './recordConditions.ts';

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
    ...found('key-damaged', [
      ...namesOf(damaged.map(({ publicKey }) => publicKey)),
      ...Array.from({ length: unread }, () => 'key'),
    ]),
    ...found('key-form', namesOf(hybrid.map(({ publicKey }) => publicKey))),
    ...found('key-misfit', namesOf(misfits.map(({ publicKey }) => publicKey))),
    ...found('keys-mixed', plain.length > 0 && encrypted.length > 0 ? ['key', 'ckey'] : []),
    ...found('default-key', defaults.length > right.length ? ['defaultkey'] : []),
  ];
}

function namesOf(publicKeys: readonly Uint8Array[]): string[] {
  return publicKeys.map((publicKey) => Buffer.from(publicKey.subarray(0, 65)).toString('hex'));
}

/** Whether a node loads it. One without a checksum must fit its public key, in whatever form. */
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
