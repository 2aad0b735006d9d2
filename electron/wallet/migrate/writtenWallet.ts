/**
 * Reads a new wallet's file back, row by row, so that what is proved of it holds for the bytes themselves: without
 * SQLite, as that wrote them.
 */
import { AppError } from '../../../shared/errors.ts';
import type { Network } from '../../../shared/network.ts';
import { say } from '../../../shared/text/say.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { isSameRecord } from '../database/recordInPlace.ts';
import { readSqliteHeader } from '../database/sqliteHeader.ts';
import { walkSqlite } from '../database/sqliteWalk.ts';

/**
 * Calls `visit` for each row of the file. Throws AppError `internal` when the file holds anything else than `expected`,
 * in that order.
 */
export function eachWritten(
  file: Uint8Array,
  expected: readonly RawRecord[],
  network: Network,
  visit: (row: RawRecord) => void,
): void {
  if (readSqliteHeader(file).network !== network) throw differs();
  const { sql, faults, rows, others } = walkSqlite(file);
  if (sql === null || faults.length > 0 || others > 0 || rows.length !== expected.length) throw differs();
  for (const [at, row] of rows.entries()) {
    const record = expected[at];
    if (!record || !isSameRecord(row, record)) throw differs();
    visit(row);
  }
}

function differs(): AppError {
  return new AppError(
    'internal',
    say('The new wallet’s file could not be read back as it was written.'),
    say(
      'The legacy wallet was not changed and nothing was put in its place. Make a report of it in Activity, and ask for help with it.',
    ),
  );
}
