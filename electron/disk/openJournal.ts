/** Whether a journal of SQLite lies beside a wallet's file. */
import { realpathSync, statSync } from 'node:fs';

/** SQLite leaves a journal with content only when a change was cut off: the file alone is then not the whole wallet. */
export function hasOpenJournal(file: string): boolean {
  return hasJournal(file) || hasJournal(realOf(file));
}

/** SQLite follows a link to the file, and keeps the journal where that lies. */
function realOf(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return file;
  }
}

function hasJournal(file: string): boolean {
  return ['-journal', '-wal'].some((ending) => {
    try {
      return statSync(`${file}${ending}`).size > 0;
    } catch {
      return false;
    }
  });
}
