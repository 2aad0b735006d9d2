/** Whether a journal of SQLite lies beside a wallet's file. */
import { realpathSync, statSync } from 'node:fs';
import { orNull } from '../wallet/bytes/once.ts';

/**
 * SQLite leaves a journal with content only when a change was cut off: the file alone is then not the whole wallet. It
 * follows a link to the file, and keeps the journal where that lies.
 */
export function hasOpenJournal(file: string): boolean {
  const real = orNull(() => realpathSync.native(file)) ?? file;
  return [file, real].some((path) =>
    ['-journal', '-wal'].some((ending) => (orNull(() => statSync(`${path}${ending}`).size) ?? 0) > 0),
  );
}
