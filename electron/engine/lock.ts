/** Locks a wallets folder against a second engine, and refuses the folder of a running node. */
import { lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { isLocked, PID_FILE, seesAllLocks } from '../files/lock/fileInUse.ts';
import {
  birthMarkOf,
  isLiving,
  LockHeldError,
  type ProcessLock,
  refuseWhileHeld,
  takeLock,
} from '../files/lock/processLock.ts';
import { readTextOrNull } from '../files/openFile.ts';
import { foldersAbove } from '../files/sharedFolder.ts';
import { orNull } from '../walletfile/bytes/once.ts';
import { WALLET_LOCK } from '../walletfile/database/relatedFiles.ts';
import { EngineError } from './wallets/engineError.ts';
import { foldersBelow } from './wallets/walletsFolder.ts';

export const LOCK_NAME = '.wallet-ferry-engine.lock';

/**
 * Locks the folder. Throws EngineError while another engine uses it, a folder above it or a folder in it, or while a
 * node runs on `chainFolder`. Takes over the lock of an ended process. `ownFolder`: holds the lock if this user cannot write to the
 * wallets folder (`isReadOnly`).
 */
export function lockFolder(
  walletsFolder: string,
  chainFolder: string,
  { ownFolder = walletsFolder, isReadOnly = false } = {},
): ProcessLock {
  refuseNode(walletsFolder, chainFolder);
  if (isReadOnly) mkdirSync(ownFolder, { recursive: true, mode: 0o700 });
  const [place, other] = isReadOnly ? [ownFolder, walletsFolder] : [walletsFolder, ownFolder];
  const [use, own] = ['already uses this wallets folder', join(place, LOCK_NAME)];
  const lock = whileFree(own, use, () => takeLock(own));
  try {
    // Another engine may have started while the folder was read-only, or while it was not.
    const others = join(other, LOCK_NAME);
    if (others !== own) whileFree(others, use, () => refuseWhileHeld(others));
    // Check after locking: of two engines that start at once, one sees the other's lock.
    refuseRelatedFolders(walletsFolder);
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Refuses a folder in, above or linked from another engine's folder: both would open one wallet under two names. */
function refuseRelatedFolders(walletsFolder: string): void {
  const real = realpathSync.native(walletsFolder);
  const checked = new Set([real]);
  const refuse = (folder: string, where: string) => {
    if (checked.has(folder) || isOfAnotherUser(join(folder, LOCK_NAME))) return;
    checked.add(folder);
    const lock = join(folder, LOCK_NAME);
    whileFree(lock, `uses the folder ${folder}, which ${where}`, () => refuseWhileHeld(lock));
  };
  for (const folder of foldersAbove(real)) refuse(folder, 'holds this wallets folder');
  let searched = 0;
  for (const { folder, entries } of foldersBelow(real)) {
    refuse(join(real, folder), 'lies in this wallets folder');
    // Check the folder that a link leads to, but do not search below it.
    for (const link of entries.filter((entry) => entry.isSymbolicLink())) {
      const to = realFolder(join(real, folder, link.name));
      for (const each of to === null ? [] : [to, ...foldersAbove(to)])
        refuse(each, 'a link in this wallets folder leads to');
    }
    searched += 1;
    if (searched === MAX_FOLDERS) return;
  }
}

/** Bounds the search: a hostile tree without end must not keep the engine from starting. */
const MAX_FOLDERS = 20_000;

/** Such a lock is ignored: otherwise a user who may write to a folder above could keep every engine from starting. */
function isOfAnotherUser(lock: string): boolean {
  const user = process.getuid?.();
  const owner = orNull(() => lstatSync(lock).uid);
  return user !== undefined && owner !== null && owner !== user;
}

function whileFree<T>(lock: string, what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
    const who = error.pid === null ? 'Another engine' : `Another engine (process ${error.pid})`;
    throw new EngineError(
      `${who} ${what}. Stop it first, or use that one.`,
      `Nothing was changed. If no such engine runs, remove ${lock} and start again.`,
    );
  }
}

function realFolder(link: string): string | null {
  return orNull(() => {
    const real = realpathSync.native(link);
    return statSync(real).isDirectory() ? real : null;
  });
}

/**
 * A node locks `.lock` in the chain folder and `.walletlock` next to a legacy wallet (`LockDirectory` of `src/init.cpp`), and writes its
 * process id to a file (`CreatePidFile`), which it removes when it stops. The locks of a node in another container or virtual machine
 * are hidden, so that file counts too.
 */
function refuseNode(walletsFolder: string, chainFolder: string): void {
  const pidFile = join(chainFolder, PID_FILE);
  const pid = Number.parseInt(readTextOrNull(pidFile) ?? '', 10);
  const number = pid > 0 && mayStillRun(pid, pidFile) ? ` (process ${pid})` : null;
  const isHeld = isLocked(join(chainFolder, '.lock'), join(walletsFolder, WALLET_LOCK));
  if (!isHeld && number === null) return;
  throw new EngineError(
    `A Bitcoin node${number ?? ''} runs on this folder. Stop it first, or use the node itself.`,
    isHeld ? null : `If no node runs, remove ${pidFile} and start again.`,
  );
}

/**
 * Whether the node that wrote this PID file may still be running. After a crash the file remains, and another process soon reuses the
 * id. A process older than the file cannot have reused it: the node then runs in another container, with its own process ids.
 */
function mayStillRun(pid: number, pidFile: string): boolean {
  if (process.platform === 'win32') return false;
  const written = orNull(() => statSync(pidFile).mtimeMs) ?? 0;
  const boot = Date.now() - 1000 * uptime();
  if (written < boot) return false;
  // In a container, the app sees no process outside.
  if (!isLiving(pid, null)) return process.platform === 'linux' && !seesAllLocks();
  // A node in a container is often the first process there.
  const program = pid === 1 ? null : readTextOrNull(`/proc/${pid}/comm`);
  if (program === null || /^b(?:itcoin|-)/.test(program)) return true;
  const ticks = Number(birthMarkOf(pid)?.split(':').at(-1));
  return boot + 1000 * (ticks / TICKS_A_SECOND + 1) < written;
}

/** `USER_HZ` of Linux, the unit of the start time in `/proc/<pid>/stat`. */
const TICKS_A_SECOND = 100;
