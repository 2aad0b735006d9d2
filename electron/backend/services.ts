/** The map of the back end: every service built once, and what each has to know of the others. */
import { EventEmitter } from 'node:events';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type EventName, type EventValue, eventTable } from '../../shared/contract.ts';
import { networks } from '../../shared/model/network.ts';
import { identityOf, sameNode } from '../../shared/model/node.ts';
import { createConnection } from '../bitcoind/connection/connection.ts';
import { createOfflineEngine } from '../bitcoind/connection/offlineEngine.ts';
import { reconnect } from '../bitcoind/connection/reconnect.ts';
import { createDiscovery, ownDataFolders } from '../bitcoind/discovery/discovery.ts';
import { createProfiles } from '../bitcoind/discovery/profiles.ts';
import { thisPlatform } from '../files/isNetworkPath.ts';
import { APP_FOLDERS } from '../files/owned/sharedFolder.ts';
import { createTemporaryFolders } from '../files/temporaryFolders.ts';
import { createLoadGuard } from '../jobs/placing/loadGuard.ts';
import { createPlans } from '../jobs/plan/plans.ts';
import { createWalletFiles } from '../jobs/plan/walletFiles.ts';
import { createProver } from '../jobs/proof/proof.ts';
import { createBusyWallets } from '../jobs/run/busyWallets.ts';
import { interruptionsInJournal } from '../jobs/run/interruptionsInJournal.ts';
import { createJobs, type JobsOptions } from '../jobs/run/jobs.ts';
import { createJournal } from '../jobs/run/journal.ts';
import { createInterruptions } from '../jobs/safetyCopies/interruptions.ts';
import { createSafetyCopies } from '../jobs/safetyCopies/safetyCopies.ts';
import { createFileTasks } from '../workers/fileTasks.ts';
import type { WalletWork } from '../workers/walletWork.ts';
import { appLogPath, createAppLog } from './appLog.ts';
import type { Host, Services } from './host.ts';
import { createPageWrites } from './pageWrites.ts';
import { answerRequests } from './requests.ts';
import { createSettings } from './settings.ts';

export interface ServicesOptions {
  host: Host;
  /** Where the app keeps what it remembers. */
  dataFolder: string;
  /** Reads wallet files apart from the main thread. */
  walletWork: WalletWork;
  version: string;
  /** Whether a terminal asks, and no page: default false. */
  fromTerminal?: boolean;
  /** Whether to go back to the node of last time, where the user has it so. */
  goesBack?: boolean;
  /** The clock of jobs and their pauses, where they are not the usual ones. */
  timing?: Pick<JobsOptions, 'now' | 'askEveryMs' | 'silenceMs' | 'logEveryMs'>;
}

export function createServices({
  host,
  dataFolder,
  walletWork,
  version,
  fromTerminal = false,
  goesBack = false,
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
    mayLoad: createLoadGuard(walletWork),
    onChange: (value) => {
      log.connection(value);
      emit('connection', value);
      if (value.state === 'connected') settings.rememberNode(identityOf(value.node));
      // A node that is back may be what a copy waits for that was placed in its folder.
      if (value.state === 'connected' && !connected) {
        void jobs.takeBackCopies();
        void jobs.askAgain();
      }
      connected = value.state === 'connected';
    },
  });
  const session = () => connection.session();
  const engine = createOfflineEngine({
    dataFolder,
    startProcess: host.startEngine,
    foundNodes: () => discovery.discover(),
    connect: (node) => connection.connectTo(node),
    isAtWork: (address) => jobs.running(address) > 0,
    onEnd: () => connection.lookNow(),
  });

  const tasks = createFileTasks();
  const copies = createSafetyCopies({
    folder: join(dataFolder, APP_FOLDERS.safetyCopies),
    work: walletWork,
  });
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
  const writes = fromTerminal
    ? null
    : createPageWrites({
        hasDialogs: host.entry === 'electron',
        knownFolders: async () => {
          const last = settings.lastNode();
          return [
            ...networks.map((network) => engine.folderOf(network)),
            ...(last?.offline && last.walletsFolder !== null ? [last.walletsFolder] : []),
            ...(await jobs.engineFolders()),
          ];
        },
        nodeFolders: ownDataFolders(),
        ownFolders: [homedir(), dataFolder],
      });
  const plans = createPlans({
    session,
    files: walletFiles,
    deps: {
      ...{ copies, interruptions, copiesFolder: dataFolder, now: () => Date.now() / 1000 },
      ...(writes === null ? {} : { refuseBackup: (destination) => writes.refuseBackup(destination) }),
    },
  });
  /** Where the prover's copies of new wallets are while they are compared. */
  const comparing = createTemporaryFolders(join(dataFolder, APP_FOLDERS.comparing));
  const proving: WalletWork = (task, asker) =>
    tasks.run({ signal: asker }, (signal) => walletWork(task, signal));
  const lineLost = new Set<string>();
  const busy = createBusyWallets();
  const jobs = createJobs({
    ...timing,
    session,
    emit: (job) => {
      // The state of the connection is not to say otherwise for seconds.
      if (job.connection !== 'ok' && !lineLost.has(job.id)) connection.lookNow();
      if (job.connection !== 'ok') lineLost.add(job.id);
      else lineLost.delete(job.id);
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

  /** Work that an earlier session left unfinished is seen through, without being asked to; else it is the node of then. */
  const leaving = new AbortController();
  const last = goesBack && settings.current().reconnect ? settings.lastNode() : null;
  void jobs.leftOn().then((left) => {
    const node = left ?? last;
    const ways = { connection, engine, discovery, profiles };
    return node === null ? undefined : reconnect(node, ways, { signal: leaving.signal });
  });

  function runningInEngine(): number {
    const address = engine.address();
    return address === null ? 0 : jobs.running(address);
  }

  /** A file that was opened with the app before its page could be told of it. */
  let waitingFile: string | null = null;
  let pageListens = false;

  const call = answerRequests({
    ...{ host, settings, profiles, discovery, connection, engine },
    ...{ walletWork, busy, tasks, walletFiles, plans, copies, interruptions, jobs },
    writes,
    info: {
      version,
      entry: host.entry,
      platform: thisPlatform(),
      ...{ dataFolder, copiesFolder: join(dataFolder, APP_FOLDERS.safetyCopies) },
      logPath: appLogPath(dataFolder),
      canShowInFolder: host.canShowInFolder(),
      canSaveSecrets: host.secrets.available(),
      canSavePdf: host.printPdf !== undefined,
    },
    emit,
    failed: log.failure,
    pageListens() {
      pageListens = true;
      const path = waitingFile;
      waitingFile = null;
      if (path !== null) setImmediate(() => emit('openFile', { path }));
    },
    leaveEngine() {
      const address = engine.address();
      const now = connection.current();
      const stays = now.state === 'connected' && address !== null && sameNode(now.node.address, address);
      if (!stays && runningInEngine() === 0) void engine.stop();
    },
  });

  return {
    call,
    subscribe(listener) {
      bus.on('event', listener);
      return () => bus.off('event', listener);
    },
    settings: settings.current,
    running: () => ({ all: jobs.running(), inEngine: runningInEngine() }),
    openFile(path) {
      // Whoever starts the app chooses its words: one that is no path is none to open.
      if (!eventTable.openFile.safeParse({ path }).success) return;
      writes?.open(path);
      if (pageListens) emit('openFile', { path });
      else waitingFile = path;
    },
    showRoute: (route) => emit('showPlace', { place: route }),
    async close() {
      leaving.abort();
      jobs.close();
      comparing.close();
      tasks.close();
      await Promise.all([walletFiles.close(), connection.close(), engine.stop()]);
      log.close();
    },
  };
}
