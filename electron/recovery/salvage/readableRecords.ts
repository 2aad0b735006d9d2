/**
 * Reads every record that is still readable in a damaged file: in Berkeley DB from its tree, orphaned pages and the rest of the file, in
 * SQLite also from free pages.
 */
import { createView } from '@noble/hashes/utils.js';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import { type ByteSource, type FileBytes, partOf, sourceOf } from '../../walletfile/bytes/byteSource.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { toLatin1 } from '../../walletfile/bytes/textCoding.ts';
import { readOrphanedLeaves, readTree, type TreeReading } from '../../walletfile/database/berkeley.ts';
import {
  type BerkeleyPages,
  kindOfPage,
  lsnAt,
  PAGE_HEADER_OFFSETS,
  PAGE_TYPES,
  readBerkeleyMeta,
  walletTreeIn,
} from '../../walletfile/database/berkeleyPage.ts';
import { SQLITE_HEADER_SIZE, START_BYTES, startsLikeSqlite } from '../../walletfile/database/fileStart.ts';
import { damagedError } from '../../walletfile/database/problemLog.ts';
import { type RawRecord, RecordInFile } from '../../walletfile/database/rawRecord.ts';
import {
  eachPayload,
  openSqlitePages,
  rowIn,
  type SqlitePages,
  splitIntoPages,
  TABLE_PAGE,
  walkSqlite,
} from '../../walletfile/database/sqliteWalk.ts';
import { parseRecord, type RecordType } from '../../walletfile/records/records.ts';
import { type ByteRange, findPages } from './berkeleyPages.ts';
import { looseKeys, looseRows, rawScan, recordsOnPages } from './rawScan.ts';

export interface FoundInFile {
  found: FoundRecord[];
  /** Private keys in DER form, anywhere in the file. */
  loose: Uint8Array[];
  /** The number of pages that are missing, or unreadable in whole or in part. What was on them may be lost. */
  lostPages: number;
  /** Whether the end of the file is cut off, so that its last pages do not show which keys belong to the wallet. */
  isCut: boolean;
}

/** Never throws. The records are unproved, and several may have the same key. */
export function findRecords(source: ByteSource): FoundInFile & { readonly kind: 'berkeley-db' | 'sqlite' } {
  if (startsLikeSqlite(source.read(0, START_BYTES))) return { kind: 'sqlite', ...findSqliteRecords(source) };
  const berkeley = findBerkeleyRecords(source);
  // Without its first page, a file does not show its kind.
  const sqlite = berkeley.found.some(isFromWholePage) ? null : findSqliteRecords(source);
  return sqlite && sqlite.found.length > 0
    ? { kind: 'sqlite', ...sqlite }
    : { kind: 'berkeley-db', ...berkeley };
}

function findBerkeleyRecords(file: FileBytes): FoundInFile {
  const at = findPages(file);
  if (!at)
    return {
      found: rawScan(file, null).map(foundIn('piece')),
      loose: looseKeys(file),
      lostPages: 1,
      isCut: false,
    };
  const { pages } = at;
  const isCut = at.cutPages > 0;
  const damagedPages = new Uint8Array(pages.count);
  let isDamaged = at.root === null;
  const reportDamage = (error: unknown, page: number | null) => {
    if (!(error instanceof FileError)) throw error;
    isDamaged = true;
    if (page !== null) damagedPages[page] = 1;
  };
  const reading = { pages, visited: new Uint8Array(pages.count), log: { reportDamage }, longKeys: false };
  reading.visited[0] = 1;
  const tree = treeRecords(reading, at.root);
  const lostPages = at.cutPages + countLost(pages, at.root === null ? null : damagedPages);
  const orphaned = readOrphanedLeaves(reading).filter((record) => walletTreeIn(record) === null);
  const from = (source: FoundRecord['source']) => (record: RawRecord) => ({
    record,
    source,
    lsn: lsnOf(pages, record),
  });
  const found = [...tree.map(from('tree')), ...orphaned.map(from('orphaned'))];
  const broken = brokenParts(pages, damagedPages);
  if (!isDamaged && broken.length + at.rest.length === 0) return { found, loose: [], lostPages, isCut };
  const nextLeaves = at.rest.filter((part) => startsLikeNextLeaf(part, pages));
  const cut = nextLeaves.map((part) => partOf(part, 0, Math.min(part.size, pages.pageSize)));
  const listed = [...broken, ...cut].flatMap((part) => recordsOnPages(part, pages));
  const pieces = [...broken, ...at.rest].flatMap((part) => rawScan(part, pages.little));
  // The free space of undamaged pages has old copies, for example of items that moved when a page was split.
  const old = rawScan(file, pages.little, OLD_TYPES);
  return {
    found: [
      ...found,
      ...listed.map(foundIn('listed')),
      ...pieces.map(foundIn('piece')),
      ...old.map(foundIn('old')),
    ],
    loose: looseKeys(file),
    lostPages,
    isCut,
  };
}

/** `damagedPages`: those of the tree; null if the tree is lost, and each page without a known type may have been in it. */
function countLost(pages: BerkeleyPages, damagedPages: Uint8Array | null): number {
  if (damagedPages !== null) return damagedPages.reduce((sum, page) => sum + page, 0);
  let lost = 0;
  for (let page = 0; page < pages.count; page += 1) if (!isKnown(pages, page)) lost += 1;
  return Math.max(lost, 1);
}

/**
 * Types whose old copies do no harm, and can be assigned to their wallet. An old copy of a key pool entry would give out a used key
 * again.
 */
const OLD_TYPES: ReadonlySet<string> = new Set([
  'key',
  'ckey',
  'mkey',
  'hdchain',
  'keymeta',
  'name',
  'purpose',
]);

function foundIn(source: FoundRecord['source']) {
  return (record: RawRecord): FoundRecord => ({ record, source, lsn: 0 });
}

function treeRecords(reading: TreeReading, root: number | null): RawRecord[] {
  const { pages, visited, log } = reading;
  if (root === null) return [];
  const databases = readTree(reading, root);
  const page = databases.map(walletTreeIn).find((number) => number !== null);
  // The file is a single database without a name.
  if (page === undefined) return databases;
  const meta = orNull(() => readBerkeleyMeta(pages.source, page, pages.pageSize));
  if (!meta) {
    log.reportDamage(damagedError({ code: 'page_of_wrong_type', page }), page);
    return [];
  }
  visited[page] = 1;
  return readTree(reading, meta.root);
}

/** The byte ranges of damaged pages, adjacent ones joined. */
function brokenParts(pages: BerkeleyPages, damagedPages: Uint8Array): ByteSource[] {
  const ranges: ByteRange[] = [];
  for (let page = 0; page < pages.count; page += 1) {
    if (damagedPages[page] !== 1 && isKnown(pages, page)) continue;
    const start = page * pages.pageSize;
    const last = ranges.at(-1);
    if (last?.end === start) last.end = start + pages.pageSize;
    else ranges.push({ start, end: start + pages.pageSize });
  }
  return ranges.map(({ start, end }) => partOf(pages.source, start, end));
}

/** Whether the bytes begin as the leaf behind the last whole page: where a file was cut off. */
function startsLikeNextLeaf(
  { size, read }: ByteSource,
  { headerSize, little, count }: BerkeleyPages,
): boolean {
  if (size < headerSize) return false;
  const view = createView(read(0, headerSize));
  const isLeaf = view.getUint8(PAGE_HEADER_OFFSETS.type) === PAGE_TYPES.leaf;
  return isLeaf && view.getUint32(PAGE_HEADER_OFFSETS.number, little) === count;
}

function isKnown(pages: BerkeleyPages, page: number): boolean {
  const kind = orNull(() => kindOfPage(pages, page));
  if (kind !== 'other') return kind !== null;
  const { view, start } = pages.at(page);
  const type = view.getUint8(start + PAGE_HEADER_OFFSETS.type);
  return (
    (type === PAGE_TYPES.free || type === PAGE_TYPES.meta) &&
    view.getUint32(start + PAGE_HEADER_OFFSETS.number, pages.little) === page
  );
}

function lsnOf({ source, at, little, pageSize, count }: BerkeleyPages, record: RawRecord): number {
  const page = Math.floor(offsetIn(source, record) / pageSize);
  if (page < 0 || page >= count) return 0;
  const { view, start } = at(page);
  return lsnAt(view, start, little);
}

/** Where a record's key is in the file; -1 for a long key, which is a copy. */
function offsetIn({ inMemory }: ByteSource, record: RawRecord): number {
  if (record instanceof RecordInFile) return record.keyStart;
  const { buffer, byteOffset } = record.key;
  return buffer === inMemory?.buffer ? byteOffset - inMemory.byteOffset : -1;
}

export interface FoundRecord {
  record: RawRecord;
  /**
   * `tree`: the wallet's own tree; `orphaned`: a page that no tree reaches; `listed`: the remaining items of a damaged page;
   * `piece`: bytes outside of undamaged pages; `old`: the free space of undamaged pages, which has copies of moved or deleted items, and
   * of other data in the node's memory.
   */
  source: (typeof SOURCES)[number];
  /** The LSN of its page, or 0. A higher one is newer. */
  lsn: number;
}

/** Whether the item list of a page has the record. */
export function isFromWholePage({ source }: FoundRecord): boolean {
  return source !== 'piece' && source !== 'old';
}

/** Sorts by certainty of the source, the tree first, and then the newest first. */
export function bySource(one: FoundRecord, other: FoundRecord): number {
  return SOURCES.indexOf(one.source) - SOURCES.indexOf(other.source) || other.lsn - one.lsn;
}

const SOURCES = ['tree', 'orphaned', 'listed', 'piece', 'old'] as const;

/** Whether only old copies are left. Groups are sorted. */
export function isOld([first]: readonly FoundRecord[]): boolean {
  return first?.source === 'old';
}

/** The public key at the end of the database key of a key record. */
export function publicKeyOf([first]: readonly FoundRecord[]): string {
  const key = first?.record.key ?? new Uint8Array();
  return toLatin1(key.subarray(key.at(-66) === 65 ? -65 : -33));
}

/** The id of a descriptor or a script at the end of the database key of its record, as `toLatin1`. */
export function endOfKey([first]: readonly FoundRecord[], size: number): string {
  return toLatin1(first?.record.key.subarray(-size) ?? new Uint8Array());
}

export function typeOf(group: readonly FoundRecord[]): RecordType | 'unknown' {
  const [first] = group;
  if (!first) return 'unknown';
  const parsed = parseRecord(first.record.key, first.record.value);
  return parsed.type === 'damaged' ? parsed.name : parsed.type;
}

function findSqliteRecords(file: FileBytes): FoundInFile {
  const { rows, faults, sql, others, lacksRows } = walkSqlite(file, { comparesIndex: true });
  const found = rows.map(foundIn('tree'));
  const ofTable = faults.filter(({ isOfIndex }) => !isOfIndex).length;
  const lostPages = Math.max(ofTable, others > 0 || sql === null || lacksRows === true ? 1 : 0);
  // In an undamaged file, unused pages have only deleted rows.
  if (lostPages === 0) return { found, loose: [], lostPages, isCut: false };
  const source = sourceOf(file);
  const pages = openSqlitePages(file) ?? cutByGuess(source);
  // Free and unreferenced pages too.
  const orphaned = pages ? rowsOfLeaves(pages).map(foundIn('orphaned')) : [];
  const listed = partsWithoutLeaves(source, pages).flatMap(looseRows).map(foundIn('listed'));
  return { found: [...found, ...orphaned, ...listed], loose: looseKeys(file), lostPages, isCut: false };
}

/** What is around the table leaves of a file: pages that lost their first bytes, and the last one of a file that was cut off. */
function partsWithoutLeaves(source: ByteSource, pages: SqlitePages | null): ByteSource[] {
  const ranges: ByteRange[] = [{ start: 0, end: 0 }];
  for (let page = 1; pages && page <= pages.count; page += 1) {
    const last = ranges.at(-1);
    if (last && isTableLeaf(pages, page)) last.end = (page - 1) * pages.size;
    if (isTableLeaf(pages, page)) ranges.push({ start: page * pages.size, end: source.size });
  }
  const last = ranges.at(-1);
  if (last) last.end = source.size;
  return ranges.filter(({ start, end }) => end > start).map(({ start, end }) => partOf(source, start, end));
}

function isTableLeaf({ at }: SqlitePages, page: number): boolean {
  const { view, start } = at(page - 1);
  return view.getUint8(start + (page === 1 ? SQLITE_HEADER_SIZE : 0)) === TABLE_PAGE.leaf;
}

/** The rows of a single page. */
export function rowsOfLeaf(page: Uint8Array): RawRecord[] {
  // The first page of a file starts with the file's header.
  const file = new Uint8Array(2 * page.length);
  file.set(page, page.length);
  return rowsOfLeaves(splitIntoPages(file, page.length));
}

function rowsOfLeaves(pages: SqlitePages): RawRecord[] {
  const { count, visited } = pages;
  // A leaf is never an overflow page. Using each page once keeps the work in proportion to the file.
  for (let page = 1; page <= count; page += 1) if (isTableLeaf(pages, page)) visited[page] = 1;
  const rows: RawRecord[] = [];
  for (let page = 1; page <= count; page += 1) {
    if (!isTableLeaf(pages, page)) continue;
    visited[page] = 0;
    eachPayload(
      pages,
      { page, table: true },
      () => {},
      (payload) => {
        const row = rowIn(payload, pages);
        if (row) rows.push(row);
      },
    );
  }
  return rows;
}

/** The possible page sizes in bytes. */
export const PAGE_SIZES = [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536];

/** Guesses the page size that gives the most table leaves, for a file without its header. */
function cutByGuess(source: ByteSource): SqlitePages | null {
  const guesses = PAGE_SIZES.map((size) => ({ size, leaves: leavesOf(source, size) }));
  const [best] = guesses.sort((one, other) => other.leaves * other.size - one.leaves * one.size);
  if (!best || best.leaves === 0) return null;
  return splitIntoPages(source, best.size);
}

/** The number of pages that look like a table leaf at a page size. */
function leavesOf(source: ByteSource, size: number): number {
  let leaves = 0;
  for (let start = 0; start + size <= source.size; start += size) {
    const view = createView(source.read(start, 10));
    if (view.getUint8(0) !== TABLE_PAGE.leaf) continue;
    const cells = view.getUint16(3);
    const content = view.getUint16(5) || 0x10000;
    if (cells > 0 && content >= 8 + 2 * cells && content < size && view.getUint16(8) < size) leaves += 1;
  }
  return leaves;
}
