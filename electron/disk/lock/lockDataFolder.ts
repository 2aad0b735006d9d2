/** Keeps a second process of the app, of whichever entry, away from the folder of what the app remembers. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isPartName, removeQuietly } from '../durableFile.ts';
import { LockHeldError, takeLock } from './processLock.ts';

type DataFolderLock =
  | { readonly taken: true; release(): void }
  /** `pid` is null where it is not known. */
  | { readonly taken: false; readonly pid: number | null; readonly lockFile: string };

export const DATA_LOCK_NAME = '.wallet-ferry.lock';

/**
 * Two processes on one folder would both go on with the same operations and write over each other's journal. What a
 * process left that is gone is taken over. A folder that cannot be written to is no reason not to begin: without its
 * journal the app starts nothing on a wallet.
 */
export function lockDataFolder(dataFolder: string): DataFolderLock {
  const lockFile = join(dataFolder, DATA_LOCK_NAME);
  try {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
    const lock = takeLock(lockFile);
    removeParts(dataFolder);
    return { taken: true, ...lock };
  } catch (error) {
    if (error instanceof LockHeldError) return { taken: false, pid: error.pid, lockFile };
    return { taken: true, release: () => undefined };
  }
}

/** What a process that was killed left half-written. */
function removeParts(folder: string): void {
  for (const name of readdirSync(folder).filter(isPartName)) removeQuietly(join(folder, name));
}
