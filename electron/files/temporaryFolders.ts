/** Folders for this user alone that are there only as long as a piece of work, and are removed whatever happens. */
import { mkdtempSync } from 'node:fs';
import { mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { removeFolder } from './removeFolder.ts';

export type TemporaryFolders = ReturnType<typeof createTemporaryFolders>;

/**
 * Made in `parent`, which lies in the folder of data that this process holds for itself alone: what an app that was
 * killed left there is removed first, whatever else has its number by now.
 */
export function createTemporaryFolders(parent: string) {
  const mine = new Set<string>();
  const ready = removeLeftovers(parent);
  async function keep(): Promise<string> {
    await ready;
    await mkdir(parent, { recursive: true, mode: 0o700 });
    const folder = await mkdtemp(join(parent, `${PREFIX}${process.pid}-`));
    mine.add(folder);
    inUse.add(folder);
    return folder;
  }
  return {
    /** Gives a new, empty folder (mode 0700) that stays until `close`. */
    keep,
    /** Gives the work a new, empty folder (mode 0700), and removes it with all that is in it when the work ends. */
    async during<T>(work: (folder: string) => Promise<T>): Promise<T> {
      const folder = await keep();
      try {
        return await work(folder);
      } finally {
        removeFolder(folder);
        mine.delete(folder);
        inUse.delete(folder);
      }
    },
    /** Removes them now: the app is about to end, and does not wait for the work. */
    close(): void {
      // What cannot be removed now, the next start removes.
      for (const folder of mine) removeFolder(folder);
    },
  };
}

const PREFIX = 'wallet-in-use-';
const NAME = /^wallet-in-use-\d+-.{6}$/;
/** Whether a path, links resolved, is that of a file in one of them. */
export function isTemporary(path: string): boolean {
  return NAME.test(basename(dirname(path)));
}

/** Of this process. One that is not among them was left by an earlier one. */
const inUse = new Set<string>();

async function removeLeftovers(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names) {
    const folder = join(parent, name);
    if (!NAME.test(name) || inUse.has(folder)) continue;
    // One that cannot be removed now is tried again at the next start.
    removeFolder(folder);
  }
}

/** Creates a temporary folder for this user only, and removes it when the process exits. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wallet-ferry-'));
  process.on('exit', () => removeFolder(folder));
  return folder;
}
