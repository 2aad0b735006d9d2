/**
 * Wallet records: parses the entries of a wallet file's database, writes records as entries, and groups a wallet's records by type.
 * Also reads the wallet's flags.
 */

import { orNull } from '../bytes/once.ts';
import {
  ByteReader,
  ByteWriter,
  encode,
  readFields,
  text,
  type ValuesOf,
  writeFields,
} from '../bytes/serialization.ts';
import { toLatin1 } from '../bytes/textCoding.ts';
import { unexpectedError } from '../database/problemLog.ts';
import {
  type RawRecord,
  RecordInFile,
  RecordInPlace,
  RecordWithValueOf,
  WrittenRecord,
} from '../database/rawRecord.ts';
import { descriptorRecords, keyRecords, walletRecords } from './recordShapes.ts';
import { storedTransactions } from './transactionFacts.ts';

const shapes = { ...walletRecords, ...keyRecords, ...descriptorRecords };

export type RecordType = keyof typeof shapes;

/**
 * A record of a known type. `trailing`: bytes after the last field, if any. Bitcoin Core ignores them, except in a migration.
 * Releases 0.3.14 to 0.3.17 wrote some after transactions.
 */
type ParsedRecord<T extends RecordType> = {
  [K in T]: { type: K; trailing?: Uint8Array | undefined } & ValuesOf<(typeof shapes)[K]['key']> &
    ValuesOf<(typeof shapes)[K]['value']>;
}[T];

/** A record of an unknown type, unchanged. `name`: empty if the key names no type. */
interface UnknownRecord extends RawRecord {
  type: 'unknown';
  name: string;
}

/** A record of a known type with invalid bytes, unchanged. */
export interface DamagedRecord extends RawRecord {
  type: 'damaged';
  name: RecordType;
}

export type KnownRecord = ParsedRecord<RecordType>;
/** A record of one type. */
export type RecordOfType<T extends RecordType> = Extract<KnownRecord, { type: T }>;
export type WalletRecord = KnownRecord | UnknownRecord | DamagedRecord;

const coders = new Map(
  Object.entries(shapes).map(([type, { key, value }]) => [
    type,
    { prefix: encode(text, type), key: Object.entries(key), value: Object.entries(value) },
  ]),
);

/** Reads one entry. Never throws. Byte fields are views of the entry's bytes. */
export function parseRecord(key: Uint8Array, value: Uint8Array): WalletRecord {
  const name = nameIn(key);
  if (!isRecordType(name)) return { type: 'unknown', name, key, value };
  return recordOf(name, { key, value }) ?? { type: 'damaged', name, key, value };
}

function nameIn(key: Uint8Array): string {
  return orNull(() => text.read(new ByteReader(key), {})) ?? '';
}

/** The types of records that name a descriptor by its id. */
export const descriptorTypes = [
  'walletdescriptor',
  'walletdescriptorkey',
  'walletdescriptorckey',
  'walletdescriptorcache',
  'walletdescriptorlhcache',
  'activeexternalspk',
  'activeinternalspk',
] as const satisfies readonly RecordType[];

/** Parses an entry whose key names this type. Null for a damaged one; drops the error, which may quote secret bytes. */
export function recordOf<T extends RecordType>(type: T, record: RawRecord): RecordOfType<T> | null {
  return orNull(() => read(type, record));
}

/** The entry of a record. Throws `internal` for impossible fields. */
export function writeRecord(record: WalletRecord): RawRecord {
  if (record.type === 'unknown' || record.type === 'damaged') return { key: record.key, value: record.value };
  const { key, value } = new RecordWriter().write(record);
  return { key, value };
}

/** Writes many records into a few large arrays. */
export class RecordWriter {
  private readonly to = new ByteWriter();

  /** `valueSource`: a record that has the value already. Throws `internal` for impossible fields. */
  write(record: KnownRecord, valueSource: RawRecord | null = null): RawRecord {
    const { to } = this;
    const { prefix, key, value } = coders.get(record.type) ?? NO_CODERS;
    try {
      to.bytes(prefix);
      writeFields(key, to, record);
      const keySize = to.size;
      if (valueSource) {
        const { piece, start, end } = to.take();
        return new RecordWithValueOf(piece, start, end, valueSource);
      }
      writeFields(value, to, record);
      if (record.trailing) to.bytes(record.trailing);
      const { piece, start, end } = to.take();
      return new WrittenRecord(piece, start, start + keySize, start + keySize, end);
    } catch {
      throw unexpectedError({ code: 'record_not_written', type: record.type });
    }
  }
}

const NO_CODERS = { prefix: new Uint8Array(), key: [], value: [] };

export function isRecordType(name: string): name is RecordType {
  return Object.hasOwn(shapes, name);
}

function read<T extends RecordType>(type: T, record: RawRecord): RecordOfType<T>;
function read(type: RecordType, entry: RawRecord): unknown {
  const { key } = entry;
  const { prefix, key: keyFields, value: valueFields } = coders.get(type) ?? NO_CODERS;
  if (key[0] !== prefix[0]) throw new RangeError('the key ends within its type');
  const record: Record<string, unknown> = { type };
  const ofKey = new ByteReader(key, prefix.length);
  readFields(keyFields, ofKey, record);
  if (ofKey.left > 0) throw new RangeError('the key is too long');
  const ofValue = new ByteReader(entry.value);
  readFields(valueFields, ofValue, record);
  if (ofValue.left > 0) record.trailing = ofValue.take(ofValue.left);
  return record;
}

export type RecordsByType = ReturnType<typeof recordsByType>;

/** A wallet's records by type. Parses each type on first use, because a wallet can have a million records. */
export function recordsByType(records: Iterable<RawRecord>) {
  const groups = groupedByType(records);
  const read = new Map<RecordType, readonly KnownRecord[]>();
  const entries = (type: string) => groups.get(type) ?? [];
  const of = <T extends RecordType>(type: T): readonly RecordOfType<T>[] => {
    const known = read.get(type);
    if (known && areOf(known, type)) return known;
    const found = readAll(type, entries(type));
    read.set(type, found);
    return found;
  };
  const wholeBooks = new Map<string, boolean>();
  const isWholeBook = (type: string) => {
    const isWhole = wholeBooks.get(type) ?? (ADDRESS_TYPES.has(type) && entries(type).every(isAddressRecord));
    wholeBooks.set(type, isWhole);
    return isWhole;
  };
  const damagedOf = (type: RecordType): DamagedRecord[] => {
    const isAddress = ADDRESS_TYPES.has(type);
    if (isAddress ? isWholeBook(type) : of(type).length === entries(type).length) return [];
    return entries(type).flatMap((entry) => {
      if (isAddress && isAddressRecord(entry)) return [];
      const record = parseRecord(entry.key, entry.value);
      return record.type === 'damaged' ? [record] : [];
    });
  };
  return {
    /** The undamaged records of a type, in the order of the file. */
    of,
    /** The same one after another, parsed anew each time, for callers that keep none of them: a large wallet has too many to keep. */
    *each<T extends RecordType>(type: T): Generator<RecordOfType<T>> {
      for (const entry of entries(type)) {
        const record = recordOf(type, entry);
        if (record) yield record;
      }
    },
    /** The damaged records of a type. */
    damagedOf,
    /** Whether a type is of the address book, and `isAddressRecord` is true for each of its entries. Looks at them only once. */
    isWholeBook,
    /** The record of a type that occurs once; the last if a damaged file has several. */
    one: <T extends RecordType>(type: T) => of(type).at(-1),
    /** The entries of a type, including damaged ones. */
    entries,
    /** The names of all types in the file, in the order of their first entry. */
    types: [...groups.keys()],
    /** Parses all records, and returns those that it could not read. */
    unread(): { unknown: UnknownRecord[]; damaged: DamagedRecord[] } {
      const unknown = [...groups].flatMap(([type, group]) => {
        if (isRecordType(type)) return [];
        return group.map(
          ({ key, value }): UnknownRecord => ({ type: 'unknown', name: nameIn(key), key, value }),
        );
      });
      return { unknown, damaged: [...groups.keys()].filter(isRecordType).flatMap(damagedOf) };
    },
  };
}

function readAll<T extends RecordType>(type: T, entries: readonly RawRecord[]): readonly RecordOfType<T>[];
function readAll(type: RecordType, entries: readonly RawRecord[]): readonly KnownRecord[] {
  if (type === 'tx') return storedTransactions(entries, (entry) => recordOf('tx', entry));
  return entries.flatMap((entry) => {
    const record = recordOf(type, entry);
    if (record?.type !== 'key') return record ?? [];
    const isView = entry instanceof RecordInPlace || entry instanceof RecordInFile;
    return isView ? new KeyInPlace(record.publicKey, entry) : record;
  });
}

/** A plain key of a file. Reads its other fields each time they are asked for: they would take four times its own memory. */
export class KeyInPlace {
  readonly type = 'key';

  constructor(
    readonly publicKey: Uint8Array,
    readonly entry: RawRecord,
  ) {}

  get der(): Uint8Array {
    return shapes.key.value.der.read(new ByteReader(this.entry.value), {});
  }

  get checksum(): Uint8Array | null {
    return shapes.key.value.checksum.read(this.after(['der']), {});
  }

  get trailing(): Uint8Array | undefined {
    const from = this.after(['der', 'checksum']);
    return from.left > 0 ? from.take(from.left) : undefined;
  }

  private after(fields: readonly (keyof typeof shapes.key.value)[]): ByteReader {
    const from = new ByteReader(this.entry.value);
    for (const field of fields) shapes.key.value[field].read(from, {});
    return from;
  }
}

/** Most wallets have more records of these types than of all others, and few callers need their fields. */
const ADDRESS_TYPES: ReadonlySet<string> = new Set(['name', 'purpose']);

/**
 * Groups records by their type. Neighbours in a file are mostly of one type, whose name need not be read again, and which make a group in
 * one piece: a list that grows leaves three times its memory behind.
 */
function groupedByType(records: Iterable<RawRecord>): Map<string, RawRecord[]> {
  const all = Array.isArray(records) ? records : [...records];
  const groups = new Map<string, RawRecord[]>();
  let start = 0;
  let type = '';
  let prefix = new Uint8Array();
  const endPiece = (end: number) => {
    const group = groups.get(type);
    if (!group) groups.set(type, all.slice(start, end));
    else for (let at = start; at < end; at += 1) group.push(all[at]);
    start = end;
  };
  let at = -1;
  for (const { key } of all) {
    at += 1;
    if (at > 0 && startsWith(key, prefix)) continue;
    if (at > 0) endPiece(at);
    type = typeIn(key);
    prefix = key.slice(0, 1 + (key[0] ?? 0));
  }
  if (all.length > 0) endPiece(all.length);
  return groups;
}

/** Whether a key begins with a whole type and its length. */
function startsWith(key: Uint8Array, prefix: Uint8Array): boolean {
  if (prefix.length !== 1 + (prefix[0] ?? 0) || key.length < prefix.length) return false;
  for (let at = 0; at < prefix.length; at += 1) if (key[at] !== prefix[at]) return false;
  return true;
}

/** For records of a single type. */
function areOf<T extends RecordType>(
  records: readonly KnownRecord[],
  type: T,
): records is readonly RecordOfType<T>[] {
  return records.length === 0 || records[0]?.type === type;
}

/** `DBKeys::LEGACY_TYPES` in `walletdb.cpp`. */
export const legacyTypes: readonly RecordType[] = [
  'key',
  'ckey',
  'wkey',
  'keymeta',
  'hdchain',
  'cscript',
  'watchs',
  'watchmeta',
  'pool',
  'defaultkey',
];

/** Whether a wallet has records that a migration converts. */
export function hasLegacyRecords(records: RecordsByType): boolean {
  return legacyTypes.some((type) => records.entries(type).length > 0);
}

/** A fast check whether a `name` or `purpose` entry is undamaged. False also for unusually long texts. */
export function isAddressRecord({ key, value }: RawRecord): boolean {
  const address = 2 + (key[0] ?? 0);
  return key.length === address + shortSize(key[address - 1]) && value.length === 1 + shortSize(value[0]);
}

/** The size in a first byte; NaN for a size of more than one byte. */
function shortSize(first: number | undefined): number {
  return first !== undefined && first < 0xfd ? first : Number.NaN;
}

/** The type that a record's key names, as the text of its bytes. Never throws. */
export function typeIn(key: Uint8Array): string {
  return toLatin1(key.subarray(1, 1 + (key[0] ?? 0)));
}

/** The bit of each flag in the record, by the name that `getwalletinfo` gives it. Source: `WalletFlags` in `walletutil.h`. */
export const flagBits = {
  avoid_reuse: 1n << 0n,
  key_origin_metadata: 1n << 1n,
  last_hardened_xpub_cached: 1n << 2n,
  disable_private_keys: 1n << 32n,
  blank: 1n << 33n,
  descriptor_wallet: 1n << 34n,
  external_signer: 1n << 35n,
} as const;

/** The bits of a wallet's flags. */
export function flagsOf(records: RecordsByType): bigint {
  return records.one('flags')?.flags ?? 0n;
}

/** Whether a flag is set. */
export function hasFlag(bits: bigint, flag: keyof typeof flagBits): boolean {
  return (bits & flagBits[flag]) !== 0n;
}

/** The flags that are set, lowest bit first; `unknown_flag_<bit>` for those without a name. */
export function walletFlags(bits: bigint): string[] {
  const found: string[] = [];
  for (let place = 0; place < 64; place += 1) {
    const bit = 1n << BigInt(place);
    const [name] = Object.entries(flagBits).find(([, named]) => named === bit) ?? [];
    if ((bits & bit) !== 0n) found.push(name ?? `unknown_flag_${place}`);
  }
  return found;
}

/**
 * Whether there is an unknown flag above bit 31. A release refuses such a wallet; it may ignore unknown lower flags
 * (`walletutil.h`).
 */
export function hasUnknownMandatoryFlag(bits: bigint): boolean {
  return walletFlags((bits >> 32n) << 32n).some((name) => name.startsWith('unknown_flag_'));
}
