/** Reads the entries of a wallet file of either kind, as far as they can be read, with what the file is. */
import { readBerkeley } from './berkeley.ts';
import { startsLikeSqlite } from './fileStart.ts';
import { problemOf } from './problemLog.ts';
import type { Entries } from './rawRecord.ts';
import { readSqlite } from './readSqlite.ts';

/** Throws `not_a_wallet` for what is neither a Berkeley DB tree nor an SQLite database with a wallet's table. */
export async function readEntries(bytes: Uint8Array): Promise<Entries> {
  if (startsLikeSqlite(bytes)) return readSqlite(bytes, 'salvage');
  const entries = readBerkeley(bytes, 'salvage');
  if (entries.format.cleanlyClosed) return entries;
  return { ...entries, problems: [...entries.problems, UNCLEAN] };
}

const UNCLEAN = problemOf({ code: 'not_closed_cleanly' }, 'whole');
