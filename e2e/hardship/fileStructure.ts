/** Finds the numbers in a whole file that a reader follows: lengths, counts, page numbers, kinds. */
import { recordsOfLog } from './companion.ts';

export interface FileStructure {
  /** Bytes. */
  readonly pageSize: number;
  /** The byte order of its numbers. */
  readonly little: boolean;
  readonly places: readonly Place[];
}

export interface Place {
  readonly at: number;
  /** Bytes: 1, 2 or 4. */
  readonly width: number;
}

/** Knows Berkeley DB and SQLite files, their logs and journals. Of other files it gives the first words only. */
export function structureOf(file: Uint8Array): FileStructure {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const head = Array.from({ length: Math.min(25, file.length >> 2) }, (_, index) => ({
    at: index * 4,
    width: 4,
  }));
  if (file.length < 512) return { pageSize: 512, little: true, places: head };
  const little = view.getUint32(12, true) === BERKELEY;
  if (little || view.getUint32(12, false) === BERKELEY) return berkeleyOf(view, little);
  if (view.getUint32(0, false) === SQLITE) return sqliteOf(view);
  if (view.getUint32(0, false) === ROLLBACK_JOURNAL) return journalStructure(view);
  if ((view.getUint32(0, false) & ~1) === WRITE_AHEAD_LOG) return walStructure(view);
  if (view.getUint32(12, true) === BERKELEY_LOG) return logStructure(file);
  return { pageSize: 512, little: true, places: head };
}

const BERKELEY = 0x00053162;
/** "SQLi" */
const SQLITE = 0x53514c69;
/** The first word of SQLite's rollback journal and write-ahead log (the last bit of which is its byte order). */
const ROLLBACK_JOURNAL = 0xd9d505f9;
const WRITE_AHEAD_LOG = 0x377f0682;
const BERKELEY_LOG = 0x00040988;

/** Enough of a large page that no page of a file is left out for another. */
const MAX_ITEMS = 60;

function berkeleyOf(view: DataView, little: boolean): FileStructure {
  const pageSize = view.getUint32(20, little);
  const headerSize = view.getUint8(26) & 1 ? 32 : 26;
  const places: Place[] = [];
  const add = (width: number, ...ats: number[]) => places.push(...ats.map((at) => ({ at, width })));
  for (let start = 0; start + pageSize <= view.byteLength; start += pageSize) {
    add(4, start, start + 4, start + 8, start + 12, start + 16);
    add(2, start + 20, start + 22);
    add(1, start + 24, start + 25);
    const type = view.getUint8(start + 25);
    if (type === 9) {
      add(4, start + 20, start + 28, start + 32, start + 36, start + 48, start + 76, start + 84, start + 88);
      add(1, start + 26);
    }
    if (type !== 3 && type !== 5) continue;
    const count = view.getUint16(start + 20, little);
    for (let index = 0; index < Math.min(count, MAX_ITEMS); index += 1) {
      const entry = start + headerSize + 2 * index;
      const item = start + view.getUint16(entry, little);
      add(2, entry, item);
      add(1, item + 2);
      const kind = view.getUint8(item + 2);
      if (type === 3 || kind === 3) add(4, item + 4, item + 8);
      // What a record's half begins with is mostly a length.
      else add(1, item + 3, item + 4);
    }
  }
  return { pageSize, little, places };
}

function sqliteOf(view: DataView): FileStructure {
  const stored = view.getUint16(16, false);
  const pageSize = stored === 1 ? 0x10000 : stored;
  const places: Place[] = [];
  const add = (width: number, ...ats: number[]) => places.push(...ats.map((at) => ({ at, width })));
  add(2, 16);
  add(1, 18, 19, 20, 21, 22, 23);
  add(4, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 92, 96);
  for (let start = 0; start + pageSize <= view.byteLength; start += pageSize) {
    const header = start === 0 ? 100 : start;
    const type = view.getUint8(header);
    add(1, header, header + 7);
    add(2, header + 1, header + 3, header + 5);
    add(4, start, header + 8);
    if (![2, 5, 10, 13].includes(type)) continue;
    const pointers = header + (type === 2 || type === 5 ? 12 : 8);
    const count = view.getUint16(header + 3, false);
    for (let index = 0; index < Math.min(count, MAX_ITEMS); index += 1) {
      const pointer = pointers + 2 * index;
      if (pointer + 2 > start + pageSize) break;
      const cell = start + view.getUint16(pointer, false);
      add(2, pointer);
      add(4, cell);
      // Lengths and types of the cell's values.
      add(1, cell, cell + 1, cell + 2, cell + 3, cell + 4, cell + 5, cell + 6);
    }
  }
  return { pageSize, little: false, places };
}

const words = (start: number, count: number): Place[] =>
  Array.from({ length: count }, (_, index) => ({ at: start + 4 * index, width: 4 }));

/** One header, as SQLite writes it for a change of few pages. */
function journalStructure(view: DataView): FileStructure {
  const [sector, pageSize] = [view.getUint32(20), view.getUint32(24)];
  const places = words(0, 7);
  for (let at = sector; at + pageSize + 8 <= view.byteLength; at += pageSize + 8)
    places.push({ at, width: 4 }, { at: at + 4 + pageSize, width: 4 });
  return { pageSize, little: false, places };
}

function walStructure(view: DataView): FileStructure {
  const pageSize = view.getUint32(8);
  const places = words(0, 8);
  for (let at = 32; at + 24 + pageSize <= view.byteLength; at += 24 + pageSize) places.push(...words(at, 6));
  return { pageSize, little: false, places };
}

/** Of each record its header and the first words of its content, which are its kind, its transaction and its fields. */
function logStructure(file: Uint8Array): FileStructure {
  const places = recordsOfLog(file).flatMap(({ at, length }) => words(at, Math.min(16, length >> 2)));
  return { pageSize: 512, little: true, places };
}
