/** Puts the new wallets of a migration in place, all or none, and writes the legacy wallet's backup. */
import { basename, dirname, join, relative } from 'node:path';
import { AppError } from '../../../shared/model/errors.ts';
import { type WalletPart, walletPart } from '../../../shared/model/migrationPreview.ts';
import {
  createFile,
  flushFolder,
  makeFolder,
  moveFile,
  oldWalletPath,
  partPath,
  pathExists,
  removePart,
  removeQuietly,
} from '../../files/durableFile.ts';
import { isDiskFull, systemCode } from '../../files/fileError.ts';
import { contentMarkOf } from '../../files/fileMark.ts';
import type { MarkedFile } from '../../files/largeFile.ts';
import { isInUse } from '../../files/lock/fileInUse.ts';
import { LEGACY_BACKUP_ENDING } from '../../walletfile/database/relatedFiles.ts';
import { companionPrefix } from '../../walletfile/migrate/companionNames.ts';
import { RpcError } from '../rpc/jsonRpc.ts';
import type { Engine } from '../wallets/wallets.ts';
import { refuseUnsafePath, type WalletPath, walletPathOf } from '../wallets/walletsFolder.ts';
import type { MigratedWallet, NewFiles, ProvedFile } from '../wallets/work.ts';
import { doMoves, identify, type Move, MovesInterruptedError } from './moves.ts';

export function newFilesFor({ layout: { walletsFolder } }: Engine, { form, file }: WalletPath): NewFiles {
  return {
    primary: partPath(form === 'file' ? walletsFolder : dirname(file)),
    watchonly: partPath(walletsFolder),
    solvables: partPath(walletsFolder),
  };
}

/** Creates the empty files. Throws RpcError -4 as `refuseUnsafePath` does, and the system's error. */
export function createNewFiles(
  { layout: { walletsFolder }, state }: Engine,
  files: NewFiles,
  original: WalletPath,
): void {
  refuseUnsafePath(state, walletsFolder, original.file);
  for (const part of walletPart.options) createFile(files[part]);
}

/** A new wallet in its file under a hidden name. */
export interface WrittenWallet extends MigratedWallet {
  readonly path: string;
  /** Of the file that was checked. */
  readonly mark: string;
}

/**
 * Moves every new wallet to its name, last the one that replaces the legacy wallet. Does not touch a legacy file that another program
 * has changed, or that has no equal backup. Throws RpcError -4 and changes nothing if a name is taken or the disk is full; throws
 * MovesInterruptedError if only the next start can continue. Returns the new files that were proved, by the wallet's name.
 */
export async function placeMigrated(
  { layout: { walletsFolder }, work, state }: Engine,
  {
    original,
    backup,
    written: { primary, watchonly, solvables },
  }: {
    readonly original: WalletPath;
    /** The copy of what was migrated. */
    readonly backup: MigrationBackup;
    readonly written: { readonly [P in WalletPart]: WrittenWallet | null };
  },
): Promise<ReadonlyMap<string, ProvedFile>> {
  // Check again: migrating took a while, and the next files contain keys.
  refuseUnsafePath(state, walletsFolder, original.file);
  const parts: string[] = [];
  const proved = new Map<string, ProvedFile>();
  try {
    if (!primary && !watchonly && !solvables) throw new Error('a migration that makes no wallet');
    const moves: Move[] = [];
    const inFolder = (path: string) => relative(walletsFolder, path);
    const move = (is: Move['is'], from: string, to: string, known: Pick<Move, 'sha256' | 'mark'>) =>
      moves.push({ is, from: inFolder(from), to: inFolder(to), ...known });
    for (const wallet of [primary, watchonly, solvables])
      if (wallet?.facts) proved.set(wallet.name, { sha256: wallet.sha256, facts: wallet.facts });
    const holds = (path: string, sha256: string) => work.run('holds', { path, sha256 });
    const place = async (wallet: WrittenWallet, path: string) => {
      const part = partPath(walletsFolder);
      parts.push(part);
      makeFolder(part);
      const file = join(part, 'wallet.dat');
      moveFile(wallet.path, file);
      flushFolder(part);
      const { sha256 } = wallet;
      const mark = contentMarkOf(identify(file));
      // On FAT and some network drives, a moved file gets another number.
      if (mark !== wallet.mark && !(await holds(file, sha256))) throw new Error('the new wallet changed');
      move('wallet', part, path, { sha256, mark });
    };
    const { sha256 } = backup;

    // A bare file must free its name for a folder. A wallet without remaining keys goes away; its backup stays.
    if (!primary || original.form === 'file') {
      move('aside', original.file, oldWalletPath(dirname(original.file)), { sha256 });
    }
    for (const wallet of [watchonly, solvables])
      if (wallet) await place(wallet, pathOf(walletsFolder, wallet));
    if (primary && original.form === 'file') await place(primary, original.path);
    else if (primary)
      move('replacement', primary.path, original.file, { sha256: primary.sha256, mark: primary.mark });
    for (const folder of [walletsFolder, dirname(original.file)]) flushFolder(folder);
    const mark = identify(original.file);
    const isUnchanged = await holds(original.file, sha256);
    if (!(await holds(backup.path, sha256))) {
      throw migrationError(
        `The backup of the wallet, ${backup.path}, was removed or changed while the wallet was migrated. The wallet is unchanged.`,
      );
    }
    if (!isUnchanged || isInUse(original.file)) throw walletChangedError();
    doMoves(state, { backup: { path: inFolder(backup.path), sha256 }, moves }, mark);
  } catch (error) {
    // The next start continues with the unfinished files.
    if (error instanceof MovesInterruptedError) throw error;
    for (const part of parts) removePart(part);
    throw error instanceof RpcError ? error : notWrittenError(error);
  }
  for (const part of parts) removePart(part);
  return proved;
}

/** For an error of the system while a migration writes its files. */
export function notWrittenError(error: unknown): RpcError {
  return migrationError(
    isDiskFull(systemCode(error))
      ? 'There is not enough space in the wallets folder. The wallet is unchanged.'
      : 'The new wallets could not be written. The legacy wallet is unchanged.',
  );
}

export function walletChangedError(): RpcError {
  return migrationError(
    'Another program used or changed the wallet file while it was migrated. Nothing was put in its place. Close that program and try again.',
  );
}

function migrationError(message: string): RpcError {
  return new RpcError('wallet', `Error: ${message}`);
}

/** The path of a new wallet. Throws RpcError -4 if it exists. */
function pathOf(walletsFolder: string, { name }: MigratedWallet): string {
  const { path } = walletPathOf(walletsFolder, name);
  if (pathExists(path)) {
    throw new RpcError('wallet', `Failed to create database path '${path}'. Database already exists.`);
  }
  return path;
}

export interface MigrationBackup {
  readonly path: string;
  /** Lower-case hex. */
  readonly sha256: string;
}

/**
 * Writes and flushes the backup. Never overwrites a file: if the name is taken, it uses the next second. Recorded names:
 * `<name>-<time>` in release 25 and `<name>_<time>` in 28, both in the wallet's folder; `<name>_<time>` in the wallets
 * folder in 30. Throws RpcError -4, and AppError `file_changed`.
 */
export async function writeMigrationBackup(
  { layout: { walletsFolder }, state, dialect: { migrationBackup }, work, now }: Engine,
  place: WalletPath,
  legacy: MarkedFile,
): Promise<MigrationBackup> {
  const folder = migrationBackup.folder === 'wallets' ? walletsFolder : dirname(place.file);
  const part = partPath(folder);
  try {
    refuseUnsafePath(state, walletsFolder, join(folder, 'backup'));
    // The last part of a name with slashes, as in release 30: the other folders may not exist.
    const name = basename(companionPrefix(place.name));
    const path = freePath(folder, `${name}${migrationBackup.separator}`, now());
    const { sha256 } = await work.run('duplicate', { file: legacy, path: part });
    moveFile(part, path);
    flushFolder(folder);
    return { path, sha256 };
  } catch (error) {
    removeQuietly(part);
    throw error instanceof RpcError || error instanceof AppError
      ? error
      : new RpcError('wallet', 'Error: Unable to make a backup of your wallet');
  }
}

/** Removes the backup of a failed migration, unless the wallet itself has changed. */
export async function dropMigrationBackup(
  { layout, state, work }: Engine,
  { path, sha256 }: MigrationBackup,
  { file }: WalletPath,
): Promise<void> {
  if (!state.isWalletsFolder(layout.walletsFolder)) return;
  if (await work.run('holds', { path: file, sha256 })) removeQuietly(path);
}

function freePath(folder: string, before: string, now: number): string {
  const path = join(folder, `${before}${now}${LEGACY_BACKUP_ENDING}`);
  return pathExists(path) ? freePath(folder, before, now + 1) : path;
}
