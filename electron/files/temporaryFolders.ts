/** Temporary folders for this user only, which are removed in any case. */
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmdirSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { TEMPORARY_FOLDER } from '../../shared/model/files.ts';
import { orNull } from '../walletfile/bytes/once.ts';
import { isSameFile } from './fileMark.ts';
import { findSharedFolder } from './sharedFolder.ts';

export type TemporaryFolders = ReturnType<typeof createTemporaryFolders>;

/**
 * Creates them in `parent`, which is in the data folder that this process has locked. Removes those of a killed app first, even if
 * another process has its number now.
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
    /** Creates an empty folder (mode 0700) that stays until `close`. */
    keep,
    /** Calls `work` with a new, empty folder (mode 0700), and removes the folder with its contents afterwards. */
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
    /** Removes all of them now, because the app ends without waiting for the work. */
    close(): void {
      // The next start removes what remains.
      for (const folder of mine) removeFolder(folder);
    },
  };
}

const PREFIX = 'wallet-in-use-';
/** Whether a real path is that of a file in a temporary folder. */
export function isTemporary(path: string): boolean {
  return TEMPORARY_FOLDER.test(basename(dirname(path)));
}

/** Folders of this process. Others were left by an earlier one. */
const inUse = new Set<string>();

async function removeLeftovers(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names) {
    const folder = join(parent, name);
    if (!TEMPORARY_FOLDER.test(name) || inUse.has(folder)) continue;
    // The next start tries again.
    removeFolder(folder);
  }
}

/** Creates a temporary folder for this user only, and removes it when the process exits. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wallet-ferry-'));
  process.on('exit', () => removeFolder(folder));
  return folder;
}

/**
 * Removes a folder with its contents, and links without following them. Returns false if something is left: a folder of another
 * user, one that others can change or replace, or what the system refuses. Never throws.
 */
export function removeFolder(named: string): boolean {
  // With a slash at its end, the path of a link would lead to its target.
  const path = resolve(named);
  if (orNull(() => lstatSync(path, { throwIfNoEntry: false }) === undefined) === true) return true;
  // Users who can rename the folder could give its name to a folder of the user.
  if (orNull(() => findSharedFolder(path) === null) !== true) return false;
  return removeOwn(path);
}

/** `path` may lead through an open folder, so that no swap redirects the removal. */
function removeOwn(path: string): boolean {
  const removed = orNull(() => {
    const facts = lstatSync(path, { bigint: true });
    if (!facts.isDirectory() || !isOwn(facts)) return false;
    return WITH_HANDLES ? emptyOpened(path, facts) : emptyAt(path);
  });
  return removed === true && isDone(() => rmdirSync(path));
}

/** Linux has a path for each open folder. On other systems only the check in `removeFolder` keeps others away. */
const WITH_HANDLES = process.platform === 'linux';

function emptyOpened(path: string, before: BigIntStats): boolean {
  const folder = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const through = `/proc/self/fd/${folder}`;
    const opened = fstatSync(folder, { bigint: true });
    if (!isSameFile(opened, before)) return false;
    const leadsThere = orNull(() => isSameFile(statSync(through, { bigint: true }), opened)) === true;
    return emptyAt(leadsThere ? through : path);
  } finally {
    closeSync(folder);
  }
}

function emptyAt(folder: string): boolean {
  const removed = readdirSync(folder).map((name) => {
    const path = join(folder, name);
    const isFolder = orNull(() => lstatSync(path).isDirectory()) === true;
    return isFolder ? removeOwn(path) : isDone(() => unlinkSync(path));
  });
  return removed.every((each) => each);
}

function isOwn({ uid }: BigIntStats): boolean {
  const user = process.getuid?.();
  return user === undefined || Number(uid) === user;
}

/** Tries again on Windows, which may lock a file for a moment after it was closed. */
function isDone(work: () => void, turns = process.platform === 'win32' ? 5 : 1): boolean {
  try {
    work();
    return true;
  } catch {
    if (turns === 1) return false;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MILLISECONDS);
    return isDone(work, turns - 1);
  }
}

const PAUSE_MILLISECONDS = 100;
