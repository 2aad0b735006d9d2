/**
 * Reads a wallet's file with the journal of SQLite beside it, as they were at one moment, and gives the wallet that both
 * are: what SQLite, and with it a node, would see. Neither is changed.
 */
import { statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../shared/model/errors.ts';
import { orNull } from '../walletfile/bytes/once.ts';
import { startsLikeSqlite } from '../walletfile/database/fileStart.ts';
import { type RecoveredSqlite, recoverSqlite } from '../walletfile/database/recoverSqlite.ts';
import { fileError } from './fileError.ts';
import { fileChanged } from './openRegularFile.ts';
import { readWholeFile } from './readWholeFile.ts';
import { isBerkeley, journalsBeside, journalsOf, marksOf, wholeFileAt } from './walletJournals.ts';

export type ReadWallet = RecoveredSqlite;

/**
 * Throws what `readWholeFile` throws, `file_unreadable` for a journal or log that cannot be read, `beyond_limits` for one
 * that is too large, and `file_changed` where the files never rest.
 */
export async function readWallet(path: string, of: 'wallet' | 'anything' = 'wallet'): Promise<ReadWallet> {
  try {
    const real = wholeFileAt(await realpath(path));
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

const MOST_TURNS = 6;
const TURN_MS = 40;

/** Null where the files changed under the reading. */
async function orChanged<T>(read: () => T | Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AppError && error.code === 'file_changed') return null;
    throw error;
  }
}
