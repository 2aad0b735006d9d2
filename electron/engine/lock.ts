/** Keeps a second engine, and an engine beside a running node, away from a folder of wallets. */
import { join } from 'node:path';
import { EngineError } from './engineError.ts';
import { isLocked } from './fileInUse.ts';
import { isLiving } from './livingProcess.ts';
import { LockHeldError, type ProcessLock, takeLock } from './processLock.ts';
import { readTextOrNull } from './readTextOrNull.ts';

export const LOCK_NAME = '.wallet-ferry-engine.lock';

/**
 * Takes the folder. Throws EngineError while another engine holds it, or a node runs on `chainFolder`. What a
 * process left that is gone is taken over.
 */
export function lockFolder(walletsFolder: string, chainFolder: string): ProcessLock {
  refuseBesideNode(walletsFolder, chainFolder);
  try {
    return takeLock(join(walletsFolder, LOCK_NAME));
  } catch (error) {
    throw error instanceof LockHeldError ? held(error) : error;
  }
}

function held({ pid }: LockHeldError): EngineError {
  const who = pid === null ? 'Another engine' : `Another engine (process ${pid})`;
  return new EngineError(`${who} already uses this wallets folder. Stop it first, or use that one.`);
}

/**
 * A node leaves its number in a file (its window version does not), and locks `.lock` in its chain's folder, and
 * `.walletlock` beside a legacy wallet: `LockDirectory` of `src/init.cpp`.
 */
function refuseBesideNode(walletsFolder: string, chainFolder: string): void {
  const pid = Number.parseInt(readTextOrNull(join(chainFolder, 'bitcoind.pid')) ?? '', 10);
  const number = Number.isInteger(pid) && pid > 0 && isLiving(pid, null) ? ` (process ${pid})` : null;
  if (number === null && !isLocked(join(chainFolder, '.lock'), join(walletsFolder, '.walletlock'))) return;
  throw new EngineError(
    `A Bitcoin node${number ?? ''} runs on this folder. Stop it first, or use the node itself.`,
  );
}
