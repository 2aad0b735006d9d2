/**
 * The journals of SQLite beside a wallet's file, and whose they are: without SQLite, so that who only asks whether there is
 * one does not load it.
 */
import { closeSync, readSync, realpathSync, statSync } from 'node:fs';
import { FileError } from '../../shared/model/findings/fileError.ts';
import { orNull } from '../walletfile/bytes/once.ts';
import { berkeleyByteOrder, START_BYTES, startsLikeSqlite } from '../walletfile/database/fileStart.ts';
import { JOURNAL, mainFileOf, WRITE_AHEAD_LOG, walletParts } from '../walletfile/database/relatedFiles.ts';
import { journalHeader, readRollbackJournal } from '../walletfile/database/sqliteJournal.ts';
import { walHeader } from '../walletfile/database/sqliteWal.ts';
import { systemCode } from './fileError.ts';
import { openToRead, readWhole } from './openFile.ts';

/** Whether a journal with content lies beside the file. SQLite follows a link to the file, and keeps it where that lies. */
export function journalsBeside(path: string): boolean {
  return marksOf(orNull(() => realpathSync.native(path)) ?? path).journals !== null;
}

/**
 * The wallet's file, where this one is a journal, a log or a lock that lies beside it: who opens that means the wallet. Else
 * the path itself, as for a wallet that somebody gave such a name.
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
 * The beginning of a file, and its bytes, as its journal has them: a change that was cut off can have hurt the very head by
 * which it is recognised. Null where the journal does not have it.
 */
export function headInJournal(path: string, head: Uint8Array): { head: Uint8Array; size: number } | null {
  if (isBerkeley(head) || markAt(`${path}${JOURNAL}`) === null) return null;
  const bytes = contentOf(`${path}${JOURNAL}`, journalHeader);
  const journal = bytes && readRollbackJournal(bytes, head);
  const first = journal?.before.get(1);
  if (!journal || !first || !startsLikeSqlite(first)) return null;
  return { head: first.subarray(0, head.length), size: journal.pages * journal.pageSize };
}

/** What tells one state of the files from another. `restsIn`: milliseconds until a later change would have another time. */
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
 * Null where there is no file, for a wallet that cannot be looked at, and for an empty journal or log: SQLite takes that
 * for none. Throws AppError `file_unreadable` for a journal or log that cannot be looked at.
 */
function markAt(path: string, isWallet = false) {
  try {
    const facts = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (!facts || (!isWallet && facts.isFile() && facts.size === 0n)) return null;
    const { dev, ino, size, mtimeNs } = facts;
    return { text: [dev, ino, size, mtimeNs].join('/'), changed: Number(mtimeNs / 1_000_000n) };
  } catch (error) {
    // A name that is too long is that of no file.
    if (isWallet || NO_FILE.has(systemCode(error) ?? '')) return null;
    throw unreadable(path);
  }
}

const NO_FILE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

/** Null for each that is not there. Throws AppError `file_unreadable` or `beyond_limits`. */
export function journalsOf(path: string) {
  return {
    journal: contentOf(`${path}${JOURNAL}`, journalHeader),
    wal: contentOf(`${path}${WRITE_AHEAD_LOG}`, walHeader),
  };
}

/**
 * Of a file that is too large to be held, and that SQLite ignores because of its header, the start alone. `headerIn` is
 * null for such a start. A header that SQLite reads can have changes anywhere behind it.
 */
function contentOf(path: string, headerIn: (start: Uint8Array) => unknown): Uint8Array | null {
  try {
    const bytes = readWhole(path, { most: MOST_BYTES });
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  } catch (error) {
    const code = systemCode(error) ?? '';
    if (NO_FILE.has(code)) return null;
    if (code !== 'EFBIG') throw unreadable(path);
    const start = orNull(() => startOf(path, LARGEST_HEADER));
    if (start === null) throw unreadable(path);
    if (headerIn(start) !== null) throw tooLarge(path);
    return start;
  }
}

/** Bytes. Each is held in memory beside the file. A node's journal holds a few pages of a wallet. */
const MOST_BYTES = 2 ** 29;
/** Bytes. A journal's header fills a sector, and SQLite's largest has 64 KiB. */
const LARGEST_HEADER = 2 ** 16;

export function isBerkeley(bytes: Uint8Array): boolean {
  return berkeleyByteOrder(bytes) !== null;
}

function isFile(path: string): boolean {
  return orNull(() => statSync(path).isFile()) === true;
}

function startOf(path: string, length = START_BYTES): Uint8Array {
  const file = openToRead(path);
  try {
    const start = new Uint8Array(length);
    readSync(file, start, 0, start.length, 0);
    return start;
  } finally {
    closeSync(file);
  }
}

function tooLarge(path: string): FileError {
  const bytes = orNull(() => statSync(path).size) ?? 0;
  return new FileError('beyond_limits', { code: 'journal_too_large', path, bytes });
}

/** An unreadable journal still counts: SQLite would use it. */
function unreadable(path: string): FileError {
  return new FileError('file_unreadable', { code: 'journal_unreadable', path });
}
