/** Puts the wallets that a migration made in their places: all of them, or none. */
import { dirname, join, relative } from 'node:path';
import {
  asidePath,
  flushFolder,
  isThere,
  makeFolder,
  partPath,
  removePart,
} from '../../files/durableFile.ts';
import { isOfFullDisk, systemCode } from '../../files/fileError.ts';
import { isInUse } from '../../files/lock/fileInUse.ts';
import type { NewWallet } from '../../walletfile/migrate/migrateLegacy.ts';
import { RpcError } from '../rpc/rpcError.ts';
import type { Engine } from '../wallets/engineContext.ts';
import { type WalletPath, walletPathOf } from '../wallets/walletPath.ts';
import type { MigratedWallets } from '../wallets/work.ts';
import type { MigrationBackup } from './migrationBackup.ts';
import { doMoves, type Move, markOf, UnfinishedMoves } from './moves.ts';
import { refuseUnsafePath } from './safePath.ts';

/**
 * Writes every new wallet under a hidden name, then moves them: the one that takes the legacy wallet's place last. A
 * legacy file that another program changed since is left alone, and so is one without its equal backup. Throws RpcError
 * -4 with everything as it was: a name is taken, the disk is full; and UnfinishedMoves where only the next start can go
 * on.
 */
export async function placeMigrated(
  { layout: { walletsFolder }, work, state }: Engine,
  {
    original,
    legacy,
    backup,
    migrated: { primary, watchonly, solvables },
  }: {
    readonly original: WalletPath;
    /** What was migrated. */
    readonly legacy: Uint8Array;
    /** Its equal copy. */
    readonly backup: MigrationBackup;
    readonly migrated: MigratedWallets;
  },
): Promise<void> {
  // Migrating took a while, and what follows holds keys.
  refuseUnsafePath(state, walletsFolder, original.file);
  const parts: string[] = [];
  const newPart = (folder: string) => {
    const part = partPath(folder);
    parts.push(part);
    return part;
  };
  try {
    if (!primary && !watchonly && !solvables) throw new Error('a migration that makes no wallet');
    const moves: Move[] = [];
    const inFolder = (path: string) => relative(walletsFolder, path);
    const move = (is: Move['is'], from: string, to: string, sha256: string) =>
      moves.push({ is, from: inFolder(from), to: inFolder(to), sha256 });
    const place = async ({ bytes }: NewWallet, path: string) => {
      const part = newPart(walletsFolder);
      makeFolder(part);
      const written = await work.run('write', { path: join(part, 'wallet.dat'), bytes });
      flushFolder(part);
      move('wallet', part, path, written);
    };
    const { sha256 } = backup;

    // A bare file makes room for a folder; a wallet of which nothing is left goes, its backup stays.
    if (!primary || original.form === 'file') {
      move('aside', original.file, asidePath(dirname(original.file)), sha256);
    }
    for (const wallet of [watchonly, solvables])
      if (wallet) await place(wallet, pathOf(walletsFolder, wallet));
    if (primary && original.form === 'file') await place(primary, original.path);
    else if (primary) {
      const part = newPart(dirname(original.file));
      const written = await work.run('write', { path: part, bytes: primary.bytes });
      move('replacement', part, original.file, written);
    }
    for (const part of parts) flushFolder(dirname(part));
    const holds = (path: string) => work.run('holds', { path, bytes: legacy });
    const mark = markOf(original.file);
    if (!(await holds(backup.path))) {
      throw failed(
        `The backup of the wallet, ${backup.path}, was removed or changed while the wallet was migrated. The wallet is unchanged.`,
      );
    }
    if (!(await holds(original.file)) || isInUse(original.file)) {
      throw failed(
        'Another program used or changed the wallet file while it was migrated. Nothing was put in its place. Close that program and try again.',
      );
    }
    doMoves(state, { backup: { path: inFolder(backup.path), sha256 }, moves }, mark);
  } catch (error) {
    // What is half-made is what the next start goes on with.
    if (error instanceof UnfinishedMoves) throw error;
    for (const part of parts) removePart(part);
    if (error instanceof RpcError) throw error;
    throw failed(
      isOfFullDisk(systemCode(error))
        ? 'There is not enough space in the wallets folder. The wallet is unchanged.'
        : 'The new wallets could not be written. The legacy wallet is unchanged.',
    );
  }
  for (const part of parts) removePart(part);
}

function failed(words: string): RpcError {
  return new RpcError('wallet', `Error: ${words}`);
}

/** Throws RpcError -4 where there is something already. */
function pathOf(walletsFolder: string, { name }: NewWallet): string {
  const { path } = walletPathOf(walletsFolder, name);
  if (isThere(path)) {
    throw new RpcError('wallet', `Failed to create database path '${path}'. Database already exists.`);
  }
  return path;
}
