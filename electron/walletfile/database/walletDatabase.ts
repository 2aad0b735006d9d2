/** Reads and writes descriptor wallet files, which are SQLite databases of one table. SQLite itself only checks them. */
import type { Database } from 'sql.js';
import type { Network } from '../../../shared/model/network.ts';
import { applicationIds, readSqliteHeader, sqlitePageSize } from './fileStart.ts';
import { damaged, notWallet, type ProblemLog, problemLog, unexpected } from './problemLog.ts';
import type { DamageMode, Entries, RawRecord } from './rawRecord.ts';
import { WALLET_TABLE, withDatabase } from './sqliteDatabase.ts';
import { walkSqlite } from './sqliteWalk.ts';

/** The bytes of a new descriptor wallet file. Throws `internal` when two records have the same key. */
export async function writeSqlite(records: readonly RawRecord[], network: Network): Promise<Uint8Array> {
  const empty = await withDatabase(null, unwritable, (database) => {
    database.run('PRAGMA page_size = 4096');
    // SQLite takes the number as signed.
    database.run(`PRAGMA application_id = ${applicationIds[network] | 0}`);
    database.run('PRAGMA user_version = 0');
    database.run(TABLE_WITHOUT_INDEX);
    return database.export();
  });
  const buffer = bufferFor(records, empty);
  return withDatabase(buffer, unwritable, (database) => {
    // A file that fails half-way is discarded, so it needs no journal.
    database.run('PRAGMA journal_mode = OFF');
    database.run('PRAGMA temp_store = MEMORY');
    database.run('BEGIN');
    insertAll(database, records);
    addIndex(database);
    database.run('COMMIT');
    const pages = database.exec('PRAGMA page_count')[0]?.values[0]?.[0];
    return writtenIn(buffer, Number(pages)) ?? database.export();
  });
}

const TABLE_WITHOUT_INDEX = 'CREATE TABLE main(key BLOB NOT NULL, value BLOB NOT NULL)';

/** Inserts many rows with each statement, in half the time of single rows. */
function insertAll(database: Database, records: readonly RawRecord[]): void {
  const whole = records.length - (records.length % ROWS_AT_ONCE);
  insertBatches(database, records.slice(0, whole), ROWS_AT_ONCE);
  insertBatches(database, records.slice(whole), 1);
}

function insertBatches(database: Database, records: readonly RawRecord[], size: number): void {
  const insert = database.prepare(`INSERT INTO main VALUES ${Array(size).fill('(?, ?)').join()}`);
  let values: Uint8Array[] = [];
  for (const { key, value } of records) {
    values.push(key, value);
    if (values.length < 2 * size) continue;
    insert.run(values);
    values = [];
  }
  insert.free();
}

const ROWS_AT_ONCE = 32;

/**
 * Adds the primary key to a filled table. SQLite then sorts all keys at once and fills one page after the other. Updating an
 * index with each row takes twice the time and ten times the memory. SQLite has no statement that makes an index the primary
 * key's, so this edits the schema table.
 */
function addIndex(database: Database): void {
  database.run('CREATE UNIQUE INDEX made ON main(key)');
  database.run('PRAGMA writable_schema = ON');
  database.run("UPDATE sqlite_schema SET sql = ? WHERE name = 'main'", [WALLET_TABLE]);
  database.run("UPDATE sqlite_schema SET name = 'sqlite_autoindex_main_1', sql = NULL WHERE name = 'made'");
  database.run('PRAGMA writable_schema = OFF');
}

const unwritable = () => unexpected({ code: 'wallet_not_written' });

/**
 * Memory that SQLite uses as a file with an empty database, large enough from the start. Otherwise the file is copied each time
 * that it grows, and once more for the export, which for a large wallet takes longer than all else and twice the memory.
 */
export class DatabaseBuffer extends Uint8Array<ArrayBuffer> {
  /** sql.js would copy the bytes for its file. Give it these bytes instead. */
  override slice(): this {
    return this;
  }
}

/** A buffer with an empty database and space for these records. If they need more after all, SQLite enlarges its file. */
export function bufferFor(records: readonly RawRecord[], empty: Uint8Array): DatabaseBuffer {
  let size = 0;
  // The table and the index both hold the keys.
  for (const { key, value } of records) size += 2 * key.length + value.length + ROW_FRAME;
  const buffer = new DatabaseBuffer(new ArrayBuffer(empty.length + SPARE + Math.ceil(size * PAGE_FRAME)));
  buffer.set(empty);
  return buffer;
}

/**
 * The database of so many pages in the buffer; null if SQLite used another file because the buffer was too small. Layout: "The
 * Database Header" of SQLite's file format.
 */
export function writtenIn(buffer: DatabaseBuffer, pages: number): Uint8Array | null {
  const header = new DataView(buffer.buffer);
  const size = pages * header.getUint16(16);
  return header.getUint32(28) === pages && size <= buffer.length
    ? new Uint8Array(buffer.buffer, 0, size)
    : null;
}

/** Bytes of a row besides its key and value, and the ratio of the size of pages to their content. */
const ROW_FRAME = 20;
const PAGE_FRAME = 1.04;
/** Bytes for pages that are almost empty in a small database. */
const SPARE = 0x10000;

/**
 * Reads every record of a descriptor wallet, in the order in which they were written. Throws `not_a_wallet` for a file that is
 * not an SQLite database with a wallet's table and, under `refuse`, for a damaged one.
 */
export async function readSqlite(file: Uint8Array, mode: DamageMode = 'refuse'): Promise<Entries> {
  const header = readSqliteHeader(file);
  const log = problemLog(mode);
  if (header.network === null) log.note({ code: 'network_unknown' });
  if (header.writeAhead) log.note({ code: 'changes_in_wal' });
  const { sql, faults, rows, others } = walkSqlite(file);
  for (const { page, fault } of faults) log.reportDamage(damaged(fault), page);
  // Another table of this name could run code, as a generated column or a view does.
  if (sql === null || bare(sql) !== bare(WALLET_TABLE)) throw notWallet({ code: 'no_wallet_table' });
  if (others > 0) log.reportDamage(damaged({ code: 'entries_not_bytes', count: others }), null);
  if (faults.length === 0) await checkBySqlite(header.writeAhead ? withoutWriteAhead(file) : file, log);
  const { applicationId, network, userVersion } = header;
  const format = { kind: 'sqlite', pageSize: sqlitePageSize(file), applicationId, userVersion } as const;
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
  const cannotCheck = () => damaged({ code: 'sqlite_cannot_check' });
  try {
    const faults = await withDatabase(file, cannotCheck, (database) => {
      // A second line of defence: what the file defines must not call functions.
      database.run('PRAGMA trusted_schema = OFF');
      // With a table's name, SQLite would not check free and orphaned pages.
      return database.exec('PRAGMA integrity_check')[0]?.values.flat() ?? [];
    });
    if (faults.length === 1 && faults[0] === 'ok') return;
    throw damaged({ code: 'sqlite_finds_faults' });
  } catch (error) {
    log.reportDamage(error, null);
  }
}

/** A copy of the file with the format version of databases without a write-ahead log, which SQLite does not support in memory. */
function withoutWriteAhead(file: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(file);
  copy.fill(1, 18, 20);
  return copy;
}
