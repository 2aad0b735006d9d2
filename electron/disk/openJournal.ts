/** Whether a journal of SQLite lies beside a wallet's file. */
import { statSync } from 'node:fs';

/** SQLite leaves a journal with content only when a change was cut off: the file alone is then not the whole wallet. */
export function hasOpenJournal(file: string): boolean {
  return ['-journal', '-wal'].some((ending) => {
    try {
      return statSync(`${file}${ending}`).size > 0;
    } catch {
      return false;
    }
  });
}
