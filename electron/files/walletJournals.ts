/** The SQLite journals next to a wallet's file. Does not load SQLite, because most callers only ask whether there is a journal. */
import { closeSync, readSync, realpathSync, statSync } from 'node:fs';
import { FileError } from '../../shared/model/findings/fileError.ts';
import { orNull } from '../walletfile/bytes/once.ts';
import { berkeleyByteOrder, START_BYTES, startsLikeSqlite } from '../walletfile/database/fileStart.ts';
import { JOURNAL, mainFileOf, WRITE_AHEAD_LOG, walletParts } from '../walletfile/database/relatedFiles.ts';
import {
  isJournalOf,
  isLogOf,
  journalHeader,
  readRollbackJournal,
  readWriteAheadLog,
  walHeader,
} from '../walletfile/database/sqliteJournal.ts';
import { isWithoutTables } from '../walletfile/database/sqliteWalk.ts';
import { systemCode } from './fileError.ts';
import { stateMarkOf } from './fileMark.ts';
import { openToRead, readWhole } from './openFile.ts';

/** Whether a journal with content is next to the file. For a link, SQLite keeps the journal next to its target. */
export function journalsBeside(path: string): boolean {
  return marksOf(orNull(() => realpathSync.native(path)) ?? path).journals !== null;
}

/**
 * Whether SQLite may apply a journal next to the file. It ignores a rollback journal that begins with a zero: nodes leave such a
 * one after each change (`hasHotJournal` and `zeroJournalHdr` of SQLite's `pager.c`). An unreadable journal may be applied.
 */
export function hotJournalsBeside(path: string): boolean {
  return hotJournalEnding(path) !== null;
}

/** Throws AppError `beyond_limits` for a file that is too large for memory and has such a journal. */
export function refuseHotJournal(path: string): void {
  const ending = hotJournalEnding(path);
  if (ending !== null) throw new FileError('beyond_limits', { code: 'large_file_has_journal', ending });
}

/** What the name of that journal adds to the file's; null without one. */
function hotJournalEnding(path: string): typeof WRITE_AHEAD_LOG | typeof JOURNAL | null {
  const real = orNull(() => realpathSync.native(path)) ?? path;
  if (markAt(`${real}${WRITE_AHEAD_LOG}`) !== null) return WRITE_AHEAD_LOG;
  if (markAt(`${real}${JOURNAL}`) === null) return null;
  const start = orNull(() => startOf(`${real}${JOURNAL}`));
  return start === null || start[0] !== 0 ? JOURNAL : null;
}

/**
 * The wallet's file for a path of its journal, log or lock, because a user who opens one means the wallet. Else the path itself, also
 * for a wallet with such a name.
 */
export function wholeFileAt(path: string): string {
  const main = mainFileOf(path);
  if (main === null || !isFile(main)) return path;
  const isWallet = orNull(() => {
    const start = startOf(path);
    return startsLikeSqlite(start) || berkeleyByteOrder(start) !== null;
  });
  return isWallet === true ? path : main;
}

/**
 * The size of a file in bytes and its first page, as its journal or log has them, because an interrupted change may have damaged the
 * header, or left the file empty. `head`: the start of the file. Null if neither has pages of it. Their `head` is null without the first.
 */
export function headInJournal(
  path: string,
  head: Uint8Array,
): { head: Uint8Array | null; size: number } | null {
  if (isBerkeley(head) || marksOf(path).journals === null) return null;
  const journal = contentOf(`${path}${JOURNAL}`, journalHeader);
  const ifItsOwn = <T>(found: T | null, belongs: (one: T, database: Uint8Array) => boolean) =>
    found !== null && (head.length > 0 || belongs(found, head)) ? found : null;
  const change = journal && ifItsOwn(readRollbackJournal(journal, head), isJournalOf);
  // Other programs' databases often have a large log. A database without tables may have all of them there.
  const isAlone = startsLikeSqlite(head) && !isWithoutTables(head);
  const wal = isAlone ? null : contentOf(`${path}${WRITE_AHEAD_LOG}`, walHeader);
  const log = wal && ifItsOwn(readWriteAheadLog(wal), isLogOf);
  const first = log?.after.get(1) ?? change?.before.get(1);
  const file = log?.after.has(1) ? log : (change ?? log);
  if (!file || (change?.before.size ?? 0) + (log?.after.size ?? 0) === 0) return null;
  return { head: first && startsLikeSqlite(first) ? first : null, size: file.pages * file.pageSize };
}

/** Identifies a state of the files. `restsIn`: milliseconds until a later change would have another time. */
export function marksOf(path: string) {
  const marks = walletParts(path).map((part) => markAt(part, part === path));
  const changed = Math.max(...marks.map((mark) => mark?.changed ?? 0));
  const all = marks.map((mark) => mark?.text ?? '-').join(' ');
  const [, ...journals] = marks;
  return {
    all,
    journals: journals.some((mark) => mark !== null) ? all : null,
    restsIn: Math.max(0, Math.min(ONE_TIME_MS, changed + ONE_TIME_MS - Date.now())),
  };
}

/** Milliseconds. Two changes within them may get the same time. */
const ONE_TIME_MS = 20;

/**
 * Null for a missing file, an inaccessible wallet, and an empty journal or log, which SQLite ignores. Throws AppError
 * `file_unreadable` for an inaccessible journal or log.
 */
function markAt(path: string, isWallet = false) {
  try {
    const facts = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (!facts || (!isWallet && facts.isFile() && facts.size === 0n)) return null;
    return { text: stateMarkOf(facts), changed: Number(facts.mtimeNs / 1_000_000n) };
  } catch (error) {
    // No file has a name that is too long.
    if (isWallet || NO_FILE.has(systemCode(error) ?? '')) return null;
    throw journalUnreadableError(path);
  }
}

const NO_FILE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

/** Null for each that is missing. Throws AppError `file_unreadable` or `beyond_limits`. */
export function journalsOf(path: string) {
  return {
    journal: contentOf(`${path}${JOURNAL}`, journalHeader),
    wal: contentOf(`${path}${WRITE_AHEAD_LOG}`, walHeader),
  };
}

/**
 * Of a file that is too large for memory, only the start, if SQLite ignores the file because of its header: `headerIn` is then null.
 * A valid header can have changes anywhere after it.
 */
function contentOf(path: string, headerIn: (start: Uint8Array) => unknown): Uint8Array | null {
  try {
    const bytes = readWhole(path, { most: MAX_BYTES });
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  } catch (error) {
    const code = systemCode(error) ?? '';
    if (NO_FILE.has(code)) return null;
    if (code !== 'EFBIG') throw journalUnreadableError(path);
    const start = orNull(() => startOf(path, MAX_HEADER_SIZE));
    if (start === null) throw journalUnreadableError(path);
    if (headerIn(start) !== null) throw journalTooLargeError(path);
    return start;
  }
}

/** Bytes that fit in memory next to the wallet. A node's journal has a few pages of a wallet. */
const MAX_BYTES = 2 ** 29;
/** Bytes. A journal's header fills a sector, and SQLite's largest has 64 KiB. */
const MAX_HEADER_SIZE = 2 ** 16;

export function isBerkeley(bytes: Uint8Array): boolean {
  return berkeleyByteOrder(bytes) !== null;
}

function isFile(path: string): boolean {
  return orNull(() => statSync(path).isFile()) === true;
}

/** The first bytes of a file: fewer if it is shorter. Throws as `openToRead` does. */
export function startOf(path: string, length = START_BYTES): Uint8Array {
  const file = openToRead(path);
  try {
    const start = new Uint8Array(length);
    return start.subarray(0, readSync(file, start, 0, length, 0));
  } finally {
    closeSync(file);
  }
}

function journalTooLargeError(path: string): FileError {
  const bytes = orNull(() => statSync(path).size) ?? 0;
  return new FileError('beyond_limits', { code: 'journal_too_large', path, bytes });
}

/** An unreadable journal still counts: SQLite would use it. */
function journalUnreadableError(path: string): FileError {
  return new FileError('file_unreadable', { code: 'journal_unreadable', path });
}
