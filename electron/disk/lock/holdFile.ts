/** The operating system's own lock on a file, where Node can have it: it goes with its process, however that ends. */
import { closeSync, constants, fstatSync, openSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { partPath, removeQuietly } from '../durableFile.ts';
import { systemCode } from '../systemCode.ts';

export type Holding =
  | { readonly came: 'held'; release(): void }
  /** Another process holds it, or this one does already. */
  | { readonly came: 'busy' }
  /** This system, or this disk, gives no such lock. */
  | { readonly came: 'none' };

/**
 * Opens the file at `path`, which is made when it is not there, so that no one else can hold it too. Its content is
 * neither read nor changed: whatever lies there, a lock does it no harm. Throws the system's error when it cannot be
 * opened. On Linux there is none: Node opens files with a lock on macOS and Windows only.
 */
export function holdFile(path: string): Holding {
  const system = SYSTEMS[process.platform];
  if (system === undefined) return { came: 'none' };
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const file = openAlone(path, system);
    if (typeof file !== 'number') return file;
    if (system.isStill(file, path)) return { came: 'held', release: once(() => system.release(file, path)) };
    closeSync(file);
  }
  return { came: 'busy' };
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

function openAlone(path: string, { flags, busy }: LockingSystem): number | Holding {
  try {
    return openSync(path, constants.O_RDWR | constants.O_CREAT | flags, 0o600);
  } catch (error) {
    const code = systemCode(error);
    if (NO_LOCKS.has(code)) return { came: 'none' };
    if (code !== busy) throw error;
    return process.platform === 'win32' ? openUnlessHeld(path, flags) : { came: 'busy' };
  }
}

/**
 * On Windows a file cannot be opened alone while anyone has it open, be it a virus scanner that looks at what a killed
 * process left. Such a file can be moved out of the way, and one that is held cannot.
 */
function openUnlessHeld(path: string, flags: number): number | Holding {
  const aside = partPath(dirname(path));
  try {
    renameSync(path, aside);
    return openSync(path, constants.O_RDWR | constants.O_CREAT | flags, 0o600);
  } catch {
    return { came: 'busy' };
  } finally {
    removeQuietly(aside);
  }
}

function isAt(file: number, path: string): boolean {
  const there = statSync(path, { throwIfNoEntry: false });
  const { dev, ino } = fstatSync(file);
  return there !== undefined && there.dev === dev && there.ino === ino;
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (!done) work();
    done = true;
  };
}
