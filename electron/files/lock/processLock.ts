/**
 * A file that keeps a second process away from a folder; left by a dead one, it is taken over. On macOS and Windows the
 * system's own lock on it says so; on Linux, and on a disk without such locks, the number of a process that it holds. One
 * in another container, whose numbers mean nothing here, is known to live by the file's time, which it keeps fresh.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { once, orNull } from '../../walletfile/bytes/once.ts';
import { isPartName, partPath, placeFile, readJsonFile, removeQuietly, replaceFile } from '../durableFile.ts';
import { systemCode } from '../fileError.ts';
import { isSameFile } from '../fileMark.ts';
import { NoFileError, readTextOrNull, readWhole } from '../openFile.ts';

export interface ProcessLock {
  release(): void;
}

/** Another process holds the lock. */
export class LockHeldError extends Error {
  /** `pid`: its number; null where it is not known. */
  constructor(readonly pid: number | null) {
    super('Another process holds the lock.');
    this.name = 'LockHeldError';
  }
}

/**
 * Takes the lock that the file at `path` is. Throws LockHeldError while another living process holds it, and what
 * writing a file throws.
 */
export function takeLock(path: string): ProcessLock {
  const release = holdFile(path);
  return release === null ? takeByNumber(path) : { release };
}

/**
 * Throws LockHeldError while another living process holds the lock that the file at `path` is. Takes none: where there is
 * no such file, or none that this user may open, nobody is taken to hold it.
 */
export function refuseWhileHeld(path: string): void {
  if (!existsSync(path)) return;
  try {
    const release = holdFile(path);
    if (release === null) refuseIfHeld(path);
    else release();
  } catch (error) {
    if (error instanceof LockHeldError) throw error;
  }
}

/** A number is another program's one day: beside it stands what tells the processes of one number apart, where the system does. */
function takeByNumber(path: string): ProcessLock {
  const own = JSON.stringify({
    pid: process.pid,
    mark: birthMarkOf(process.pid),
    space: processSpace(),
  });
  const bytes = new TextEncoder().encode(`${own}\n`);
  if (!made(path, bytes)) takeOver(path, bytes);
  const isOwn = () => readTextOrNull(path)?.trim() === own;
  const beat = setInterval(() => {
    const now = new Date();
    // Where it cannot be done, the next beat tries again.
    if (isOwn()) orNull(() => utimesSync(path, now, now));
  }, BEAT_MILLISECONDS);
  beat.unref();
  return {
    release: () => {
      clearInterval(beat);
      if (isOwn()) rmSync(path, { force: true });
    },
  };
}

const BEAT_MILLISECONDS = 10_000;
/** Longer than a process that lives is ever kept from several beats. */
const FRESH_MILLISECONDS = 60_000;

/** Two processes that find the same stale lock go through one gate, so that only the first takes it. */
function takeOver(path: string, bytes: Uint8Array): void {
  refuseIfHeld(path);
  const gate = `${path}.gate`;
  if (!made(gate, bytes)) {
    if (isWithin(GATE_MILLISECONDS, gate)) throw new LockHeldError(null);
    rmSync(gate, { force: true });
    if (!made(gate, bytes)) throw new LockHeldError(null);
  }
  try {
    refuseIfHeld(path);
    replaceFile(path, bytes);
  } finally {
    rmSync(gate, { force: true });
  }
}

/** Far longer than taking a lock over takes; one older than this was left by a process that was killed. */
const GATE_MILLISECONDS = 10_000;

const holder = z.object({
  pid: z.number().int().positive(),
  mark: z.string().nullable(),
  /** As `processSpace` tells it. Earlier versions did not. */
  space: z.string().nullable().optional(),
});

function refuseIfHeld(path: string): void {
  const held = readJsonFile(path, holder);
  if (held === null) return;
  const { pid, mark, space } = held;
  if (space !== undefined && (space === null || space !== processSpace())) {
    if (isWithin(FRESH_MILLISECONDS, path)) throw new LockHeldError(null);
    return;
  }
  // One's own number from before: a process in a container often has the same one each time.
  if (pid === process.pid && mark !== birthMarkOf(pid)) return;
  if (isLiving(pid, mark)) throw new LockHeldError(pid);
}

/** Whole at once: another process never reads a lock that is half-written, and takes it for nobody's. */
function made(path: string, bytes: Uint8Array): boolean {
  try {
    placeFile(path, bytes);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Whether the file was written so near to now, before or after: a clock may have been set back meanwhile. */
function isWithin(milliseconds: number, path: string): boolean {
  const written = orNull(() => statSync(path).mtimeMs);
  return written !== null && Math.abs(Date.now() - written) < milliseconds;
}

/**
 * Opens the file at `path`, which is made when it is not there, so that no one else can hold it too, and gives what lets
 * go of it; null where this system, or this disk, has no such lock: Node opens files with one on macOS and Windows only.
 * The content is neither read nor changed: whatever lies there, a lock does it no harm. Throws LockHeldError where another
 * process holds it, or this one does already, and the system's error when it cannot be opened.
 */
function holdFile(path: string): (() => void) | null {
  const system = SYSTEMS[process.platform];
  if (system === undefined) return null;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const file = openAlone(path, system);
    if (file === null) return null;
    if (system.isStill(file, path)) return once(() => system.release(file, path));
    closeSync(file);
  }
  throw new LockHeldError(null);
}

interface LockingSystem {
  /** Added to the flags of opening. */
  readonly flags: number;
  /** The code of the error when another one holds the file. */
  readonly busy: string;
  /** Whether the file that was opened is the one at the path: its holder may have removed it before it was locked here. */
  isStill(file: number, path: string): boolean;
  release(file: number, path: string): void;
}

/**
 * `UV_FS_O_EXLOCK` of libuv (`uv/unix.h`, `uv/win.h`), which Node passes on and does not name. On macOS it is `O_EXLOCK`
 * of `fcntl.h`, which waits unless it is told not to; on Windows it opens a file that nobody else can open.
 */
const SYSTEMS: Partial<Record<NodeJS.Platform, LockingSystem>> = {
  darwin: {
    flags: 0x20 | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0),
    busy: 'EAGAIN',
    isStill: isAt,
    release(file, path) {
      // Removed while it is held: the file that another one makes after that is not this one.
      if (isAt(file, path)) removeQuietly(path);
      closeSync(file);
    },
  },
  win32: {
    flags: 0x10000000,
    busy: 'EBUSY',
    // No one removes a file that nobody else can open.
    isStill: () => true,
    release(file, path) {
      closeSync(file);
      // Held by another one in this very moment, it cannot be removed, and shall not.
      removeQuietly(path);
    },
  },
};

const MOST_TRIES = 5;
/** Of disks over a network, and of sticks. */
const NO_LOCKS: ReadonlySet<string | null> = new Set(['ENOTSUP', 'EOPNOTSUPP', 'ENOLCK', 'EINVAL']);

function openAlone(path: string, { flags, busy }: LockingSystem): number | null {
  try {
    return openSync(path, constants.O_RDWR | constants.O_CREAT | flags, 0o600);
  } catch (error) {
    const code = systemCode(error);
    if (NO_LOCKS.has(code)) return null;
    if (code !== busy) throw error;
    if (process.platform === 'win32') return openUnlessHeld(path, flags);
    throw new LockHeldError(null);
  }
}

/**
 * On Windows a file cannot be opened alone while anyone has it open, be it a virus scanner that looks at what a killed
 * process left. Such a file can be moved out of the way, and one that is held cannot.
 */
function openUnlessHeld(path: string, flags: number): number {
  const aside = partPath(dirname(path));
  try {
    renameSync(path, aside);
    return openSync(path, constants.O_RDWR | constants.O_CREAT | flags, 0o600);
  } catch {
    throw new LockHeldError(null);
  } finally {
    removeQuietly(aside);
  }
}

function isAt(file: number, path: string): boolean {
  const there = statSync(path, { throwIfNoEntry: false });
  return there !== undefined && isSameFile(there, fstatSync(file));
}

/** What tells a process apart from a later one of the same number. Null where the system does not tell. */
function birthMarkOf(pid: number): string | null {
  return orNull(() => {
    const boot = bootId();
    // The command's name stands in brackets and may hold spaces; the start time is the 20th field behind it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ');
    return `${boot}:${fields?.[19] ?? ''}`;
  });
}

/**
 * Within what a number names one process, on Linux: this start of the computer and this container (PID namespace). Another
 * one on the same disk has its own numbers. Null where this process does not see by which number it goes itself;
 * undefined on other systems.
 */
function processSpace(): string | null | undefined {
  if (process.platform !== 'linux') return undefined;
  return orNull(() => {
    // A container may see the numbers of the computer around it.
    if (readlinkSync('/proc/self') !== String(process.pid)) return null;
    return `${bootId()} ${readlinkSync('/proc/self/ns/pid')}`;
  });
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

/** `mark` is the process's `birthMarkOf` when it left its number, or null when it is not known. */
export function isLiving(pid: number, mark: string | null): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: there is one, of another user.
    if (systemCode(error) !== 'EPERM') return false;
  }
  const now = birthMarkOf(pid);
  return mark === null || now === null || now === mark;
}

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
 * Keeps a second process of the app, of whichever entry, away from its data folder. Two processes on one folder would both go on with the same jobs and write over each other's journal. What a
 * process left that is gone is taken over. Where no lock can be written the folder is not taken either: a second process
 * could not be kept away, and there would be no journal.
 */
export function lockDataFolder(dataFolder: string): DataFolderLock {
  const lockFile = join(dataFolder, DATA_LOCK_NAME);
  try {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
    lookAt(lockFile);
    const lock = takeLock(lockFile);
    // Half-written by a killed process.
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
