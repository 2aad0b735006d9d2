/** Keeps a second process of the app, of whichever entry, away from the folder of what the app remembers. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isPartName, removeQuietly } from '../durableFile.ts';
import { systemCode } from '../fileError.ts';
import { NoFileError, readWhole } from '../openFile.ts';
import { LockHeldError, takeLock } from './processLock.ts';

type DataFolderLock = { readonly taken: true; release(): void } | LockRefusal;

/**
 * `held`: another process has it; `pid` is null where it is not known. `unusable`: the lock can be neither looked at nor
 * written; `code` is the system's, null where it has none.
 */
export type LockRefusal = { readonly taken: false; readonly lockFile: string } & (
  | { readonly why: 'held'; readonly pid: number | null }
  | { readonly why: 'unusable'; readonly code: string | null }
);

export const DATA_LOCK_NAME = '.wallet-ferry.lock';

/**
 * Two processes on one folder would both go on with the same jobs and write over each other's journal. What a
 * process left that is gone is taken over. Where no lock can be written the folder is not taken either: a second process
 * could not be kept away, and there would be no journal.
 */
export function lockDataFolder(dataFolder: string): DataFolderLock {
  const lockFile = join(dataFolder, DATA_LOCK_NAME);
  try {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
    lookAt(lockFile);
    const lock = takeLock(lockFile);
    // What a process that was killed left half-written.
    for (const name of readdirSync(dataFolder).filter(isPartName)) removeQuietly(join(dataFolder, name));
    return { taken: true, ...lock };
  } catch (error) {
    if (error instanceof LockHeldError) return { taken: false, why: 'held', pid: error.pid, lockFile };
    return { taken: false, why: 'unusable', code: systemCode(error), lockFile };
  }
}

/** Throws the system's error for one that is there and cannot be read: a living process may hold it. */
function lookAt(lockFile: string): void {
  // Elsewhere one that is held may not be opened at all, and the system itself says whether it is.
  if (process.platform !== 'linux') return;
  try {
    readWhole(lockFile);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' && !(error instanceof NoFileError)) throw error;
  }
}
