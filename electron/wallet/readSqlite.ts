/** Reads descriptor wallet files, which are SQLite databases of one table. */
import type { Database } from 'sql.js';
import { AppError } from '../../shared/errors.ts';
import type { FileProblem } from '../../shared/inspection.ts';
import type { Network } from '../../shared/network.ts';
import { say } from '../../shared/say.ts';
import { damaged } from './damaged.ts';
import { type ProblemLog, problemLog } from './problemLog.ts';
import type { RawRecord } from './rawRecord.ts';
import { WALLET_TABLE, withDatabase } from './sqliteDatabase.ts';
import { readSqliteHeader } from './sqliteHeader.ts';
import { walkSqlite } from './sqliteWalk.ts';

interface SqliteFile {
  /** In the order in which they were written. */
  records: RawRecord[];
  /** The network's magic bytes as a number, most significant first. */
  applicationId: number;
  /** Null when the application id is of none that is known: a custom signet, or not a wallet of Bitcoin Core. */
  network: Network | null;
  userVersion: number;
  problems: FileProblem[];
}

interface SqliteOptions {
  /** `refuse` (the default) throws for a damaged file; `salvage` gives what can be read and tells what cannot. */
  onDamage?: 'refuse' | 'salvage';
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

/** SQLite in memory has no write-ahead log; the file itself is the same without one. */
function withoutWriteAhead(file: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(file);
  copy.fill(1, 18, 20);
  return copy;
}
