/** Proves the records of a damaged wallet that are not keys, and repairs a flipped bit where a hash or a checksum shows the right one. */
import { createView } from '@noble/hashes/utils.js';
import { orNull } from '../../walletfile/bytes/once.ts';
import { quickHash160 } from '../../walletfile/bytes/quickHash.ts';
import { ByteReader, encode, hash } from '../../walletfile/bytes/serialization.ts';
import { fromLatin1, toLatin1 } from '../../walletfile/bytes/textCoding.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { withoutChecksum } from '../../walletfile/descriptor/checksum.ts';
import {
  ENCRYPTED_SIZE,
  ITERATED_SHA512,
  isOpenable,
  likelyIterations,
} from '../../walletfile/keys/crypter.ts';
import { hasItsHash } from '../../walletfile/legacy/legacyScripts.ts';
import { knownBirth } from '../../walletfile/records/recordShapes.ts';
import { parseRecord, recordOf, typeIn, writeRecord } from '../../walletfile/records/records.ts';
import { NO_BLOCK, stateOf } from '../../walletfile/records/walletTransaction.ts';
import { ADDRESS_NETWORKS, scriptIfAddress } from '../../walletfile/script/address.ts';
import {
  idOfBytes,
  readTransaction,
  transaction,
  transactionId,
} from '../../walletfile/script/transaction.ts';
import { bySource, type FoundRecord } from './readableRecords.ts';

/** Bounds the repairs of one file: each takes thousands of hashes, and a file full of damaged records must not take hours. */
export interface RepairLimit {
  /** The bytes left to hash. */
  work: number;
}

/** Bounds the repairs of the records that are not keys. */
export interface RecordsLimit extends RepairLimit {
  /** For labels. Old wallets have many for any text, which nothing can repair. */
  labels: RepairLimit;
}

/** Bytes. Hashing them takes some seconds. */
export const MOST_WORK = 2 ** 28;

/** The fixed cost of one try, in bytes hashed: of a hash, a descriptor's checksum, a decryption and a public key. */
export const TRY_COST = { hash: 200, checksum: 1700, decryption: 1000, publicKey: 8000 };

/** A copy with one bit of a range flipped that passes the check; null if there is none. `at`: the byte with this bit. */
export function repairBit(
  bytes: Uint8Array,
  limit: RepairLimit,
  isRight: (bytes: Uint8Array, at: number) => boolean,
  { start = 0, end = bytes.length, cost = TRY_COST.hash } = {},
): Uint8Array | null {
  const work = 8 * (end - start) * (bytes.length + cost);
  if (work > limit.work) return null;
  limit.work -= work;
  const copy = bytes.slice();
  for (let at = start; at < end; at += 1) {
    const before = copy[at] ?? 0;
    for (let bit = 1; bit < 0x100; bit *= 2) {
      copy[at] = before ^ bit;
      if (isRight(copy, at)) return copy;
    }
    copy[at] = before;
  }
  return null;
}

/** Whether `bytes` differs from the start of `other` in at most one bit. */
export function isAlmost(bytes: Uint8Array, other: Uint8Array): boolean {
  const [changed = 0, ...more] = [...bytes]
    .map((byte, at) => byte ^ (other[at] ?? 0))
    .filter((byte) => byte > 0);
  return bytes.length <= other.length && more.length === 0 && (changed & (changed - 1)) === 0;
}

/** Repairs a master key with wrong sizes, another derivation method or far too many rounds: only one value is possible. */
export function withOnlyValue(found: RawRecord): RawRecord {
  if (typeIn(found.key) !== 'mkey') return found;
  const { key, value } = found;
  const hasSizes = value.length === MASTER_KEY_SIZE;
  const sized = hasSizes
    ? value
        .with(0, ENCRYPTED_SIZE)
        .with(1 + ENCRYPTED_SIZE, 8)
        .with(-1, 0)
    : value;
  const masterKey = recordOf('mkey', { key, value: sized });
  if (!masterKey) return found;
  const iterations = likelyIterations(masterKey.iterations);
  return writeRecord({ ...masterKey, derivationMethod: ITERATED_SHA512, iterations });
}

/** Bytes of a master key's record: a salt of 8 bytes, and no other parameters, as every release writes it. */
const MASTER_KEY_SIZE = 67;

/**
 * Repairs a script, descriptor, transaction or labelled address of which all copies are damaged. Null if its hash, checksum or id does
 * not show the right bits.
 */
export function repairedRecord(copies: readonly FoundRecord[], limit: RecordsLimit): RawRecord | null {
  for (const { record } of copies) {
    const repaired = repairedCopy(record, limit);
    if (repaired) return repaired;
  }
  return null;
}

/** Whether it is a label whose address was torn, and runs into other bytes: the rest of a record that is elsewhere. */
export function isTornLabel(found: RawRecord): boolean {
  const record = parseRecord(found.key, found.value);
  return (record.type === 'name' || record.type === 'purpose') && /\p{Cc}/u.test(record.address);
}

function repairedCopy(found: RawRecord, limit: RecordsLimit): RawRecord | null {
  const type = typeIn(found.key);
  if (type === 'tx') return repairedTransaction(found, limit);
  const { key, value: stays } = found;
  if (type === 'name' || type === 'purpose') {
    const isOfAddress = (key: Uint8Array) => proveRecord({ key, value: stays }, NONE, NONE) === 'proved';
    const start = type.length + 2;
    const named = repairBit(key, limit.labels, isOfAddress, { start, cost: TRY_COST.publicKey });
    return named && { key: named, value: stays };
  }
  if (type !== 'cscript' && type !== 'walletdescriptor') return null;
  const stored = type === 'cscript' ? recordOf(type, found) : null;
  const scriptId = fromLatin1(stored ? quickHash160(stored.script) : '');
  if (stored && isAlmost(stored.scriptId, scriptId)) return writeRecord({ ...stored, scriptId });
  const isRight = (value: Uint8Array) => proveRecord({ key, value }, NONE, NONE) === 'proved';
  // Nothing proves a descriptor's time and range, the last bytes of its record.
  const range = type === 'cscript' ? {} : { end: found.value.length - 20, cost: TRY_COST.checksum };
  const value = repairBit(found.value, limit, isRight, range);
  return value && { key, value };
}

const NONE: ReadonlySet<string> = new Set();

/** Takes a whole transaction from a damaged record, or repairs a bit of it or of its id. The id does not cover witnesses. */
function repairedTransaction({ key, value }: RawRecord, limit: RepairLimit): RawRecord | null {
  const id = key.slice(TX_PREFIX.length);
  const found = transactionAtStart(value);
  // A damaged length may cut the id.
  if (found && id.length >= 31 && isAlmost(id, encode(hash, found.txid)))
    return transactionRecord(found.txid, value);
  if (id.length !== 32) return null;
  const txid = hash.read(new ByteReader(id), {});
  const isRight = (bytes: Uint8Array, at: number) => {
    const one = transactionAtStart(bytes);
    return one?.txid === txid && (at < one.witness || at >= one.lockTime);
  };
  const repaired = repairBit(value, limit, isRight);
  return repaired && transactionRecord(txid, repaired);
}

const TX_PREFIX = '\x02tx';

/** The transaction at the start of a record's value: its id, and where its witnesses and its lock time start. */
function transactionAtStart(value: Uint8Array) {
  return orNull(() => {
    const from = new ByteReader(value);
    const { identified } = readTransaction(from, () => {});
    const [, body] = identified;
    const txid = idOfBytes(identified);
    const witness = body.byteOffset + body.length - value.byteOffset;
    return { txid, witness, lockTime: value.length - from.left - 4 };
  });
}

/** Whether the record of a repaired transaction lost its block, and its notes: no recent release writes one without any. */
export function lacksBlock(found: RawRecord): boolean {
  const record = recordOf('tx', found);
  return record !== null && stateOf(record).state === 'inactive' && record.mapValue.length === 0;
}

/** Its record, without block and notes if these are not readable: a rescan finds the block. */
function transactionRecord(txid: string, value: Uint8Array): RawRecord {
  const record = { key: fromLatin1(TX_PREFIX + toLatin1(encode(hash, txid))), value };
  if (recordOf('tx', record)) return record;
  return writeRecord({
    type: 'tx',
    txid,
    transaction: transaction.read(new ByteReader(value), {}),
    blockHash: NO_BLOCK,
    merkleBranch: [],
    index: 0,
    previous: [],
    mapValue: [],
    orderForm: [],
    timeReceivedIsTxTime: 0,
    timeReceived: timeAtEnd(value),
    fromMe: false,
    spent: false,
  });
}

/** When the wallet received the transaction, in Unix seconds, by the end of its record; 0 if that is no possible time. */
function timeAtEnd(value: Uint8Array): number {
  const time = createView(value).getUint32(value.length - 6, true);
  return time > BITCOIN_STARTED && knownBirth(time) === time ? time : 0;
}

/** Unix seconds of the first block. */
const BITCOIN_STARTED = 1_231_006_505;

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

/** All undamaged master keys, without duplicates. */
export function masterKeysIn(found: readonly FoundRecord[]): RawRecord[] {
  const all = found.filter(({ record }) => typeIn(record.key) === 'mkey').sort(bySource);
  const whole = all.filter(({ record }) => proveRecord(record, NONE, NONE) !== 'damaged');
  return [
    ...new Map(whole.toReversed().map(({ record }) => [toLatin1(record.value), record])).values(),
  ].reverse();
}
