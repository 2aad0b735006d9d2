/** The map of the back end: every service built once, and the contract bound to them. */
import { EventEmitter } from 'node:events';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { AppInfo } from '../shared/appInfo.ts';
import { type EventValue, eventTable, requests } from '../shared/contract.ts';
import { type EventName, isRequestName, type RequestName } from '../shared/contractNames.ts';
import { AppError, errorShapeOf } from '../shared/errors.ts';
import { sameNode } from '../shared/node.ts';
import { say } from '../shared/text/say.ts';
import { bind } from './bindRequest.ts';
import { createSafetyCopies } from './crossing/copies/safetyCopies.ts';
import { createPlans } from './crossing/plan/plans.ts';
import { createWalletFiles } from './crossing/plan/walletFiles.ts';
import { createProver } from './crossing/proof/proof.ts';
import { createBusyWallets } from './crossing/run/busyWallets.ts';
import { type CrossingsOptions, createCrossings } from './crossing/run/crossings.ts';
import { createJournal } from './crossing/run/journal.ts';
import { reportOf } from './crossing/run/report.ts';
import { inspectFile } from './disk/inspect.ts';
import { thisPlatform } from './disk/isNetworkPath.ts';
import { APP_FOLDERS } from './disk/lock/sharedFolder.ts';
import { createTemporaryFolders } from './disk/temporaryFolders.ts';
import { createAtWork } from './host/atWork.ts';
import { browse } from './host/browse.ts';
import type { Host, Services } from './host/host.ts';
import { createOpenedFile } from './host/openedFile.ts';
import { listNodeWallets, loadNodeWallet, unloadNodeWallet } from './node/calls/wallets.ts';
import { findBackups } from './node/find/backups.ts';
import { createDiscovery } from './node/find/discovery.ts';
import { createProfiles } from './node/find/profiles.ts';
import { createConnection } from './node/stay/connection.ts';
import { createOfflineEngine } from './node/stay/offlineEngine.ts';
import { reachAgain, type WaysBack } from './node/stay/reachAgain.ts';
import { createFileJobs } from './threads/fileJobs.ts';
import type { WalletWork } from './threads/walletWork.ts';

export interface ServicesOptions {
  host: Host;
  /** Where the app keeps what it remembers. */
  dataFolder: string;
  /** Reads wallet files apart from the main thread. */
  walletWork: WalletWork;
  version: string;
  /** The clock of crossings and their pauses, where they are not the usual ones. */
  timing?: Pick<CrossingsOptions, 'now' | 'askEveryMs' | 'silenceMs' | 'logEveryMs'>;
}

export function createServices({
  host,
  dataFolder,
  walletWork,
  version,
  timing = {},
}: ServicesOptions): Services {
  const bus = new EventEmitter();
  bus.setMaxListeners(0);
  function emit<N extends EventName>(name: N, value: EventValue<N>): void {
    bus.emit('event', name, z.encode(eventTable[name], value));
  }

  const profiles = createProfiles({ dataFolder, secrets: host.secrets });
  const discovery = createDiscovery();
  let connected = false;
  const connection = createConnection({
    profiles,
    discovery,
    onChange: (value) => {
      emit('connection', value);
      // A node that is back may be what a copy waits for that was placed in its folder.
      if (value.state === 'connected' && !connected) void work.takeBackCopies();
      connected = value.state === 'connected';
    },
  });
  const copies = createSafetyCopies({ folder: join(dataFolder, APP_FOLDERS.safetyCopies) });
  const walletFiles = createWalletFiles({
    session: () => connection.session(),
    work: walletWork,
    copiesFolder: join(dataFolder, APP_FOLDERS.reading),
  });
  const jobs = createFileJobs();
  const plans = createPlans({
    session: () => connection.session(),
    files: walletFiles,
    looking: { copies, copiesFolder: dataFolder, now: () => Date.now() / 1000 },
  });
  /** For those who ask without a signal. */
  const staying = new AbortController().signal;
  const proving: WalletWork = (job, asker) =>
    jobs.run({ signal: asker }, (signal) => walletWork(job, signal));
  const atWork = createAtWork();
  /** Where the prover's copies of new wallets are while they are compared. */
  const comparing = createTemporaryFolders(join(dataFolder, APP_FOLDERS.comparing));
  const lineLost = new Set<string>();
  const busy = createBusyWallets();
  const work = createCrossings({
    ...timing,
    session: () => connection.session(),
    emit: (crossing) => {
      atWork.note(crossing);
      // The state of the connection is not to say otherwise for seconds.
      if (crossing.line !== 'ok' && !lineLost.has(crossing.id)) connection.lookNow();
      if (crossing.line !== 'ok') lineLost.add(crossing.id);
      else lineLost.delete(crossing.id);
      emit('crossing', crossing);
    },
    journal: createJournal(join(dataFolder, APP_FOLDERS.journal)),
    prover: createProver({ work: proving, folders: comparing }),
    busy,
    copies,
    plans,
  });
  const engine = createOfflineEngine({
    dataFolder,
    startProcess: host.startEngine,
    foundNodes: () => discovery.discover(),
    connect: (own) => connection.connectTo(own),
    isAtWork: (address) => atWork.countOn(address) > 0,
    onEnd: () => connection.lookNow(),
  });
  /** Work that an earlier session left unfinished is seen through, without being asked to. */
  const leaving = new AbortController();
  void work.leftOn().then(async (node) => {
    if (node === null) return;
    const ways: WaysBack = {
      current: () => connection.current(),
      isConnecting: () => connection.isConnecting(),
      connect: (target) => connection.connect(target),
      startEngine: (place) => engine.start(place),
      found: () => discovery.discover(),
      profiles: () => profiles.list(),
    };
    await reachAgain(node, ways, { signal: leaving.signal });
  });

  /** An engine that nobody is connected to is of use only to what still runs in it. */
  function leaveEngine(): void {
    const address = engine.address();
    const now = connection.current();
    const stays = now.state === 'connected' && address !== null && sameNode(now.node.address, address);
    if (!stays && atWork.countOn(address) === 0) void engine.stop();
  }

  const info: AppInfo = {
    version,
    entry: host.entry,
    platform: thisPlatform(),
    fileDialogs: host.fileDialogs,
    canShowInFolder: host.canShowInFolder(),
    canSaveSecrets: host.secrets.available(),
  };

  const openedFile = createOpenedFile((path) => emit('openFile', { path }));

  function walletsFolder(): string | null {
    const now = connection.current();
    return now.state === 'connected' || now.state === 'lost' ? now.node.walletsFolder : null;
  }

  const bound: Record<RequestName, (input: unknown, asker: AbortSignal) => Promise<unknown>> = {
    'app.info': bind(requests['app.info'], async () => {
      // The page listens before it asks for this, its first question.
      openedFile.pageListens();
      return info;
    }),

    'nodes.discover': bind(requests['nodes.discover'], async () => ({ nodes: await discovery.discover() })),
    'nodes.profiles': bind(requests['nodes.profiles'], async () => ({ profiles: await profiles.list() })),
    'nodes.forget': bind(requests['nodes.forget'], async ({ id }) => {
      await profiles.forget(id);
      return {};
    }),
    'nodes.connect': bind(requests['nodes.connect'], async (target) => {
      const reached = await connection.connect(target);
      leaveEngine();
      return reached;
    }),
    'nodes.disconnect': bind(requests['nodes.disconnect'], async () => {
      await connection.disconnect();
      leaveEngine();
      return {};
    }),
    'nodes.connection': bind(requests['nodes.connection'], async () => connection.current()),

    'wallets.list': bind(requests['wallets.list'], async () => ({
      wallets: await listNodeWallets(connection.session(), (wallet) => emit('wallet', wallet)),
    })),
    'wallets.load': bind(requests['wallets.load'], async ({ name }) => {
      const session = connection.session();
      const free = busy.occupy('load', name, session.client.address);
      return loadNodeWallet(session, name).finally(free);
    }),
    'wallets.unload': bind(requests['wallets.unload'], async ({ name }) => {
      const session = connection.session();
      const free = busy.occupy('unload', name, session.client.address);
      return unloadNodeWallet(session, name).finally(free);
    }),

    'files.inspect': bind(requests['files.inspect'], ({ path }) => inspectFile(path)),
    'files.backups': bind(requests['files.backups'], async () => {
      const folder = walletsFolder();
      return { backups: folder ? await findBackups(folder) : [] };
    }),
    'files.browse': bind(requests['files.browse'], ({ path }) => {
      const folder = walletsFolder();
      const extraPlaces = folder ? [{ label: say('Wallets folder'), path: folder }] : [];
      return browse(path, { home: homedir(), extraPlaces });
    }),
    'files.pick': bind(requests['files.pick'], async (options) => ({ path: await host.pickFile(options) })),
    'files.show': bind(requests['files.show'], async ({ path }) => {
      await host.showInFolder(path);
      return {};
    }),

    'wallet.inspect': bind(requests['wallet.inspect'], ({ job, ...input }, asker) =>
      jobs.run(
        { signal: asker, job },
        async (signal) => (await walletFiles.inspect(input, signal)).inspection,
      ),
    ),
    'wallet.tryPassphrase': bind(requests['wallet.tryPassphrase'], ({ job, ...input }, asker) =>
      jobs.run({ signal: asker, job }, (signal) => walletFiles.tryPassphrase(input, signal)),
    ),
    'wallet.rehearse': bind(requests['wallet.rehearse'], ({ job, ...input }, asker) =>
      jobs.run({ signal: asker, job }, (signal) => walletFiles.rehearse(input, signal)),
    ),
    'wallet.export': bind(requests['wallet.export'], ({ job, ...input }, asker) =>
      jobs.run({ signal: asker, job }, (signal) => walletFiles.export(input, signal)),
    ),
    'jobs.cancel': bind(requests['jobs.cancel'], async ({ job }) => {
      jobs.cancel(job);
      return {};
    }),

    'engine.place': bind(requests['engine.place'], async ({ network }) => ({
      walletsFolder: engine.folderOf(network),
    })),
    'engine.start': bind(requests['engine.start'], (place) => engine.start(place)),

    'plan.make': bind(requests['plan.make'], ({ job, ...input }, asker) =>
      jobs.run({ signal: asker, job }, async (signal) => {
        // An answer changes a plan without a new look.
        if (input.again === undefined) await work.takeBackCopies();
        return plans.make(input, signal);
      }),
    ),
    'plan.tryPassphrase': bind(requests['plan.tryPassphrase'], ({ job, ...input }, asker) =>
      jobs.run({ signal: asker, job }, (signal) => plans.tryPassphrase(input, signal)),
    ),
    'plan.rehearse': bind(requests['plan.rehearse'], ({ job, ...input }, asker) =>
      jobs.run({ signal: asker, job }, (signal) => plans.rehearse(input, signal)),
    ),
    'plan.run': bind(requests['plan.run'], (input) => work.run(input)),
    'copies.list': bind(requests['copies.list'], async () => ({ copies: await copies.list() })),
    'crossings.list': bind(requests['crossings.list'], async () => ({
      crossings: await work.list(),
      unreadable: await work.unreadable(),
    })),
    'crossings.log': bind(requests['crossings.log'], async ({ id }) => ({ lines: await work.log(id) })),
    'crossings.report': bind(requests['crossings.report'], async ({ id }) => {
      const crossing = (await work.list()).find((each) => each.id === id);
      if (!crossing) throw unknownId();
      const log = await work.log(id);
      return { text: reportOf({ crossing, log, version, platform: info.platform }) };
    }),
    'crossings.stopWaiting': bind(requests['crossings.stopWaiting'], async ({ id }) => {
      work.stopWaiting(id);
      return {};
    }),
  };

  return {
    async call(name, input, asker = staying) {
      try {
        if (!isRequestName(name)) throw unknownRequest();
        return { ok: true, value: await bound[name](input, asker) };
      } catch (thrown) {
        return { ok: false, error: errorShapeOf(thrown) };
      }
    },
    subscribe(listener) {
      bus.on('event', listener);
      return () => bus.off('event', listener);
    },
    running: () => ({ all: work.running(), inEngine: atWork.countOn(engine.address()) }),
    openFile: openedFile.open,
    showPlace: (place) => emit('showPlace', { place }),
    async close() {
      leaving.abort();
      work.close();
      comparing.close();
      jobs.close();
      await Promise.all([walletFiles.close(), connection.close(), engine.stop()]);
    },
  };
}

function unknownId(): AppError {
  return new AppError('bad_input', say('Unknown crossing.'), say('See Activity.'));
}

function unknownRequest(): AppError {
  return new AppError('bad_input', say('Unknown request.'), say('Nothing was sent.'));
}
