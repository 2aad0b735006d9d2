/** The wallets of the node in use, as they arrive. */
import { create } from 'zustand';
import type { AppErrorShape } from '../../shared/errors.ts';
import type { Wallet } from '../../shared/model.ts';
import { bridge } from '../bridge.ts';
import { attempt } from './attempt.ts';

interface WalletsState {
  /** Null until the first list came. */
  wallets: Wallet[] | null;
  refreshing: boolean;
  error: AppErrorShape | null;
  /** Listens to details; called once when the page starts. */
  start(): void;
  refresh(): Promise<void>;
  /** Each gives the warnings of the node or the error. */
  load(name: string): Promise<{ warnings: string[] } | { error: AppErrorShape }>;
  unload(name: string): Promise<{ warnings: string[] } | { error: AppErrorShape }>;
  clear(): void;
}

export const useWallets = create<WalletsState>()((set, get) => ({
  wallets: null,
  refreshing: false,
  error: null,

  start() {
    // Details of many wallets come in bursts: one change of the list per frame is enough.
    let arrived = new Map<string, Wallet>();
    bridge.on('wallet', (wallet) => {
      if (arrived.size === 0) requestAnimationFrame(flush);
      arrived.set(wallet.name, wallet);
    });
    function flush() {
      const details = arrived;
      arrived = new Map();
      set(({ wallets }) => ({
        wallets: wallets?.map((wallet) => details.get(wallet.name) ?? wallet) ?? null,
      }));
    }
  },

  async refresh() {
    set({ refreshing: true });
    const result = await attempt(() => bridge.call('wallets.list', {}));
    set(
      result.ok
        ? { wallets: result.value.wallets, error: null, refreshing: false }
        : { error: result.error, refreshing: false },
    );
  },

  load: (name) => change(() => bridge.call('wallets.load', { name }), get().refresh),
  unload: (name) => change(() => bridge.call('wallets.unload', { name }), get().refresh),
  clear: () => set({ wallets: null, error: null, refreshing: false }),
}));

async function change(
  work: () => Promise<{ warnings: string[] }>,
  refresh: () => Promise<void>,
): Promise<{ warnings: string[] } | { error: AppErrorShape }> {
  const result = await attempt(work);
  await refresh();
  return result.ok ? result.value : { error: result.error };
}
