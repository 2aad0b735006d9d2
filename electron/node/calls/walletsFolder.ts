/** Finds the folder of a node's wallets on this machine, and proves that it is that folder before anyone writes there. */
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isThere } from '../../disk/isThere.ts';
import type { NodeClient } from '../rpc/session.ts';
import { listWalletDir } from './walletCalls.ts';
import { walletFilePath } from './walletFile.ts';

/**
 * The wallets folder of a node on this machine, or null when it is not known for certain. The guess is what the
 * node itself does without `-walletdir`: `wallets` in the chain's folder where that exists, else the chain's
 * folder. The chain's folder is the log's. The proof is that every wallet the node lists lies in the guess.
 * Ask again before writing: the node may have been started anew with another folder.
 * Throws what `listwalletdir` throws.
 */
export async function proveWalletsFolder(
  client: NodeClient,
  logPath: string,
  signal?: AbortSignal,
): Promise<string | null> {
  const wallets = await listWalletDir(client, signal);
  return provedFolder(
    logPath,
    wallets.map((wallet) => wallet.name),
  );
}

/** The same from names already listed. */
export async function provedFolder(logPath: string, names: readonly string[]): Promise<string | null> {
  const chainFolder = dirname(logPath);
  const ofItsOwn = join(chainFolder, 'wallets');
  const hasItsOwn = await isThere(ofItsOwn, 'folder');
  const guess = hasItsOwn ? ofItsOwn : chainFolder;
  if (names.length === 0) {
    // No wallets prove nothing. But the node makes `wallets` in its chain folder when it first starts, and uses
    // it unless -walletdir says otherwise; and were it not this folder that it lists, one that holds wallets
    // would give it away.
    return hasItsOwn && !(await holdsWallets(guess)) ? guess : null;
  }
  const files = await Promise.all(names.map((name) => walletFilePath(guess, name)));
  return files.includes(null) ? null : guess;
}

async function holdsWallets(folder: string): Promise<boolean> {
  const entries = await readdir(folder).catch(() => []);
  const files = await Promise.all(['', ...entries].map((name) => walletFilePath(join(folder, name), '')));
  return files.some((file) => file !== null);
}
