/** Finds out whether another process uses a wallet's file. A node keeps the wallets that it has loaded open and locked. */
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { orNull } from '../../walletfile/bytes/once.ts';
import { isLogName, LOG_FOLDER, WALLET_LOCK } from '../../walletfile/database/relatedFiles.ts';
import { systemCode } from '../fileError.ts';
import { foldersAbove, isOutsideContainers } from '../sharedFolder.ts';
import { hotJournalsBeside, journalsBeside } from '../walletJournals.ts';

/**
 * Whether this process sees all locks of others. If not, a file that looks free may be in use. On macOS, network drives may not
 * show the locks of others. In a container, Linux shows only the locks of its own processes (`locks_show` of the kernel's
 * `fs/locks.c`).
 */
export function seesAllLocks(): boolean {
  return process.platform === 'win32' || isOutsideContainers();
}

/**
 * The same for a file or folder. On macOS, a node in a virtual machine, or one that has dropped its locks (`isOpenInNode`), shows only by
 * the PID file in its chain folder.
 */
export function seesLocksOf(path: string): boolean {
  return !mayHideLocks(path) && (process.platform !== 'darwin' || isInChainFolder(path, 'blocks'));
}

/**
 * Whether something shows that a program may use the folder without a lock that this process sees. On a network drive, Linux shows no
 * locks of other computers (`flock(2)`, `proc_locks(5)`). On macOS, only the volumes of the system's own disk are known to be local.
 */
export function mayHideLocks(path: string): boolean {
  if (process.platform === 'darwin')
    return !SYSTEM_VOLUMES.some((volume) => isOnSameDevice(volume, path)) || isInChainFolder(path, PID_FILE);
  if (!seesAllLocks()) return true;
  if (process.platform !== 'linux') return false;
  const type = mountOf(path)?.type;
  return type === undefined || NETWORK_DRIVE.test(type);
}

/** The system, and the data of its users (`apfs` volume groups). */
const SYSTEM_VOLUMES = ['/', '/System/Volumes/Data'];

function isOnSameDevice(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => orNull(() => statSync(path).dev));
  return a !== null && a === b;
}

/** What a node writes its process id to while it runs (`CreatePidFile` in `src/init.cpp`). */
export const PID_FILE = 'bitcoind.pid';

/** Whether the chain folder, this folder or one above its wallets folder or wallet file, has an entry of this name. */
function isInChainFolder(path: string, name: string): boolean {
  return [path, ...foldersAbove(path).slice(0, 3)].some((folder) => existsSync(join(folder, name)));
}

/** Names of file systems in `/proc/self/mountinfo`. `fuseblk` is a local disk. */
const NETWORK_DRIVE =
  /^(?:nfs4?|cifs|smb\d*|smbfs|9p|afs|ceph|lustre|gpfs|beegfs|gfs2|ocfs2|davfs|virtiofs|vboxsf|prl_fs|fuse(?:\..+)?)$/;

/**
 * Whether another running process uses the file, as a node does with a SQLite wallet, or the `.walletlock` next to it, as it
 * does with a legacy wallet. This process must not have the file open.
 */
export function isInUse(walletFile: string): boolean {
  return isLocked(walletFile, join(dirname(walletFile), WALLET_LOCK));
}

/** The same for a file to copy. Beside a file with a name of its own, `.walletlock` may be of a neighbour, so it does not count. */
export function isOpenElsewhere(file: string): boolean {
  return basename(file) === 'wallet.dat' ? isInUse(file) : isLocked(file);
}

/**
 * Whether something shows, where locks may be hidden, that a program has the file open, or had when it was killed: the log of Berkeley
 * DB, which a node removes when it closes the wallet, or an SQLite journal with an empty header, which a node keeps as long
 * (`pager_end_transaction` of `sqlite3.c`). A node of another user may have dropped its locks: see `isOpenInNode`.
 */
export function mayBeOpen(file: string): boolean {
  if (seesLocksOf(file) && !descriptorsOfNodes().includes(null)) return false;
  const names = orNull(() => readdirSync(join(dirname(file), LOG_FOLDER))) ?? [];
  const hasIdleJournal = journalsBeside(file) && !hotJournalsBeside(file);
  return hasIdleJournal || (basename(file) === 'wallet.dat' && names.some(isLogName));
}

/** The same as `isInUse` for any of these files. */
export function isLocked(...paths: readonly string[]): boolean {
  const probe = PROBES[process.platform];
  if (probe) return paths.some((path) => refusesProbe(path, probe));
  const locks = readLocks();
  return paths.some((path) => lockMarksOf(path).some((mark) => locks.has(mark))) || isOpenInNode(paths);
}

/**
 * Whether Linux shows a node that may write to one of these files. A node's `listwalletdir` drops its own locks: closing any
 * descriptor of a file does (`fcntl(2)`, `IsSQLiteFile` in `src/wallet/db.cpp`).
 */
function isOpenInNode(paths: readonly string[]): boolean {
  const identityOf = (path: string) => {
    const facts = statSync(path, { bigint: true });
    return `${facts.dev}:${facts.ino}`;
  };
  const wanted = new Set(paths.flatMap((path) => orNull(() => identityOf(path)) ?? []));
  return descriptorsOfNodes().some((descriptors) =>
    descriptors?.some((path) => {
      const mayWrite = ((orNull(() => lstatSync(path)) ?? { mode: 0 }).mode & constants.S_IWUSR) !== 0;
      return mayWrite && wanted.has(orNull(() => identityOf(path)) ?? '');
    }),
  );
}

/**
 * The open files of each node that runs on Linux, as paths in `/proc`; null for a node of another user, whose files are hidden. NixOS
 * names the program `.bitcoin-qt-wrapped`.
 */
function descriptorsOfNodes(): (string[] | null)[] {
  const ids = (orNull(() => readdirSync('/proc')) ?? []).filter((name) => /^\d+$/.test(name));
  return ids
    .filter((id) => orNull(() => readFileSync(`/proc/${id}/comm`, 'utf8'))?.includes('bitcoin') === true)
    .map((id) => orNull(() => readdirSync(`/proc/${id}/fd`).map((name) => `/proc/${id}/fd/${name}`)));
}

/**
 * Lines such as `1: POSIX  ADVISORY  WRITE 1234 08:01:131 0 EOF`: device and inode identify the file. Bitcoin Core and SQLite use
 * `fcntl` (`FileLock` in `src/util/fs.cpp`, `unixFileLock` in `sqlite3.c`), which needs write access to the file. Locks of `flock`
 * are ignored, because anyone who can read the file can take one.
 */
const LOCK_LINE = /^\d+: (?:->)? ?(?:POSIX|OFDLCK)\s+\S+\s+WRITE\s+(-?\d+) ([0-9a-f]+):([0-9a-f]+):(\d+) /;

/**
 * Flags to open a file only if nobody else uses it, which Node passes on, and the error code if somebody does. On Windows this is
 * `UV_FS_O_EXLOCK` of libuv (`uv/win.h`): only one program can then have the file open. On macOS it is `O_SHLOCK` of `fcntl.h`,
 * which a lock of `fcntl` refuses (`lf_getblock` of the kernel's `kern_lockf.c`), and which waits without O_NONBLOCK.
 */
const PROBES: Partial<Record<NodeJS.Platform, { readonly flags: number; readonly busy: string }>> = {
  darwin: { flags: 0x10 | (constants.O_NONBLOCK ?? 0), busy: 'EAGAIN' },
  win32: { flags: 0x10000000, busy: 'EBUSY' },
};

/** A scanner for viruses reads a new file for a moment, so a file counts as used after some tries. */
function refusesProbe(path: string, { flags, busy }: { flags: number; busy: string }): boolean {
  // Opening a device can have effects.
  if (orNull(() => statSync(path).isFile()) !== true) return false;
  for (let tries = 1; ; tries += 1) {
    try {
      closeSync(openSync(path, constants.O_RDONLY | flags));
      return false;
    } catch (error) {
      if (systemCode(error) !== busy) return false;
      if (tries === MAX_TRIES) return true;
      Atomics.wait(sleeping, 0, 0, BETWEEN_TRIES_MS);
    }
  }
}

const MAX_TRIES = 4;
const BETWEEN_TRIES_MS = 50;
const sleeping = new Int32Array(new SharedArrayBuffer(4));

/** The locked files, as `lockMarksOf` identifies them. Empty except on Linux. */
function readLocks(): Set<string> {
  const found = new Set<string>();
  for (const line of orNull(() => readFileSync('/proc/locks', 'utf8'))?.split('\n') ?? []) {
    const [, pid, major, minor, inode] = LOCK_LINE.exec(line) ?? [];
    if (major === undefined || minor === undefined || Number(pid) === process.pid) continue;
    found.add(`${Number.parseInt(major, 16)}:${Number.parseInt(minor, 16)}:${inode}`);
  }
  return found;
}

/**
 * The device and inode of a file, as `/proc/locks` may show them. It shows the file system's device, as `/proc/self/mountinfo` does
 * (`show_mountinfo` of the kernel's `fs/proc_namespace.c`). On Btrfs and overlayfs, `stat` reports another device than that.
 */
function lockMarksOf(path: string): string[] {
  const facts = orNull(() => statSync(path, { bigint: true }));
  if (facts === null) return [];
  const { dev, ino } = facts;
  // Linux packs the two numbers of a device into one.
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & 0xfffff000n);
  const minor = (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n);
  return [`${major}:${minor}`, mountOf(path)?.device].map((device) => `${device}:${ino}`);
}

/** The device, such as `0:40`, and the file system; null if the system does not show them. */
function mountOf(path: string): { device: string | undefined; type: string | undefined } | null {
  return orNull(() => {
    const descriptor = openSync(path, O_PATH);
    try {
      const info = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8');
      const mount = /^mnt_id:\s*(\d+)$/m.exec(info)?.[1];
      const line = new RegExp(`^${mount} \\d+ (\\d+:\\d+) .* - (\\S+) `, 'm');
      const [, device, type] = line.exec(readFileSync('/proc/self/mountinfo', 'utf8')) ?? [];
      return { device, type };
    } finally {
      closeSync(descriptor);
    }
  });
}

/** `O_PATH` of Linux: opens a file without reading it. Closing it then releases no lock of this process. */
const O_PATH = 0x200000;
