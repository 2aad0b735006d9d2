/**
 * Recovers private keys from damaged records, and proves them: a key counts only if it yields its public key, which for an encrypted key
 * needs the master key. The checksum helps to repair a single flipped bit. Sources: `CWalletDB::WriteKey` and `WriteCryptedKey` of
 * Bitcoin Core.
 */
import { equalBytes } from '@noble/curves/utils.js';
import { once } from '../../walletfile/bytes/once.ts';
import { quickHash160 } from '../../walletfile/bytes/quickHash.ts';
import { toLatin1 } from '../../walletfile/bytes/textCoding.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import {
  decryptKey,
  ENCRYPTED_SIZE,
  type EncryptedKey,
  encryptedKeyChecksum,
  encryptKey,
} from '../../walletfile/keys/crypter.ts';
import {
  keyChecksum,
  makeStoredKey,
  readableDerForms,
  readDer,
  storedKeyOf,
  yieldsPublicKey,
} from '../../walletfile/keys/privateKey.ts';
import { isHybrid, isPublicKey, withoutHybridForm } from '../../walletfile/keys/publicKey.ts';
import { nestedHash, WITNESS_START } from '../../walletfile/legacy/legacyKeys.ts';
import { ENCRYPTED_TYPES, hasEncryptedKeys } from '../../walletfile/records/encryption.ts';
import {
  parseRecord,
  type RecordOfType,
  type RecordType,
  recordOf,
  typeIn,
  writeRecord,
} from '../../walletfile/records/records.ts';
import { eachOutput } from '../../walletfile/records/transactionFacts.ts';
import { hashesIn } from '../../walletfile/script/address.ts';
import { readOutputScript } from '../../walletfile/script/script.ts';
import { isAlmost, type RepairLimit, repairBit, TRY_COST } from './provedRecords.ts';
import { type FoundRecord, isFromWholePage } from './readableRecords.ts';

export interface KeyProofs extends RepairLimit {
  /** 32 bytes; null for a wallet without encryption, or without its passphrase. */
  masterKey: Uint8Array | null;
}

export interface SavedKey {
  /** The record from the file, or a repaired one. */
  record: RawRecord;
  publicKey: Uint8Array;
  /** False if proving it needs the master key, which is unknown. */
  isProved: boolean;
}

/** The key in a damaged key record; null if it cannot be recovered. */
export function recoverKey(
  found: RawRecord,
  type: RecordType | 'unknown',
  proofs: KeyProofs,
): SavedKey | null {
  if (type === 'key' || type === 'walletdescriptorkey') return plainKey(found, type, proofs);
  if (type === 'ckey' || type === 'walletdescriptorckey') return encryptedKey(found, type, proofs);
  return type === 'wkey' ? otherKey(found, type) : null;
}

function plainKey(found: RawRecord, type: PlainType, proofs: KeyProofs): SavedKey | null {
  const named = publicKeyIn(found.key, type);
  if (named && isHybrid(named)) return otherKey(found, type);
  for (const form of FORMS) {
    const der = found.value.subarray(form.at, form.at + form.size);
    const secret = numberIn(der, form);
    const own = der.slice(form.publicKey);
    const publicKey = [named, own].find((candidate) => candidate && yieldsPublicKey(secret, candidate));
    if (publicKey) return provedPlainKey(found, type, secret, publicKey);
    const isNamedForm = named?.length === form.size - form.publicKey;
    const repaired = isNamedForm ? repairPlain(found.value, named, form, proofs) : null;
    if (repaired && named) return provedPlainKey(found, type, repaired, named);
  }
  return null;
}

function encryptedKey(found: RawRecord, type: SealedType, proofs: KeyProofs): SavedKey | null {
  const sized = withSizes(found, type);
  const record = recordOf(type, sized);
  if (record?.encrypted.length !== ENCRYPTED_SIZE) return null;
  const checksum = record.type === 'ckey' ? record.checksum : null;
  if (checksum === null) return provedBy(proofs, record, sized);
  const isRight = (encrypted: Uint8Array) => equalBytes(checksum, encryptedKeyChecksum(encrypted));
  if (isRight(record.encrypted)) return provedBy(proofs, record, sized);
  const encrypted = repairBit(record.encrypted, proofs, isRight);
  if (encrypted) return provedBy(proofs, { ...record, encrypted });
  const whole = { ...record, checksum: encryptedKeyChecksum(record.encrypted) };
  return proofs.masterKey || isAlmost(checksum, whole.checksum) ? provedBy(proofs, whole) : null;
}

/**
 * Proves an encrypted key by the master key, if that is known. That also repairs a bit of the public key, and of an encrypted key without
 * a checksum.
 */
function provedBy(
  proofs: KeyProofs,
  key: RecordOfType<SealedType>,
  record = writeRecord(key),
): SavedKey | null {
  const { masterKey } = proofs;
  const { publicKey } = key;
  if (!masterKey)
    return isPublicKey(withoutHybridForm(publicKey)) ? { record, publicKey, isProved: false } : null;
  const opens = (change: Partial<EncryptedKey>, fits = yieldsPublicKey) => {
    const secret = decryptKey(masterKey, { ...key, ...change }, fits);
    secret?.fill(0);
    return secret !== null;
  };
  if (opens({})) return { record, publicKey, isProved: true };
  const hasChecksum = key.type === 'ckey' && key.checksum !== null;
  const encrypted = hasChecksum
    ? null
    : repairBit(key.encrypted, proofs, (encrypted) => opens({ encrypted }), { cost: TRY_COST.decryption });
  // Another master key gives no right padding, whatever the public key is.
  const isOwn = encrypted === null && opens({}, () => true);
  const named = isOwn
    ? repairBit(publicKey, proofs, (publicKey) => opens({ publicKey }), { cost: TRY_COST.publicKey })
    : encrypted && publicKey;
  if (!named) return null;
  const repaired = { ...key, publicKey: named, encrypted: encrypted ?? key.encrypted };
  return { record: writeRecord(repaired), publicKey: named, isProved: true };
}

/** The record with the only sizes of its fields that its own length allows. */
function withSizes(found: RawRecord, type: SealedType): RawRecord {
  const { key, value } = found;
  const at = BYTES_BEFORE[type];
  const size = key.length - at - 1;
  const hasSizes = (size === 33 || size === 65) && (value.length === 49 || value.length === 81);
  if (!hasSizes || (key[at] === size && value[0] === ENCRYPTED_SIZE)) return found;
  return { key: key.with(at, size), value: value.with(0, ENCRYPTED_SIZE) };
}

/** Plain keys in other types of records, and those under a hybrid public key: they yield the same point in uncompressed form. */
function otherKey(found: RawRecord, type: PlainType | 'wkey'): SavedKey | null {
  const record = recordOf(type, found);
  if (!record && type === 'wkey') return unversionedKey(found);
  const secret = record && readDer(record.der);
  if (!record || !secret) return null;
  const { publicKey } = record;
  const isProved = yieldsPublicKey(secret, type === 'key' ? withoutHybridForm(publicKey) : publicKey);
  return isProved ? { record: found, publicKey, isProved } : null;
}

/** Converts a `wkey` record whose value starts with the key, without a version, to a plain key. */
function unversionedKey({ key, value }: RawRecord): SavedKey | null {
  for (const { at, size } of FORMS) {
    const record = recordOfDer(value.subarray(at, at + size));
    if (record && toLatin1(key).endsWith(toLatin1(record.publicKey))) return record;
  }
  return null;
}

/** The public key inside a DER form. */
export function publicKeyInDer(der: Uint8Array): Uint8Array {
  const form = readableDerForms.find(({ size }) => size === der.length);
  return der.slice(form?.publicKey);
}

/** Makes a key record from a DER form. Null if its private key does not yield its public key. */
export function recordOfDer(der: Uint8Array): SavedKey | null {
  const publicKey = publicKeyInDer(der);
  const secret = readDer(der);
  if (!secret || !yieldsPublicKey(secret, publicKey)) return null;
  return {
    record: writeRecord({ type: 'key', publicKey, der: der.slice(), checksum: keyChecksum(publicKey, der) }),
    publicKey,
    isProved: true,
  };
}

/** The key record of a private key of 32 bytes. */
export function plainKeyRecord(privateKey: Uint8Array, compressed: boolean): RawRecord {
  return writeRecord({ type: 'key', ...makeStoredKey({ privateKey, compressed }) });
}

/** The record of a private key (32 bytes), encrypted with the master key. */
export function encryptedKeyRecord(
  masterKey: Uint8Array,
  publicKey: Uint8Array,
  privateKey: Uint8Array,
): RawRecord {
  const encrypted = encryptKey(masterKey, publicKey, privateKey);
  return writeRecord({ type: 'ckey', publicKey, encrypted, checksum: encryptedKeyChecksum(encrypted) });
}

/** `at`: the byte offset in the value of a key record, behind its size. */
const FORMS = readableDerForms.map((form) => ({ ...form, at: form.size < 0xfd ? 1 : 3 }));
type Form = (typeof FORMS)[number];

/** The 32 bytes of the private key in a DER form, whatever the bytes around it are. */
function numberIn(der: Uint8Array, { start, length }: Form): Uint8Array {
  const privateKey = new Uint8Array(32);
  privateKey.set(der.subarray(start.length, start.length + length), 32 - length);
  return privateKey;
}

type PlainType = 'key' | 'walletdescriptorkey';
type SealedType = 'ckey' | 'walletdescriptorckey';

/** The bytes before the public key in a record's key: the type and, of a descriptor's key, its id. */
const BYTES_BEFORE = { key: 4, ckey: 5, walletdescriptorkey: 52, walletdescriptorckey: 53 };

function publicKeyIn(key: Uint8Array, type: PlainType): Uint8Array | null {
  const size = key[BYTES_BEFORE[type]];
  const bytes = key.subarray(BYTES_BEFORE[type] + 1);
  return size === bytes.length && (size === 33 || size === 65) ? bytes : null;
}

function provedPlainKey(
  found: RawRecord,
  type: PlainType,
  privateKey: Uint8Array,
  publicKey: Uint8Array,
): SavedKey {
  const parsed = recordOf(type, found);
  const isWhole =
    parsed !== null &&
    equalBytes(parsed.publicKey, publicKey) &&
    equalBytes(readDer(parsed.der) ?? new Uint8Array(), privateKey) &&
    (parsed.checksum === null || equalBytes(parsed.checksum, keyChecksum(publicKey, parsed.der)));
  if (isWhole) return { record: found, publicKey: publicKey.slice(), isProved: true };
  const [descriptorId, stored] = [found.key.slice(20, 52), storedKeyOf(privateKey, publicKey)];
  const isNamed = type === 'walletdescriptorkey' && descriptorId.length === 32;
  const record = writeRecord(isNamed ? { type, descriptorId, ...stored } : { type: 'key', ...stored });
  return { record, publicKey: publicKey.slice(), isProved: true };
}

/** Repairs a flipped bit of a private key, which the checksum of public key and DER proves. */
function repairPlain(
  value: Uint8Array,
  publicKey: Uint8Array,
  form: Form,
  proofs: KeyProofs,
): Uint8Array | null {
  const end = form.at + form.size;
  const der = value.subarray(form.at, end);
  const checksum = value.subarray(end, end + 32);
  if (der.length !== form.size || checksum.length !== 32) return null;
  const { length: start } = form.start;
  const isRight = (bytes: Uint8Array) => equalBytes(checksum, keyChecksum(publicKey, bytes));
  const whole = repairBit(der, proofs, isRight, { start, end: start + form.length });
  const secret = whole && numberIn(whole, form);
  return secret && yieldsPublicKey(secret, publicKey) ? secret : null;
}

/**
 * Decides whether a private key in a wallet's file belongs to the wallet. It may not: Berkeley DB does not clear the free space of pages,
 * and a node with several open wallets wrote parts of one wallet into the file of another.
 */
export class KeyOwnership {
  /** Public keys that records of undamaged pages name. All names here are `toLatin1`. */
  private readonly keys = new Set<string>();
  /** Hashes in the wallet's addresses, and of the keys in its scripts. */
  private readonly hashes = new Set<string>();
  private readonly seeds = new Set<string>();
  private readonly seedOfKey = new Map<string, string>();
  /** False if no record comes from an undamaged page: then every key counts as the wallet's. */
  private readonly anyWhole: boolean;
  private readonly paid: () => ReadonlySet<string>;

  constructor(found: readonly FoundRecord[]) {
    this.anyWhole = found.some(isFromWholePage);
    this.paid = once(() => paidIn(found));
    for (const one of found) this.learn(one);
  }

  /** Whether `names`; true for every key of a file without an undamaged page. */
  readonly owns = (publicKey: Uint8Array): boolean => !this.anyWhole || this.names(publicKey);

  /** Whether a record of an undamaged page names the key, its address, its script or its chain, or pays it. */
  readonly names = (publicKey: Uint8Array): boolean => {
    const name = toLatin1(publicKey);
    if (this.keys.has(name)) return true;
    const seed = this.seedOfKey.get(name);
    if (seed !== undefined && this.seeds.has(seed)) return true;
    const hash = quickHash160(publicKey);
    if (this.hashes.has(hash) || this.seeds.has(hash) || this.hashes.has(nestedHash(hash))) return true;
    const paid = this.paid();
    return paid.has(name) || paid.has(hash) || paid.has(nestedHash(hash));
  };

  private learn(one: FoundRecord): void {
    if (!OWNING_TYPES.has(typeIn(one.record.key))) return;
    const record = parseRecord(one.record.key, one.record.value);
    const isWhole = isFromWholePage(one);
    if (record.type === 'keymeta' || record.type === 'pool' || record.type === 'defaultkey') {
      const name = toLatin1(record.publicKey);
      if (isWhole) this.keys.add(name);
      const seed = record.type === 'keymeta' ? seedIn(record) : null;
      if (seed === null) return;
      if (isWhole) this.seeds.add(seed);
      else this.seedOfKey.set(name, seed);
    }
    if (!isWhole) return;
    if (record.type === 'hdchain') this.seeds.add(toLatin1(record.seedId));
    if (record.type === 'name' || record.type === 'purpose')
      for (const hash of hashesIn(record.address)) this.hashes.add(hash);
    const { length } = WITNESS_START;
    if (record.type === 'cscript' && toLatin1(record.script.subarray(0, length)) === WITNESS_START)
      this.hashes.add(toLatin1(record.script.subarray(length)));
  }
}

/**
 * The keys and hashes, as `toLatin1`, that the transactions of undamaged pages pay. Some belong to other people, whose private keys
 * are not in this file.
 */
function paidIn(found: readonly FoundRecord[]): Set<string> {
  const paid = new Set<string>();
  for (const one of found) {
    const record = isFromWholePage(one) ? recordOf('tx', one.record) : null;
    if (record === null) continue;
    eachOutput(record, ({ scriptPubKey }) => {
      const script = readOutputScript(scriptPubKey);
      if (script.kind === 'p2pk') paid.add(toLatin1(script.publicKey));
      if (script.kind === 'p2pkh' || script.kind === 'p2wpkh') paid.add(toLatin1(script.keyHash));
      if (script.kind === 'p2sh') paid.add(toLatin1(script.scriptHash));
    });
  }
  return paid;
}

/** The types of records that name a key, its address, its script or its chain. */
const OWNING_TYPES: ReadonlySet<string> = new Set([
  'keymeta',
  'pool',
  'defaultkey',
  'hdchain',
  'name',
  'purpose',
  'cscript',
]);

/** The id, as `toLatin1`, of a key's seed. A key outside of chains has an empty path and zeros for the seed. */
export function seedIn({ hd }: RecordOfType<'keymeta'>): string | null {
  return hd && hd.keyPath !== '' ? toLatin1(hd.seedId) : null;
}

/** Whether the wallet's own keys are encrypted. `belongs`: see `hasEncryptedKeys`. */
export function isEncryptedIn(
  found: readonly FoundRecord[],
  belongs: (publicKey: Uint8Array) => boolean,
): boolean {
  const from = (...sources: FoundRecord['source'][]) =>
    found.filter(({ source }) => sources.includes(source)).map(({ record }) => record);
  return hasEncryptedKeys(from('tree'), [from('orphaned', 'listed'), from('piece', 'old')], belongs);
}

/** The public keys, as `toLatin1`, of encrypted keys on undamaged pages. */
export function encryptedIn(found: readonly FoundRecord[]): Set<string> {
  return new Set(
    found.filter(isFromWholePage).flatMap(({ record: { key, value } }) => {
      const record = ENCRYPTED_TYPES.has(typeIn(key)) ? parseRecord(key, value) : null;
      return record !== null && 'publicKey' in record ? [toLatin1(record.publicKey)] : [];
    }),
  );
}
