/**
 * What lies beside a wallet's file and belongs to it, by its name: the one place that knows. Names are those of SQLite
 * ("Temporary Files Used By SQLite"), of Berkeley DB (`log_name`, `__db.*`) and of Bitcoin Core (`src/wallet/bdb.cpp`,
 * `src/wallet/wallet.cpp`: `MigrateLegacyToDescriptor`).
 */
import { basename, dirname, join, parse } from 'node:path';

/** Behind the name of an SQLite file: what holds a part of the wallet. Without it the file may lack its keys. */
export const JOURNAL = '-journal';
export const WRITE_AHEAD_LOG = '-wal';
/** The same; a program makes it anew where it is missing. */
const SHARED_MEMORY = '-shm';
export const SQLITE_ENDINGS: readonly string[] = [JOURNAL, WRITE_AHEAD_LOG, SHARED_MEMORY];

/** Below the folder of a Berkeley DB file: its log, which holds what the file may lack. */
export const LOG_FOLDER = 'database';

/** Whether a file of that folder is a part of the log. */
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

/** What a node that has a wallet open locks, in the wallet's folder. */
export const WALLET_LOCK = '.walletlock';

/** What Berkeley DB and a node keep beside a wallet for as long as it is open: it holds nothing of the wallet. */
function isOfAnOpenWallet(name: string): boolean {
  return name === WALLET_LOCK || name === '.lock' || name === 'db.log' || name.startsWith('__db.');
}

/** How the backup ends that a node, and our engine, make of the legacy wallet before a migration. */
export const LEGACY_BACKUP_ENDING = '.legacy.bak';

/** The names of such a backup, `-` in releases 25 to 27 and `_` from 28 on: the wallet's name stands before. */
export const LEGACY_BACKUP = /^(.*)[-_]\d{9,12}\.legacy\.bak$/i;

/** The name of the SQLite file beside which one of this name lies; null for any other name. */
export function mainNameOf(name: string): string | null {
  const ending = SQLITE_ENDINGS.find((one) => name.endsWith(one) && name.length > one.length);
  return ending === undefined ? null : name.slice(0, -ending.length);
}

/** The path of the wallet file that a file belongs to, by its name; null for what belongs to none. It need not be there. */
export function mainFileOf(path: string): string | null {
  const { dir, base } = parse(path);
  const main = mainNameOf(base);
  if (main !== null) return join(dir, main);
  // Neither logs nor locks tell a name: nodes call the file so.
  if (isLogName(base)) return join(basename(dir) === LOG_FOLDER ? dirname(dir) : dir, 'wallet.dat');
  return isOfAnOpenWallet(base) ? join(dir, 'wallet.dat') : null;
}
