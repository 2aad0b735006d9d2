/** Handlers of the requests about a node's wallets, the contents of wallet files, and forgotten passphrases. */
import type { Wallet } from '../../shared/model/wallet.ts';
import { loadWallet, unloadWallet } from '../bitcoind/calls/walletCalls.ts';
import { listNodeWallets } from '../bitcoind/calls/wallets.ts';
import { findUnreadablePaths, readFolders } from '../bitcoind/calls/walletsFolder.ts';
import type { NodeClient } from '../bitcoind/rpc/session.ts';
import { isTemporary } from '../files/temporaryFolders.ts';
import { checkPassphrase } from '../jobs/plan/walletChecks.ts';
import {
  findInterruption,
  isWholeSource,
  listedInterruption,
} from '../jobs/safetyCopies/interruptedSource.ts';
import { createFactsReader } from '../workers/factsReader.ts';
import { currentNode } from './nodeRequests.ts';
import { type Handlers, type RequestDeps, searchReporter, taskRunner } from './requests.ts';
import type { RecentFiles } from './settings.ts';

export function walletRequests(
  deps: RequestDeps,
  recentFiles: RecentFiles,
): Handlers<'wallets' | 'wallet' | 'passphrase'> {
  const { info, connection, busy, tasks, walletWork, walletFiles, interruptions, pathGuard, emit } = deps;
  const asTask = taskRunner(tasks);
  const readFacts = createFactsReader(walletWork);
  const passphraseSearch = async () => {
    const { createPassphraseSearch } = await import('../workers/passphraseSearch.ts');
    return createPassphraseSearch(walletWork, info.dataFolder);
  };

  /** Finds the interruption that a plan to restore the wallet would find. */
  async function interruptionIn(name: string, signal: AbortSignal): Promise<Wallet['interruption']> {
    const request = { source: { by: 'wallet', name }, forPutBack: true } as const;
    const found = await findInterruption(currentNode(connection), request, interruptions, signal);
    return found === null ? undefined : listedInterruption(found);
  }

  /** Loads or unloads a wallet. Earlier jobs leave it so. */
  async function forUser<T>(
    name: string,
    change: (client: NodeClient, name: string) => Promise<T>,
  ): Promise<T> {
    const { client, status } = connection.session();
    const release = busy.reserve([name], status);
    const changed = await change(client, name).finally(release);
    void deps.jobs.leaveAsIs(name, status);
    return changed;
  }

  return {
    'wallets.list': async () => {
      const session = connection.session();
      const { walletsFolder } = session.status;
      const folders = walletsFolder === null ? undefined : readFolders(walletsFolder);
      const wallets = await listNodeWallets(
        session,
        (wallet) => emit('wallet', wallet),
        (files, report, signal, of) =>
          tasks.run({ signal }, (taskSignal) => readFacts(files, report, taskSignal, of)),
        (name, signal) => tasks.run({ signal }, (taskSignal) => interruptionIn(name, taskSignal)),
        folders,
      );
      const listed = new Set(wallets.map(({ name }) => name));
      return {
        wallets,
        closed: walletsFolder === null ? [] : await findUnreadablePaths(walletsFolder, listed, folders),
      };
    },
    'wallets.load': ({ name }) => forUser(name, loadWallet),
    'wallets.unload': ({ name }) => forUser(name, unloadWallet),

    'wallet.inspect': asTask(async ({ rescue, unlisted, ...request }, signal) => {
      const { source, network } = request;
      const nodeNetwork = currentNode(connection)?.network;
      const how = { logs: 'beside', network, nodeNetwork } as const;
      const rescues = rescue ? { rescue: how } : { otherwise: how };
      const { inspection, sha256 } = await walletFiles.inspect({ ...request, ...rescues }, signal);
      // The app deletes the file of a pasted text when it closes.
      if (source.by === 'file' && !unlisted && !isTemporary(source.path)) recentFiles.add(source.path);
      return { ...inspection, sha256 };
    }),
    'wallet.interruption': asTask(async ({ source, copy, forPutBack }, signal) => {
      const node = currentNode(connection);
      const interruption = await findInterruption(node, { source, copy, forPutBack }, interruptions, signal);
      const isWhole = interruption === null && (await isWholeSource(node, source, interruptions, signal));
      return { interruption, isWhole };
    }),
    'wallet.tryPassphrase': asTask(async (input, signal) => {
      const { verdict } = await walletFiles.tryPassphrase(input, signal);
      const offline = currentNode(connection)?.offline ?? false;
      return checkPassphrase(verdict, { passphrase: input.passphrase, offline });
    }),
    'wallet.export': asTask(async (input, signal) => {
      await pathGuard?.refuseFile('save-descriptors', input.destination, ['.json', '.txt']);
      return walletFiles.export(input, signal);
    }),
    'wallet.fromText': asTask(walletFiles.fromText),

    'passphrase.count': asTask(async ({ source, clues }, signal) =>
      (await passphraseSearch()).count(await walletFiles.encryption(source, signal), clues),
    ),
    'passphrase.search': asTask(
      async ({ source, task, ...search }, signal) => {
        const encryption = await walletFiles.encryption(source, signal);
        const { run } = await passphraseSearch();
        return run(encryption, { ...search, report: searchReporter(deps, task) }, signal);
      },
      { endless: true },
    ),
  };
}
