/** The wallets of a node: all of their names at once, and then what each loaded one holds. */
import { errorShapeOf } from '../../../shared/errors.ts';
import type { Release } from '../../../shared/node.ts';
import type { Wallet } from '../../../shared/wallet.ts';
import { inParallel } from '../../disk/inParallel.ts';
import type { Session } from '../rpc/session.ts';
import { listWalletDir, listWallets, walletBalances, walletInfo } from './walletCalls.ts';
import { shownBalance } from './walletShapes.ts';
import { walletFileKind, walletFilePath } from './walletsFolder.ts';

/**
 * Every wallet in the node's wallets folder and every loaded one, sorted by name. Resolves as soon as the names
 * are known; `emit` is then called once for each loaded wallet when its details are there. Details that cannot
 * be read are told in `problem`. A newer call for the same session ends what is left of this one.
 * Throws AppError when the names cannot be had, `no_wallet_support` for a node without wallets.
 */
export async function listNodeWallets(session: Session, emit: (wallet: Wallet) => void): Promise<Wallet[]> {
  running.get(session)?.abort();
  const controller = new AbortController();
  running.set(session, controller);
  const { signal } = controller;

  const { client, status } = session;
  const [inFolder, loaded] = await Promise.all([listWalletDir(client, signal), listWallets(client, signal)]);
  const warnings = new Map(inFolder.map((wallet) => [wallet.name, wallet.warnings]));
  const isLoaded = new Set(loaded);
  const names = [...new Set([...warnings.keys(), ...loaded])].sort((one, other) => one.localeCompare(other));
  const wallets = await inParallel(names, FILES_AT_ONCE, async (name) => {
    const own = warnings.get(name) ?? [];
    const kind = await kindOf(status.walletsFolder, status.release, name, own);
    return bare(name, kind, own, isLoaded.has(name));
  });

  const pending = wallets.filter((wallet) => wallet.pending);
  void inParallel(pending, WALLETS_AT_ONCE, async (wallet) => {
    if (signal.aborted) return;
    const detailed = await withDetails(session, wallet, signal);
    if (!signal.aborted) emit(detailed);
  }).catch(() => undefined); // Only `emit` can throw; there is no one left to tell.
  return wallets;
}

/** A node works on four calls at once by default and lets 16 wait; others want to ask it too. */
const WALLETS_AT_ONCE = 4;
const FILES_AT_ONCE = 16;
const running = new WeakMap<Session, AbortController>();

/**
 * By the file's header where the folder is proved. Without it, a warning in `listwalletdir` tells on a release
 * that loads no legacy wallets: being a legacy wallet is the only thing that it warns of there
 * (`src/wallet/rpc/wallet.cpp`, releases 30 and 31). The text is not looked at.
 */
async function kindOf(
  walletsFolder: string | null,
  release: Release,
  name: string,
  warnings: readonly string[],
): Promise<Wallet['kind']> {
  if (walletsFolder !== null) {
    const path = await walletFilePath(walletsFolder, name);
    const kind = path === null ? 'unknown' : await walletFileKind(path);
    if (kind !== 'unknown') return kind;
  }
  return !release.loadsLegacy && warnings.length > 0 ? 'legacy' : 'unknown';
}

function bare(name: string, kind: Wallet['kind'], warnings: string[], loaded: boolean): Wallet {
  return {
    name,
    kind,
    loaded,
    encrypted: null,
    watchOnly: null,
    balance: null,
    spendable: null,
    transactions: null,
    birthTime: null,
    scanning: null,
    warnings,
    pending: loaded,
    problem: null,
  };
}

/** As far as the node tells them: what it refuses is told in `problem`. */
async function withDetails({ client }: Session, wallet: Wallet, signal: AbortSignal): Promise<Wallet> {
  let known: Wallet = { ...wallet, pending: false };
  try {
    const info = await walletInfo(client, wallet.name, signal);
    const watchOnly = !info.privateKeys;
    known = {
      ...known,
      kind: info.descriptors ? 'descriptor' : 'legacy',
      encrypted: info.encrypted,
      watchOnly,
      transactions: info.txcount,
      birthTime: info.birthTime,
      scanning: info.scanning?.progress ?? null,
    };
    return { ...known, ...shownBalance(await walletBalances(client, wallet.name, signal), watchOnly) };
  } catch (thrown) {
    return { ...known, problem: errorShapeOf(thrown) };
  }
}
