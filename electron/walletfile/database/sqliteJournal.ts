/**
 * SQLite's rollback journal, which holds pages as they were before a change that did not end. Layout and rules: "The
 * Rollback Journal" of SQLite's file format (section 3), and `pager_playback` and `readJournalHdr` of its `pager.c`.
 */
import { createView } from '@noble/hashes/utils.js';
import {
  applicationIdOf,
  hasSqliteHeader,
  isPageSize,
  sqlitePageSize,
  startsLikeSqlite,
} from './fileStart.ts';

interface RollbackJournal {
  /** Bytes of each page, and pages of the database before the change. */
  readonly pageSize: number;
  readonly pages: number;
  /** The pages to put back, by their number from 1, as views of the journal. */
  readonly before: ReadonlyMap<number, Uint8Array>;
  /** Pages that the journal's headers count and that cannot be read: SQLite stops at the first incomplete page. */
  readonly unread: number;
  /** The file that a change of several databases names; null for a change of this one alone. */
  readonly superJournal: string | null;
}

const MAGIC = Uint8Array.from([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]);
/** Bytes that a header uses; it fills a sector. */
const HEADER_SIZE = 28;
/** SQLite's own sector, by which it judges the first header before it has read another size there. */
const OWN_SECTOR = 512;
/** A page's number before it, its checksum after it. */
const AROUND_PAGE = 8;
const COUNTS_TO_THE_END = 0xffffffff;
/** The page with the bytes by which SQLite locks a file is never used; its number starts the name of a super-journal. */
const LOCK_BYTE = 0x40000000;

/**
 * The header at the start of a journal. Null if SQLite ignores the journal because of it. SQLite before 3.5.8 wrote 0 as
 * the page size, and means the database's.
 */
export function journalHeader(journal: Uint8Array) {
  const header = headerAt(journal, 0);
  if (header === null || !isPageSize(header.sectorSize, 32) || journal.length < OWN_SECTOR) return null;
  return header.pageSize === 0 || isPageSize(header.pageSize) ? header : null;
}

/** Null if SQLite ignores the journal: it is empty, starts with zeros, or has no valid header. */
export function readRollbackJournal(
  journal: Uint8Array,
  database: Uint8Array,
  pages = journalHeader(journal)?.pages ?? 0,
): RollbackJournal | null {
  const view = createView(journal);
  const first = journalHeader(journal);
  if (first === null) return null;
  const pageSize = first.pageSize === 0 ? sqlitePageSize(database) : first.pageSize;
  const { sectorSize } = first;
  if (!isPageSize(pageSize)) return null;
  const recordSize = pageSize + AROUND_PAGE;
  const before = new Map<number, Uint8Array>();
  let unread = 0;
  let at = 0;
  for (;;) {
    const header = headerAt(journal, at);
    if (header === null || (at > 0 && at + sectorSize > journal.length)) break;
    at += sectorSize;
    const toTheEnd = Math.max(0, Math.floor((journal.length - at) / recordSize));
    const records = header.records === COUNTS_TO_THE_END ? toTheEnd : header.records;
    let read = 0;
    for (; read < records && at + recordSize <= journal.length; read += 1, at += recordSize) {
      const number = view.getUint32(at);
      if (number === 0 || number === LOCK_BYTE / pageSize + 1) break;
      // If a page occurs twice, its first copy is from before the change.
      if (number > pages || before.has(number)) continue;
      const page = journal.subarray(at + 4, at + 4 + pageSize);
      if (view.getUint32(at + 4 + pageSize) !== checksumOf(page, header.nonce)) break;
      before.set(number, page);
    }
    unread += records - read;
    if (read < records) break;
    at = Math.ceil(at / sectorSize) * sectorSize;
  }
  const read = { pageSize, pages, before, unread, superJournal: superJournalOf(journal) };
  if (isPossible(read, database)) return read;
  // If the number is impossible, the first page shows which bit was flipped.
  const counted = pagesIn(before.get(1) ?? (unread > 0 ? null : database));
  const changed = counted ^ pages;
  const isOneBit = counted > 0 && changed !== 0 && (changed & (changed - 1)) === 0;
  return isOneBit ? readRollbackJournal(journal, database, counted) : read;
}

/** The number of pages that a first page gives; 0 if it is not valid, as in files of SQLite before 3.7.0 (section 1.3.8). */
function pagesIn(first: Uint8Array | null): number {
  if (first === null || !hasSqliteHeader(first)) return 0;
  const view = createView(first);
  return view.getUint32(24) === view.getUint32(92) ? view.getUint32(28) : 0;
}

/** The database before the change. Pages that neither file has are zeros, as in SQLite. */
export function rollBack(
  database: Uint8Array,
  { pageSize, pages, before }: Pick<RollbackJournal, 'pageSize' | 'pages' | 'before'>,
): Uint8Array {
  const bytes = new Uint8Array(pages * pageSize);
  bytes.set(database.subarray(0, bytes.length));
  for (const [number, page] of before) bytes.set(page, (number - 1) * pageSize);
  return bytes;
}

function headerAt(journal: Uint8Array, at: number) {
  if (at + HEADER_SIZE > journal.length || MAGIC.some((byte, place) => journal[at + place] !== byte))
    return null;
  const view = createView(journal);
  return {
    records: view.getUint32(at + 8),
    nonce: view.getUint32(at + 12),
    pages: view.getUint32(at + 16),
    sectorSize: view.getUint32(at + 20),
    pageSize: view.getUint32(at + 24),
  };
}

/** `pager_cksum` adds only every 200th byte from the end, which is fast. */
function checksumOf(page: Uint8Array, nonce: number): number {
  let sum = nonce;
  for (let at = page.length - 200; at > 0; at -= 200) sum += page[at] ?? 0;
  return sum >>> 0;
}

/** `readSuperJournal`: a journal ends with the name, its length, its checksum and the magic. */
function superJournalOf(journal: Uint8Array): string | null {
  const end = journal.length - 16;
  if (end < 4 || MAGIC.some((byte, place) => journal[end + 8 + place] !== byte)) return null;
  const view = createView(journal);
  const length = view.getUint32(end);
  if (length === 0 || length > end - 4) return null;
  const name = journal.subarray(end - length, end);
  const sum = name.reduce((total, byte) => total + ((byte << 24) >> 24), 0);
  if (sum >>> 0 !== view.getUint32(end + 4)) return null;
  return new TextDecoder().decode(name).replace(/\0.*$/s, '');
}

/**
 * Whether a journal can belong to this database in its present state. The first page counts the changes: if the journal has
 * that page, the database must have the same count, or one more. A missing end or a page that neither file has proves nothing.
 */
export function isJournalOf(journal: RollbackJournal, database: Uint8Array): boolean {
  const { pageSize, before } = journal;
  const isReadable = hasSqliteHeader(database);
  if (isReadable && sqlitePageSize(database) !== pageSize) return false;
  if (!isPossible(journal, database)) return false;
  const first = before.get(1);
  if (first === undefined) return true;
  if (!startsLikeSqlite(first) || sqlitePageSize(first) !== pageSize) return false;
  if (!isReadable) return true;
  const [was, is] = [changesOf(first), changesOf(database)];
  if (was !== is && (was + 1) >>> 0 !== is) return false;
  return haveSameId(first, database);
}

/** A journal has every page that its change cuts off. One that needs other pages belongs to another file, and could ask for any size. */
function isPossible({ pageSize, pages, before }: RollbackJournal, database: Uint8Array): boolean {
  return pages * pageSize <= mostBytes(database, before.size * pageSize);
}

/** Whether two first pages can be of one wallet. A node sets a new wallet's network in a separate change. */
function haveSameId(one: Uint8Array, other: Uint8Array): boolean {
  const [id, otherId] = [applicationIdOf(one), applicationIdOf(other)];
  return id === 0 || otherId === 0 || id === otherId;
}

/** The largest size in bytes of a database that a journal or log can belong to. `journaled`: the bytes of its pages. */
function mostBytes(database: Uint8Array, journaled: number): number {
  return database.length === 0 ? Math.max(journaled, MAX_FROM_JOURNAL) : database.length + journaled;
}

/** Bytes. Of an empty database, the other pages are zeros in memory, which a small forged journal could ask for. */
const MAX_FROM_JOURNAL = 2 ** 26;

function changesOf(page: Uint8Array): number {
  return createView(page).getUint32(24);
}

/**
 * SQLite's write-ahead log, which holds pages as changes have made them. Layout and rules: "The Write-Ahead Log" of SQLite's
 * file format (section 4), and `walIndexRecover` of its `wal.c`. Bitcoin Core never uses one; other programs may have.
 */
interface WriteAheadLog {
  /** Bytes of each page, and pages of the database after the last change that was committed. */
  readonly pageSize: number;
  readonly pages: number;
  /** The newest committed pages, by their number from 1, as views of the log. */
  readonly after: ReadonlyMap<number, Uint8Array>;
  /** Whether SQLite cannot reach a committed change: a damaged one precedes it, or the log has another version. */
  readonly damaged: boolean;
}

const WAL_HEADER_SIZE = 32;
const FRAME_HEADER_SIZE = 24;
const WAL_MAGIC = 0x377f0682;
const VERSION = 3007000;

/**
 * The header at the start of a log. Null if SQLite ignores the log because of its header: too short, not a log's, or not
 * whole. SQLite does not open a database whose log has another version.
 */
export function walHeader(log: Uint8Array): WalHeader | null {
  if (log.length < WAL_HEADER_SIZE) return null;
  const view = createView(log);
  const magic = view.getUint32(0);
  const pageSize = view.getUint32(8);
  if ((magic & ~1) >>> 0 !== WAL_MAGIC) return null;
  if (!isPageSize(pageSize)) return null;
  const isLittle = magic % 2 === 0;
  const sum = addToSum(view, 0, 24, isLittle, [0, 0]);
  return isSum(view, 24, sum) ? { pageSize, isLittle, sum, isReadable: view.getUint32(4) === VERSION } : null;
}

interface WalHeader {
  /** Bytes of each page. */
  readonly pageSize: number;
  /** The byte order in which the checksums are taken. */
  readonly isLittle: boolean;
  /** The header's checksum, with which that of the first frame begins. */
  readonly sum: Sum;
  /** False for a version that SQLite refuses. */
  readonly isReadable: boolean;
}

/** Null for a log that SQLite ignores: it has no whole header, or nothing in it was committed. */
export function readWriteAheadLog(log: Uint8Array): WriteAheadLog | null {
  const header = walHeader(log);
  if (header === null) return null;
  const { pageSize, isLittle } = header;
  if (!header.isReadable) return { pageSize, pages: 0, after: new Map(), damaged: true };
  const view = createView(log);
  const sumOver = (from: number, to: number, sum: Sum) => addToSum(view, from, to, isLittle, sum);
  let { sum } = header;
  const frameSize = FRAME_HEADER_SIZE + pageSize;
  const isOwn = (at: number) =>
    view.getUint32(at + 8) === view.getUint32(16) && view.getUint32(at + 12) === view.getUint32(20);
  const after = new Map<number, Uint8Array>();
  let open = new Map<number, Uint8Array>();
  let pages = 0;
  let at = WAL_HEADER_SIZE;
  for (; at + frameSize <= log.length; at += frameSize) {
    const number = view.getUint32(at);
    if (number === 0 || !isOwn(at)) break;
    sum = sumOver(at, at + 8, sum);
    sum = sumOver(at + FRAME_HEADER_SIZE, at + frameSize, sum);
    if (!isSum(view, at + 16, sum)) break;
    open.set(number, log.subarray(at + FRAME_HEADER_SIZE, at + frameSize));
    const committed = view.getUint32(at + 4);
    if (committed === 0) continue;
    pages = committed;
    for (const [each, page] of open) after.set(each, page);
    open = new Map();
  }
  let damaged = false;
  for (; at + frameSize <= log.length; at += frameSize) damaged ||= isOwn(at) && view.getUint32(at + 4) > 0;
  if (pages === 0 && !damaged) return null;
  return { pageSize, pages, after, damaged };
}

/** The database after the last committed change, which needs no log any more. */
export function applyLog(database: Uint8Array, { pageSize, pages, after }: WriteAheadLog): Uint8Array {
  const bytes = new Uint8Array(pages * pageSize);
  bytes.set(database.subarray(0, bytes.length));
  for (const [number, page] of after) if (number <= pages) bytes.set(page, (number - 1) * pageSize);
  bytes.fill(ROLLBACK_VERSION, ...VERSIONS);
  return bytes;
}

/** The bytes of a database's header for its write and read versions, and the value for a file with a rollback journal. */
const VERSIONS = [18, 20] as const;
const ROLLBACK_VERSION = 1;

/** Whether a log can belong to this database: its pages have the same size, and each page is in one of the files. An empty database may lack pages. */
export function isLogOf({ pageSize, pages, after }: WriteAheadLog, database: Uint8Array): boolean {
  const isReadable = hasSqliteHeader(database);
  if (isReadable && sqlitePageSize(database) !== pageSize) return false;
  if (pages * pageSize > mostBytes(database, after.size * pageSize)) return false;
  const first = after.get(1);
  if (first === undefined) return isReadable || database.length === 0;
  return startsLikeSqlite(first) && (!isReadable || haveSameId(first, database));
}

type Sum = readonly [number, number];

function addToSum(view: DataView, from: number, to: number, isLittle: boolean, [first, second]: Sum): Sum {
  let [one, two] = [first, second];
  for (let at = from; at < to; at += 8) {
    one = (one + view.getUint32(at, isLittle) + two) >>> 0;
    two = (two + view.getUint32(at + 4, isLittle) + one) >>> 0;
  }
  return [one, two];
}

function isSum(view: DataView, at: number, [one, two]: Sum): boolean {
  return view.getUint32(at) === one && view.getUint32(at + 4) === two;
}
