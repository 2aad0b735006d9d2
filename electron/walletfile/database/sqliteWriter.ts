/**
 * Writes the pages of a descriptor wallet's file: a table of keys and values, and the index of its keys. SQLite itself would take
 * several times as long and twice the memory, because it is told one row after the other. Layout: "Database File Format" of SQLite.
 */
import type { RawRecord } from './rawRecord.ts';
import { compareKeys, type KeyPlaces, sortedKeys } from './sortKeys.ts';
import { WALLET_TABLE } from './sqliteDatabase.ts';
import {
  fitOnPage,
  INDEX,
  INTERIOR_HEADER,
  LEAF_HEADER,
  PAGE_SIZE,
  PageFiller,
  Pages,
  putVarint,
  sizeOnPage,
  TABLE,
  varintSize,
} from './sqlitePages.ts';
import { localSize } from './sqliteWalk.ts';

/** The file's bytes; null if two records have the same key. `applicationId`: for the header. */
export function sqliteFile(records: readonly RawRecord[], applicationId: number): Uint8Array | null {
  const pages = new Pages(sizeOf(records));
  pages.add(3);
  const keys = writeTable(pages, records);
  const order = sortedKeys(keys);
  for (let place = 1; place < order.length; place += 1)
    if (compareKeys(keys, order[place - 1] ?? 0, order[place] ?? 0) === 0) return null;
  writeIndex(pages, keys, order);
  writeStart(pages, applicationId);
  return pages.whole();
}

/** The roots of both trees, as in a node's own files. Page 1 has the schema. */
const TABLE_ROOT = 2;
const INDEX_ROOT = 3;
/** About how many bytes the file has: most are those of its keys, twice, and its values. */
function sizeOf(records: readonly RawRecord[]): number {
  let size = 4 * PAGE_SIZE;
  for (const { key, value } of records) size += 2 * key.length + value.length + 22;
  return Math.ceil(size * 1.03);
}

/** Writes the rows in their order. Returns where their keys are. */
function writeTable(pages: Pages, records: readonly RawRecord[]): KeyPlaces {
  const at = new Uint32Array(records.length);
  const size = new Uint32Array(records.length);
  let areWhole = true;
  const leaf = new PageFiller(pages, TABLE.leaf);
  const level: TableLevel = { pages: [], lastRows: [] };
  const next = (page: number) => {
    leaf.begin(page);
    level.pages.push(page);
  };
  const isSmall = fitOnPage(LEAF_HEADER, records.length, (index) => {
    const { key, value } = records[index] ?? NO_RECORD;
    return rowCell(index + 1, rowPayload(key, value));
  });
  next(isSmall ? TABLE_ROOT : pages.add());
  for (let index = 0; index < records.length; index += 1) {
    const { key, value } = records[index] ?? NO_RECORD;
    const payload = rowPayload(key, value);
    const cell = rowCell(index + 1, payload);
    if (!leaf.hasRoomFor(cell)) {
      leaf.end();
      level.lastRows.push(index);
      next(pages.add());
    }
    const start = putVarint(pages.bytes, leaf.reserve(cell), payload);
    const place = putVarint(pages.bytes, start, index + 1);
    const header = payload - key.length - value.length;
    at[index] = place + header;
    size[index] = key.length;
    const local = localSize(payload, TABLE.leaf, PAGE_SIZE);
    if (local === payload) putRow(pages.bytes, place, header, key, value);
    else {
      areWhole &&= header + key.length <= local;
      const whole = new Uint8Array(payload);
      putRow(whole, 0, header, key, value);
      pages.putLong(place, whole, local);
    }
  }
  leaf.end();
  level.lastRows.push(records.length);
  if (!isSmall) writeTableParents(pages, level);
  return areWhole ? { bytes: pages.bytes, at, size } : copiedKeys(records, size);
}

const NO_RECORD: RawRecord = { key: new Uint8Array(), value: new Uint8Array() };

function rowPayload({ length: key }: Uint8Array, { length: value }: Uint8Array): number {
  return 1 + varintSize(12 + 2 * key) + varintSize(12 + 2 * value) + key + value;
}

function rowCell(row: number, payload: number): number {
  return varintSize(payload) + varintSize(row) + sizeOnPage(payload, TABLE.leaf);
}

function putRow(bytes: Uint8Array, start: number, header: number, key: Uint8Array, value: Uint8Array): void {
  bytes[start] = header;
  const at = putVarint(bytes, start + 1, 12 + 2 * key.length);
  putVarint(bytes, at, 12 + 2 * value.length);
  bytes.set(key, start + header);
  bytes.set(value, start + header + key.length);
}

/** The keys in an array of their own, because some are not in one piece in the table. */
function copiedKeys(records: readonly RawRecord[], size: Uint32Array): KeyPlaces {
  const at = new Uint32Array(records.length);
  const bytes = new Uint8Array(size.reduce((sum, one) => sum + one, 0));
  let end = 0;
  for (const [index, { key }] of records.entries()) {
    bytes.set(key, end);
    at[index] = end;
    end += key.length;
  }
  return { bytes, at, size };
}

/** The pages of a level, and the last row of each. */
interface TableLevel {
  pages: number[];
  lastRows: number[];
}

function writeTableParents(pages: Pages, leaves: TableLevel): void {
  let level = leaves;
  while (level.pages.length > MOST_CHILDREN) {
    const above: TableLevel = { pages: [], lastRows: [] };
    const parents = Math.ceil(level.pages.length / MOST_CHILDREN);
    for (let parent = 0; parent < parents; parent += 1) {
      const from = Math.floor((parent * level.pages.length) / parents);
      const to = Math.floor(((parent + 1) * level.pages.length) / parents);
      const page = pages.add();
      writeTableParent(pages, page, level, from, to);
      above.pages.push(page);
      above.lastRows.push(level.lastRows[to - 1] ?? 0);
    }
    level = above;
  }
  writeTableParent(pages, TABLE_ROOT, level, 0, level.pages.length);
}

/** A cell of an interior page takes a page number, a row number of up to 9 bytes, and its offset. */
const MOST_CHILDREN = Math.floor((PAGE_SIZE - INTERIOR_HEADER) / (4 + 9 + 2));

function writeTableParent(pages: Pages, page: number, level: TableLevel, from: number, to: number): void {
  const parent = new PageFiller(pages, TABLE.interior);
  parent.begin(page);
  for (let child = from; child < to - 1; child += 1) {
    const row = level.lastRows[child] ?? 0;
    const at = parent.reserve(4 + varintSize(row));
    pages.view.setUint32(at, level.pages[child] ?? 0);
    putVarint(pages.bytes, at + 4, row);
  }
  parent.end(level.pages[to - 1]);
}

/** Writes the index of the keys. `order`: their indexes, sorted. */
function writeIndex(pages: Pages, keys: KeyPlaces, order: Uint32Array): void {
  let level: IndexLevel = { entries: order, children: null };
  for (;;) {
    const { entries, children } = level;
    const extra = children ? 4 : 0;
    const header = children ? INTERIOR_HEADER : LEAF_HEADER;
    const sizeOfCell = (place: number) => extra + indexCell(keys, entries[place] ?? 0);
    const isRoot = fitOnPage(header, entries.length, sizeOfCell);
    const above = writeIndexLevel(pages, keys, level, isRoot ? INDEX_ROOT : null);
    if (isRoot) return;
    level = above;
  }
}

/** The entries of a level: all for the leaves, and above those that lie between two pages. `children`: the pages below. */
interface IndexLevel {
  entries: Uint32Array | number[];
  children: number[] | null;
}

/** `root`: the page of a level with a single one. Returns the level above. */
function writeIndexLevel(
  pages: Pages,
  keys: KeyPlaces,
  { entries, children }: IndexLevel,
  root: number | null,
): { entries: number[]; children: number[] } {
  const page = new PageFiller(pages, children ? INDEX.interior : INDEX.leaf);
  const above: { entries: number[]; children: number[] } = { entries: [], children: [] };
  const next = () => {
    page.begin(root ?? pages.add());
    above.children.push(page.page);
  };
  const last = entries.length - 1;
  const cellOf = (place: number) => (children ? 4 : 0) + indexCell(keys, entries[place] ?? 0);
  next();
  for (let place = 0; place <= last; place += 1) {
    const cell = cellOf(place);
    // The page behind an entry between two pages needs an entry too.
    const isLastBefore = place === last - 1 && !page.hasRoomFor(cell + cellOf(last), 2);
    if (isLastBefore || !page.hasRoomFor(cell)) {
      page.end(children?.[place]);
      above.entries.push(entries[place] ?? 0);
      next();
      continue;
    }
    const at = page.reserve(cell);
    if (children) pages.view.setUint32(at, children[place] ?? 0);
    putEntry(pages, children ? at + 4 : at, keys, entries[place] ?? 0);
  }
  page.end(children?.[entries.length]);
  return above;
}

function entryPayload(keys: KeyPlaces, index: number): number {
  const key = keys.size[index] ?? 0;
  return 1 + varintSize(12 + 2 * key) + 1 + key + rowSize(index + 1);
}

function indexCell(keys: KeyPlaces, index: number): number {
  const payload = entryPayload(keys, index);
  return varintSize(payload) + sizeOnPage(payload, INDEX.leaf);
}

function putEntry(pages: Pages, start: number, keys: KeyPlaces, index: number): void {
  const payload = entryPayload(keys, index);
  const local = localSize(payload, INDEX.leaf, PAGE_SIZE);
  const at = putVarint(pages.bytes, start, payload);
  if (local === payload) putEntryIn(pages.bytes, at, keys, index);
  else {
    const whole = new Uint8Array(payload);
    putEntryIn(whole, 0, keys, index);
    pages.putLong(at, whole, local);
  }
}

function putEntryIn(bytes: Uint8Array, start: number, keys: KeyPlaces, index: number): void {
  const [from, size, row] = [keys.at[index] ?? 0, keys.size[index] ?? 0, index + 1];
  const type = 12 + 2 * size;
  const header = 1 + varintSize(type) + 1;
  const rowBytes = rowSize(row);
  bytes[start] = header;
  // Type 9 is the number 1.
  bytes[putVarint(bytes, start + 1, type)] = rowBytes === 0 ? 9 : rowBytes;
  const at = start + header;
  if (keys.bytes === bytes) bytes.copyWithin(at, from, from + size);
  else bytes.set(keys.bytes.subarray(from, from + size), at);
  for (let byte = 0; byte < rowBytes; byte += 1)
    bytes[at + size + byte] = row >>> (8 * (rowBytes - 1 - byte));
}

/** Bytes of a row number as a signed integer. */
function rowSize(row: number): number {
  if (row === 1) return 0;
  return row < 0x80 ? 1 : row < 0x8000 ? 2 : row < 0x800000 ? 3 : 4;
}

/** Writes page 1: the header of the file and the schema. */
function writeStart(pages: Pages, applicationId: number): void {
  const { bytes, view } = pages;
  bytes.set(encoder.encode('SQLite format 3\0'));
  view.setUint16(16, PAGE_SIZE);
  // The formats of reading and writing without a write-ahead log, and the fixed fractions of a payload.
  bytes.set([1, 1, 0, 64, 32, 32], 18);
  view.setUint32(24, CHANGES);
  view.setUint32(28, pages.count);
  view.setUint32(40, SCHEMA_COOKIE);
  view.setUint32(44, SCHEMA_FORMAT);
  view.setUint32(56, UTF8);
  view.setUint32(68, applicationId);
  view.setUint32(92, CHANGES);
  view.setUint32(96, SQLITE_VERSION);
  const schema = new PageFiller(pages, TABLE.leaf);
  schema.begin(1);
  const rows: SchemaRow[] = [
    ['table', 'main', 'main', TABLE_ROOT, WALLET_TABLE],
    ['index', 'sqlite_autoindex_main_1', 'main', INDEX_ROOT, null],
  ];
  for (const [index, row] of rows.entries()) {
    const payload = schemaPayload(row);
    const at = schema.reserve(varintSize(payload.length) + 1 + payload.length);
    const afterSize = putVarint(bytes, at, payload.length);
    bytes[afterSize] = index + 1;
    bytes.set(payload, afterSize + 1);
  }
  schema.end();
}

type SchemaRow = [type: string, name: string, table: string, root: number, sql: string | null];

/** Its texts are at most 120 bytes long. */
function schemaPayload(row: SchemaRow): Uint8Array {
  const types: number[] = [];
  const values: number[] = [];
  for (const column of row) {
    const text = typeof column === 'string' ? encoder.encode(column) : null;
    const type = text ? 13 + 2 * text.length : column === null ? 0 : 1;
    types.push(...(type < 0x80 ? [type] : [0x80 + (type >> 7), type & 0x7f]));
    values.push(...(text ?? (typeof column === 'number' ? [column] : [])));
  }
  return Uint8Array.from([1 + types.length, ...types, ...values]);
}

const encoder = new TextEncoder();
/** Counters that SQLite compares to notice changes of the file and of its tables. */
const CHANGES = 1;
const SCHEMA_COOKIE = 1;
const SCHEMA_FORMAT = 4;
const UTF8 = 1;
/** Of SQLite 3.46.1, as the library that wrote the file last. */
const SQLITE_VERSION = 3046001;
