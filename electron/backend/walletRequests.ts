/** Handlers of the requests about nodes, their wallets, and wallet files. */
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { AppError } from '../../shared/model/errors.ts';
import type { Wallet } from '../../shared/model/wallet.ts';
import { say } from '../../shared/wording/say.ts';
import { loadWallet, unloadWallet } from '../bitcoind/calls/walletCalls.ts';
import { listNodeWallets } from '../bitcoind/calls/wallets.ts';
import { closedBelow } from '../bitcoind/calls/walletsFolder.ts';
import { findBackups, searchWallets } from '../bitcoind/discovery/searchWallets.ts';
import { inspectFile, knownKinds } from '../files/inspect.ts';
import { isTemporary } from '../files/temporaryFolders.ts';
import {
  findInterruption,
  isWholeSource,
  listedInterruption,
} from '../jobs/safetyCopies/interruptedSource.ts';
import { createFactsReader } from '../workers/factsReader.ts';
import { browse, searchPlaces } from './browse.ts';
import {
  currentNode,
  type Handlers,
  type RequestDeps,
  searchReporter,
  taskRunner,
  type WalletFeature,
  withoutResult,
} from './requests.ts';
import { createRecentFiles, type RecentFiles } from './settings.ts';

export function walletRequests(deps: RequestDeps): Handlers<WalletFeature> {
  const recentFiles = createRecentFiles(deps.info.dataFolder);
  return {
    ...nodeRequests(deps),
    ...contentRequests(deps, recentFiles),
    ...fileRequests(deps, recentFiles),
  };
}

/** Handlers of the requests about a node's wallets, the contents of wallet files, and forgotten passphrases. */
function contentRequests(
  deps: RequestDeps,
  recentFiles: RecentFiles,
): Handlers<'wallets' | 'wallet' | 'passphrase'> {
  const { info, connection, busy, tasks, walletWork, walletFiles, interruptions, writes, emit } = deps;
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

  return {
    'wallets.list': async () => {
      const session = connection.session();
      const wallets = await listNodeWallets(
        session,
        (wallet) => emit('wallet', wallet),
        (files, report, signal, of) =>
          tasks.run({ signal }, (taskSignal) => readFacts(files, report, taskSignal, of)),
        (name, signal) => tasks.run({ signal }, (taskSignal) => interruptionIn(name, taskSignal)),
      );
      const { walletsFolder } = session.status;
      const listed = new Set(wallets.map(({ name }) => name));
      return { wallets, closed: walletsFolder === null ? [] : await closedBelow(walletsFolder, listed) };
    },
    'wallets.load': async ({ name }) => {
      const { client } = connection.session();
      const free = busy.occupy('load', name, client.address);
      return loadWallet(client, name).finally(free);
    },
    'wallets.unload': async ({ name }) => {
      const { client } = connection.session();
      const free = busy.occupy('unload', name, client.address);
      return unloadWallet(client, name).finally(free);
    },

    'wallet.inspect': asTask(async ({ rescue, unlisted, ...request }, signal) => {
      const { source, network } = request;
      const usual = currentNode(connection)?.network;
      const how = rescue ? ({ logs: 'beside', network, usual } as const) : undefined;
      const { inspection } = await walletFiles.inspect({ ...request, rescue: how }, signal);
      // The app deletes the file of a pasted text when it closes.
      if (source.by === 'file' && !unlisted && !isTemporary(source.path)) recentFiles.note(source.path);
      return inspection;
    }),
    'wallet.interruption': asTask(async ({ source, copy, forPutBack }, signal) => {
      const node = currentNode(connection);
      const interruption = await findInterruption(node, { source, copy, forPutBack }, interruptions, signal);
      const isWhole = interruption === null && (await isWholeSource(node, source, interruptions, signal));
      return { interruption, isWhole };
    }),
    'wallet.tryPassphrase': asTask(walletFiles.tryPassphrase),
    'wallet.export': asTask(async (input, signal) => {
      await writes?.refuseFile('save-descriptors', input.destination, ['.json', '.txt']);
      return walletFiles.export(input, signal);
    }),
    'wallet.fromText': asTask(walletFiles.fromText),

    'passphrase.count': asTask(async ({ source, memory }, signal) =>
      (await passphraseSearch()).count(await walletFiles.encryption(source, signal), memory),
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

/** Handlers of the requests about nodes and the offline engine. */
function nodeRequests({
  discovery,
  profiles,
  connection,
  engine,
  settings,
  writes,
  leaveEngine,
}: RequestDeps): Handlers<'nodes' | 'engine'> {
  return {
    'nodes.discover': async () => ({ nodes: await discovery.discover() }),
    'nodes.profiles': async () => ({ profiles: await profiles.list() }),
    'nodes.forget': withoutResult(({ id }) => profiles.forget(id)),
    'nodes.connect': async (target) => {
      const reached = await connection.connect(target);
      leaveEngine();
      return reached;
    },
    'nodes.useWalletsFolder': async ({ path }) => {
      await writes?.refuseWalletsFolder(path);
      return connection.useWalletsFolder(path);
    },
    'nodes.disconnect': withoutResult(async () => {
      await connection.disconnect();
      settings.rememberNode(null);
      leaveEngine();
    }),
    'nodes.connection': async () => connection.current(),

    'engine.place': async ({ network }) => ({ walletsFolder: engine.folderOf(network) }),
    'engine.start': async (target) => {
      if (target.walletsFolder !== null) await writes?.refuseWalletsFolder(target.walletsFolder);
      return engine.start(target);
    },
  };
}

/** Handlers of the requests that find, pick and show files. */
function fileRequests(deps: RequestDeps, recentFiles: RecentFiles): Handlers<'files'> {
  const { host, info, connection, tasks, walletWork, writes, emit } = deps;
  const asTask = taskRunner(tasks);

  return {
    'files.inspect': ({ path }) => inspectFile(path),
    'files.kinds': async () => ({ kinds: await knownKinds() }),
    'files.backups': async () => {
      const folder = currentNode(connection)?.walletsFolder;
      return { backups: folder ? await findBackups(folder) : [] };
    },
    'files.browse': ({ path }) => {
      const folder = currentNode(connection)?.walletsFolder;
      const extraPlaces = folder ? [{ label: say('Wallets folder'), path: folder }] : [];
      return browse(path, { home: homedir(), extraPlaces });
    },
    'files.pick': async (options) => {
      const path = await host.pickFile(options);
      if (path !== null) writes?.choose(options.purpose, path);
      return { path };
    },
    'files.places': async () => ({ places: await searchPlaces(homedir()) }),
    'files.search': asTask(async ({ task, folders }, signal) =>
      searchWallets({
        folders,
        excluded: [info.dataFolder],
        report: (filesRead, folder, found) => emit('searched', { task, filesRead, folder, found }),
        signal,
      }),
    ),
    'files.searchImage': asTask(
      async ({ task, ...search }, signal) => {
        if (search.folder !== null) await writes?.refuseFolder(search.folder);
        const { imageSearch } = await import('../workers/imageSearch.ts');
        const searchImage = imageSearch(walletWork, info.dataFolder);
        return searchImage({ ...search, report: searchReporter(deps, task) }, signal);
      },
      { endless: true },
    ),
    'files.recent': async () => ({ files: await recentFiles.list() }),
    'files.forget': withoutResult(({ path }) => recentFiles.forget(path)),
    'files.show': withoutResult(async ({ path }) => {
      await stat(path).catch(() => {
        throw new AppError('file_missing', say('This file is gone.'), say('It may have moved.'));
      });
      await host.showInFolder(path);
    }),
  };
}
