/** Puts the wallets that a migration made in their places: all of them, or none. */
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { NewWallet } from '../wallet/migrateLegacy.ts';
import { flushFolder, makeFolder, partPath, removeQuietly, writeWholeFile } from './durableFile.ts';
import { isInUse } from './fileInUse.ts';
import type { MigratedWallets } from './heavyWork.ts';
import { holds } from './migrationBackup.ts';
import { doMoves, type Move, UnfinishedMoves } from './moves.ts';
import { RpcError } from './rpcError.ts';
import { systemCode } from './systemCode.ts';
import { placeOf, type WalletPlace } from './walletPlace.ts';

/**
 * Writes every new wallet under a hidden name, then renames them: the one that takes the legacy wallet's place last.
 * `legacy` is what was migrated; a file that another program changed since is left alone. Throws RpcError -4 with
 * everything as it was: a name is taken, the disk is full; and UnfinishedMoves where only the next start can go on.
 */
export function placeMigrated(
  walletsFolder: string,
  original: WalletPlace,
  legacy: Uint8Array,
  { primary, watchonly, solvables }: MigratedWallets,
): void {
  const parts: string[] = [];
  const newPart = (folder: string) => {
    const part = partPath(folder);
    parts.push(part);
    return part;
  };
  try {
    if (!primary && !watchonly && !solvables) throw new Error('a migration that makes no wallet');
    const moves: Move[] = [];
    const move = (from: string, to: string) =>
      moves.push({ from: relative(walletsFolder, from), to: relative(walletsFolder, to) });

    // A bare file makes room for a folder; a wallet of which nothing is left goes, its backup stays.
    if (!primary || original.form === 'file') move(original.file, newPart(dirname(original.file)));
    for (const wallet of [watchonly, solvables]) {
      if (wallet) move(writeFolder(newPart(walletsFolder), wallet), pathOf(walletsFolder, wallet));
    }
    if (primary && original.form === 'file') {
      move(writeFolder(newPart(walletsFolder), primary), original.path);
    } else if (primary) {
      const part = newPart(dirname(original.file));
      writeWholeFile(part, primary.bytes);
      move(part, original.file);
    }
    for (const part of parts) flushFolder(dirname(part));
    if (!holds(original.file, legacy) || isInUse(original.file)) throw changed();
    doMoves(walletsFolder, moves);
  } catch (error) {
    // What is half-made is what the next start goes on with.
    if (error instanceof UnfinishedMoves) throw error;
    for (const part of parts) removeQuietly(part);
    if (error instanceof RpcError) throw error;
    const full = systemCode(error) === 'ENOSPC';
    throw new RpcError(
      'wallet',
      full
        ? 'Error: There is not enough space in the wallets folder. The wallet is unchanged.'
        : 'Error: The new wallets could not be written. The legacy wallet is unchanged.',
    );
  }
  for (const part of parts) removeQuietly(part);
}

function writeFolder(part: string, { bytes }: NewWallet): string {
  makeFolder(part);
  writeWholeFile(join(part, 'wallet.dat'), bytes);
  flushFolder(part);
  return part;
}

function changed(): RpcError {
  return new RpcError(
    'wallet',
    'Error: Another program used or changed the wallet file while it was migrated. Nothing was put in its place. Close that program and try again.',
  );
}

/** Throws RpcError -4 where there is something already. */
function pathOf(walletsFolder: string, { name }: NewWallet): string {
  const { path } = placeOf(walletsFolder, name);
  if (existsSync(path)) {
    throw new RpcError('wallet', `Failed to create database path '${path}'. Database already exists.`);
  }
  return path;
}
