/** Finds out whether another process has locked a wallet's file. A node locks the wallets that it has loaded. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { orNull } from '../../walletfile/bytes/once.ts';
import { WALLET_LOCK } from '../../walletfile/database/relatedFiles.ts';

/**
 * Whether another running process has locked the file, as a node does for a SQLite wallet, or the `.walletlock` next to it, as it
 * does for a legacy wallet. Always false except on Linux.
 */
export function isInUse(walletFile: string): boolean {
  return isLocked(walletFile, join(dirname(walletFile), WALLET_LOCK));
}

/** Whether another running process has locked one of these files. Always false except on Linux. */
export function isLocked(...paths: readonly string[]): boolean {
  const locks = readLocks();
  if (locks.size === 0) return false;
  return paths.some((path) => {
    const mark = lockMarkOf(path);
    return mark !== null && locks.has(mark);
  });
}

/**
 * Lines such as `1: POSIX  ADVISORY  WRITE 1234 08:01:131 0 EOF`: device and inode identify the file. Bitcoin Core and SQLite use
 * `fcntl` (`FileLock` in `src/util/fs.cpp`, `unixFileLock` in `sqlite3.c`), which needs write access to the file. Locks of `flock`
 * are ignored, because anyone who can read the file can take one.
 */
const LOCK_LINE = /^\d+: (?:->)? ?(?:POSIX|OFDLCK)\s+\S+\s+WRITE\s+(-?\d+) ([0-9a-f]+):([0-9a-f]+):(\d+) /;

/** The locked files, as `lockMarkOf` identifies them. Empty except on Linux. */
function readLocks(): Set<string> {
  const found = new Set<string>();
  for (const line of orNull(() => readFileSync('/proc/locks', 'utf8'))?.split('\n') ?? []) {
    const [, pid, major, minor, inode] = LOCK_LINE.exec(line) ?? [];
    if (major === undefined || minor === undefined || Number(pid) === process.pid) continue;
    found.add(`${Number.parseInt(major, 16)}:${Number.parseInt(minor, 16)}:${inode}`);
  }
  return found;
}

function lockMarkOf(path: string): string | null {
  return orNull(() => {
    const { dev, ino } = statSync(path, { bigint: true });
    // Linux packs the two numbers of a device into one.
    const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & 0xfffff000n);
    const minor = (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n);
    return `${major}:${minor}:${ino}`;
  });
}
