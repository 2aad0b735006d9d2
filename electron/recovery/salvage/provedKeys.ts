/**
 * Recovers private keys from damaged records, and proves them: a key counts only if it yields its public key, which for an encrypted key
 * needs the master key. The checksum helps to repair a single flipped bit. Sources: `CWalletDB::WriteKey` and `WriteCryptedKey` of
 * Bitcoin Core.
 */
import { equalBytes } from '@noble/curves/utils.js';
import { once, orNull } from '../../walletfile/bytes/once.ts';
import { quickHash160 } from '../../walletfile/bytes/quickHash.ts';
import { toLatin1 } from '../../walletfile/bytes/textCoding.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { withoutChecksum } from '../../walletfile/descriptor/checksum.ts';
import {
  decryptKey,
  ENCRYPTED_SIZE,
  type EncryptedKey,
  encryptedKeyChecksum,
  encryptKey,
  ITERATED_SHA512,
  isOpenable,
  likelyIterations,
} from '../../walletfile/keys/crypter.ts';
import {
  keyChecksum,
  makeStoredKey,
  readableDerForms,
  readDer,
  yieldsPublicKey,
} from '../../walletfile/keys/privateKey.ts';
import { isHybrid, isPublicKey, withoutHybridForm } from '../../walletfile/keys/publicKey.ts';
import { nestedHash, WITNESS_START } from '../../walletfile/legacy/legacyKeys.ts';
import { hasItsHash } from '../../walletfile/legacy/legacyScripts.ts';
import {
  parseRecord,
  type RecordType,
  recordOf,
  typeIn,
  writeRecord,
} from '../../walletfile/records/records.ts';
import { eachOutput } from '../../walletfile/records/transactionFacts.ts';
import { ADDRESS_NETWORKS, hashesIn, scriptIfAddress } from '../../walletfile/script/address.ts';
import { readOutputScript } from '../../walletfile/script/script.ts';
import { transactionId } from '../../walletfile/script/transaction.ts';
import { type FoundRecord, isFromWholePage } from './readableRecords.ts';

export interface KeyProofs {
  /** 32 bytes; null for a wallet without encryption, or without its passphrase. */
  masterKey: Uint8Array | null;
  /** The number of repairs left. Each takes some hundred hashes. */
  repairs: number;
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
  if (type === 'key') return plainKey(found, proofs);
  if (type === 'ckey') return encryptedKey(found, proofs);
  if (type === 'wkey' || type === 'walletdescriptorkey') return otherKey(found, type);
  const record = recordOf('walletdescriptorckey', found);
  return record && isPublicKey(record.publicKey) ? provedBy(proofs, found, record) : null;
}

function plainKey(found: RawRecord, proofs: KeyProofs): SavedKey | null {
  const named = publicKeyIn(found.key);
  if (named && isHybrid(named)) return otherKey(found, 'key');
  for (const form of FORMS) {
    const der = found.value.subarray(form.at, form.at + form.size);
    const secret = numberIn(der, form);
    const own = der.slice(form.publicKey);
    const publicKey = [named, own].find((candidate) => candidate && yieldsPublicKey(secret, candidate));
    if (publicKey) return provedPlainKey(found, secret, publicKey);
    const isNamedForm = named?.length === form.size - form.publicKey;
    const repaired = isNamedForm ? repairPlain(found.value, named, form, proofs) : null;
    if (repaired && named) return provedPlainKey(found, repaired, named);
  }
  return null;
}

function encryptedKey(found: RawRecord, proofs: KeyProofs): SavedKey | null {
  const record = recordOf('ckey', found);
  if (
    !record ||
    record.encrypted.length !== ENCRYPTED_SIZE ||
    !isPublicKey(withoutHybridForm(record.publicKey))
  )
    return null;
  const { publicKey, checksum } = record;
  const fits = (bytes: Uint8Array) => checksum === null || equalBytes(checksum, encryptedKeyChecksum(bytes));
  if (fits(record.encrypted)) return provedBy(proofs, found, record);
  const encrypted = repairBit(record.encrypted, 0, ENCRYPTED_SIZE, proofs, fits);
  if (!encrypted) return null;
  const whole = writeRecord({ type: 'ckey', publicKey, encrypted, checksum });
  return provedBy(proofs, whole, { publicKey, encrypted });
}

/** Proves an encrypted key by the master key, if that is known. */
function provedBy({ masterKey }: KeyProofs, record: RawRecord, key: EncryptedKey): SavedKey | null {
  const { publicKey } = key;
  if (!masterKey) return { record, publicKey, isProved: false };
  const secret = decryptKey(masterKey, key);
  secret?.fill(0);
  return secret && { record, publicKey, isProved: true };
}

/** Plain keys in other types of records, and those under a hybrid public key: they yield the same point in uncompressed form. */
function otherKey(found: RawRecord, type: 'key' | 'wkey' | 'walletdescriptorkey'): SavedKey | null {
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

const PLAIN_PREFIX = '\x03key';

function publicKeyIn(key: Uint8Array): Uint8Array | null {
  const { length } = PLAIN_PREFIX;
  const bytes = key.subarray(length + 1);
  const isWhole = toLatin1(key.subarray(0, length)) === PLAIN_PREFIX && key[length] === bytes.length;
  return isWhole && (bytes.length === 33 || bytes.length === 65) ? bytes : null;
}

function provedPlainKey(found: RawRecord, secret: Uint8Array, publicKey: Uint8Array): SavedKey {
  const parsed = recordOf('key', found);
  const isWhole =
    parsed !== null &&
    equalBytes(parsed.publicKey, publicKey) &&
    equalBytes(readDer(parsed.der) ?? new Uint8Array(), secret) &&
    (parsed.checksum === null || equalBytes(parsed.checksum, keyChecksum(publicKey, parsed.der)));
  const record = isWhole ? found : plainKeyRecord(secret, publicKey.length === 33);
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
  const whole = repairBit(der, start, start + form.length, proofs, (bytes) =>
    equalBytes(checksum, keyChecksum(publicKey, bytes)),
  );
  const secret = whole && numberIn(whole, form);
  return secret && yieldsPublicKey(secret, publicKey) ? secret : null;
}

/** A copy with one bit of a range flipped that passes the check; null if there is none. */
function repairBit(
  bytes: Uint8Array,
  start: number,
  end: number,
  proofs: Pick<KeyProofs, 'repairs'>,
  holds: (bytes: Uint8Array) => boolean,
): Uint8Array | null {
  if (proofs.repairs <= 0) return null;
  proofs.repairs -= 1;
  const copy = bytes.slice();
  for (let at = start; at < end; at += 1) {
    const before = copy[at] ?? 0;
    for (let bit = 1; bit < 0x100; bit *= 2) {
      copy[at] = before ^ bit;
      if (holds(copy)) return copy;
    }
    copy[at] = before;
  }
  return null;
}

/**
 * Repairs a record of which only one value is possible: a master key with another derivation method or far too many rounds, and a script with a flipped
 * bit, which the hash in the record's key proves.
 */
export function withOnlyValue(found: RawRecord, proofs: Pick<KeyProofs, 'repairs'>): RawRecord {
  const type = typeIn(found.key);
  const masterKey = type === 'mkey' ? recordOf('mkey', found) : null;
  if (masterKey) {
    const iterations = likelyIterations(masterKey.iterations);
    return writeRecord({ ...masterKey, derivationMethod: ITERATED_SHA512, iterations });
  }
  const stored = type === 'cscript' ? recordOf('cscript', found) : null;
  if (!stored || hasItsHash(stored)) return found;
  const script = repairBit(stored.script, 0, stored.script.length, proofs, (bytes) =>
    hasItsHash({ ...stored, script: bytes }),
  );
  return script ? writeRecord({ ...stored, script }) : found;
}

export type RecordVerdict = 'proved' | 'unproved' | 'damaged';

/**
 * Proves a record that is not a key. Its id proves a transaction, its hash a script, its checksum a descriptor, and the checksum of the
 * address a label. The saved key proves metadata, a chain and an entry of the key pool. All other records are unproved. `savedKeys`,
 * `savedHashes`: the `toLatin1` of the saved public keys, and of their hash160.
 */
export function proveRecord(
  { key, value }: RawRecord,
  savedKeys: ReadonlySet<string>,
  savedHashes: ReadonlySet<string>,
): RecordVerdict {
  const record = parseRecord(key, value);
  const verdict = (holds: boolean, otherwise: RecordVerdict): RecordVerdict => (holds ? 'proved' : otherwise);
  switch (record.type) {
    case 'damaged':
      return 'damaged';
    case 'tx':
      return verdict(transactionId(record.transaction) === record.txid, 'damaged');
    case 'cscript':
      return verdict(hasItsHash(record), 'damaged');
    case 'keymeta':
    case 'pool':
    case 'defaultkey':
      return verdict(savedKeys.has(toLatin1(record.publicKey)), 'unproved');
    case 'hdchain':
      return verdict(savedHashes.has(toLatin1(record.seedId)), 'unproved');
    case 'name':
    case 'purpose':
    case 'destdata':
      return verdict(isAddress(record.address), 'unproved');
    case 'mkey':
      return isOpenable(record) ? 'unproved' : 'damaged';
    case 'walletdescriptor':
      return verdict(hasDescriptorChecksum(record.descriptor), 'damaged');
    default:
      return 'unproved';
  }
}

/** Old wallets may have labels for any text, so a record without an address is not necessarily damaged. */
function isAddress(text: string): boolean {
  return ADDRESS_NETWORKS.some((network) => scriptIfAddress(text, network) !== null);
}

function hasDescriptorChecksum(descriptor: string): boolean {
  return orNull(() => withoutChecksum(descriptor, 'required')) !== null;
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
      if (record.type !== 'keymeta' || !record.hd || record.hd.keyPath === '') return;
      const seed = toLatin1(record.hd.seedId);
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
