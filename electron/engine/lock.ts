/** Keeps a second engine, and an engine beside a running node, away from a folder of wallets. */
import { lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isLiving } from '../files/livingProcess.ts';
import { isLocked } from '../files/lock/fileInUse.ts';
import { LockHeldError, type ProcessLock, refuseWhileHeld, takeLock } from '../files/lock/processLock.ts';
import { readTextOrNull } from '../files/openFile.ts';
import { orNull } from '../walletfile/bytes/once.ts';
import { WALLET_LOCK } from '../walletfile/database/besideWallet.ts';
import { EngineError } from './wallets/engineError.ts';
import { foldersBelow } from './wallets/walletDir.ts';

export const LOCK_NAME = '.wallet-ferry-engine.lock';

/**
 * Takes the folder. Throws EngineError while another engine holds it, or one that this one lies in, or one in it; or
 * while a node runs on `chainFolder`. What a process left that is gone is taken over.
 */
export function lockFolder(walletsFolder: string, chainFolder: string): ProcessLock {
  refuseBesideNode(walletsFolder, chainFolder);
  const lock = whileFree(walletsFolder, 'already uses this wallets folder', () =>
    takeLock(join(walletsFolder, LOCK_NAME)),
  );
  try {
    // After the own one is taken: of two that start at once, one sees the other.
    refuseAround(walletsFolder);
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Two engines on one wallet, under two names: the folder of one lies in that of the other, or is linked into it. */
function refuseAround(walletsFolder: string): void {
  const real = realpathSync.native(walletsFolder);
  const seen = new Set([real]);
  const refuse = (folder: string, where: string) => {
    if (seen.has(folder) || isOfAnotherUser(join(folder, LOCK_NAME))) return;
    seen.add(folder);
    whileFree(folder, `uses the folder ${folder}, which ${where}`, () =>
      refuseWhileHeld(join(folder, LOCK_NAME)),
    );
  };
  for (const folder of above(real)) refuse(folder, 'holds this wallets folder');
  let looked = 0;
  for (const { folder, entries } of foldersBelow(real)) {
    refuse(join(real, folder), 'lies in this wallets folder');
    // Links are told by where they lead, and not followed down.
    for (const link of entries.filter((entry) => entry.isSymbolicLink())) {
      const to = realFolder(join(real, folder, link.name));
      for (const each of to === null ? [] : [to, ...above(to)])
        refuse(each, 'a link in this wallets folder leads to');
    }
    looked += 1;
    if (looked === MOST_FOLDERS) return;
  }
}

/** Engines lie in folders near the top; a tree made to be endless does not keep one from starting. */
const MOST_FOLDERS = 20_000;

/** By such a lock, whoever can write to a folder somewhere above could keep the engines of all others from starting. */
function isOfAnotherUser(lock: string): boolean {
  const user = process.getuid?.();
  const owner = orNull(() => lstatSync(lock).uid);
  return user !== undefined && owner !== null && owner !== user;
}

function whileFree<T>(folder: string, what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
    const who = error.pid === null ? 'Another engine' : `Another engine (process ${error.pid})`;
    throw new EngineError(
      `${who} ${what}. Stop it first, or use that one.`,
      `Nothing was changed. If no such engine runs, remove ${join(folder, LOCK_NAME)} and start again.`,
    );
  }
}

function above(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [] : [parent, ...above(parent)];
}

function realFolder(link: string): string | null {
  return orNull(() => {
    const real = realpathSync.native(link);
    return statSync(real).isDirectory() ? real : null;
  });
}

/**
 * A node leaves its number in a file (its window version does not), and locks `.lock` in its chain's folder, and
 * `.walletlock` beside a legacy wallet: `LockDirectory` of `src/init.cpp`.
 */
function refuseBesideNode(walletsFolder: string, chainFolder: string): void {
  const pid = Number.parseInt(readTextOrNull(join(chainFolder, 'bitcoind.pid')) ?? '', 10);
  const number = Number.isInteger(pid) && pid > 0 && isLiving(pid, null) ? ` (process ${pid})` : null;
  if (number === null && !isLocked(join(chainFolder, '.lock'), join(walletsFolder, WALLET_LOCK))) return;
  throw new EngineError(
    `A Bitcoin node${number ?? ''} runs on this folder. Stop it first, or use the node itself.`,
  );
}
