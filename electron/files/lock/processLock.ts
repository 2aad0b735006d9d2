/**
 * A lock file that keeps a second process away from a folder. A process takes over the lock of a dead one. On macOS and Windows the
 * system locks the file. On Linux, and on a disk without such locks, the file holds the process's number. The number of a process
 * in another container means nothing here, so a living process keeps the file's time fresh.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod/mini';
import { once, orNull } from '../../walletfile/bytes/once.ts';
import {
  partPath,
  placeFile,
  readJsonFile,
  removeParts,
  removeQuietly,
  replaceFile,
} from '../durableFile.ts';
import { systemCode, systemError } from '../fileError.ts';
import { isSameFile } from '../fileMark.ts';
import { NoFileError, readTextOrNull, readWhole } from '../openFile.ts';

export interface ProcessLock {
  release(): void;
}

/** Another process holds the lock. */
export class LockHeldError extends Error {
  /** `pid`: the number of that process; null if unknown. */
  constructor(readonly pid: number | null) {
    super('Another process holds the lock.');
    this.name = 'LockHeldError';
  }
}

/** Locks with the file at `path`. Throws LockHeldError while another living process holds it, and what writing a file throws. */
export function takeLock(path: string): ProcessLock {
  const release = holdFile(path);
  return release === null ? takeByNumber(path) : { release };
}

/**
 * Throws LockHeldError while another living process holds the lock file at `path`. Does not take the lock. A file that is missing or
 * that this user may not open counts as free.
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

/** The file also holds what distinguishes this process from a later one with the same number, if the system shows it. */
function takeByNumber(path: string): ProcessLock {
  const own = JSON.stringify({ pid: process.pid, mark: birthMarkOf(process.pid), space: processSpace() });
  const bytes = new TextEncoder().encode(`${own}\n`);
  if (!createLock(path, bytes)) takeOver(path, bytes);
  const isOwn = () => readTextOrNull(path)?.trim() === own;
  const beat = setInterval(() => {
    const now = new Date();
    // If this fails, the next beat tries again.
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
/** A living process never misses beats for this long. */
const FRESH_MILLISECONDS = 60_000;

/** A gate file lets only one of several processes take over the same stale lock. */
function takeOver(path: string, bytes: Uint8Array): void {
  refuseIfHeld(path);
  const gate = `${path}.gate`;
  if (!createLock(gate, bytes)) {
    if (wasWrittenWithin(GATE_MILLISECONDS, gate)) throw new LockHeldError(null);
    rmSync(gate, { force: true });
    if (!createLock(gate, bytes)) throw new LockHeldError(null);
  }
  try {
    refuseIfHeld(path);
    replaceFile(path, bytes);
  } finally {
    rmSync(gate, { force: true });
  }
}

/** Much longer than a takeover takes. A killed process left an older gate. */
const GATE_MILLISECONDS = 10_000;

const holder = z.object({
  pid: z.int().check(z.positive()),
  mark: z.nullable(z.string()),
  /** From `processSpace`. Earlier versions did not write it. */
  space: z.optional(z.nullable(z.string())),
});

function refuseIfHeld(path: string): void {
  const owner = readJsonFile(path, holder);
  if (owner === null) return;
  const { pid, mark, space } = owner;
  if (space !== undefined && (space === null || space !== processSpace())) {
    if (wasWrittenWithin(FRESH_MILLISECONDS, path)) throw new LockHeldError(null);
    return;
  }
  // The lock of an earlier process with this number: processes in a container often get the same one.
  if (pid === process.pid && mark !== birthMarkOf(pid)) return;
  if (isLiving(pid, mark)) throw new LockHeldError(pid);
}

/** Creates the file atomically, so that no process reads a partial lock. False if it exists. */
function createLock(path: string, bytes: Uint8Array): boolean {
  try {
    placeFile(path, bytes);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Whether the file's time is this near to now, before or after, because the clock may have been set back. */
function wasWrittenWithin(milliseconds: number, path: string): boolean {
  const written = orNull(() => statSync(path).mtimeMs);
  return written !== null && Math.abs(Date.now() - written) < milliseconds;
}

/**
 * Opens or creates the file at `path` with a lock of the system, and returns the function that releases it. Null if the system or
 * the disk has no such lock: Node can open files with one on macOS and Windows only. Neither reads nor changes the content. Throws
 * LockHeldError if another process, or this one, holds it, and the system's error if it cannot open the file.
 */
function holdFile(path: string): (() => void) | null {
  const system = SYSTEMS[process.platform];
  if (system === undefined) return null;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const file = openAlone(path, system);
    if (file === null) return null;
    if (system.isStill(file, path)) return once(() => system.release(file, path));
    closeSync(file);
  }
  throw new LockHeldError(null);
}

interface LockingSystem {
  /** Added to the flags of `open`. */
  readonly flags: number;
  /** The error code if another process holds the file. */
  readonly busy: string;
  /** Whether the opened file is still at the path: its holder may have removed it before this lock. */
  isStill(file: number, path: string): boolean;
  release(file: number, path: string): void;
}

/**
 * `UV_FS_O_EXLOCK` of libuv (`uv/unix.h`, `uv/win.h`), which Node passes on without a name. On macOS it is `O_EXLOCK` of `fcntl.h`,
 * which waits without O_NONBLOCK. On Windows nobody else can open the file.
 */
const SYSTEMS: Partial<Record<NodeJS.Platform, LockingSystem>> = {
  darwin: {
    flags: 0x20 | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0),
    busy: 'EAGAIN',
    isStill: isAt,
    release(file, path) {
      // Remove it while it is locked, so that this is not the file of a later process.
      if (isAt(file, path)) removeQuietly(path);
      closeSync(file);
    },
  },
  win32: {
    flags: 0x10000000,
    busy: 'EBUSY',
    // Nobody can remove a file that nobody else can open.
    isStill: () => true,
    release(file, path) {
      closeSync(file);
      // This fails, as it should, if another process has locked it meanwhile.
      removeQuietly(path);
    },
  },
};

const MAX_TRIES = 5;
/** Errors of network drives and sticks. */
const NO_LOCKS: ReadonlySet<string | null> = new Set(['ENOTSUP', 'EOPNOTSUPP', 'ENOLCK', 'EINVAL']);

function openAlone(path: string, { flags, busy }: LockingSystem): number | null {
  try {
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT | flags, 0o600);
    if (fstatSync(file).isFile()) return file;
    closeSync(file);
    throw systemError('EISDIR', path);
  } catch (error) {
    const code = systemCode(error);
    if (NO_LOCKS.has(code)) return null;
    if (code !== busy) throw error;
    if (process.platform === 'win32') return openUnlessHeld(path, flags);
    throw new LockHeldError(null);
  }
}

/**
 * On Windows a lock fails while any program has the file open, such as a virus scanner that reads the file of a killed process.
 * Such a file can be moved away, but a locked one cannot.
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

/**
 * Distinguishes a process from a later one with the same number: the id of the computer's start, a colon, and the clock ticks from then to
 * the process's start. Null if the system does not show it.
 */
export function birthMarkOf(pid: number): string | null {
  return orNull(() => {
    const boot = bootId();
    // The command's name is in brackets and may contain spaces. The start time is the 20th field after it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ');
    return `${boot}:${fields?.[19] ?? ''}`;
  });
}

/**
 * The scope of process numbers on Linux: this start of the computer and this container (PID namespace). Null if this process does
 * not see its own number there; undefined on other systems.
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

/** `mark`: the `birthMarkOf` that the process wrote with its number; null if unknown. */
export function isLiving(pid: number, mark: string | null): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    if (systemCode(error) !== 'EPERM') return false;
  }
  const now = birthMarkOf(pid);
  return mark === null || now === null || now === mark;
}

type DataFolderLock = { readonly taken: true; release(): void } | LockRefusal;

/**
 * `held`: another process holds it; `pid` is null if unknown. `unusable`: the lock can be neither read nor written; `code` is the
 * system's, null if it has none.
 */
export type LockRefusal = { readonly taken: false; readonly lockFile: string } & (
  | { readonly why: 'held'; readonly pid: number | null }
  | { readonly why: 'unusable'; readonly code: string | null }
);

export const DATA_LOCK_NAME = '.wallet-ferry.lock';

/**
 * Keeps a second process of the app, of any entry point, away from its data folder. Two processes would resume the same jobs and
 * overwrite each other's journal. Takes over the lock of a dead process. Fails if it cannot write the lock, because it could then
 * neither keep others away nor write a journal.
 */
export function lockDataFolder(dataFolder: string): DataFolderLock {
  const lockFile = join(dataFolder, DATA_LOCK_NAME);
  try {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
    lookAt(lockFile);
    const lock = takeLock(lockFile);
    // Unfinished files of a killed process.
    removeParts(dataFolder);
    return { taken: true, ...lock };
  } catch (error) {
    if (error instanceof LockHeldError) return { taken: false, why: 'held', pid: error.pid, lockFile };
    return { taken: false, why: 'unusable', code: systemCode(error), lockFile };
  }
}

/** Throws the system's error for an unreadable lock, because a living process may hold it. */
function lookAt(lockFile: string): void {
  // On other systems a held lock may be unreadable, and the system reports it.
  if (process.platform !== 'linux') return;
  try {
    readWhole(lockFile);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' && !(error instanceof NoFileError)) throw error;
  }
}
