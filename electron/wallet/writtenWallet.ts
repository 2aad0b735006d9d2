/** Reads a new wallet's file back, row by row, so that what is proved of it holds for the bytes themselves. */
import { AppError } from '../../shared/errors.ts';
import type { Network } from '../../shared/model.ts';
import type { RawRecord } from './rawRecord.ts';
import { loadSqlite } from './sqlite.ts';
import { readSqliteHeader } from './sqliteHeader.ts';

/**
 * Calls `visit` for each row of the file, with the record that was to be written there. Throws AppError `internal`
 * when the file holds anything else than `expected`, in that order. Only one row is kept at a time.
 */
export async function eachWritten(
  file: Uint8Array,
  expected: readonly RawRecord[],
  network: Network,
  visit: (row: RawRecord, record: RawRecord) => void,
): Promise<void> {
  if (readSqliteHeader(file).network !== network) throw differs();
  const { Database } = await loadSqlite();
  const database = new Database(file);
  try {
    const rows = database.prepare('SELECT key, value FROM main ORDER BY rowid');
    let at = 0;
    while (rows.step()) {
      const [key, value] = rows.get();
      const record = expected[at];
      at += 1;
      if (!record || !(key instanceof Uint8Array) || !(value instanceof Uint8Array)) throw differs();
      if (!isSame(key, record.key) || !isSame(value, record.value)) throw differs();
      visit({ key, value }, record);
    }
    rows.free();
    if (at !== expected.length) throw differs();
  } finally {
    database.close();
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  const { length } = a;
  if (length !== b.length) return false;
  for (let at = 0; at < length; at += 1) if (a[at] !== b[at]) return false;
  return true;
}

function differs(): AppError {
  return new AppError(
    'internal',
    'The new wallet’s file could not be read back as it was written.',
    'The legacy wallet was not changed and nothing was put in its place. Report this.',
  );
}
