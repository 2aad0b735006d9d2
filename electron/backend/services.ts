/** Creates every service of the back end once, and connects them with each other. */
import { EventEmitter } from 'node:events';
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod/mini';
import { type EventName, type EventValue, eventTable } from '../../shared/contract.ts';
import { type JobNode, jobInOtherFolder } from '../../shared/model/job.ts';
import { networks } from '../../shared/model/network.ts';
import { identityOf, isSameAddress } from '../../shared/model/node.ts';
import { createConnection, reconnect } from '../bitcoind/connection/connection.ts';
import { createOfflineEngine } from '../bitcoind/connection/offlineEngine.ts';
import { createDiscovery, ownDataFolders } from '../bitcoind/discovery/discovery.ts';
import { createProfiles } from '../bitcoind/discovery/profiles.ts';
import { thisPlatform } from '../files/openFile.ts';
import { APP_FOLDERS } from '../files/sharedFolder.ts';
import { createTemporaryFolders } from '../files/temporaryFolders.ts';
import { createLoadGuard } from '../jobs/plan/nodeChecks.ts';
import { createPlans } from '../jobs/plan/plans.ts';
import { createWalletFiles } from '../jobs/plan/walletFiles.ts';
import { createProver } from '../jobs/proof/proof.ts';
import { createBusyWallets } from '../jobs/run/busyWallets.ts';
import { createJobs } from '../jobs/run/jobs.ts';
import { createJournal, interruptionsInJournal } from '../jobs/run/journal.ts';
import type { JobTiming } from '../jobs/run/watch.ts';
import { createInterruptions } from '../jobs/safetyCopies/interruptions.ts';
import { createSafetyCopies } from '../jobs/safetyCopies/safetyCopies.ts';
import { createFileTasks, type WalletWork } from '../workers/walletWork.ts';
import { appLogPath, createAppLog } from './appLog.ts';
import { fileRequests } from './fileRequests.ts';
import type { Host, Services } from './host.ts';
import { jobRequests } from './jobRequests.ts';
import { nodeRequests } from './nodeRequests.ts';
import { createPathGuard } from './pathGuard.ts';
import { answerRequests, appRequests, type RequestDeps } from './requests.ts';
import { createRecentFiles, createSettings } from './settings.ts';
import { walletRequests } from './walletRequests.ts';

export interface ServicesOptions {
  host: Host;
  dataFolder: string;
  walletWork: WalletWork;
  version: string;
  /** Whether a terminal sends the requests instead of a page. Default: false. */
  fromTerminal?: boolean;
  /** Whether to reconnect to the last node if the settings say so. Default: false. */
  reconnects?: boolean;
  /** Replaces the clock and the intervals of jobs, for tests. */
  timing?: Partial<JobTiming>;
}

export function createServices({
  host,
  dataFolder,
  walletWork,
  version,
  fromTerminal = false,
  reconnects = false,
  timing = {},
}: ServicesOptions): Services {
  const bus = new EventEmitter();
  bus.setMaxListeners(0);
  function emit<N extends EventName>(name: N, value: EventValue<N>): void {
    bus.emit('event', name, z.encode(eventTable[name], value));
  }

  const log = createAppLog(dataFolder, { version, entry: fromTerminal ? 'terminal' : host.entry });
  const settings = createSettings(dataFolder);
  const profiles = createProfiles({ dataFolder, secrets: host.secrets });
  const discovery = createDiscovery();
  let connected = false;
  const connection = createConnection({
    profiles,
    discovery,
    knownFolders: async (address) => {
      const last = settings.lastNode();
      const isThere = (node: JobNode) => !node.offline && isSameAddress(node.address, address);
      const own = last?.walletsFolder && isThere(last) ? [last.walletsFolder] : [];
      return [...own, ...(await jobs.walletsFolders(isThere))];
    },
    mayLoad: createLoadGuard(walletWork),
    onChange: (value) => {
      log.connection(value);
      emit('connection', value);
      if (value.state === 'connected') settings.rememberNode(identityOf(value.node));
      // Copies and jobs may be waiting for this node.
      if (value.state === 'connected' && !connected) {
        void jobs.removeLeftCopies();
        void jobs.resolveUnknown();
      }
      connected = value.state === 'connected';
    },
  });
  const session = () => connection.session();
  const engine = createOfflineEngine({
    dataFolder,
    startProcess: host.startEngine,
    foundNodes: () => discovery.discover(),
    connect: (node) => connection.connectToStarted(node),
    isAtWork: (address) => jobs.running(address).length > 0,
    onEnd: () => connection.pollNow(),
  });

  const tasks = createFileTasks();
  const copies = createSafetyCopies({ folder: join(dataFolder, APP_FOLDERS.safetyCopies), work: walletWork });
  const interruptions = createInterruptions({
    work: walletWork,
    copies,
    recorded: async () => interruptionsInJournal(await jobs.list()),
  });
  const walletFiles = createWalletFiles({
    session,
    work: walletWork,
    copiesFolder: join(dataFolder, APP_FOLDERS.reading),
  });
  const pathGuard = fromTerminal
    ? null
    : createPathGuard({
        hasDialogs: host.entry === 'electron',
        knownFolders: async () => {
          const last = settings.lastNode();
          return [
            ...networks.map((network) => engine.folderOf(network)),
            ...(last?.offline && last.walletsFolder !== null ? [last.walletsFolder] : []),
            ...(await jobs.walletsFolders(({ offline }) => offline === true)),
            ...discovery.stoppedFolders(),
          ];
        },
        nodeFolders: ownDataFolders,
        ownFolders: [homedir(), dataFolder],
      });
  const plans = createPlans({
    session,
    files: walletFiles,
    deps: {
      work: walletWork,
      copies,
      interruptions,
      copiesFolder: dataFolder,
      now: () => Date.now() / 1000,
      walletElsewhere: async (status, onDisk) => {
        const named = onDisk.map((name) => ({ name }));
        return jobInOtherFolder(await jobs.list(), status, named)?.wallet ?? null;
      },
      refuseBackup: pathGuard?.refuseBackup.bind(pathGuard),
    },
  });
  /** Holds the prover's copies of new wallets while it compares them. */
  const comparing = createTemporaryFolders(join(dataFolder, APP_FOLDERS.comparing));
  const proving: WalletWork = (task, signal) =>
    tasks.run({ signal }, (taskSignal) => walletWork(task, taskSignal));
  const disconnectedJobs = new Set<string>();
  const busy = createBusyWallets();
  const jobs = createJobs({
    ...timing,
    session,
    emit: (job) => {
      // Check at once, so that the connection's state does not contradict the job for seconds.
      if (job.connection !== 'ok' && !disconnectedJobs.has(job.id)) connection.pollNow();
      if (job.connection !== 'ok') disconnectedJobs.add(job.id);
      else disconnectedJobs.delete(job.id);
      log.job(job);
      emit('job', job);
    },
    journal: createJournal(join(dataFolder, APP_FOLDERS.journal)),
    prover: createProver({ work: proving, folders: comparing }),
    work: proving,
    busy,
    copies,
    interruptions,
    plans,
  });

  // Reconnects to the node of unfinished jobs; else to the last node.
  const closing = new AbortController();
  const last = reconnects && settings.current().reconnect ? settings.lastNode() : null;
  void jobs.nodeOfResumedJob().then((resumed) => {
    const node = resumed ?? last;
    const deps = { connection, engine, discovery, profiles };
    return node === null ? undefined : reconnect(node, deps, { signal: closing.signal });
  });

  /** Sends what the system asked for before the page listened. */
  let waiting: (() => void) | null = null;
  let pageListens = false;
  let pageWaits = false;
  function oncePageListens(send: () => void): void {
    if (pageListens) send();
    else waiting = send;
  }

  const requestDeps: RequestDeps = {
    host,
    settings,
    profiles,
    discovery,
    connection,
    engine,
    walletWork,
    busy,
    tasks,
    walletFiles,
    plans,
    copies,
    interruptions,
    jobs,
    pathGuard,
    info: {
      version,
      entry: host.entry,
      platform: thisPlatform(),
      homeFolder: thisPlatform() === 'win32' ? null : homeFolder(),
      dataFolder,
      copiesFolder: join(dataFolder, APP_FOLDERS.safetyCopies),
      logPath: appLogPath(dataFolder),
      canShowInFolder: host.canShowInFolder(),
      canSaveSecrets: host.secrets.available(),
      canSavePdf: host.printPdf !== undefined,
    },
    emit,
    failed: log.failure,
    pageWaits: (waits) => {
      pageWaits = waits;
    },
    pageListens() {
      pageListens = true;
      const send = waiting;
      waiting = null;
      if (send !== null) setImmediate(send);
    },
  };

  return {
    call: createCall(requestDeps),
    subscribe(listener) {
      bus.on('event', listener);
      return () => bus.off('event', listener);
    },
    settings: settings.current,
    running: () => jobs.running(),
    waits: () => pageWaits,
    openFile(path) {
      // Anybody can start the app with any argument. Ignore one that is no path.
      if (!eventTable.openFile.safeParse({ path }).success) return;
      pathGuard?.trust(path);
      oncePageListens(() => emit('openFile', { path }));
    },
    showRoute: (route) => oncePageListens(() => emit('showRoute', { route })),
    async close() {
      closing.abort();
      jobs.close();
      comparing.close();
      tasks.close();
      await Promise.all([walletFiles.close(), connection.close(), engine.stop()]);
      log.close();
    },
  };
}

/** Joins the handlers of all features. */
export function createCall(deps: RequestDeps): Services['call'] {
  const recentFiles = createRecentFiles(deps.info.dataFolder);
  return answerRequests(deps, {
    ...appRequests(deps),
    ...nodeRequests(deps),
    ...walletRequests(deps, recentFiles),
    ...fileRequests(deps, recentFiles),
    ...jobRequests(deps),
  });
}

/** Links resolved, as in the paths of files. */
function homeFolder(): string | null {
  try {
    return realpathSync(homedir());
  } catch {
    return null;
  }
}
