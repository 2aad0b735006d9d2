/** Writes a descriptor wallet whose file has no keys without the journal or write-ahead log beside it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSqlite } from '../database/sqliteDatabase.ts';
import { journalOf, logOf, pageOf } from '../database/testing/sqliteJournals.ts';
import { walletFile } from './wallets.ts';

const PAGE = 4096;

/** The name endings of SQLite's two kinds of journal. */
export const JOURNAL_ENDINGS = ['-journal', '-wal'] as const;

/**
 * With a `-journal`, a change that removes the keys was interrupted and will be rolled back. With a `-wal`, the change that adds
 * the keys is only in the log. `path` has the journal beside it. `changed` is the same file without it, `whole` the full wallet.
 */
export async function cutOffChange(folder: string, ending: (typeof JOURNAL_ENDINGS)[number] = '-journal') {
  const before = walletFile('descriptor-hd');
  const { Database } = await loadSqlite();
  const database = new Database(Uint8Array.from(before));
  database.run("DELETE FROM main WHERE instr(hex(key), hex('walletdescriptorkey')) = 3");
  const after = database.export();
  database.close();
  // A node has exclusive access to the file, so its changes do not increase the change counter.
  after.set(before.subarray(24, 28), 24);
  after.set(before.subarray(92, 96), 92);
  const [path, whole, changed] = ['cut-off.dat', 'whole.dat', 'changed.dat'].map((file) =>
    join(folder, file),
  );
  if (!path || !whole || !changed) throw new Error('unreachable');
  const numbers = Array.from({ length: before.length / PAGE }, (_, page) => page + 1);
  if (ending === '-wal') after.fill(WAL_VERSION, 18, 20);
  const journal = ending === '-wal' ? committed(before, numbers) : journalOf(before, numbers);
  writeFileSync(path, after);
  writeFileSync(`${path}${ending}`, journal);
  writeFileSync(changed, after);
  writeFileSync(whole, before);
  return { path, whole, changed, journal, before, after };
}

/** The format version of a database that has a write-ahead log. */
const WAL_VERSION = 2;

function committed(database: Uint8Array, numbers: readonly number[]): Buffer {
  const written = Uint8Array.from(database).fill(WAL_VERSION, 18, 20);
  const pages = numbers.length;
  return logOf(
    PAGE,
    numbers.map((number) => ({
      number,
      page: pageOf(written, number, PAGE),
      commit: number === pages ? pages : 0,
    })),
  );
}
