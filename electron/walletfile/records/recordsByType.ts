/** A wallet's records, found by their type. They are read when they are first asked for: a wallet can have a million. */
import { byteText } from '../bytes/byteText.ts';
import { groupedBy } from '../bytes/lists.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import {
  type DamagedRecord,
  isRecordType,
  type KnownRecord,
  type Of,
  parseRecord,
  type RecordType,
  recordOf,
  type UnknownRecord,
} from './records.ts';

export type { Of };

export type RecordsByType = ReturnType<typeof recordsByType>;

export function recordsByType(records: Iterable<RawRecord>) {
  const groups = groupedBy(records, ({ key }) => typeIn(key));
  const read = new Map<RecordType, readonly KnownRecord[]>();
  const entries = (type: string) => groups.get(type) ?? [];
  const of = <T extends RecordType>(type: T): readonly Of<T>[] => {
    const known = read.get(type);
    if (known && areOf(known, type)) return known;
    const found = entries(type).flatMap((entry) => recordOf(type, entry) ?? []);
    read.set(type, found);
    return found;
  };
  return {
    /** Those of a type that can be read, in the order of the file. */
    of,
    /** The only one of its type, or the last where a damaged file has several. */
    one: <T extends RecordType>(type: T) => of(type).at(-1),
    /** The entries that name a type, damaged ones too, as they are in the file. */
    entries,
    /** The names of all types in the file, in the order in which they are first met. */
    types: [...groups.keys()],
    /** Reads all that is there, and gives what could not be read. */
    unread(): { unknown: UnknownRecord[]; damaged: DamagedRecord[] } {
      const unknown: UnknownRecord[] = [];
      const damaged: DamagedRecord[] = [];
      for (const [type, group] of groups) {
        if (isRecordType(type) && of(type).length === group.length) continue;
        for (const { key, value } of group) {
          const record = parseRecord(key, value);
          if (record.type === 'unknown') unknown.push(record);
          else if (record.type === 'damaged') damaged.push(record);
        }
      }
      return { unknown, damaged };
    },
  };
}

/** Of records that are all of one type. */
function areOf<T extends RecordType>(records: readonly KnownRecord[], type: T): records is readonly Of<T>[] {
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

/** Whether there is anything that a migration converts. */
export function hasLegacyRecords(records: RecordsByType): boolean {
  return legacyTypes.some((type) => records.entries(type).length > 0);
}

/** The type that a record's key names, as the text of its bytes. Never throws. */
export function typeIn(key: Uint8Array): string {
  return byteText(key.subarray(1, 1 + (key[0] ?? 0)));
}
