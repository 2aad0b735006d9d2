/** A wallet's records, found by their type. */
import type { KnownRecord, RecordType } from './records.ts';

/** A record of one type. */
export type Of<T extends RecordType> = Extract<KnownRecord, { type: T }>;

export interface RecordsByType {
  /** In the order of the file. */
  of<T extends RecordType>(type: T): readonly Of<T>[];
  /** The only one of its type, or the last where a damaged file has several. */
  one<T extends RecordType>(type: T): Of<T> | undefined;
}

export function recordsByType(records: readonly KnownRecord[]): RecordsByType {
  const groups = new Map<RecordType, KnownRecord[]>();
  for (const record of records) {
    const group = groups.get(record.type);
    if (group) group.push(record);
    else groups.set(record.type, [record]);
  }
  const of = <T extends RecordType>(type: T) => (groups.get(type) ?? []).filter(isOfType(type));
  return { of, one: (type) => of(type).at(-1) };
}

function isOfType<T extends RecordType>(type: T): (record: KnownRecord) => record is Of<T> {
  return (record): record is Of<T> => record.type === type;
}
