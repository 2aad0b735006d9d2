/** Reads descriptor wallet files, which are SQLite databases of one table. SQLite itself only checks them. */

import { readSqliteHeader, sqlitePageSize } from './fileStart.ts';
import { damaged, notWallet, type ProblemLog, problemLog } from './problemLog.ts';
import type { Entries, OnDamage } from './rawRecord.ts';
import { WALLET_TABLE, withDatabase } from './sqliteDatabase.ts';
import { walkSqlite } from './sqliteWalk.ts';

/**
 * Reads every record of a descriptor wallet, in the order in which they were written. Throws `not_a_wallet` for what is
 * no SQLite database with the table of a wallet or, under `refuse`, is damaged.
 */
export async function readSqlite(file: Uint8Array, onDamage: OnDamage = 'refuse'): Promise<Entries> {
  const header = readSqliteHeader(file);
  const log = problemLog(onDamage);
  if (header.network === null) log.note({ code: 'network_unknown' });
  if (header.writeAhead) log.note({ code: 'changes_in_wal' });
  const { sql, faults, rows, others } = walkSqlite(file);
  for (const { page, fault } of faults) log.onDamage(damaged(fault), page);
  // Only the very table of a wallet is read: another one of the same name could hold a program.
  if (sql === null || bare(sql) !== bare(WALLET_TABLE)) {
    throw notWallet({ code: 'no_wallet_table' });
  }
  if (others > 0) log.onDamage(damaged({ code: 'entries_not_bytes', count: others }), null);
  if (faults.length === 0) await checkBySqlite(header.writeAhead ? withoutWriteAhead(file) : file, log);
  const { applicationId, network, userVersion } = header;
  const format = { kind: 'sqlite', pageSize: sqlitePageSize(file), applicationId, userVersion } as const;
  return { records: rows, reached: rows.length, format, network, problems: log.problems };
}

function bare(sql: string): string {
  return sql.replace(/[\s"]/g, '').toLowerCase();
}

/**
 * Has SQLite look at the file, as a node does before it opens one: at the order of its rows and at its index, of which
 * no row is taken. Only for a file that the walk found nothing wrong with.
 */
async function checkBySqlite(file: Uint8Array, log: ProblemLog): Promise<void> {
  const cannotCheck = () => damaged({ code: 'sqlite_cannot_check' });
  try {
    const faults = await withDatabase(file, cannotCheck, (database) => {
      // Nothing that the file itself defines may call a function, should something of it have been overlooked.
      database.run('PRAGMA trusted_schema = OFF');
      // With the name of the table, SQLite would leave out its free pages, and those that belong to nothing.
      return database.exec('PRAGMA integrity_check')[0]?.values.flat() ?? [];
    });
    if (faults.length === 1 && faults[0] === 'ok') return;
    throw damaged({ code: 'sqlite_finds_faults' });
  } catch (error) {
    log.onDamage(error, null);
  }
}

/** SQLite in memory has no write-ahead log; the file itself is the same without one. */
function withoutWriteAhead(file: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(file);
  copy.fill(1, 18, 20);
  return copy;
}
