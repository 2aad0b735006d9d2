/** The wallets of the connected node. */
import { create } from 'zustand';
import type { AppErrorShape } from '../../shared/model/errors.ts';
import { type Wallet, walletIdsOf } from '../../shared/model/wallet.ts';
import { attempt } from './asking.ts';
import { bridge } from './bridge.ts';

export type WalletChange = 'load' | 'unload';

type Changed = { warnings: string[] } | { error: AppErrorShape };

/** The last load or unload of a wallet that failed or returned warnings. */
export type WalletOutcome = Changed & { change: WalletChange };

interface WalletsState {
  /** Null until the first list arrives. */
  wallets: Wallet[] | null;
  /** The time of the request in Unix seconds, because the answer may be older than its arrival. */
  listedAt: number;
  /** Paths that the app cannot read, and that may hold further wallets. */
  closed: readonly string[];
  refreshing: boolean;
  error: AppErrorShape | null;
  /** Wallets that are being loaded or unloaded, by name. A load can take as long as a rescan. */
  changing: ReadonlyMap<string, WalletChange>;
  /** By name, until the user dismisses it, or loads or unloads the wallet again. */
  outcomes: ReadonlyMap<string, WalletOutcome>;
  /** The names of the ticked wallets, until the app leaves their node. */
  selected: ReadonlySet<string>;
}

const NOTHING: WalletsState = {
  wallets: null,
  listedAt: Number.POSITIVE_INFINITY,
  closed: [],
  refreshing: false,
  error: null,
  changing: new Map(),
  outcomes: new Map(),
  selected: new Set(),
};

export const useWallets = create<WalletsState>()(() => NOTHING);
const { getState: get, setState: set } = useWallets;

/** Resolves once the store has the newest list, or its error. */
export function refreshWallets(): Promise<void> {
  newest = refresh();
  return newest;
}

/** The names of all wallets, also those that another program made since the last list. */
export async function readWalletNames(): Promise<string[]> {
  await refreshWallets();
  return get().wallets?.map(({ name }) => name) ?? [];
}

let newest = Promise.resolve();

async function refresh(): Promise<void> {
  showDetails();
  requested += 1;
  const own = requested;
  details = new Map();
  shownAt = Number.NEGATIVE_INFINITY;
  set({ refreshing: true });
  const listedAt = Date.now() / 1000;
  const result = await attempt(() => bridge.call('wallets.list', {}));
  if (own !== requested) return newest;
  if (!result.ok) return set({ error: result.error, refreshing: false });
  const known = new Map(get().wallets?.map((wallet) => [wallet.name, wallet]));
  const wallets = result.value.wallets.map((wallet) => withDetails(wallet, known));
  set({ wallets, listedAt, closed: result.value.closed, error: null, refreshing: false });
}

/** Loads or unloads a wallet. Resolves with the node's warnings or the error. */
export async function changeWallet(what: WalletChange, name: string): Promise<Changed> {
  set(({ changing, outcomes }) => ({
    changing: new Map(changing).set(name, what),
    outcomes: without(outcomes, name),
  }));
  const result = await attempt(() => bridge.call(`wallets.${what}`, { name }));
  const outcome = result.ok ? result.value : { error: result.error };
  // After `clearWallets` the wallet belongs to a node that the app has left.
  const isLeft = () => !get().changing.has(name);
  if (isLeft()) return outcome;
  await refreshWallets();
  if (isLeft()) return outcome;
  set(({ changing, outcomes }) => ({
    changing: without(changing, name),
    outcomes:
      'error' in outcome || outcome.warnings.length > 0
        ? new Map(outcomes).set(name, { change: what, ...outcome })
        : outcomes,
  }));
  return outcome;
}

export function dismissOutcome(name: string): void {
  set(({ outcomes }) => ({ outcomes: without(outcomes, name) }));
}

/** Ticks these wallets, or takes their ticks away. */
export function selectWallets(names: readonly string[], isOn: boolean): void {
  set(({ selected }) => {
    const after = new Set(selected);
    for (const name of names) isOn ? after.add(name) : after.delete(name);
    return { selected: after };
  });
}

export function clearWallets(): void {
  clearTimeout(again);
  waiting = false;
  requested += 1;
  newest = Promise.resolve();
  details = new Map();
  set(NOTHING);
}

let again: ReturnType<typeof setTimeout> | undefined;
const LIST_AGAIN_MS = 5000;
/** The number of the last request for a list. Answers to earlier ones are ignored. */
let requested = 0;
/** Details since that request. Some arrive before the list. */
let details = new Map<string, Wallet>();

/** Adds known details, so that a refresh does not blank the page. */
function withDetails(wallet: Wallet, known: Map<string, Wallet>): Wallet {
  const arrived = details.get(wallet.name);
  if (arrived) return arrived;
  const before = known.get(wallet.name);
  if (!wallet.pending || !before) return wallet;
  // Until its file is read again, a half-made wallet looks like a whole one, which could be loaded.
  if (before.loaded === wallet.loaded && (wallet.loaded || before.kind === 'interrupted'))
    return { ...before, pending: true };
  return { ...wallet, ...walletIdsOf(before) };
}

// Details of a thousand wallets arrive within a second or two: the first ones are shown at once, and then some at a time.
let waiting = false;
let shownAt = Number.NEGATIVE_INFINITY;
bridge.on('wallet', (wallet) => {
  details.set(wallet.name, wallet);
  if (wallet.pending) {
    // Another client's call is working on it, and no event reports its end.
    clearTimeout(again);
    again = setTimeout(() => void refreshWallets(), LIST_AGAIN_MS);
  }
  if (waiting) return;
  waiting = true;
  const early = shownAt + SHOWN_EVERY_MS - performance.now();
  if (early <= 0) requestAnimationFrame(showDetails);
  else setTimeout(() => requestAnimationFrame(showDetails), early);
});

/** Milliseconds between two updates of the list, each of which sorts and searches all of it. */
const SHOWN_EVERY_MS = 100;

/** Shows the details that have arrived since the last update of the list. */
function showDetails(): void {
  if (!waiting) return;
  waiting = false;
  shownAt = performance.now();
  set(({ wallets }) => ({ wallets: wallets?.map((one) => details.get(one.name) ?? one) ?? null }));
}

function without<T>(map: ReadonlyMap<string, T>, name: string): ReadonlyMap<string, T> {
  return new Map([...map].filter(([key]) => key !== name));
}
