/** A descriptor wallet whose last change was cut off: the file alone has no keys, its journal has them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSqlite } from '../database/sqliteDatabase.ts';
import { journalOf } from '../database/testing/sqliteJournals.ts';
import { walletFile } from './wallets.ts';

const PAGE = 4096;

/** Gives the file with the journal beside it, and alone, as the change left it and as it was before. */
export async function cutOffChange(folder: string, name = 'descriptor-hd') {
  const before = walletFile(name);
  const { Database } = await loadSqlite();
  const database = new Database(Uint8Array.from(before));
  database.run("DELETE FROM main WHERE instr(hex(key), hex('walletdescriptorkey')) = 3");
  const after = database.export();
  database.close();
  // The change had not counted itself yet, as those of a node with the file for itself do not.
  after.set(before.subarray(24, 28), 24);
  after.set(before.subarray(92, 96), 92);
  const [path, whole, changed] = ['cut-off.dat', 'whole.dat', 'changed.dat'].map((file) =>
    join(folder, file),
  );
  if (!path || !whole || !changed) throw new Error('unreachable');
  const numbers = Array.from({ length: before.length / PAGE }, (_, page) => page + 1);
  const journal = journalOf(before, numbers);
  writeFileSync(path, after);
  writeFileSync(`${path}-journal`, journal);
  writeFileSync(changed, after);
  writeFileSync(whole, before);
  return { path, whole, changed, journal, before, after };
}
