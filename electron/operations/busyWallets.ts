/** Which wallets are being worked on: one operation at a time on each. */
import type { NodeAddress, Operation } from '../../shared/model.ts';
import { alreadyRunning } from './operationErrors.ts';

export interface BusyWallets {
  /**
   * Keeps others away from a wallet, and from those that a migration of it may make, until the returned function is
   * called. Throws AppError `operation_running`.
   */
  occupy(kind: Operation['kind'], wallet: string, address: NodeAddress): () => void;
}

export function createBusyWallets(): BusyWallets {
  const busy = new Set<string>();
  return {
    occupy(kind, wallet, { host, port }) {
      const keys = namesOf(kind, wallet).map((name) => `${host}:${port}/${name}`);
      if (keys.some((key) => busy.has(key))) throw alreadyRunning(wallet);
      for (const key of keys) busy.add(key);
      return () => {
        for (const key of keys) busy.delete(key);
      };
    },
  };
}

/** A migration may make two more wallets. */
function namesOf(kind: Operation['kind'], wallet: string): string[] {
  if (kind !== 'migrate' && kind !== 'restore-migrate') return [wallet];
  const stem = wallet === '' ? 'default_wallet' : wallet;
  return [wallet, `${stem}_watchonly`, `${stem}_solvables`];
}
