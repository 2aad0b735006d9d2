/** Wallet records: what an entry of a wallet file's database means, and the entry a record is written as. */
import * as P from 'micro-packed';
import { AppError } from '../../../shared/errors.ts';
import { say } from '../../../shared/text/say.ts';
import { text } from '../bytes/serialization.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { descriptorRecords } from './descriptorRecords.ts';
import { keyRecords } from './keyRecords.ts';
import { walletRecords } from './walletRecords.ts';

const shapes = { ...walletRecords, ...keyRecords, ...descriptorRecords };

export type RecordType = keyof typeof shapes;
type KeyFields<T extends RecordType> = P.UnwrapCoder<(typeof shapes)[T]['key']>;
type ValueFields<T extends RecordType> = P.UnwrapCoder<(typeof shapes)[T]['value']>;

/**
 * One record of a known type. `trailing` are bytes after the last field, which Bitcoin Core ignores (releases
 * 0.3.14 to 0.3.17 wrote some after transactions); absent where there are none.
 */
type RecordOf<T extends RecordType> = {
  [K in T]: { type: K; trailing?: Uint8Array } & KeyFields<K> & ValueFields<K>;
}[T];

/** A record of a type that is not known here: kept as it is. `name` is empty where the key names no type. */
export interface UnknownRecord extends RawRecord {
  type: 'unknown';
  name: string;
}

/** A record of a known type whose bytes are not what that type should have: kept as it is. */
export interface DamagedRecord extends RawRecord {
  type: 'damaged';
  name: RecordType;
}

export type KnownRecord = RecordOf<RecordType>;
export type WalletRecord = KnownRecord | UnknownRecord | DamagedRecord;

const coders: { [K in RecordType]: { key: P.CoderType<KeyFields<K>>; value: P.CoderType<ValueFields<K>> } } =
  shapes;

/** Reads one entry. Never throws. Byte fields are views of the entry's bytes. */
export function parseRecord(key: Uint8Array, value: Uint8Array): WalletRecord {
  const named = splitKey(key);
  if (!named) return { type: 'unknown', name: '', key, value };
  const { name, rest } = named;
  if (!isRecordType(name)) return { type: 'unknown', name, key, value };
  // The coders' own messages quote bytes, which may be secret, so only the fact is kept.
  return tryCoding(() => parseKnown(name, rest, value)) ?? { type: 'damaged', name, key, value };
}

/** The entry of a record: the bytes it was parsed from, or new ones. Throws `internal` for impossible fields. */
export function writeRecord(record: WalletRecord): RawRecord {
  if (record.type === 'unknown' || record.type === 'damaged') return { key: record.key, value: record.value };
  const written = tryCoding(() => writeKnown(record));
  if (written) return written;
  throw new AppError(
    'internal',
    say('A record of the type {type} could not be written.', { type: record.type }),
    say(
      'The wallet file was not changed. This is a fault of the app: make a report of it in Activity, and ask for help with it.',
    ),
  );
}

function isRecordType(name: string): name is RecordType {
  return Object.hasOwn(shapes, name);
}

function parseKnown<T extends RecordType>(type: T, key: Uint8Array, value: Uint8Array): RecordOf<T> {
  const { fields, trailing } = withTrailing(coders[type].value).decode(value);
  const more = trailing.length > 0 ? { trailing } : {};
  return { type, ...coders[type].key.decode(key), ...fields, ...more };
}

function writeKnown<T extends RecordType>(record: RecordOf<T>): RawRecord {
  const { key, value } = coders[record.type];
  const trailing = record.trailing ?? new Uint8Array();
  return {
    key: P.utils.concatBytes(text.encode(record.type), key.encode(record)),
    value: withTrailing(value).encode({ fields: record, trailing }),
  };
}

function withTrailing<T>(inner: P.CoderType<T>): P.CoderType<{ fields: T; trailing: Uint8Array }> {
  return P.wrap({
    encodeStream(writer, { fields, trailing }: { fields: T; trailing: Uint8Array }) {
      inner.encodeStream(writer, fields);
      writer.bytes(trailing);
    },
    decodeStream(reader) {
      const fields = inner.decodeStream(reader);
      return { fields, trailing: reader.bytes(reader.leftBytes) };
    },
  });
}

const namedKey = P.struct({ name: text, rest: P.bytes(null) });

function splitKey(key: Uint8Array): { name: string; rest: Uint8Array } | null {
  return tryCoding(() => namedKey.decode(key));
}

function tryCoding<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
