/**
 * The names of files that belong to a wallet file: journals, logs, locks and legacy backups. Sources: SQLite
 * ("Temporary Files Used By SQLite"), Berkeley DB (`log_name`, `__db.*`) and Bitcoin Core (`src/wallet/bdb.cpp`,
 * `src/wallet/wallet.cpp`: `MigrateLegacyToDescriptor`).
 */
import { basename, dirname, join, parse } from 'node:path';

/** Suffixes of files that hold a part of an SQLite wallet. Without them the wallet file may lack keys. */
export const JOURNAL = '-journal';
export const WRITE_AHEAD_LOG = '-wal';
/** SQLite creates this file again if it is missing. */
const SHARED_MEMORY = '-shm';
export const SQLITE_ENDINGS: readonly string[] = [JOURNAL, WRITE_AHEAD_LOG, SHARED_MEMORY];

/** The folder of the log of a Berkeley DB file. The log may hold changes that the file lacks. */
export const LOG_FOLDER = 'database';

/** Whether a file in the log folder is a part of the log. */
export function isLogName(name: string): boolean {
  return /^log\.\d{10}$/.test(name);
}

/**
 * The paths of everything that can hold a part of the wallet in this file: the file itself first, then SQLite's journals, then
 * the log of Berkeley DB. `inLogFolder`: the names in the log's folder; none to leave the log out.
 */
export function walletParts(path: string, inLogFolder: readonly string[] = []): string[] {
  const logs = inLogFolder.filter(isLogName).map((name) => join(dirname(path), LOG_FOLDER, name));
  return [path, `${path}${JOURNAL}`, `${path}${WRITE_AHEAD_LOG}`, ...logs];
}

/** The file in a wallet's folder that a node locks while it has the wallet open. */
export const WALLET_LOCK = '.walletlock';

/** Files that Berkeley DB and a node keep next to an open wallet. They hold no part of the wallet. */
function isOfAnOpenWallet(name: string): boolean {
  return name === WALLET_LOCK || name === '.lock' || name === 'db.log' || name.startsWith('__db.');
}

/** Suffix of the backup of a legacy wallet that a node, or our engine, makes before a migration. */
export const LEGACY_BACKUP_ENDING = '.legacy.bak';

/** The file name of a legacy backup: the wallet's name, `-` (releases 25 to 27) or `_` (from 28 on), and the time. */
export const LEGACY_BACKUP = /^(.*)[-_]\d{9,12}\.legacy\.bak$/i;

/** The name of the SQLite file that a journal belongs to, by the journal's name; null for any other name. */
export function mainNameOf(name: string): string | null {
  const ending = SQLITE_ENDINGS.find((one) => name.endsWith(one) && name.length > one.length);
  return ending === undefined ? null : name.slice(0, -ending.length);
}

/** The path of the wallet file that a file belongs to, by names alone; null if to none. The wallet file need not exist. */
export function mainFileOf(path: string): string | null {
  const { dir, base } = parse(path);
  const main = mainNameOf(base);
  if (main !== null) return join(dir, main);
  // Logs and locks do not contain the name of the wallet file. Nodes call it wallet.dat.
  if (isLogName(base)) return join(basename(dir) === LOG_FOLDER ? dirname(dir) : dir, 'wallet.dat');
  return isOfAnOpenWallet(base) ? join(dir, 'wallet.dat') : null;
}
