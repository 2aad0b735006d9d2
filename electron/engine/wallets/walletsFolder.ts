/** The wallets folder: paths of wallets by their names, the kinds of their files, the list of its wallets, and refusals of unsafe paths. */
import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, posix, relative, sep } from 'node:path';
import { hasDrive, isReservedName } from '../../../shared/model/names/walletName.ts';
import type { Network } from '../../../shared/model/network.ts';
import { isKeptName, isPartName } from '../../files/durableFile.ts';
import { thisPlatform } from '../../files/openFile.ts';
import { findSharedFolder, sharingOf } from '../../files/sharedFolder.ts';
import { startOf } from '../../files/walletJournals.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import {
  berkeleyByteOrder,
  readSqliteHeader,
  startsLikeSqlite,
} from '../../walletfile/database/fileStart.ts';
import { LEGACY_BACKUP_ENDING } from '../../walletfile/database/relatedFiles.ts';
import { RpcError } from '../rpc/jsonRpc.ts';
import type { EngineState } from './engineState.ts';

export interface WalletPath {
  readonly name: string;
  /** As a node's messages name the wallet: its folder, or the file where the name is a file's. */
  readonly path: string;
  /** The wallet's file, whether it exists or not. */
  readonly file: string;
  /** `folder`: `wallet.dat` in a folder; `file`: a bare file in the wallets folder itself, as wallets were before 0.17. */
  readonly form: 'folder' | 'file';
}

/**
 * The path of a wallet by its name; the unnamed wallet is `wallet.dat` in the wallets folder itself. Throws RpcError -8
 * for a name that leads out of the folder, which a node would follow, and for a name like those of the engine's own
 * unfinished files, which it removes.
 */
export function walletPathOf(walletsFolder: string, name: string): WalletPath {
  const tooLong = () => new RpcError('invalidParameter', 'The name is too long.');
  if (Buffer.byteLength(name) > MAX_NAME_LENGTH) throw tooLong();
  const normal = posix.normalize(name.replaceAll('\\', '/'));
  if (normal.split('/').some((part) => lengthOnDisk(part) > MAX_PART_LENGTH)) throw tooLong();
  const leavesFolder =
    normal.startsWith('/') || normal.split('/').includes('..') || hasDrive(normal, thisPlatform());
  if (leavesFolder || name.includes('\0')) {
    throw new RpcError('invalidParameter', 'The name must name a wallet in the wallets folder.');
  }
  if (normal.split('/').some(isReservedName)) {
    throw new RpcError(
      'invalidParameter',
      'Names that begin with ".wallet-ferry-" are reserved for the engine\'s own files. Choose another name.',
    );
  }
  const path = name === '' ? walletsFolder : join(walletsFolder, name);
  // As in a node: `x/wallet.dat` does not name the wallet `x`.
  const isPlain = name !== '' && basename(name) === name;
  if (isPlain && orNull(() => statSync(path).isFile())) return { name, path, file: path, form: 'file' };
  return { name, path, file: join(path, 'wallet.dat'), form: 'folder' };
}

/**
 * In bytes: no system has longer paths (`PATH_MAX`). Normalising a name of 600,000 bytes of `../` would block the main
 * thread for a minute.
 */
export const MAX_NAME_LENGTH = 4096;

/** The longest name that every usual file system allows. */
const MAX_PART_LENGTH = 255;

/** NTFS counts UTF-16 units, other file systems bytes. */
function lengthOnDisk(part: string): number {
  return process.platform === 'win32' ? part.length : Buffer.byteLength(part);
}

/** One identity for the same wallet under two names (a symlink, another case). Null if there is no file. */
export function identityOf(place: WalletPath): string | null {
  return orNull(() => realpathSync.native(place.file));
}

type FileKind = 'bdb' | 'sqlite' | 'other-network' | 'unknown';

/** Recognises a file's bytes. Sources: Berkeley DB's meta page, SQLite's header, `IsSQLiteFile` in Bitcoin Core. */
export function kindOfBytes(bytes: Uint8Array, network: Network): FileKind {
  if (bytes.length < HEAD_BYTES) return 'unknown';
  if (berkeleyByteOrder(bytes) !== null) return 'bdb';
  if (!startsLikeSqlite(bytes)) return 'unknown';
  return readSqliteHeader(bytes).network === network ? 'sqlite' : 'other-network';
}

const HEAD_BYTES = 512;

/**
 * Checks the wallets folder and the folders above it: a user who can rename one of them can replace the wallets folder.
 * Then checks every folder from there down to each of `paths`: a link leads out of the wallets folder, and a folder that
 * others can write to can become a link at any time. Folders that do not exist yet pass. Throws RpcError -4 with what to
 * do.
 */
export function refuseUnsafePath(state: EngineState, walletsFolder: string, ...paths: string[]): void {
  if (!state.isWalletsFolder(walletsFolder)) {
    throw unsafePathError(
      `${walletsFolder} is no longer the folder on which the engine was started. Check who may write to the folders above it, and start the engine again.`,
    );
  }
  const shared = findSharedFolder(walletsFolder);
  if (shared !== null) throw sharedFolderError(shared.folder);
  for (const path of paths) refuseBelow(walletsFolder, path);
}

function refuseBelow(walletsFolder: string, path: string): void {
  const names = relative(walletsFolder, dirname(path)).split(sep);
  let folder = walletsFolder;
  for (const name of names.filter((each) => each !== '')) {
    folder = join(folder, name);
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (!stats) return;
    if (stats.isFile()) throw unsafePathError(`${folder} is a file, not a folder.`);
    if (name === '..' || !stats.isDirectory()) {
      throw unsafePathError(
        `${folder} is a link, and leads out of the wallets folder. Start the engine on the folder to which it leads.`,
      );
    }
    if (sharingOf(folder) !== null) throw sharedFolderError(folder);
  }
}

function sharedFolderError(folder: string): RpcError {
  return unsafePathError(
    `Other users of this computer can change the folder ${folder}. Make it yours alone (chmod go-w), or copy the wallet to a folder of yours.`,
  );
}

function unsafePathError(words: string): RpcError {
  return new RpcError('wallet', `Error: ${words} Nothing was changed.`);
}

export interface ListedWallet {
  /** Relative to the folder, with slashes; empty for the unnamed wallet. */
  readonly name: string;
  readonly kind: 'bdb' | 'sqlite';
}

/**
 * The wallets of this network, and all legacy wallets, whose files do not name a network; sorted by name. Skips folders
 * that it cannot read, as a node does, and does not follow links to folders.
 */
export function listWalletDir(walletsFolder: string, network: Network): ListedWallet[] {
  const found: ListedWallet[] = [];
  const kindOf = (file: string) => orNull(() => kindOfBytes(startOf(file, HEAD_BYTES), network));
  const add = (name: string, kind: ReturnType<typeof kindOf>) => {
    if (kind === 'bdb' || kind === 'sqlite') found.push({ name, kind });
  };
  for (const { folder, entries } of foldersBelow(walletsFolder, MAX_DEPTH)) {
    for (const entry of entries) {
      if (isPartName(entry.name) || isKeptName(entry.name)) continue;
      const path = join(walletsFolder, folder, entry.name);
      if (entry.name === 'wallet.dat' && !entry.isDirectory()) add(folder, kindOf(path));
      else if (entry.isSymbolicLink()) add(posix.join(folder, entry.name), kindOf(join(path, 'wallet.dat')));
      // A bare file is a wallet only in the top folder, and only if it is legacy. Release 30 puts backups there, which a
      // node lists as wallets.
      else if (folder === '' && entry.isFile() && !entry.name.endsWith(LEGACY_BACKUP_ENDING))
        add(entry.name, kindOf(path) === 'bdb' ? 'bdb' : null);
    }
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Files with names like the engine's own, in a wallets folder and in the chain folder, where the engine keeps its files. `parts`
 * are unfinished files, unless a user gave a wallet that name. `kept` are replaced wallets and journals, which no engine removes
 * by name alone. Does not follow links.
 */
export function tracesIn(walletsFolder: string, chainFolder: string) {
  const parts: string[] = [];
  const kept: string[] = [];
  const search = (folder: string, entries: readonly Dirent[]) => {
    for (const { name } of entries) {
      if (isPartName(name)) parts.push(join(folder, name));
      else if (isKeptName(name)) kept.push(join(folder, name));
    }
  };
  for (const { folder, entries } of foldersBelow(walletsFolder, MAX_DEPTH))
    search(join(walletsFolder, folder), entries);
  if (chainFolder !== walletsFolder) search(chainFolder, entriesOf(chainFolder));
  return { parts, kept };
}

/** No node names a wallet deeper than this. Stops in a tree that is made to be endless. */
const MAX_DEPTH = 32;

/** The folder and all folders below it, level by level. `folder` is relative, with slashes, and empty for the top. */
export function* foldersBelow(top: string, deepest = Number.POSITIVE_INFINITY) {
  let level = [''];
  for (let depth = 0; level.length > 0 && depth <= deepest; depth += 1) {
    const next: string[] = [];
    for (const folder of level) {
      const entries = entriesOf(join(top, folder));
      yield { folder, entries };
      for (const entry of entries)
        if (entry.isDirectory() && !isPartName(entry.name)) next.push(posix.join(folder, entry.name));
    }
    level = next;
  }
}

/** Empty for a folder that does not exist or cannot be read. */
function entriesOf(path: string): Dirent[] {
  return orNull(() => readdirSync(path, { withFileTypes: true })) ?? [];
}
