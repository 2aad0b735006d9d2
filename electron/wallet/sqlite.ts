/** Reads and writes descriptor wallet files, which are SQLite databases of one table. */
import initSqlJs, { type Database, type SqlJsStatic } from 'sql.js';
import { AppError } from '../../shared/errors.ts';
import type { FileProblem } from '../../shared/inspection.ts';
import type { Network } from '../../shared/model.ts';
import { say } from '../../shared/say.ts';
import { damaged } from './damaged.ts';
import { roomFor, writtenIn } from './databaseRoom.ts';
import { type ProblemLog, problemLog } from './problemLog.ts';
import type { RawRecord } from './rawRecord.ts';
import { applicationIdOf, readSqliteHeader } from './sqliteHeader.ts';
import { walkSqlite } from './sqliteWalk.ts';

export interface SqliteFile {
  /** In the order in which they were written. */
  records: RawRecord[];
  /** The network's magic bytes as a number, most significant first. */
  applicationId: number;
  /** Null when the application id is of none that is known: a custom signet, or not a wallet of Bitcoin Core. */
  network: Network | null;
  userVersion: number;
  problems: FileProblem[];
}

export interface SqliteOptions {
  /** `refuse` (the default) throws for a damaged file; `salvage` gives what can be read and tells what cannot. */
  onDamage?: 'refuse' | 'salvage';
}

/**
 * Makes SQLite ready: of a module that was compiled before, which threads can share, or else of its own file. Only the
 * first call counts; reading and writing make it themselves.
 */
export function loadSqlite(compiled?: WebAssembly.Module): Promise<SqlJsStatic> {
  loaded ??= initSqlJs(compiled ? { instantiateWasm: instantiator(compiled) } : {});
  return loaded;
}

/**
 * Reads every record of a descriptor wallet. Throws `not_a_wallet` for what is no SQLite database with the table
 * of a wallet or, under `refuse`, is damaged.
 */
export async function readSqlite(file: Uint8Array, options: SqliteOptions = {}): Promise<SqliteFile> {
  const header = readSqliteHeader(file);
  const log = problemLog(options.onDamage ?? 'refuse');
  if (header.network === null) log.note(say('The file does not say of which known network it is.'));
  if (header.writeAhead)
    log.note(say('The last changes may be in a file beside this one (its name ends in -wal).'));
  let records: RawRecord[] = [];
  const { sql, faults, rows, others } = walkSqlite(file);
  for (const { page, text } of faults) log.onDamage(damaged(text), page);
  if (faults.length > 0) {
    checkStatement(sql);
    records = rows;
  } else {
    await withDatabase(header.writeAhead ? withoutWriteAhead(file) : file, unreadable, (database) => {
      // Nothing that the file itself defines may call a function, should something of it have been overlooked.
      database.run('PRAGMA trusted_schema = OFF');
      checkTable(database);
      if (checkIntegrity(database, log) && others === 0) records = rows;
      else readRows(database, log, records);
    });
  }
  const { applicationId, network, userVersion } = header;
  return { records, applicationId, network, userVersion, problems: log.problems };
}

/** The bytes of a new descriptor wallet file. Throws `internal` when two records have the same key. */
export async function writeSqlite(records: readonly RawRecord[], network: Network): Promise<Uint8Array> {
  const empty = await withDatabase(null, unwritable, (database) => {
    database.run('PRAGMA page_size = 4096');
    // SQLite takes the number as signed.
    database.run(`PRAGMA application_id = ${applicationIdOf(network) | 0}`);
    database.run('PRAGMA user_version = 0');
    database.run(TABLE_WITHOUT_INDEX);
    return database.export();
  });
  const room = roomFor(records, empty);
  return withDatabase(room, unwritable, (database) => {
    // A file that fails half-way is thrown away, so no way back has to be kept while it is made.
    database.run('PRAGMA journal_mode = OFF');
    database.run('PRAGMA temp_store = MEMORY');
    database.run('BEGIN');
    insertAll(database, records);
    addIndex(database);
    database.run('COMMIT');
    const pages = database.exec('PRAGMA page_count')[0]?.values[0]?.[0];
    return writtenIn(room, Number(pages)) ?? database.export();
  });
}

const WALLET_TABLE = 'CREATE TABLE main(key BLOB PRIMARY KEY NOT NULL, value BLOB NOT NULL)';
const TABLE_WITHOUT_INDEX = 'CREATE TABLE main(key BLOB NOT NULL, value BLOB NOT NULL)';

/** Many rows with each statement, which takes half the time of one by one. */
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
 * Makes the primary key of a table that is full. SQLite sorts all keys at once and fills one page after the other; an
 * index that is there from the start is written all over for each row, in twice the time and ten times the memory.
 * Only its own schema can say that such an index is the primary key's.
 */
function addIndex(database: Database): void {
  database.run('CREATE UNIQUE INDEX made ON main(key)');
  database.run('PRAGMA writable_schema = ON');
  database.run("UPDATE sqlite_schema SET sql = ? WHERE name = 'main'", [WALLET_TABLE]);
  database.run("UPDATE sqlite_schema SET name = 'sqlite_autoindex_main_1', sql = NULL WHERE name = 'made'");
  database.run('PRAGMA writable_schema = OFF');
}

let loaded: Promise<SqlJsStatic> | null = null;

function instantiator(compiled: WebAssembly.Module) {
  return (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
    const instance = new WebAssembly.Instance(compiled, imports);
    done(instance);
    return instance.exports;
  };
}

/** `failed` is the error for whatever SQLite itself throws. */
async function withDatabase<T>(
  file: Uint8Array | null,
  failed: () => AppError,
  work: (database: Database) => T,
): Promise<T> {
  const { Database } = await loadSqlite();
  let database: Database | null = null;
  try {
    database = new Database(file);
    return work(database);
  } catch (error) {
    // After a trap the instance is of no use any more; the next call makes a new one.
    if (error instanceof WebAssembly.RuntimeError) loaded = null;
    throw error instanceof AppError ? error : failed();
  } finally {
    if (loaded) database?.close();
  }
}

/**
 * Only the very table of a wallet is read: a view or a generated column of the same name could hold a query
 * that never ends.
 */
function checkTable(database: Database): void {
  const [result] = database.exec("SELECT sql FROM sqlite_schema WHERE name = 'main' AND type = 'table'");
  checkStatement(result?.values[0]?.[0]);
}

function checkStatement(sql: unknown): void {
  if (typeof sql === 'string' && bare(sql) === bare(WALLET_TABLE)) return;
  throw new AppError(
    'not_a_wallet',
    say('The file is an SQLite database, and not a wallet: it lacks the table of a wallet.'),
    say('The file was not changed. Choose another file.'),
  );
}

function bare(sql: string): string {
  return sql.replace(/[\s"]/g, '').toLowerCase();
}

/** Whether SQLite finds the file whole. */
function checkIntegrity(database: Database, log: ProblemLog): boolean {
  try {
    const [result] = database.exec("PRAGMA integrity_check('main')");
    const faults = result?.values.flat() ?? [];
    if (faults.length === 1 && faults[0] === 'ok') return true;
    log.onDamage(
      damaged(
        say('SQLite finds {count, plural, one {# fault or more} other {# faults or more}} in it', {
          count: faults.length,
        }),
      ),
      null,
    );
  } catch (error) {
    log.onDamage(error instanceof AppError ? error : damaged(say('SQLite cannot check it')), null);
  }
  return false;
}

/** From the first row on and, where a damaged page stops that, from the last row backwards. */
function readRows(database: Database, log: ProblemLog, records: RawRecord[]): void {
  const last = readRowsUntilDamage(database, 'ASC', log, -1, records);
  if (last === null) return;
  const rest: RawRecord[] = [];
  readRowsUntilDamage(database, 'DESC', log, last, rest);
  for (const record of rest.reverse()) records.push(record);
}

/** Null when all rows could be read, else the number of the last one before the damage. */
function readRowsUntilDamage(
  database: Database,
  order: 'ASC' | 'DESC',
  log: ProblemLog,
  until: number,
  records: RawRecord[],
): number | null {
  let last = until;
  try {
    const rows = database.prepare(`SELECT rowid, key, value FROM main ORDER BY rowid ${order}`);
    while (rows.step()) {
      const [row, key, value] = rows.get();
      if (order === 'DESC' && typeof row === 'number' && row <= until) break;
      if (typeof row === 'number') last = row;
      if (key instanceof Uint8Array && value instanceof Uint8Array) records.push({ key, value });
      else log.onDamage(damaged(say('an entry of it is not made of bytes')), null);
    }
    rows.free();
    return null;
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) throw error;
    if (order === 'ASC')
      log.onDamage(error instanceof AppError ? error : damaged(say('some rows cannot be read')), null);
    return last;
  }
}

function unreadable(): AppError {
  return damaged(say('SQLite cannot read it'));
}

function unwritable(): AppError {
  return new AppError(
    'internal',
    say(
      'The new wallet could not be written: two of its records have the same key, or there is not enough memory.',
    ),
    say(
      'The wallet file was not changed. This is a fault of the app, unless the wallet is very large: report it.',
    ),
  );
}

/** SQLite in memory has no write-ahead log; the file itself is the same without one. */
function withoutWriteAhead(file: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(file);
  copy.fill(1, 18, 20);
  return copy;
}
