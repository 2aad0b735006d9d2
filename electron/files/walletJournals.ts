/**
 * The journals of SQLite beside a wallet's file, and whose they are: without SQLite, so that who only asks whether there is
 * one does not load it.
 */
import { closeSync, readSync, realpathSync, statSync } from 'node:fs';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/wording/say.ts';
import { orNull } from '../walletfile/bytes/once.ts';
import { JOURNAL, mainFileOf, WRITE_AHEAD_LOG } from '../walletfile/database/besideWallet.ts';
import { berkeleyByteOrder, START_BYTES, startsLikeSqlite } from '../walletfile/database/fileStart.ts';
import { readRollbackJournal } from '../walletfile/database/sqliteJournal.ts';
import { openToRead, readWhole } from './openFile.ts';
import { systemCode } from './systemCode.ts';

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
  if (isBerkeley(head) || markAt(`${path}${JOURNAL}`, JOURNAL) === null) return null;
  const bytes = contentOf(`${path}${JOURNAL}`);
  const journal = bytes && readRollbackJournal(bytes, head);
  const first = journal?.before.get(1);
  if (!journal || !first || !startsLikeSqlite(first)) return null;
  return { head: first.subarray(0, head.length), size: journal.pages * journal.pageSize };
}

/** What tells one state of the files from another. `restsIn`: milliseconds until a later change would have another time. */
export function marksOf(path: string) {
  const marks = ['', JOURNAL, WRITE_AHEAD_LOG].map((ending) => markAt(`${path}${ending}`, ending));
  const changed = Math.max(...marks.map((mark) => mark?.changed ?? 0));
  const all = marks.map((mark) => mark?.text ?? '-').join(' ');
  const [, ...journals] = marks;
  return {
    all,
    journals: journals.some((mark) => mark !== null) ? all : null,
    restsIn: Math.max(0, Math.min(ONE_TIME_MS, changed + ONE_TIME_MS - Date.now())),
  };
}

/** Milliseconds in which two changes may get the same time. */
const ONE_TIME_MS = 20;

/** Null where there is none, and of a journal also where it is empty: SQLite takes that for none. */
function markAt(path: string, ending: string) {
  try {
    const facts = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (!facts || (ending !== '' && facts.isFile() && facts.size === 0n)) return null;
    const { dev, ino, size, mtimeNs } = facts;
    return { text: [dev, ino, size, mtimeNs].join('/'), changed: Number(mtimeNs / 1_000_000n) };
  } catch (error) {
    // A name that is too long is that of no file.
    if (ending === '' || NO_FILE.has(systemCode(error) ?? '')) return null;
    throw unreadable(path);
  }
}

const NO_FILE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

/** Null for each that is not there. Throws AppError `file_unreadable`. */
export function journalsOf(path: string) {
  return { journal: contentOf(`${path}${JOURNAL}`), wal: contentOf(`${path}${WRITE_AHEAD_LOG}`) };
}

function contentOf(path: string): Uint8Array | null {
  try {
    return new Uint8Array(readWhole(path, { most: MOST_BYTES }));
  } catch (error) {
    if (NO_FILE.has(systemCode(error) ?? '')) return null;
    throw unreadable(path);
  }
}

const MOST_BYTES = 2 ** 31;

export function isBerkeley(bytes: Uint8Array): boolean {
  return berkeleyByteOrder(bytes) !== null;
}

function isFile(path: string): boolean {
  return orNull(() => statSync(path).isFile()) === true;
}

function startOf(path: string): Uint8Array {
  const file = openToRead(path);
  try {
    const start = new Uint8Array(START_BYTES);
    readSync(file, start, 0, start.length, 0);
    return start;
  } finally {
    closeSync(file);
  }
}

/** That it cannot be read is not that there is none. */
function unreadable(path: string): AppError {
  return new AppError(
    'file_unreadable',
    say('The wallet file’s journal cannot be read.'),
    say('Nothing was changed. Give your user the right to read {path}.', { path }),
  );
}
