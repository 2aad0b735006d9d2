/** Folders for this user alone that are there only as long as a piece of work, and are removed whatever happens. */
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
import { orNull } from '../walletfile/bytes/once.ts';
import { isSameFile } from './fileMark.ts';
import { sharedWay } from './owned/sharedFolder.ts';

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

/**
 * Removes the folder with what lies in it, one name after the other. Gives false where something is left: a folder of
 * another user, one that others can change or put another folder in the place of, and what the system refuses. A link
 * is removed as the name that it is. Never throws.
 */
export function removeFolder(named: string): boolean {
  // With a slash at its end, the path of a link would be that of the folder that it leads to.
  const path = resolve(named);
  if (orNull(() => lstatSync(path, { throwIfNoEntry: false }) === undefined) === true) return true;
  // Whoever can rename what lies beside it can give the name of the app's folder to a folder of the user.
  if (orNull(() => sharedWay(path) === null) !== true) return false;
  return removeOwn(path);
}

/** `path` may lead through a folder that is held open: then no swap leads the removal elsewhere. */
function removeOwn(path: string): boolean {
  const removed = orNull(() => {
    const facts = lstatSync(path, { bigint: true });
    if (!facts.isDirectory() || !isOwn(facts)) return false;
    return WITH_HANDLES ? emptyHeld(path, facts) : emptyAt(path);
  });
  return removed === true && isDone(() => rmdirSync(path));
}

/** Linux names each open folder by a path of its own; elsewhere only the check above keeps others away. */
const WITH_HANDLES = process.platform === 'linux';

function emptyHeld(path: string, seen: BigIntStats): boolean {
  const folder = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const through = `/proc/self/fd/${folder}`;
    const held = fstatSync(folder, { bigint: true });
    if (!isSameFile(held, seen)) return false;
    const leadsThere = orNull(() => isSameFile(statSync(through, { bigint: true }), held)) === true;
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

/** Windows may hold a file for a moment after it was closed: there it is tried again. */
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
