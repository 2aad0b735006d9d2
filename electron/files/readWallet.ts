/**
 * Reads a wallet's file and its SQLite journal, both of one moment, and returns the wallet that SQLite, and a node, would see.
 * Changes neither.
 */
import { statSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { nullFor } from '../../shared/model/errors.ts';
import { FileError } from '../../shared/model/findings/fileError.ts';
import type { FileBytes } from '../walletfile/bytes/byteSource.ts';
import { orNull } from '../walletfile/bytes/once.ts';
import { berkeleyByteOrder, startsLikeSqlite } from '../walletfile/database/fileStart.ts';
import { notWalletError } from '../walletfile/database/problemLog.ts';
import { type RecoveredSqlite, recoverSqlite } from '../walletfile/database/recoverSqlite.ts';
import { fileError } from './fileError.ts';
import { sha256Of } from './hash.ts';
import { recogniseOtherFile } from './inspect.ts';
import { openLargeFile } from './largeFile.ts';
import { fileChangedError, realPath, whileUnchanged } from './openFile.ts';
import {
  isBerkeley,
  journalsBeside,
  journalsOf,
  marksOf,
  refuseHotJournal,
  startOf,
  wholeFileAt,
} from './walletJournals.ts';

/** A wallet's content, in memory or on its disk. */
export interface OpenedWallet extends Omit<RecoveredSqlite, 'bytes'> {
  readonly content: FileBytes;
  /** Of the content, in lower-case hex. */
  readonly sha256: () => string;
}

/**
 * Calls `work` with a wallet. Reads a file of more than `mostInMemory` bytes from the disk as `work` needs it. Throws what `work`
 * throws, what `readWallet` throws, and `beyond_limits` for a large file with a journal that SQLite would apply to it.
 */
export async function withWallet<T>(
  path: string,
  work: (wallet: OpenedWallet) => Promise<T>,
  { accepts = 'wallet', mostInMemory }: WalletOptions = {},
): Promise<T> {
  if (fitsInMemory(path, mostInMemory)) {
    const { bytes, ...read } = await readWallet(path, accepts);
    return work({ ...read, content: bytes, sha256: () => sha256Of(bytes) });
  }
  try {
    const real = wholeFileAt(await realPath(path));
    return await whileUnchanged(real, async (handle, size) => {
      const first = await startOfWallet(handle, { size, accepts, name: basename(path) });
      const hasJournal = !isBerkeley(first) && journalsBeside(real);
      if (hasJournal) refuseHotJournal(real);
      using file = openLargeFile(real);
      const { sha256 } = file;
      try {
        const journal = hasJournal ? 'idle' : 'none';
        return await work({ content: file, recovered: false, journal, wal: 'none', sha256 });
      } finally {
        file.throwError();
      }
    });
  } catch (error) {
    throw fileError(error, path);
  }
}

interface WalletOptions {
  readonly accepts?: 'wallet' | 'anything';
  /** Bytes. By default, what suits the kind of file. */
  readonly mostInMemory?: number;
}

/** Allows more for an SQLite file: only in memory can SQLite check it, and a journal be applied to it. Also true for a missing file. */
function fitsInMemory(path: string, most: number | undefined): boolean {
  const size = orNull(() => statSync(wholeFileAt(path)).size) ?? 0;
  if (size <= (most ?? MAX_BERKELEY)) return true;
  // Only a large file is opened for its kind.
  const mayBeLarger = most === undefined && size <= MAX_BYTES_IN_MEMORY;
  return mayBeLarger && orNull(() => isBerkeley(startOf(wholeFileAt(path)))) !== true;
}

/** Bytes. Reading from the disk takes longer, but needs memory only for the wallet's facts. */
const MAX_BERKELEY = 2 ** 28;

/**
 * Throws what `readWholeFile` throws, AppError `file_unreadable` for an unreadable journal or log, `beyond_limits` for one that is too
 * large, and `file_changed` if the files keep changing.
 */
export async function readWallet(
  path: string,
  accepts: 'wallet' | 'anything' = 'wallet',
): Promise<RecoveredSqlite> {
  try {
    const real = wholeFileAt(await realPath(path));
    if (!journalsBeside(real)) return await withJournals(real, () => readAt(real, accepts));
    // The journal may have the start of the file, or all of it.
    const read = await withJournals(
      real,
      async () => (await readAt(real, 'anything').catch(nullFor('file_empty'))) ?? new Uint8Array(),
    );
    const isWallet = isBerkeley(read.bytes) || startsLikeSqlite(read.bytes);
    if (accepts === 'wallet' && !isWallet && read.recovered && statSync(real).size === 0)
      throw notWalletError({ code: 'not_core_wallet', kind: { code: 'sqlite_journal' } });
    if (read.bytes.length === 0 || (accepts === 'wallet' && !isWallet)) await readAt(real, accepts);
    return read;
  } catch (error) {
    throw fileError(error, path);
  }
}

/**
 * As above, with `read` in place of `readWholeFile`. Reads again while the files change, as those of a running node do. Throws AppError
 * `file_changed` if they keep changing.
 */
export async function withJournals(
  path: string,
  read: () => Uint8Array | Promise<Uint8Array>,
): Promise<RecoveredSqlite> {
  for (let turn = 1; ; turn += 1) {
    const before = marksOf(path);
    if (before.journals === null) {
      const bytes = await read();
      // No journal appeared meanwhile, or it does not matter.
      if (isBerkeley(bytes) || marksOf(path).journals === null) return withoutJournal(bytes);
    } else {
      await pause(before.restsIn);
      const bytes = await orChanged(read);
      if (bytes !== null && isBerkeley(bytes)) return withoutJournal(bytes);
      const journals = bytes === null ? null : await orChanged(() => journalsOf(path));
      if (bytes !== null && journals !== null && marksOf(path).all === before.all)
        return recoverSqlite(bytes, journals, (name) => orNull(() => statSync(name)) !== null);
    }
    if (turn === MAX_TURNS) throw fileChangedError();
    await pause(turn * TURN_MS);
  }
}

function withoutJournal(bytes: Uint8Array): RecoveredSqlite {
  return { bytes, recovered: false, journal: 'none', wal: 'none' };
}

const MAX_TURNS = 6;
const TURN_MS = 40;

/** Null if the files changed meanwhile. */
function orChanged<T>(read: () => T | Promise<T>): Promise<T | null> {
  return Promise.resolve().then(read).catch(nullFor('file_changed'));
}

/**
 * The bytes of a file that starts like a wallet of either kind; with `anything`, of any file.
 *
 * @throws AppError `file_missing`, `file_unreadable`, `not_a_file` for folders, devices, pipes and sockets, `file_empty`,
 * `not_a_wallet` for another start (it reads no more then), `beyond_limits` for more than 2 GiB, `file_changed` if it changes
 * meanwhile.
 */
export async function readWholeFile(
  path: string,
  accepts: 'wallet' | 'anything' = 'wallet',
): Promise<Uint8Array> {
  try {
    return await readAt(await realPath(path), accepts);
  } catch (error) {
    throw fileError(error, path);
  }
}

/** The same for a path without links, but throws the system's error. */
function readAt(real: string, accepts: FileToRead['accepts']): Promise<Uint8Array> {
  return whileUnchanged(real, (handle, size) => readAll(handle, { size, accepts, name: basename(real) }));
}

/** The largest file that is read into memory, in bytes. */
export const MAX_BYTES_IN_MEMORY = 2 ** 31;
const FIRST_BYTES = 4096;

export function fileTooLargeError(): FileError {
  return new FileError('beyond_limits', { code: 'file_too_large' });
}

interface FileToRead {
  readonly size: number;
  readonly accepts: 'wallet' | 'anything';
  readonly name: string;
}

async function startOfWallet(handle: FileHandle, { size, accepts, name }: FileToRead): Promise<Uint8Array> {
  if (size === 0) throw new FileError('file_empty', { code: 'file_empty' });
  const first = new Uint8Array(Math.min(size, FIRST_BYTES));
  await fill(handle, first, 0);
  if (accepts === 'wallet' && !startsLikeSqlite(first) && berkeleyByteOrder(first) === null) {
    throw notWalletError({
      code: 'not_core_wallet',
      kind: await recogniseOtherFile(handle, { header: first, size, name }),
    });
  }
  return first;
}

async function readAll(handle: FileHandle, { size, accepts, name }: FileToRead): Promise<Uint8Array> {
  const first = await startOfWallet(handle, { size, accepts, name });
  if (size > MAX_BYTES_IN_MEMORY) throw fileTooLargeError();
  const bytes = new Uint8Array(size);
  bytes.set(first);
  await fill(handle, bytes, first.length);
  return bytes;
}

async function fill(handle: FileHandle, bytes: Uint8Array, from: number): Promise<void> {
  for (let at = from; at < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, at, bytes.length - at, at);
    if (bytesRead === 0) throw fileChangedError();
    at += bytesRead;
  }
}
