/**
 * SQLite's write-ahead log, which holds pages as changes have made them. Layout and rules: "The Write-Ahead Log" of SQLite's
 * file format (section 4), and `walIndexRecover` of its `wal.c`. Bitcoin Core never uses one; other programs may have.
 */
import { createView } from '@noble/hashes/utils.js';
import {
  applicationIdOf,
  hasSqliteHeader,
  isPageSize,
  sqlitePageSize,
  startsLikeSqlite,
} from './fileStart.ts';

export interface WriteAheadLog {
  /** Bytes of each page, and pages of the database after the last change that was committed. */
  readonly pageSize: number;
  readonly pages: number;
  /** The newest committed pages, by their number from 1, as views of the log. */
  readonly after: ReadonlyMap<number, Uint8Array>;
  /** Whether SQLite cannot reach a committed change: a damaged one precedes it, or the log has another version. */
  readonly damaged: boolean;
}

const HEADER_SIZE = 32;
const FRAME_HEADER_SIZE = 24;
const MAGIC = 0x377f0682;
const VERSION = 3007000;

/**
 * The header at the start of a log. Null if SQLite ignores the log because of its header: too short, not a log's, or not
 * whole. SQLite does not open a database whose log has another version.
 */
export function walHeader(log: Uint8Array): WalHeader | null {
  if (log.length < HEADER_SIZE) return null;
  const view = createView(log);
  const magic = view.getUint32(0);
  const pageSize = view.getUint32(8);
  if ((magic & ~1) >>> 0 !== MAGIC) return null;
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
  let at = HEADER_SIZE;
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

/** Whether a log can belong to this database: its pages have the same size, and no page is in neither file. */
export function isLogOf({ pageSize, pages, after }: WriteAheadLog, database: Uint8Array): boolean {
  const isReadable = hasSqliteHeader(database);
  if (isReadable && sqlitePageSize(database) !== pageSize) return false;
  if (pages * pageSize > database.length + after.size * pageSize) return false;
  const first = after.get(1);
  if (first === undefined) return isReadable;
  return startsLikeSqlite(first) && (!isReadable || applicationIdOf(first) === applicationIdOf(database));
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
