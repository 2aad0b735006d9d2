/** Paths of the engine's files and of wallets by their names, and the kind of a wallet's file. */
import { closeSync, lstatSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, posix, relative, resolve, sep } from 'node:path';
import { isOwnName } from '../../../shared/model/names/walletName.ts';
import type { Network } from '../../../shared/model/network.ts';
import { openToRead } from '../../files/openFile.ts';
import { sharedFolder, sharedWay } from '../../files/owned/sharedFolder.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import {
  berkeleyByteOrder,
  readSqliteHeader,
  startsLikeSqlite,
} from '../../walletfile/database/fileStart.ts';
import { RpcError } from '../rpc/jsonRpc.ts';
import type { EngineState } from './engineState.ts';

/** The engine's files beside a wallets folder, laid out as a node does. */
export type FolderLayout = ReturnType<typeof folderLayout>;

export function folderLayout(wallets: string) {
  const walletsFolder = resolve(wallets);
  const chainFolder = basename(walletsFolder) === 'wallets' ? dirname(walletsFolder) : walletsFolder;
  return {
    walletsFolder,
    /** `wallets` lies in the chain's folder; a wallets folder of another name is the chain's folder itself. */
    chainFolder,
    log: join(chainFolder, 'debug.log'),
    settings: join(chainFolder, 'settings.json'),
    /** Not a node's `.cookie`: a node that starts later writes its own there. */
    cookie: join(chainFolder, '.engine.cookie'),
  };
}

export interface WalletPath {
  readonly name: string;
  /** As a node's messages name the wallet: its folder, or the file where the name is a file's. */
  readonly path: string;
  /** The wallet's file, whether it exists or not. */
  readonly file: string;
  /** `folder`: `wallet.dat` in a folder; `file`: a bare file, as wallets were before 0.17. */
  readonly form: 'folder' | 'file';
}

/**
 * The path of a wallet by its name; the unnamed wallet is `wallet.dat` in the wallets folder itself. Throws RpcError -8
 * for a name that leads out of the folder, which a node would follow, and for a name like those of the engine's own
 * unfinished files, which it removes.
 */
export function walletPathOf(walletsFolder: string, name: string): WalletPath {
  if (Buffer.byteLength(name) > LONGEST_NAME) throw new RpcError('invalidParameter', 'The name is too long.');
  const normal = posix.normalize(name.replaceAll('\\', '/'));
  const leavesFolder =
    normal.startsWith('/') || normal.split('/').includes('..') || /^[A-Za-z]:/.test(normal);
  if (leavesFolder || name.includes('\0')) {
    throw new RpcError('invalidParameter', 'The name must be of a wallet in the wallets folder.');
  }
  if (normal.split('/').some(isOwnName)) {
    throw new RpcError(
      'invalidParameter',
      'Names that begin with ".wallet-ferry-" are kept for the engine\'s own files. Choose another name.',
    );
  }
  const path = name === '' ? walletsFolder : join(walletsFolder, name);
  if (name !== '' && orNull(() => statSync(path).isFile())) return { name, path, file: path, form: 'file' };
  return { name, path, file: join(path, 'wallet.dat'), form: 'folder' };
}

/**
 * In bytes: no system has longer paths (`PATH_MAX`). Normalising a name of 600,000 bytes of `../` would block the main
 * thread for a minute.
 */
export const LONGEST_NAME = 4096;

/** One identity for the same wallet under two names (a symlink, another case). Null if there is no file. */
export function identityOf(place: WalletPath): string | null {
  return orNull(() => realpathSync.native(place.file));
}

type FileKind = 'bdb' | 'sqlite' | 'other-network' | 'unknown';

/** Recognises a wallet's file by its first bytes. Throws as `openToRead` does. */
export function kindOfFile(path: string, network: Network): FileKind {
  const head = new Uint8Array(HEAD_BYTES);
  const file = openToRead(path);
  try {
    const read = readSync(file, head, 0, HEAD_BYTES, 0);
    return kindOfBytes(head.subarray(0, read), network);
  } finally {
    closeSync(file);
  }
}

/** Recognises a file's bytes. Sources: Berkeley DB's meta page, SQLite's header, `IsSQLiteFile` in Bitcoin Core. */
export function kindOfBytes(bytes: Uint8Array, network: Network): FileKind {
  if (bytes.length < 512) return 'unknown';
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
  if (!state.isItsFolder(walletsFolder)) {
    throw unsafe(
      `${walletsFolder} is not the folder any more on which the engine was started. Look who may write to the folders above it, and start the engine again.`,
    );
  }
  const shared = sharedWay(walletsFolder);
  if (shared !== null) throw openToOthers(shared.folder);
  for (const path of paths) refuseBelow(walletsFolder, path);
}

function refuseBelow(walletsFolder: string, path: string): void {
  const names = relative(walletsFolder, dirname(path)).split(sep);
  let folder = walletsFolder;
  for (const name of names.filter((each) => each !== '')) {
    folder = join(folder, name);
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (!stats) return;
    if (name === '..' || !stats.isDirectory()) {
      throw unsafe(
        `${folder} is a link, and leads out of the wallets folder. Start the engine on the folder to which it leads.`,
      );
    }
    if (sharedFolder(folder) !== null) throw openToOthers(folder);
  }
}

function openToOthers(folder: string): RpcError {
  return unsafe(
    `Other users of this computer can change the folder ${folder}. Make it yours alone (chmod go-w), or copy the wallet to a folder of yours.`,
  );
}

function unsafe(words: string): RpcError {
  return new RpcError('wallet', `Error: ${words} Nothing was changed.`);
}
