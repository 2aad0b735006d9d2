/** Which wallets are being worked on: one operation at a time on each. */
import type { NodeAddress } from '../../shared/node.ts';
import type { Operation } from '../../shared/operation.ts';
import { concernedWallets } from './furtherNames.ts';
import { alreadyRunning } from './operationErrors.ts';

interface BusyWallets {
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
      const keys = concernedWallets(kind, wallet).map((name) => `${host}:${port}/${name}`);
      if (keys.some((key) => busy.has(key))) throw alreadyRunning(wallet);
      for (const key of keys) busy.add(key);
      return () => {
        for (const key of keys) busy.delete(key);
      };
    },
  };
}
