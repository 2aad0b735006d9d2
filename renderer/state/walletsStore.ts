/** The wallets of the node in use, as they arrive. */
import { create } from 'zustand';
import type { AppErrorShape } from '../../shared/model/errors.ts';
import type { Wallet } from '../../shared/model/wallet.ts';
import { bridge } from './bridge/bridge.ts';
import { attempt } from './tasks.ts';

export type WalletChange = 'load' | 'unload';

type Changed = { warnings: string[] } | { error: AppErrorShape };

/** What came of the last one of a wallet that has something to tell. */
export type WalletOutcome = Changed & { change: WalletChange };

interface WalletsState {
  /** Null until the first list came. */
  wallets: Wallet[] | null;
  refreshing: boolean;
  error: AppErrorShape | null;
  /** Wallets that are being loaded or unloaded, by name. A load can take as long as a rescan. */
  changing: ReadonlyMap<string, WalletChange>;
  /** By name, until it is dismissed or the wallet is loaded or unloaded once more. */
  outcomes: ReadonlyMap<string, WalletOutcome>;
  refresh(): Promise<void>;
  /** Loads or unloads, once at a time for each wallet. Gives the warnings of the node or the error. */
  change(what: WalletChange, name: string): Promise<Changed>;
  dismissOutcome(name: string): void;
  clear(): void;
}

export const useWallets = create<WalletsState>()((set, get) => {
  /** Which list was asked for last; the answer to an earlier one is dropped. */
  let asked = 0;
  /** Details that came since then, some of them before the list itself. */
  let details = new Map<string, Wallet>();

  /** A wallet's details where they are known already, so that a refresh does not blank the page. */
  function withDetails(wallet: Wallet, known: Map<string, Wallet>): Wallet {
    const arrived = details.get(wallet.name);
    if (arrived) return arrived;
    const before = known.get(wallet.name);
    if (!wallet.pending || !before?.loaded || !wallet.loaded) return wallet;
    return { ...before, pending: true };
  }

  // Details of many wallets come in bursts: one change of the list per frame is enough.
  let waiting = false;
  bridge.on('wallet', (wallet) => {
    details.set(wallet.name, wallet);
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      set(({ wallets }) => ({ wallets: wallets?.map((one) => details.get(one.name) ?? one) ?? null }));
    });
  });

  return {
    wallets: null,
    refreshing: false,
    error: null,
    changing: new Map(),
    outcomes: new Map(),

    async refresh() {
      asked += 1;
      const mine = asked;
      details = new Map();
      set({ refreshing: true });
      const result = await attempt(() => bridge.call('wallets.list', {}));
      if (mine !== asked) return;
      if (!result.ok) return set({ error: result.error, refreshing: false });
      const known = new Map(get().wallets?.map((wallet) => [wallet.name, wallet]));
      const wallets = result.value.wallets.map((wallet) => withDetails(wallet, known));
      set({ wallets, error: null, refreshing: false });
    },

    async change(what, name) {
      set(({ changing, outcomes }) => ({
        changing: new Map(changing).set(name, what),
        outcomes: without(outcomes, name),
      }));
      const result = await attempt(() => bridge.call(`wallets.${what}`, { name }));
      const outcome = result.ok ? result.value : { error: result.error };
      // After `clear` the wallet belongs to a node that the app has left.
      if (!get().changing.has(name)) return outcome;
      await get().refresh();
      set(({ changing, outcomes }) => ({
        changing: without(changing, name),
        outcomes:
          'error' in outcome || outcome.warnings.length > 0
            ? new Map(outcomes).set(name, { change: what, ...outcome })
            : outcomes,
      }));
      return outcome;
    },

    dismissOutcome: (name) => set(({ outcomes }) => ({ outcomes: without(outcomes, name) })),

    clear() {
      asked += 1;
      details = new Map();
      set({ wallets: null, error: null, refreshing: false, changing: new Map(), outcomes: new Map() });
    },
  };
});

function without<T>(map: ReadonlyMap<string, T>, name: string): ReadonlyMap<string, T> {
  return new Map([...map].filter(([key]) => key !== name));
}
