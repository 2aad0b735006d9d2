/**
 * Walks the trees of an SQLite file and takes the rows on the way. SQLite, which would take five times as long, follows
 * page numbers as they come, and of tables of its own (`sqlite_stat1`) before it is asked anything: pages that name each
 * other let a small file have rows without end. Here each page is used once, so that the work is in proportion to the
 * file, and whatever is not the table of a wallet or its index is a fault. Layout: "Database File Format" of SQLite.
 */
import { say } from '../../../shared/text/say.ts';
import type { RawRecord } from './rawRecord.ts';
import { RecordInPlace } from './recordInPlace.ts';
import { cut, eachPayload, type Fault, type Pages, readVarint } from './sqlitePages.ts';

interface WalkedSqlite {
  /** The statement that made the table `main`; null when there is none. */
  sql: string | null;
  /** What SQLite must not be asked to follow, in words after "damaged:". Pages are counted from 0. */
  faults: { page: number; text: string }[];
  /** The rows of the table that can be read, in the file itself where they lie in one page. */
  rows: RawRecord[];
  /** Rows that are not a key and a value of bytes. */
  others: number;
}

/** Never throws. What is no tree at all is left for SQLite to refuse. */
export function walkSqlite(file: Uint8Array): WalkedSqlite {
  const walked: WalkedSqlite = { sql: null, faults: [], rows: [], others: 0 };
  const pages = cut(file);
  if (pages) walk(pages, walked);
  return walked;
}

/** More are not told anyway. */
const MOST_FAULTS = 200;

function walk(pages: Pages, walked: WalkedSqlite): void {
  const { faults } = walked;
  const fault: Fault = (page, text) => {
    if (faults.length < MOST_FAULTS) faults.push({ page: page - 1, text });
  };
  const roots: { page: number; table: boolean }[] = [];
  eachPayload(pages, { page: 1, table: true }, fault, (payload) => {
    const [type, name, of, root, sql] = columnsOf(payload);
    const textOf = (column: Column | undefined) => (column ? pages.text.decode(column.bytes) : '');
    const is = (kind: string, own: string) =>
      textOf(type) === kind && textOf(name) === own && textOf(of) === 'main';
    const isTable = is('table', 'main');
    const isIndex = is('index', 'sqlite_autoindex_main_1') && textOf(sql) === '';
    // A root told in characters is a number to SQLite, and another one than its bytes are.
    if ((!isTable && !isIndex) || !root || root.type > 6) {
      fault(1, say('it has a table, an index or a program that no wallet has'));
      return;
    }
    if (isTable) walked.sql = textOf(sql);
    roots.push({ page: numberOf(root.bytes), table: isTable });
  });
  for (const root of roots) {
    eachPayload(pages, root, fault, root.table ? (payload) => takeRow(payload, pages.file, walked) : null);
  }
}

/** A table's row is a key and a value, both of them bytes. */
function takeRow(payload: Uint8Array, file: Uint8Array, walked: WalkedSqlite): void {
  const row = rowIn(payload, file);
  if (row) walked.rows.push(row);
  else walked.others += 1;
}

/** Where it lies in the file, or what was put together of several pages. */
function rowIn(payload: Uint8Array, file: Uint8Array): RawRecord | null {
  const [start, afterStart] = readVarint(payload, 0);
  const [keyType, afterKeyType] = readVarint(payload, afterStart);
  const [valueType, headerEnd] = readVarint(payload, afterKeyType);
  const keyEnd = start + sizeOfBlob(keyType);
  const end = keyEnd + sizeOfBlob(valueType);
  if (headerEnd !== start || end !== payload.length) return null;
  if (payload.buffer !== file.buffer) return new RecordInPlace(payload, start, keyEnd, keyEnd, end);
  const at = payload.byteOffset - file.byteOffset;
  return new RecordInPlace(file, at + start, at + keyEnd, at + keyEnd, at + end);
}

/** Even types from 12 on are bytes; all others have no size here. */
function sizeOfBlob(type: number): number {
  return type >= 12 && type % 2 === 0 ? (type - 12) / 2 : Number.NaN;
}

interface Column {
  /** Its serial type: up to 6 null and whole numbers, from 12 on bytes and texts. */
  type: number;
  bytes: Uint8Array;
}

/** The columns of a record, as far as they lie in it. */
function columnsOf(payload: Uint8Array): Column[] {
  let [start, at] = readVarint(payload, 0);
  const columns: Column[] = [];
  for (const headerEnd = Math.min(start, payload.length); at < headerEnd; ) {
    const [type, after] = readVarint(payload, at);
    const size = type < 12 ? (NUMBER_SIZES[type] ?? 0) : Math.floor((type - 12) / 2);
    if (start + size > payload.length) break;
    columns.push({ type, bytes: payload.subarray(start, start + size) });
    start += size;
    at = after;
  }
  return columns;
}

/** Bytes of the types 0 to 9: null, whole numbers, a float, and the constants 0 and 1. */
const NUMBER_SIZES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

function numberOf(bytes: Uint8Array): number {
  let number = 0;
  for (const byte of bytes) number = number * 0x100 + byte;
  return number;
}
