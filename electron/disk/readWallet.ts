/**
 * Reads a wallet's file with the journal of SQLite beside it, as they were at one moment, and gives the wallet that both
 * are: what SQLite, and with it a node, would see. Neither is changed.
 */
import { realpathSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../shared/errors.ts';
import { say } from '../../shared/text/say.ts';
import { orNull } from '../wallet/bytes/once.ts';
import { JOURNAL, WRITE_AHEAD_LOG } from '../wallet/database/besideWallet.ts';
import { berkeleyByteOrder, startsLikeSqlite } from '../wallet/database/fileStart.ts';
import {
  type RecoveredSqlite,
  recoverSqlite,
  type SqliteJournals,
} from '../wallet/database/recoverSqlite.ts';
import { fileError } from './fileError.ts';
import { readWhole } from './openFile.ts';
import { fileChanged } from './openRegularFile.ts';
import { readWholeFile } from './readWholeFile.ts';
import { systemCode } from './systemCode.ts';

export type ReadWallet = RecoveredSqlite;

/** Throws what `readWholeFile` throws, and `file_unreadable` where there is a journal that cannot be read. */
export async function readWallet(path: string, of: 'wallet' | 'anything' = 'wallet'): Promise<ReadWallet> {
  try {
    const real = await realpath(path);
    if (!journalsBeside(real)) return await withJournals(real, () => readWholeFile(real, of));
    // The journal may hold the very beginning of the file.
    const read = await withJournals(real, () => readWholeFile(real, 'anything'));
    if (of === 'wallet' && !isBerkeley(read.bytes) && !startsLikeSqlite(read.bytes))
      await readWholeFile(real, of);
    return read;
  } catch (error) {
    throw fileError(error, path);
  }
}

/**
 * The same for whoever reads the file itself by another way. Files that change meanwhile are read again, as a node that is
 * at work changes them all the time; `file_changed` where they never rest.
 */
export async function withJournals(
  path: string,
  read: () => Uint8Array | Promise<Uint8Array>,
): Promise<ReadWallet> {
  for (let turn = 1; ; turn += 1) {
    const before = marksOf(path);
    if (before.journals === null) {
      const bytes = await read();
      // No journal came meanwhile, or it is of no matter.
      if (isBerkeley(bytes) || marksOf(path).journals === null) return withoutJournal(bytes);
    } else {
      await pause(before.restsIn);
      const bytes = await orChanged(read);
      if (bytes !== null && isBerkeley(bytes)) return withoutJournal(bytes);
      const journals = bytes === null ? null : await orChanged(() => journalsOf(path));
      if (bytes !== null && journals !== null && marksOf(path).all === before.all)
        return recoverSqlite(bytes, journals, (name) => orNull(() => statSync(name)) !== null);
    }
    if (turn === MOST_TURNS) throw fileChanged();
    await pause(turn * TURN_MS);
  }
}

function withoutJournal(bytes: Uint8Array): ReadWallet {
  return { bytes, recovered: false, journal: 'none', wal: 'none' };
}

/** Whether a journal with content lies beside the file. SQLite follows a link to the file, and keeps it where that lies. */
export function journalsBeside(path: string): boolean {
  return marksOf(orNull(() => realpathSync.native(path)) ?? path).journals !== null;
}

const MOST_TURNS = 6;
const TURN_MS = 40;
/** Milliseconds in which two changes may get the same time. */
const ONE_TIME_MS = 20;
const MOST_BYTES = 2 ** 31;

function isBerkeley(bytes: Uint8Array): boolean {
  return berkeleyByteOrder(bytes) !== null;
}

/** What tells one state of the files from another. `restsIn`: milliseconds until a later change would have another time. */
function marksOf(path: string) {
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

function journalsOf(path: string): SqliteJournals {
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

/** Null where the files changed under the reading. */
async function orChanged<T>(read: () => T | Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AppError && error.code === 'file_changed') return null;
    throw error;
  }
}

/** That it cannot be read is not that there is none. */
function unreadable(path: string): AppError {
  return new AppError(
    'file_unreadable',
    say('The journal beside the wallet file cannot be read.'),
    say('Nothing was changed. Give your user the right to read {path}.', { path }),
  );
}
