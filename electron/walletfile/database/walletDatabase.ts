/**
 * Reads and writes descriptor wallet files, which are SQLite databases of one table. SQLite itself only checks new files and
 * those read into memory.
 */
import type { AppError } from '../../../shared/model/errors.ts';
import type { Fault } from '../../../shared/model/findings/faults.ts';
import type { Network } from '../../../shared/model/network.ts';
import { type FileBytes, sourceOf } from '../bytes/byteSource.ts';
import { chainParameters } from '../script/address.ts';
import { readSqliteHeader, SQLITE_HEADER_SIZE, sqlitePageSize } from './fileStart.ts';
import { damagedError, notWalletError, type ProblemLog, problemLog, unexpectedError } from './problemLog.ts';
import type { DamageMode, Entries, RawRecord } from './rawRecord.ts';
import { WALLET_TABLE, withDatabase } from './sqliteDatabase.ts';
import { FileInMemory, type PageSink } from './sqlitePages.ts';
import { isWithoutTables, walkSqlite } from './sqliteWalk.ts';
import { writeSqliteFile } from './sqliteWriter.ts';

/** The bytes of a new descriptor wallet file, which SQLite has checked. Throws `internal` when two records have the same key. */
export async function writeSqlite(records: readonly RawRecord[], network: Network): Promise<Uint8Array> {
  return makeSqliteIn((size) => new CheckedFile(size), records, network).end();
}

/** A new file in memory, which SQLite checks in the end. */
export class CheckedFile extends FileInMemory {
  async end(): Promise<Uint8Array> {
    const bytes = this.whole();
    await checkNewSqlite(bytes);
    return bytes;
  }
}

/** The same without the check. */
export function makeSqlite(records: readonly RawRecord[], network: Network): Uint8Array {
  return makeSqliteIn((size) => new FileInMemory(size), records, network).whole();
}

/** Writes a descriptor wallet to the file that `create` makes. SQLite has not checked it. */
export function makeSqliteIn<File extends PageSink>(
  create: (size: number) => File,
  records: readonly RawRecord[],
  network: Network,
): File {
  const file = writeSqliteFile(records, chainParameters[network].magic, create);
  if (file === null) throw unwritable();
  return file;
}

/** Has SQLite check a new file. Throws `internal` if it finds a fault. */
export async function checkNewSqlite(file: FileBytes): Promise<void> {
  if ((await faultsBySqlite(file, unwritable)) !== null) throw unwritable();
}

const unwritable = () => unexpectedError({ code: 'wallet_not_written' });

/**
 * Reads every record of a descriptor wallet, in the order in which they were written. Throws `not_a_wallet` for a file that is
 * not an SQLite database with a wallet's table and, under `refuse`, for a damaged one.
 */
export async function readSqlite(file: FileBytes, mode: DamageMode = 'refuse'): Promise<Entries> {
  const source = sourceOf(file);
  const { inMemory } = source;
  const start = source.read(0, SQLITE_HEADER_SIZE);
  const header = readSqliteHeader(start);
  const log = problemLog(mode);
  if (header.network === null) log.note({ code: 'network_unknown' });
  if (header.writeAhead) log.note({ code: 'changes_in_wal' });
  const { sql, faults, rows, others } = walkSqlite(file);
  for (const { page, fault, isOfIndex } of faults) log.reportDamage(damagedError(fault), page, !isOfIndex);
  if (sql === null)
    throw notWalletError({ code: isWithoutTables(file) ? 'no_table_yet' : 'no_wallet_table' });
  // Another table of this name could run code, as a generated column or a view does.
  if (bare(sql) !== bare(WALLET_TABLE)) throw notWalletError({ code: 'table_form_unknown' });
  const invalid = (field: Fault<'header_field_invalid'>['field']) =>
    log.reportDamage(damagedError({ code: 'header_field_invalid', field }), 0);
  // `SQLiteDatabase::Verify` knows only version 0, and `SQLiteDatabase::Open` wants to write (`wallet/sqlite.cpp`).
  if (header.userVersion !== 0) invalid('user_version');
  if (header.readOnly) invalid('write_version');
  if (others > 0) log.reportDamage(damagedError({ code: 'entries_not_bytes', count: others }), null);
  if (inMemory === null) log.note({ code: 'sqlite_not_asked' });
  else if (faults.length === 0)
    await checkBySqlite(header.writeAhead ? withoutWriteAhead(inMemory) : inMemory, log);
  const { applicationId, network, userVersion } = header;
  const format = { kind: 'sqlite', pageSize: sqlitePageSize(start), applicationId, userVersion } as const;
  return { records: rows, countInTree: rows.length, format, network, problems: log.problems };
}

function bare(sql: string): string {
  return sql.replace(/[\s"]/g, '').toLowerCase();
}

/**
 * Lets SQLite check the file, as a node does before it opens one, for faults that the walk does not see: the order of the
 * rows, and the index. Call it only for a file in which the walk found no fault.
 */
async function checkBySqlite(file: Uint8Array, log: ProblemLog): Promise<void> {
  try {
    const faults = await faultsBySqlite(file, () => damagedError({ code: 'sqlite_cannot_check' }));
    if (faults === null) return;
    const isOfIndex =
      faults.every((fault) => OF_INDEX.test(String(fault))) &&
      walkSqlite(file, { comparesIndex: true }).lacksRows === false;
    log.reportDamage(damagedError({ code: 'sqlite_finds_faults' }), null, !isOfIndex);
  } catch (error) {
    log.reportDamage(error, null);
  }
}

/** What SQLite says if table and index differ. The table may be the one that lacks a row. */
const OF_INDEX = /^(?:row \d+ missing from index|wrong # of entries in index) sqlite_autoindex_main_1$/;

/** What SQLite finds wrong in a file; null for nothing. `failed`: makes the error to throw if SQLite cannot check it. */
async function faultsBySqlite(file: FileBytes, failed: () => AppError): Promise<unknown[] | null> {
  return withDatabase(readInPlace(file), failed, (database) => {
    // A second line of defence: what the file defines must not call functions.
    database.run('PRAGMA trusted_schema = OFF');
    // With a table's name, SQLite would not check free and orphaned pages.
    const faults = database.exec('PRAGMA integrity_check')[0]?.values.flat() ?? [];
    return faults.length === 1 && faults[0] === 'ok' ? null : faults;
  });
}

/**
 * The file for an SQLite that only reads. sql.js would copy it into its memory, which for a large wallet takes time and memory. It
 * uses no more of an array than this.
 */
function readInPlace(file: FileBytes): Uint8Array {
  const { size, read } = sourceOf(file);
  const bytes = new Uint8Array();
  return Object.defineProperties(bytes, {
    length: { value: size },
    slice: { value: () => bytes },
    subarray: { value: (start: number, end: number) => read(start, end - start) },
  });
}

/** A copy of the file with the format version of databases without a write-ahead log, which SQLite does not support in memory. */
function withoutWriteAhead(file: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(file);
  copy.fill(1, 18, 20);
  return copy;
}
