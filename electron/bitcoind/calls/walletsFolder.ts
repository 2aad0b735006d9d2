/** Finds each wallet's file in a node's wallets folder, and the wallets that the node does not list. */
import type { Dirent } from 'node:fs';
import { access, constants, lstat, readdir, stat } from 'node:fs/promises';
import { uptime } from 'node:os';
import { basename, dirname, isAbsolute, join, normalize, posix, sep } from 'node:path';
import { isMisread } from '../../../shared/model/names/walletName.ts';
import { isGone } from '../../files/durableFile.ts';
import { systemCode } from '../../files/fileError.ts';
import { isInUse, isLocked } from '../../files/lock/fileInUse.ts';
import { existsAs, firstBytes, openRegularFile, realPath } from '../../files/openFile.ts';
import {
  berkeleyByteOrder,
  readSqliteHeader,
  START_BYTES,
  startsLikeSqlite,
} from '../../walletfile/database/fileStart.ts';
import { LEGACY_BACKUP } from '../../walletfile/database/relatedFiles.ts';
import type { NodeClient } from '../rpc/session.ts';
import { nullIfUnavailable, rpcInfo } from './call.ts';

/**
 * The method of a running call, of any client, that may be migrating or restoring the wallet at this path: the wallet changed since
 * the call began. A restore makes the wallet's folder at once, so a wallet without one is not being restored. Null without a call, also
 * for a login that may not ask. `path`: its file, or the folder where that is missing.
 */
export async function findWritingMethod(
  client: NodeClient,
  path: string,
  signal?: AbortSignal,
): Promise<string | null> {
  const info = await rpcInfo(client, signal).catch(nullIfUnavailable);
  const methods = isGone(path) ? ['migratewallet'] : ['migratewallet', 'restorewallet'];
  const running = info?.activeCommands.filter(({ method }) => methods.includes(method)) ?? [];
  if (running.length === 0) return null;
  const changed = await lastChange(path);
  const since = Date.now() - CLOCK_TOLERANCE_MS - sleptMs();
  const found = running.find(({ duration = Number.POSITIVE_INFINITY }) => changed >= since - duration / 1000);
  return found?.method ?? null;
}

/** Milliseconds that the computer has slept since its start: on Linux, the clock of a node's calls stands still meanwhile. */
export function sleptMs(): number {
  const [awake] = process.hrtime();
  return process.platform === 'linux' ? Math.max(0, uptime() - awake) * 1000 : 0;
}

/** Some file systems keep times of two seconds only. */
const CLOCK_TOLERANCE_MS = 3000;

/** The latest change of a wallet’s file or journal, or of its folder if there is none, in Unix milliseconds. */
async function lastChange(path: string): Promise<number> {
  const newest = await changeOfFile(path);
  return newest === 0 && dirname(path) !== path ? lastChange(dirname(path)) : newest;
}

/** The latest change of a wallet’s file or journal, in Unix milliseconds; 0 if there is none. */
export async function changeOfFile(file: string): Promise<number> {
  const facts = await Promise.all([file, `${file}-journal`].map((one) => stat(one).catch(() => null)));
  return Math.max(...facts.map((each) => each?.mtimeMs ?? 0));
}

/**
 * The wallets that a killed node can leave without listing them: a file that no node lists, or a folder without its file
 * where the wallet's legacy backup is still there. Looks at links to folders, as a node does, but not below them. `listed`:
 * the names that the node lists.
 */
export async function unlistedWallets(
  walletsFolder: string,
  listed: ReadonlySet<string>,
  folders: WalletFolders = readFolders(walletsFolder),
): Promise<string[]> {
  const found: string[] = [];
  const empty: string[] = [];
  const backedUp = new Set<string | undefined>();
  for (const { folder, entries } of await folders) {
    for (const entry of entries) backedUp.add(LEGACY_BACKUP.exec(entry.name)?.[1]);
    const folders = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink());
    const names = folders.map(({ name }) => posix.join(folder, name));
    for (const name of folder === '' ? ['', ...names] : names) {
      if (listed.has(name) || listed.has(name.replaceAll('/', sep))) continue;
      const file = await walletFilePath(walletsFolder, name);
      if (file !== null && !(await mayBeListed(file))) found.push(name);
      // The folder of the unnamed wallet is always there, and shows nothing.
      else if (file === null && name !== '' && (await existsAs(join(walletsFolder, name), 'folder')))
        empty.push(name);
    }
  }
  const backups = await Promise.all(empty.map((name) => legacyBackupStems(walletsFolder, name)));
  return [...found, ...empty.filter((_, at) => backups[at]?.some((stem) => backedUp.has(stem)))];
}

/**
 * What may stand before the time in the names of the wallet's legacy backups: its name, the last part of it, or the folder to which
 * it links (`MigrateLegacyToDescriptor` in `wallet.cpp`).
 */
export async function legacyBackupStems(walletsFolder: string | null, name: string): Promise<string[]> {
  if (name === '') return UNNAMED_STEMS;
  const folder = walletsFolder && (await realPath(join(walletsFolder, name)).catch(() => null));
  return [name, posix.basename(name), ...(folder === null ? [] : [basename(folder)])];
}

/** How release 25, and releases from 28 on, call the unnamed wallet. */
export const UNNAMED_STEMS = ['', 'default_wallet'];

/**
 * Paths in the wallets folder that may hold wallets and that the app cannot read: folders, files `wallet.dat`, and what has a misread
 * name. Neither a node nor the app lists a wallet in the first two. `listed`: the names of the wallets that are listed all the same.
 */
export async function findUnreadablePaths(
  walletsFolder: string,
  listed: ReadonlySet<string>,
  folders: WalletFolders = readFolders(walletsFolder),
): Promise<string[]> {
  const found: string[] = [];
  for (const { folder, entries, isUnreadable } of await folders) {
    const misread = entries
      .filter(({ name }) => isMisread(name))
      .map(({ name }) => join(walletsFolder, folder, name));
    found.push(...misread.filter(isGone));
    if (listed.has(folder) || listed.has(folder.replaceAll('/', sep))) continue;
    if (isUnreadable) found.push(join(walletsFolder, folder));
    if (!entries.some((entry) => entry.name === 'wallet.dat' && entry.isFile())) continue;
    const file = join(walletsFolder, folder, 'wallet.dat');
    await access(file, constants.R_OK).catch((error) => {
      if (!isNotFoundError(error)) found.push(file);
    });
  }
  return found;
}

/** The folders below a wallets folder, as `foldersBelow` gives them. */
export type WalletFolders = ReturnType<typeof readFolders>;

export async function readFolders(walletsFolder: string) {
  const found: FolderBelow[] = [];
  for await (const folder of foldersBelow(walletsFolder)) found.push(folder);
  return found;
}

interface FolderBelow {
  readonly folder: string;
  readonly entries: readonly Dirent[];
  readonly isUnreadable: boolean;
}

/** Another program may have removed it meanwhile. */
function isNotFoundError(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '');
}

/**
 * Whether a node may list the file, by `IsBDBFile` and `IsSQLiteFile` of `db.cpp`. True for an unreadable file: it may
 * be a wallet.
 */
export async function mayBeListed(path: string): Promise<boolean> {
  try {
    await using file = await openRegularFile(path);
    const start = await firstBytes(file, SMALLEST_DATABASE);
    if (start.length < SMALLEST_DATABASE) return false;
    if (berkeleyByteOrder(start) !== null) return true;
    // A node that is killed in the middle of a migration can leave a database that names no network yet.
    return startsLikeSqlite(start) && readSqliteHeader(start).applicationId !== 0;
  } catch {
    return true;
  }
}

/** Bytes; a node lists no smaller file. */
const SMALLEST_DATABASE = 512;

/**
 * The file of a wallet by the node's rules: `wallet.dat` in the folder of that name, a bare file of that name (old
 * releases), or for the unnamed wallet `wallet.dat` in the wallets folder itself. Null if there is none, or if the
 * name leads out of the folder.
 */
export async function walletFilePath(walletsFolder: string, name: string): Promise<string | null> {
  if (leadsOut(name)) return null;
  const folderPath = join(walletsFolder, name);
  const inside = join(folderPath, 'wallet.dat');
  // Most wallets have a folder. A file has nothing inside.
  if (await existsAs(inside, 'file')) return inside;
  return name !== '' && (await existsAs(folderPath, 'file')) ? folderPath : null;
}

function leadsOut(name: string): boolean {
  const path = normalize(name);
  return isAbsolute(path) || path.split(sep).includes('..') || name.includes('\0');
}

/**
 * Whether the wallet's file was removed. False if the name leads out of the folder, or a link is in the way: what it leads to may only
 * be out of the app's reach.
 */
export async function isFileRemoved(walletsFolder: string, name: string): Promise<boolean> {
  if (leadsOut(name)) return false;
  let path = walletsFolder;
  for (const part of [...normalize(name).split(sep), 'wallet.dat']) {
    path = join(path, part);
    try {
      if (!(await lstat(path)).isDirectory()) return false;
    } catch (error) {
      return systemCode(error) === 'ENOENT';
    }
  }
  return false;
}

/**
 * Whether a program has a wallet's file open, or this node under one of the names in `loaded`. A node locks the folder of a legacy
 * wallet, so the lock may be for a neighbour of the file that this node has loaded.
 */
export async function isOpenInOther(
  file: string,
  walletsFolder: string | null,
  loaded: readonly string[],
): Promise<boolean> {
  if (!isInUse(file)) return false;
  if (isLocked(file)) return true;
  const realOf = (path: string) => realPath(path).catch(() => path);
  const real = await realOf(file);
  let isNeighbourOpen = false;
  for (const name of loaded) {
    const found = walletsFolder && (await walletFilePath(walletsFolder, name));
    const other = found && (await realOf(found));
    if (other === real) return true;
    if (other && dirname(other) === dirname(real))
      isNeighbourOpen ||= (await walletFileFacts(other)).kind === 'legacy';
  }
  return !isNeighbourOpen;
}

type FileKind = 'descriptor' | 'legacy' | 'unknown';

/** The kind by the first bytes, `unknown` also if the file cannot be read, and the size in bytes, 0 if unknown. */
export async function walletFileFacts(path: string): Promise<{ kind: FileKind; size: number }> {
  try {
    await using file = await openRegularFile(path);
    const { size } = await file.stat();
    return { kind: kindOfStart(await firstBytes(file, START_BYTES)), size };
  } catch {
    const { size } = await stat(path).catch(() => ({ size: 0 }));
    return { kind: 'unknown', size };
  }
}

function kindOfStart(start: Uint8Array): FileKind {
  if (startsLikeSqlite(start)) return 'descriptor';
  return berkeleyByteOrder(start) === null ? 'unknown' : 'legacy';
}

const MAX_DEPTH = 2;
const MAX_FOLDERS = 2000;

/**
 * The folder and the folders up to two levels below it, the nearest first, at most 2,000, because a wallets folder may be
 * the node's whole data folder. `folder` is relative, with slashes, and empty for the top. Does not follow links. `isUnreadable`:
 * the app cannot read it, so it has no entries.
 */
export async function* foldersBelow(top: string): AsyncGenerator<FolderBelow> {
  let level = [''];
  let left = MAX_FOLDERS;
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth += 1) {
    const below: string[] = [];
    for (const folder of level.slice(0, left)) {
      let isUnreadable = false;
      const entries = await readdir(join(top, folder), { withFileTypes: true }).catch((error) => {
        isUnreadable = !isNotFoundError(error);
        return [];
      });
      yield { folder, entries, isUnreadable };
      for (const entry of entries) if (entry.isDirectory()) below.push(posix.join(folder, entry.name));
    }
    left -= Math.min(left, level.length);
    level = below;
  }
}
