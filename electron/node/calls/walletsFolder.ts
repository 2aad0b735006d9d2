/** The folder of a node's wallets on this machine, proved before anyone writes there, and each wallet's file in it. */
import { readdir } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize, sep } from 'node:path';
import { isThere } from '../../disk/isThere.ts';
import { firstBytes, openRegularFile } from '../../disk/openRegularFile.ts';
import { berkeleyByteOrder, START_BYTES, startsLikeSqlite } from '../../wallet/database/fileStart.ts';
import type { NodeClient } from '../rpc/session.ts';
import { listWalletDir } from './walletCalls.ts';

/** Where a node keeps its wallets without `-walletdir`: `wallets` in its chain's folder where that exists, else beside it. */
export async function guessedWalletsFolder(chainFolder: string): Promise<string> {
  const ofItsOwn = join(chainFolder, 'wallets');
  return (await isThere(ofItsOwn, 'folder')) ? ofItsOwn : chainFolder;
}

/**
 * The wallets folder of a node on this machine, or null when it is not known for certain. The chain's folder is the log's.
 * The proof is that every wallet the node lists lies in the guess.
 * Ask again before writing: the node may have been started anew with another folder.
 * Throws what `listwalletdir` throws.
 */
export async function proveWalletsFolder(
  client: NodeClient,
  logPath: string | null,
  signal?: AbortSignal,
): Promise<string | null> {
  if (logPath === null) return null;
  const wallets = await listWalletDir(client, signal);
  const chainFolder = dirname(logPath);
  const guess = await guessedWalletsFolder(chainFolder);
  if (wallets.length === 0) {
    // No wallets prove nothing. But the node makes `wallets` in its chain folder when it first starts, and uses
    // it unless -walletdir says otherwise; and were it not this folder that it lists, one that holds wallets
    // would give it away.
    return guess !== chainFolder && !(await holdsWallets(guess)) ? guess : null;
  }
  const files = await Promise.all(wallets.map(({ name }) => walletFilePath(guess, name)));
  return files.includes(null) ? null : guess;
}

async function holdsWallets(folder: string): Promise<boolean> {
  const entries = await readdir(folder).catch(() => []);
  const files = await Promise.all(['', ...entries].map((name) => walletFilePath(join(folder, name), '')));
  return files.some((file) => file !== null);
}

/**
 * The file of a wallet by the node's rules: `wallet.dat` in the folder of that name, a bare file of that name
 * (old releases), or for the unnamed wallet `wallet.dat` in the wallets folder itself.
 * Null when there is none, or when the name leads out of the folder.
 */
export async function walletFilePath(walletsFolder: string, name: string): Promise<string | null> {
  const path = normalize(name);
  if (isAbsolute(path) || path.split(sep).includes('..') || name.includes('\0')) return null;
  const place = join(walletsFolder, name);
  if (name !== '' && (await isThere(place, 'file'))) return place;
  const inside = join(place, 'wallet.dat');
  return (await isThere(inside, 'file')) ? inside : null;
}

/** By how it starts. `unknown` also when the file cannot be read. */
export async function walletFileKind(path: string): Promise<'descriptor' | 'legacy' | 'unknown'> {
  try {
    await using file = await openRegularFile(path);
    const start = await firstBytes(file, START_BYTES);
    if (startsLikeSqlite(start)) return 'descriptor';
    return berkeleyByteOrder(start) === null ? 'unknown' : 'legacy';
  } catch {
    return 'unknown';
  }
}
