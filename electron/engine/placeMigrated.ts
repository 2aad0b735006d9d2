/** Puts the wallets that a migration made in their places: all of them, or none. */
import { existsSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { flushFolder, makeFolder, partPath, writeNewFile } from './durableFile.ts';
import type { MigratedWallets, NewWallet } from './heavyWork.ts';
import { doMoves, type Move } from './moves.ts';
import { RpcError } from './rpcError.ts';
import { placeOf, type WalletPlace } from './walletPlace.ts';

/**
 * Writes every new wallet under a hidden name, then renames them: further wallets first, the one that takes the
 * legacy wallet's place last. Before the renaming begins, any failure or stop leaves all as it was; after, it is
 * done. Throws RpcError -4 when a name is taken or the disk is full.
 */
export function placeMigrated(
  walletsFolder: string,
  original: WalletPlace,
  { primary, watchonly, solvables }: MigratedWallets,
): void {
  const parts: string[] = [];
  const newPart = (folder: string) => {
    const part = partPath(folder);
    parts.push(part);
    return part;
  };
  try {
    const moves: Move[] = [];
    const move = (from: string, to: string) =>
      moves.push({ from: relative(walletsFolder, from), to: relative(walletsFolder, to) });

    for (const wallet of [watchonly, solvables]) {
      if (wallet) move(writeFolder(newPart(walletsFolder), wallet), freePath(walletsFolder, wallet));
    }
    if (primary && original.form === 'folder') {
      const part = newPart(dirname(original.file));
      writeNewFile(part, primary.bytes);
      move(part, original.file);
    } else {
      // A bare file makes room for a folder; a wallet of which nothing is left goes, its backup stays.
      const old = newPart(dirname(original.file));
      const folder = primary ? writeFolder(newPart(walletsFolder), primary) : null;
      move(original.file, old);
      if (folder) move(folder, original.path);
    }
    for (const part of parts) flushFolder(dirname(part));
    doMoves(walletsFolder, moves);
  } catch (error) {
    if (error instanceof RpcError) throw error;
    const full = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
    throw new RpcError(
      'wallet',
      full
        ? 'Error: There is not enough space in the wallets folder. The wallet is unchanged.'
        : 'Error: The new wallets could not be written. The legacy wallet and its backup are whole.',
    );
  } finally {
    for (const part of parts) rmSync(part, { recursive: true, force: true });
  }
}

function writeFolder(part: string, { bytes }: NewWallet): string {
  makeFolder(part);
  writeNewFile(join(part, 'wallet.dat'), bytes);
  flushFolder(part);
  return part;
}

function freePath(walletsFolder: string, { name }: NewWallet): string {
  const { path } = placeOf(walletsFolder, name);
  if (existsSync(path)) {
    throw new RpcError('wallet', `Failed to create database path '${path}'. Database already exists.`);
  }
  return path;
}
