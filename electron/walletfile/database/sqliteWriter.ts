/**
 * Writes the pages of a descriptor wallet's file: a table of keys and values, and the index of its keys. SQLite itself takes
 * several times as long and twice the memory, because it inserts row by row. Layout: "Database File Format" of SQLite.
 */
import { compareKeys, keySizeOf, type RawRecord, valueSizeOf } from './rawRecord.ts';
import { WALLET_TABLE } from './sqliteDatabase.ts';
import {
  INTERIOR_HEADER,
  LEAF_HEADER,
  PAGE_SIZE,
  PageFiller,
  type PageSink,
  PageWriter,
  putVarint,
  sizeOnPage,
  varintSize,
} from './sqlitePages.ts';
import { INDEX_PAGE, localSize, TABLE_PAGE } from './sqliteWalk.ts';

/**
 * Writes the pages of a file. `create`: makes it, for about as many bytes. Returns null if two records have the same key.
 * `applicationId`: for the header.
 */
export function writeSqliteFile<File extends PageSink>(
  records: readonly RawRecord[],
  applicationId: number,
  create: (size: number) => File,
): File | null {
  const file = create(sizeOf(records));
  const pages = new PageWriter(file);
  for (let root = 1; root <= INDEX_ROOT; root += 1) pages.add();
  writeTable(pages, records);
  const recordAt = (index: number | undefined) => records[index ?? 0] ?? NO_RECORD;
  // Most records come from a legacy file in the order of their keys. Only the sort of arrays makes use of that.
  const order = records.map((_, at) => at).sort((one, other) => compareKeys(recordAt(one), recordAt(other)));
  for (let place = 1; place < order.length; place += 1)
    if (compareKeys(recordAt(order[place - 1]), recordAt(order[place])) === 0) return null;
  writeIndex(pages, records, order);
  writeStart(pages, applicationId);
  return file;
}

/** The roots of both trees, as in a node's own files. Page 1 has the schema. */
const TABLE_ROOT = 2;
const INDEX_ROOT = 3;
/** About how many bytes the file has: most are those of its keys, twice, and its values. */
function sizeOf(records: readonly RawRecord[]): number {
  let size = 4 * PAGE_SIZE;
  for (const record of records) size += 2 * keySizeOf(record) + valueSizeOf(record) + 22;
  return Math.ceil(size * 1.03);
}

/** The cells of one level of a tree, in order. */
interface Cells {
  readonly kind: number;
  readonly count: number;
  /** In bytes, on its page. */
  sizeOf(place: number): number;
  put(place: number, page: PageFiller, at: number): void;
  /** The pages below, for an interior level of the index: one more than the cells. */
  readonly children: readonly number[] | null;
}

/**
 * Puts all cells on `root`, or on new pages if they do not fit there. Returns the pages, and the places of the cells that did not fit
 * on the page before: in the index they go to the level above, in the table to the next page.
 */
function fillPages(pages: PageWriter, cells: Cells, root: number): { pages: number[]; breaks: number[] } {
  const { kind, count, children } = cells;
  const page = new PageFiller(pages, kind);
  const filled: { pages: number[]; breaks: number[] } = { pages: [], breaks: [] };
  const fitsOnRoot = fitsOnPage(cells);
  const next = () => {
    page.begin(fitsOnRoot ? root : pages.add());
    filled.pages.push(page.page);
  };
  const isIndex = kind !== TABLE_PAGE.leaf;
  next();
  for (let place = 0; place < count; place += 1) {
    const size = cells.sizeOf(place);
    // An index entry moves up between two pages. Leave at least one for the page after it.
    const isLastBefore =
      isIndex && place === count - 2 && !page.hasRoomFor(size + cells.sizeOf(count - 1), 2);
    if (isLastBefore || !page.hasRoomFor(size)) {
      page.end(children?.[place]);
      filled.breaks.push(place);
      next();
      if (isIndex) continue;
    }
    cells.put(place, page, page.reserve(size));
  }
  page.end(children?.[count]);
  return filled;
}

function fitsOnPage({ count, sizeOf, children }: Cells): boolean {
  let free = PAGE_SIZE - (children ? INTERIOR_HEADER : LEAF_HEADER);
  for (let place = 0; place < count && free >= 0; place += 1) free -= 2 + sizeOf(place);
  return free >= 0;
}

/** Puts a payload at an offset. `write` writes it there, or to a separate array if it is too long for its page. */
function putPayload(
  page: PageFiller,
  at: number,
  size: number,
  kind: number,
  write: (bytes: Uint8Array, start: number) => void,
): void {
  const local = localSize(size, kind, PAGE_SIZE);
  if (local === size) {
    write(page.bytes, at);
    return;
  }
  const whole = new Uint8Array(size);
  write(whole, 0);
  page.putLong(at, whole, local);
}

/** Writes the rows in their order. */
function writeTable(pages: PageWriter, records: readonly RawRecord[]): void {
  const rows: Cells = {
    kind: TABLE_PAGE.leaf,
    count: records.length,
    children: null,
    sizeOf: (index) => rowCellSize(index + 1, rowPayloadSize(records[index] ?? NO_RECORD)),
    put(index, page, start) {
      const record = records[index] ?? NO_RECORD;
      const { key, value } = record;
      const payload = rowPayloadSize(record);
      const header = payload - key.length - value.length;
      const place = putVarint(page.bytes, putVarint(page.bytes, start, payload), index + 1);
      putPayload(page, place, payload, TABLE_PAGE.leaf, (bytes, from) =>
        putRow(bytes, from, header, key, value),
      );
    },
  };
  const leaves = fillPages(pages, rows, TABLE_ROOT);
  if (leaves.pages[0] !== TABLE_ROOT)
    writeTableParents(pages, { pages: leaves.pages, lastRows: [...leaves.breaks, records.length] });
}

const NO_RECORD: RawRecord = { key: new Uint8Array(), value: new Uint8Array() };

function rowPayloadSize(record: RawRecord): number {
  const key = keySizeOf(record);
  const value = valueSizeOf(record);
  return 1 + varintSize(12 + 2 * key) + varintSize(12 + 2 * value) + key + value;
}

function rowCellSize(row: number, payload: number): number {
  return varintSize(payload) + varintSize(row) + sizeOnPage(payload, TABLE_PAGE.leaf);
}

function putRow(bytes: Uint8Array, start: number, header: number, key: Uint8Array, value: Uint8Array): void {
  bytes[start] = header;
  const at = putVarint(bytes, start + 1, 12 + 2 * key.length);
  putVarint(bytes, at, 12 + 2 * value.length);
  bytes.set(key, start + header);
  bytes.set(value, start + header + key.length);
}

/** The pages of a level, and the last row of each. */
interface TableLevel {
  pages: number[];
  lastRows: number[];
}

function writeTableParents(pages: PageWriter, leaves: TableLevel): void {
  let level = leaves;
  while (level.pages.length > MAX_CHILDREN) {
    const above: TableLevel = { pages: [], lastRows: [] };
    const parents = Math.ceil(level.pages.length / MAX_CHILDREN);
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
const MAX_CHILDREN = Math.floor((PAGE_SIZE - INTERIOR_HEADER) / (4 + 9 + 2));

function writeTableParent(
  pages: PageWriter,
  page: number,
  level: TableLevel,
  from: number,
  to: number,
): void {
  const parent = new PageFiller(pages, TABLE_PAGE.interior);
  parent.begin(page);
  for (let child = from; child < to - 1; child += 1) {
    const row = level.lastRows[child] ?? 0;
    const at = parent.reserve(4 + varintSize(row));
    parent.view.setUint32(at, level.pages[child] ?? 0);
    putVarint(parent.bytes, at + 4, row);
  }
  parent.end(level.pages[to - 1]);
}

/** Writes the index of the keys. `order`: their indexes, sorted. */
function writeIndex(pages: PageWriter, records: readonly RawRecord[], order: readonly number[]): void {
  /** All of them for the leaves; for each level above, those between two pages of the level below. */
  let entries = order;
  let children: number[] | null = null;
  for (;;) {
    const filled = fillPages(pages, indexCells(records, entries, children), INDEX_ROOT);
    if (filled.pages[0] === INDEX_ROOT) return;
    const below = entries;
    entries = filled.breaks.map((place) => below[place] ?? 0);
    children = filled.pages;
  }
}

/** `children`: the pages below. */
function indexCells(
  records: readonly RawRecord[],
  entries: readonly number[],
  children: number[] | null,
): Cells {
  const extra = children ? 4 : 0;
  return {
    kind: children ? INDEX_PAGE.interior : INDEX_PAGE.leaf,
    count: entries.length,
    children,
    sizeOf: (place) => extra + indexCellSize(records, entries[place] ?? 0),
    put(place, page, at) {
      if (children) page.view.setUint32(at, children[place] ?? 0);
      putEntry(page, at + extra, records, entries[place] ?? 0);
    },
  };
}

function entryPayloadSize(key: number, index: number): number {
  return 1 + varintSize(12 + 2 * key) + 1 + key + rowNumberSize(index + 1);
}

function indexCellSize(records: readonly RawRecord[], index: number): number {
  const payload = entryPayloadSize(keySizeOf(records[index] ?? NO_RECORD), index);
  return varintSize(payload) + sizeOnPage(payload, INDEX_PAGE.leaf);
}

function putEntry(page: PageFiller, start: number, records: readonly RawRecord[], index: number): void {
  const { key } = records[index] ?? NO_RECORD;
  const payload = entryPayloadSize(key.length, index);
  const at = putVarint(page.bytes, start, payload);
  putPayload(page, at, payload, INDEX_PAGE.leaf, (bytes, from) => putEntryIn(bytes, from, key, index));
}

function putEntryIn(bytes: Uint8Array, start: number, key: Uint8Array, index: number): void {
  const row = index + 1;
  const type = 12 + 2 * key.length;
  const header = 1 + varintSize(type) + 1;
  const rowBytes = rowNumberSize(row);
  bytes[start] = header;
  // Type 9 is the number 1.
  bytes[putVarint(bytes, start + 1, type)] = rowBytes === 0 ? 9 : rowBytes;
  const at = start + header;
  bytes.set(key, at);
  for (let byte = 0; byte < rowBytes; byte += 1)
    bytes[at + key.length + byte] = row >>> (8 * (rowBytes - 1 - byte));
}

/** Bytes of a row number as a signed integer. */
function rowNumberSize(row: number): number {
  if (row === 1) return 0;
  return row < 0x80 ? 1 : row < 0x8000 ? 2 : row < 0x800000 ? 3 : 4;
}

/** Writes page 1: the header of the file and the schema. */
function writeStart(pages: PageWriter, applicationId: number): void {
  const schema = new PageFiller(pages, TABLE_PAGE.leaf);
  const { bytes, view } = schema;
  schema.begin(1);
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
