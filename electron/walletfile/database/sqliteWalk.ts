/**
 * Walks the trees of an SQLite file and collects the rows. SQLite takes five times as long, and follows any page number, even
 * before the first query (for `sqlite_stat1`): in a hostile file, pages that refer to each other yield rows without end. This
 * walk uses each page once, so that its work is in proportion to the file, and reports anything but the table of a wallet and its
 * index as a fault. Layout: "Database File Format" of SQLite.
 */
import { createView } from '@noble/hashes/utils.js';
import type { Fault } from '../../../shared/model/findings/faults.ts';
import {
  type ByteSource,
  type FileBytes,
  type PlacedPage,
  pageReader,
  sourceOf,
} from '../bytes/byteSource.ts';
import { isPageSize, SQLITE_HEADER_SIZE, sqlitePageSize } from './fileStart.ts';
import { type RawRecord, RecordInFile, RecordInPlace } from './rawRecord.ts';

interface SqliteRows {
  /** The statement that created the table `main`; null if there is no such table. */
  sql: string | null;
  /** Reasons not to open the file with SQLite. Pages are counted from 0. The index repeats the table's keys, so its faults lose nothing. */
  faults: { page: number; fault: Fault; isOfIndex: boolean }[];
  /** The readable rows of the table. In memory, a row on one page is a view of the file's bytes. On a disk, most rows are a RecordInFile. */
  rows: RawRecord[];
  /** Number of rows without a blob as key, or with a number as value. */
  others: number;
  /** Whether the index, as far as it is readable, names a key that no row has; null unless they were compared. */
  lacksRows: boolean | null;
}

/** Never throws. SQLite itself refuses a file without any tree. `comparesIndex` takes half as long again. */
export function walkSqlite(file: FileBytes, { comparesIndex = false } = {}): SqliteRows {
  const rows: RawRecord[] = [];
  return { ...eachRow(file, (row) => rows.push(row), { comparesIndex, keepsRows: true }), rows };
}

/** The same, in their order. `take` may throw. Without `keepsRows`, use a row in `take` only: it would keep its page in memory. */
export function eachRow(
  file: FileBytes,
  take: (row: RawRecord) => void,
  { comparesIndex = false, keepsRows = false } = {},
): Omit<SqliteRows, 'rows'> {
  const walked: Omit<SqliteRows, 'rows'> = { sql: null, faults: [], others: 0, lacksRows: null };
  const pages = openSqlitePages(file);
  if (!pages) return walked;
  const takeRow: Visit = (payload) => {
    const row = rowIn(payload, keepsRows ? pages : null);
    if (row) take(row);
    else walked.others += 1;
  };
  walk(pages, walked, takeRow, comparesIndex);
  return walked;
}

/** Whether a file is a database in which nothing was ever stored: one page without entries. */
export function isWithoutTables(file: FileBytes): boolean {
  const pages = openSqlitePages(file);
  if (pages === null || pages.source.size !== pages.size) return false;
  const { view, start } = pages.at(0);
  const at = start + SQLITE_HEADER_SIZE;
  const [type, freeBlock, entries] = [view.getUint8(at), view.getUint16(at + 1), view.getUint16(at + 3)];
  // A zero stands for the end of a page of 65,536 bytes.
  const contentStart = view.getUint16(at + 5) || 0x1_0000;
  return type === TABLE_PAGE.leaf && freeBlock + entries === 0 && contentStart === pages.usable;
}

/** No caller shows more faults. */
const MAX_FAULTS = 200;

function walk(
  pages: SqlitePages,
  walked: Omit<SqliteRows, 'rows'>,
  takeRow: Visit,
  comparesIndex: boolean,
): void {
  const { faults } = walked;
  const add = (page: number, fault: Fault, isOfIndex: boolean) => {
    if (faults.length < MAX_FAULTS) faults.push({ page, fault, isOfIndex });
  };
  const reportIn = (isOfIndex: boolean): Report => {
    return (page, code) => add(page - 1, { code, page: page - 1 }, isOfIndex);
  };
  const roots: { page: number; table: boolean }[] = [];
  eachPayload(pages, { page: 1, table: true }, reportIn(false), ({ bytes, from, to }) => {
    const [type, name, of, root, sql] = columnsOf(bytes.subarray(from, to));
    const textOf = (column: Column | undefined) => (column ? pages.text.decode(column.bytes) : '');
    const is = (kind: string, own: string) =>
      textOf(type) === kind && textOf(name) === own && textOf(of) === 'main';
    const isTable = is('table', 'main');
    const isIndex = is('index', 'sqlite_autoindex_main_1') && textOf(sql) === '';
    // SQLite parses a root that is text as a number, which differs from its bytes.
    if ((!isTable && !isIndex) || !root || root.type > 6) {
      add(0, { code: 'table_unknown' }, false);
      return;
    }
    if (isTable) walked.sql = textOf(sql);
    roots.push({ page: root.bytes.reduce((number, byte) => number * 0x100 + byte, 0), table: isTable });
  });
  /** The keys of the table, as hashes. */
  const keys = new Set<number>();
  let lacksRows = false;
  // The table first, because the index is compared with it, and its faults weigh more where both name a page.
  for (const { page, table } of roots.sort((one, other) => Number(other.table) - Number(one.table))) {
    const compare: Visit = (payload) => {
      if (table) keys.add(hashOfKey(payload));
      else lacksRows ||= !keys.has(hashOfKey(payload));
      if (table) takeRow(payload);
    };
    eachPayload(pages, { page, table }, reportIn(!table), comparesIndex ? compare : table ? takeRow : null);
  }
  if (comparesIndex) walked.lacksRows = lacksRows;
}

/** FNV-1a of the first column, which is the key both in the table and in the index. */
function hashOfKey({ bytes, from, to }: Payload): number {
  const start = from + varintAt(bytes, from);
  const end = Math.min(to, start + sizeOfBlob(varintAt(bytes, afterVarint(bytes, from))));
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return hash;
}

/** The record of a row; null unless its key is a blob and its value a blob or a text, as for a node. Without `pages`, views of the payload. */
export function rowIn(payload: Payload, pages: SqlitePages | null): RawRecord | null {
  const { bytes, from, to, start: at, local, overflow } = payload;
  const keyType = afterVarint(bytes, from);
  const valueType = afterVarint(bytes, keyType);
  const start = varintAt(bytes, from);
  const keyEnd = start + sizeOfBlob(varintAt(bytes, keyType));
  const end = keyEnd + sizeOfValue(varintAt(bytes, valueType));
  if (afterVarint(bytes, valueType) !== from + start || from + end !== to) return null;
  if (pages === null || pages.source.inMemory !== null)
    return new RecordInPlace(bytes, from + start, from + keyEnd, from + keyEnd, to);
  if (overflow === null)
    return new RecordInFile(pages.source, at + start, at + keyEnd, at + keyEnd, at + end);
  if (keyEnd <= local)
    return new LongRowInFile(pages, { start: at, local, overflow }, { start, keyEnd, end });
  return { key: bytes.slice(from + start, from + keyEnd), value: bytes.slice(from + keyEnd, to) };
}

/** A row on a disk that continues on overflow pages. */
class LongRowInFile extends RecordInFile {
  constructor(
    private readonly pages: SqlitePages,
    private readonly place: PayloadPlace,
    { start, keyEnd, end }: { start: number; keyEnd: number; end: number },
  ) {
    super(pages.source, place.start + start, place.start + keyEnd, keyEnd, end);
  }

  protected override readValue(start: number, end: number): Uint8Array {
    const parts = partsOf(this.pages, this.place, end, () => true) ?? [];
    return Uint8Array.from(Buffer.concat(parts).subarray(start, end));
  }
}

/** Even types from 12 on are blobs. NaN for all others. */
export const sizeOfBlob = (type: number) => (type % 2 === 0 ? sizeOfValue(type) : Number.NaN);

/** Of a blob or a text: a node takes both as a record's value. NaN for all others. */
export const sizeOfValue = (type: number) => (type >= 12 ? Math.floor((type - 12) / 2) : Number.NaN);

interface Column {
  /** Its serial type: null and integers up to 6, blobs and texts from 12 on. */
  type: number;
  bytes: Uint8Array;
}

/** The columns of a record, up to the first that runs past its end. */
function columnsOf(payload: Uint8Array): Column[] {
  let start = varintAt(payload, 0);
  let at = afterVarint(payload, 0);
  const columns: Column[] = [];
  for (const headerEnd = Math.min(start, payload.length); at < headerEnd; ) {
    const type = varintAt(payload, at);
    const size = type < 12 ? (NUMBER_SIZES[type] ?? 0) : Math.floor((type - 12) / 2);
    if (start + size > payload.length) break;
    columns.push({ type, bytes: payload.subarray(start, start + size) });
    start += size;
    at = afterVarint(payload, at);
  }
  return columns;
}

/** Bytes of the types 0 to 9: null, integers, a float, and the constants 0 and 1. */
const NUMBER_SIZES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

/** A file cut into pages. */
export interface SqlitePages {
  source: ByteSource;
  /** By the number from 0 on. */
  at: (page: number) => PlacedPage;
  /** Bytes. */
  size: number;
  /** Bytes of a page that hold content. */
  usable: number;
  count: number;
  visited: Uint8Array;
  /** Decodes the names of tables. */
  text: TextDecoder;
}

/** Receives each fault. Pages are counted from 1 here, and from 0 in the fault. */
type Report = (page: number, code: PageFault) => void;
type PageFault = 'page_missing' | 'page_repeated' | 'page_of_wrong_type' | 'entries_misplaced';
type Visit = (payload: Payload) => void;

/** A payload in one piece: in the file, or in an array of its own if it is on several pages. */
interface Payload extends PayloadPlace {
  bytes: Uint8Array;
  from: number;
  to: number;
}

/** Where a payload is in the file. */
interface PayloadPlace {
  /** The offset in the file of its part on the page itself, and the size of that part. */
  start: number;
  local: number;
  /** The page with the next part; null if there is none. */
  overflow: number | null;
}

/** The kinds of pages of a tree, in their first byte. */
export const TABLE_PAGE = { interior: 0x05, leaf: 0x0d };
export const INDEX_PAGE = { interior: 0x02, leaf: 0x0a };
const ENCODINGS = ['utf-8', 'utf-8', 'utf-16le', 'utf-16be'];

/** Null for bytes that cannot be an SQLite file. */
export function openSqlitePages(file: FileBytes): SqlitePages | null {
  const source = sourceOf(file);
  if (source.size < 512) return null;
  const header = source.read(0, SQLITE_HEADER_SIZE);
  const view = createView(header);
  const size = sqlitePageSize(header);
  const usable = size - view.getUint8(20);
  if (!isPageSize(size) || usable < 480) return null;
  const text = new TextDecoder(ENCODINGS[view.getUint32(56)] ?? 'utf-8');
  return { ...splitIntoPages(source, size), usable, text };
}

/** Cuts a file without a readable header into pages of a size in bytes. */
export function splitIntoPages(file: FileBytes, size: number): SqlitePages {
  const source = sourceOf(file);
  // An incomplete last page does not count.
  const count = Math.floor(source.size / size);
  const visited = new Uint8Array(count + 1);
  return {
    source,
    at: pageReader(source, size),
    size,
    usable: size,
    count,
    visited,
    text: new TextDecoder(),
  };
}

/** Passes the payloads of a tree's leaves to `visit`, in their order. */
export function eachPayload(
  pages: SqlitePages,
  root: { page: number; table: boolean },
  report: Report,
  visit: Visit | null,
): void {
  const { usable } = pages;
  const { interior, leaf } = root.table ? TABLE_PAGE : INDEX_PAGE;
  const waiting = [root.page];
  for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
    if (!markUsed(pages, page, report)) continue;
    const placed = pages.at(page - 1);
    const { view, start } = placed;
    const header = page === 1 ? SQLITE_HEADER_SIZE : 0;
    const kind = view.getUint8(start + header);
    if (kind !== interior && kind !== leaf) {
      report(page, 'page_of_wrong_type');
      continue;
    }
    const pointers = header + (kind === leaf ? 8 : 12);
    const cells = view.getUint16(start + header + 3);
    const end = pointers + 2 * cells;
    if (end > usable) {
      report(page, 'entries_misplaced');
      continue;
    }
    const children: number[] = [];
    /** Bytes left for further entries of this page. Entries must not overlap. */
    let free = usable - end;
    for (let pointer = pointers; pointer < end; pointer += 2) {
      const at = view.getUint16(start + pointer);
      if (at < end || at + 4 > usable) {
        report(page, 'entries_misplaced');
        continue;
      }
      if (kind === interior) children.push(view.getUint32(start + at));
      if (kind === TABLE_PAGE.interior) continue;
      const position = { page, kind, offset: kind === INDEX_PAGE.interior ? at + 4 : at, free };
      const found = payloadAt(pages, placed, position, report, visit !== null);
      free -= found.local;
      if (found.isReadable && visit) visit(found);
    }
    if (kind === interior) waiting.push(view.getUint32(start + header + 8), ...children.reverse());
  }
}

/** Marks a page as used. False for a missing page, or one used before. */
function markUsed({ visited, count }: SqlitePages, page: number, report: Report): boolean {
  if (page < 1 || page > count) {
    report(page, 'page_missing');
    return false;
  }
  if (visited[page] !== 0) {
    report(page, 'page_repeated');
    return false;
  }
  visited[page] = 1;
  return true;
}

interface PayloadPosition {
  page: number;
  kind: number;
  offset: number;
  /** Bytes that the page has left for it. */
  free: number;
}

/** Without `wanted`, only checks its pages. `local`: how many of its bytes are on the page itself. */
function payloadAt(
  pages: SqlitePages,
  { bytes, view, start: pageStart }: PlacedPage,
  { page, kind, offset, free }: PayloadPosition,
  report: Report,
  wanted: boolean,
): Payload & { isReadable: boolean } {
  const { source, size, usable } = pages;
  const length = varintAt(bytes, pageStart + offset);
  const afterLength = afterVarint(bytes, pageStart + offset);
  const at = kind === TABLE_PAGE.leaf ? afterVarint(bytes, afterLength) : afterLength;
  const local = localSize(length, kind, usable);
  // The number of the first overflow page follows.
  const onPage = local === length ? local : local + 4;
  const start = (page - 1) * size + at - pageStart;
  if (length > source.size || at + onPage > pageStart + usable || local > free) {
    report(page, 'entries_misplaced');
    return { bytes, from: at, to: at, start, local: 0, overflow: null, isReadable: false };
  }
  if (local === length)
    return { bytes, from: at, to: at + length, start, local, overflow: null, isReadable: true };
  const overflow = view.getUint32(at + local);
  const parts = partsOf(pages, { start, local, overflow }, length, (next) => markUsed(pages, next, report));
  const whole = Uint8Array.from(wanted && parts ? Buffer.concat(parts) : []);
  return { bytes: whole, from: 0, to: length, start, local, overflow, isReadable: parts !== null };
}

/** The parts of a payload of `length` bytes; null if one of its pages may not be used. */
function partsOf(
  { source, at, usable }: SqlitePages,
  { start, local, overflow }: PayloadPlace,
  length: number,
  mayUse: (page: number) => boolean,
): Uint8Array[] | null {
  const parts = [source.read(start, local)];
  let next = overflow ?? 0;
  for (let left = length - local; left > 0; left -= usable - 4) {
    if (!mayUse(next)) return null;
    const { bytes, view, start: from } = at(next - 1);
    parts.push(bytes.subarray(from + 4, from + 4 + Math.min(left, usable - 4)));
    next = view.getUint32(from);
  }
  return parts;
}

/** How many bytes of a payload are on the page itself; the rest is on overflow pages. */
export function localSize(length: number, kind: number, usable: number): number {
  const most = kind === TABLE_PAGE.leaf ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (length <= most) return length;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((length - least) % (usable - 4));
  return fitting <= most ? fitting : least;
}

/** The number at an offset, in groups of seven bits, the highest first. Numbers over 2^53 are inexact. */
export function varintAt(bytes: Uint8Array, start: number): number {
  let value = 0;
  for (let at = start; at < start + 8; at += 1) {
    const byte = bytes[at] ?? 0;
    value = value * 0x80 + (byte & 0x7f);
    if (byte < 0x80) return value;
  }
  return value * 0x100 + (bytes[start + 8] ?? 0);
}

/** The offset after the number of variable length that starts at `start`. */
export function afterVarint(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < start + 8 && (bytes[at] ?? 0) >= 0x80) at += 1;
  return at + 1;
}
