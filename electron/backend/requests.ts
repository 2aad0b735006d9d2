/** The contract's requests, each answered by its service: what crosses is checked on the way in and on the way out. */
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { z } from 'zod';
import {
  type AppInfo,
  type EventName,
  type EventValue,
  type Input,
  isRequestName,
  type Output,
  type RequestName,
  requestTable,
} from '../../shared/contract.ts';
import { AppError } from '../../shared/model/errors.ts';
import type { Job } from '../../shared/model/job.ts';
import type { NodeStatus } from '../../shared/model/node.ts';
import type { SearchProgress } from '../../shared/model/search/searches.ts';
import type { Wallet } from '../../shared/model/wallet.ts';
import { errorShapeOf } from '../../shared/wording/errorWords.ts';
import { say } from '../../shared/wording/say.ts';
import { loadWallet, unloadWallet } from '../bitcoind/calls/walletCalls.ts';
import { listNodeWallets } from '../bitcoind/calls/wallets.ts';
import type { NodeConnection } from '../bitcoind/connection/connection.ts';
import type { OfflineEngine } from '../bitcoind/connection/offlineEngine.ts';
import { findBackups } from '../bitcoind/discovery/backups.ts';
import { type Discovery, ownDataFolders } from '../bitcoind/discovery/discovery.ts';
import type { Profiles } from '../bitcoind/discovery/profiles.ts';
import { searchWallets } from '../bitcoind/discovery/searchWallets.ts';
import { writeError } from '../files/fileError.ts';
import { inspectFile } from '../files/inspect.ts';
import { isTemporary } from '../files/temporaryFolders.ts';
import { refuseTaken, writeNewFile } from '../files/writeNewFile.ts';
import type { Plans } from '../jobs/plan/plans.ts';
import type { WalletFiles } from '../jobs/plan/walletFiles.ts';
import type { BusyWallets } from '../jobs/run/busyWallets.ts';
import type { Jobs } from '../jobs/run/jobs.ts';
import { reportOf } from '../jobs/run/report.ts';
import { savedReport } from '../jobs/run/savedReport.ts';
import { interruptionOf, isWholeSource } from '../jobs/safetyCopies/interruptedSource.ts';
import type { Interruptions } from '../jobs/safetyCopies/interruptions.ts';
import type { SafetyCopies } from '../jobs/safetyCopies/safetyCopies.ts';
import type { FileTasks } from '../workers/fileTasks.ts';
import { createGlances } from '../workers/glances.ts';
import { imageSearch } from '../workers/imageSearch.ts';
import { createPassphraseSearch } from '../workers/passphraseSearch.ts';
import type { WalletWork } from '../workers/walletWork.ts';
import { browse, foldersOfUser } from './browse.ts';
import type { Host, Services } from './host.ts';
import type { PageWrites } from './pageWrites.ts';
import { createRecentFiles } from './recentFiles.ts';
import type { KeptSettings } from './settings.ts';

/** What the requests are answered with. */
interface Means {
  readonly host: Host;
  readonly info: Omit<AppInfo, 'settings'>;
  readonly settings: KeptSettings;
  readonly profiles: Profiles;
  readonly discovery: Discovery;
  readonly connection: NodeConnection;
  readonly engine: OfflineEngine;
  readonly busy: BusyWallets;
  readonly tasks: FileTasks;
  readonly walletWork: WalletWork;
  readonly walletFiles: WalletFiles;
  readonly plans: Plans;
  readonly copies: SafetyCopies;
  readonly interruptions: Interruptions;
  readonly jobs: Jobs;
  /** Null where the user asks in a terminal: what is typed there is the user's own. */
  readonly writes: PageWrites | null;
  emit<N extends EventName>(name: N, value: EventValue<N>): void;
  /** Takes each request that failed, for the app's log. */
  failed(request: string, error: unknown): void;
  /** The page is there, and listens. */
  pageListens(): void;
  /** Ends the engine where nobody is connected to it and nothing runs in it. */
  leaveEngine(): void;
}

/** The back end's answer to each request: input decoded and checked before, output encoded and checked after. */
export function answerRequests(means: Means): Services['call'] {
  const requests = createRequests(means);
  async function answer<N extends RequestName>(name: N, input: unknown, asker: AbortSignal) {
    const { input: takes, output: gives } = requestTable[name];
    const parsed = takes.safeParse(input);
    if (!parsed.success) throw badInput(parsed.error);
    means.writes?.refuseElsewhere(parsed.data);
    return z.encode(gives, await requests[name](parsed.data, asker));
  }
  return async (name, input, asker = new AbortController().signal) => {
    try {
      if (!isRequestName(name)) {
        throw new AppError('bad_input', say('Unknown request.'), say('Nothing was sent.'));
      }
      return { ok: true, value: await answer(name, input, asker) };
    } catch (thrown) {
      means.failed(isRequestName(name) ? name : 'unknown request', thrown);
      return { ok: false, error: errorShapeOf(thrown) };
    }
  };
}

/** `asker` is aborted when nobody waits for the answer any more. */
type Requests = {
  readonly [N in RequestName]: (input: Input<N>, asker: AbortSignal) => Promise<Output<N>>;
};

function createRequests(means: Means): Requests {
  const { host, info, settings, profiles, discovery, connection, engine, busy, tasks } = means;
  const { walletWork, walletFiles, plans, copies, interruptions, jobs, writes, emit } = means;
  const recentFiles = createRecentFiles(info.dataFolder);
  const glances = createGlances(walletWork);
  const searchImage = imageSearch(walletWork, info.dataFolder);
  const passphraseSearch = createPassphraseSearch(walletWork, info.dataFolder);

  /** Work on a file, which ends with who asked for it, and by the name that it may have. `endless`: it may take hours. */
  const asTask =
    <I extends { task?: string | undefined }, O>(
      work: (input: NoInfer<I>, signal: AbortSignal) => Promise<O>,
      { endless = false } = {},
    ) =>
    (input: I, asker: AbortSignal): Promise<O> =>
      tasks.run({ signal: asker, task: input.task, endless }, (signal) => work(input, signal));

  const tellOf = (task: string) => (progress: SearchProgress) =>
    emit('searchProgress', { task, ...progress });

  /** For what gives no answer but that it was done. */
  const done =
    <I>(work: (input: I) => unknown) =>
    async (input: I): Promise<Record<string, never>> => {
      await work(input);
      return {};
    };

  async function ownReport(id: string): Promise<string> {
    return savedReport(await jobOf(id), { version: info.version, now: Date.now() / 1000 });
  }

  async function reportForOthers(id: string): Promise<string> {
    const [job, log] = [await jobOf(id), await jobs.log(id)];
    return reportOf({ job, log, version: info.version, platform: info.platform });
  }

  async function jobOf(id: string): Promise<Job> {
    const job = (await jobs.list()).find((each) => each.id === id);
    if (!job) throw new AppError('bad_input', say('Unknown job.'), say('See Activity.'));
    return job;
  }

  /** The interruption, as the plan that restores the wallet would find it. */
  async function interruptionIn(name: string, signal: AbortSignal): Promise<Wallet['interruption']> {
    const asked = { source: { by: 'wallet', name }, isWanted: true } as const;
    const found = await interruptionOf(nodeNow(), asked, interruptions, signal);
    if (found === null) return undefined;
    const { copies: whole, backAs } = found;
    return { copies: whole.length, ...(backAs === undefined ? {} : { backAs }) };
  }

  function nodeNow(): NodeStatus | null {
    const now = connection.current();
    return 'node' in now ? now.node : null;
  }

  return {
    'app.info': async () => {
      // The page listens before it asks for this, its first question.
      means.pageListens();
      return { ...info, settings: settings.current() };
    },
    'app.at': done(({ place }) => host.pageIsAt?.(place)),
    'settings.change': done((next) => {
      try {
        settings.change(next);
      } catch (error) {
        throw writeError(error, info.dataFolder);
      } finally {
        emit('settings', settings.current());
      }
    }),

    'nodes.discover': async () => ({ nodes: await discovery.discover() }),
    'nodes.profiles': async () => ({ profiles: await profiles.list() }),
    'nodes.forget': done(({ id }) => profiles.forget(id)),
    'nodes.connect': async (target) => {
      const reached = await connection.connect(target);
      means.leaveEngine();
      return reached;
    },
    'nodes.useWalletsFolder': async ({ path }) => {
      await writes?.refuseWalletsFolder(path);
      return connection.useWalletsFolder(path);
    },
    'nodes.disconnect': done(async () => {
      await connection.disconnect();
      settings.rememberNode(null);
      means.leaveEngine();
    }),
    'nodes.connection': async () => connection.current(),

    'wallets.list': async () => ({
      wallets: await listNodeWallets(
        connection.session(),
        (wallet) => emit('wallet', wallet),
        (files, tell, signal) => tasks.run({ signal }, (ending) => glances(files, tell, ending)),
        (name, signal) => tasks.run({ signal }, (ending) => interruptionIn(name, ending)),
      ),
    }),
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

    'files.inspect': ({ path }) => inspectFile(path),
    'files.backups': async () => {
      const folder = nodeNow()?.walletsFolder;
      return { backups: folder ? await findBackups(folder) : [] };
    },
    'files.browse': ({ path }) => {
      const folder = nodeNow()?.walletsFolder;
      const extraPlaces = folder ? [{ label: say('Wallets folder'), path: folder }] : [];
      return browse(path, { home: homedir(), extraPlaces });
    },
    'files.pick': async (options) => {
      const path = await host.pickFile(options);
      if (path !== null) writes?.choose(options.purpose, path);
      return { path };
    },
    'files.search': asTask(async ({ task }, signal) =>
      searchWallets({
        folders: [...ownDataFolders(), ...(await foldersOfUser(homedir()))],
        leaveOut: [info.dataFolder],
        tell: (looked, folder, found) => emit('searched', { task, looked, folder, found }),
        signal,
      }),
    ),
    'files.searchImage': asTask(
      async ({ task, ...search }, signal) => {
        if (search.folder !== null) writes?.refuseFolder(search.folder);
        return searchImage({ ...search, tell: tellOf(task) }, signal);
      },
      { endless: true },
    ),
    'files.recent': async () => ({ files: await recentFiles.list() }),
    'files.forget': done(({ path }) => recentFiles.forget(path)),
    'files.show': done(async ({ path }) => {
      await stat(path).catch(() => {
        throw new AppError('file_missing', say('This file is gone.'), say('It may have been moved.'));
      });
      await host.showInFolder(path);
    }),

    'wallet.inspect': asTask(async ({ rescue, unlisted, ...asked }, signal) => {
      const { source, network } = asked;
      const how = rescue ? ({ logs: 'beside', network, usual: nodeNow()?.network } as const) : undefined;
      const { inspection } = await walletFiles.inspect({ ...asked, rescue: how }, signal);
      // What was pasted is gone with the app.
      if (source.by === 'file' && !unlisted && !isTemporary(source.path)) recentFiles.note(source.path);
      return inspection;
    }),
    'wallet.interruption': asTask(async ({ source, copy, isWanted }, signal) => {
      const node = nodeNow();
      const interruption = await interruptionOf(node, { source, copy, isWanted }, interruptions, signal);
      const isWhole = interruption === null && (await isWholeSource(node, source, interruptions, signal));
      return { interruption, isWhole };
    }),
    'wallet.tryPassphrase': asTask(walletFiles.tryPassphrase),
    'wallet.export': asTask(async (input, signal) => {
      writes?.refuseFile('save-descriptors', input.destination, ['.json', '.txt']);
      return walletFiles.export(input, signal);
    }),
    'wallet.fromText': asTask(walletFiles.fromText),
    'passphrase.count': asTask(async ({ source, memory }, signal) =>
      passphraseSearch.count(await walletFiles.encryption(source, signal), memory),
    ),
    'passphrase.search': asTask(
      async ({ source, task, ...search }, signal) => {
        const encryption = await walletFiles.encryption(source, signal);
        return passphraseSearch.run(encryption, { ...search, tell: tellOf(task) }, signal);
      },
      { endless: true },
    ),
    'tasks.cancel': done(({ task }) => tasks.cancel(task)),

    'engine.place': async ({ network }) => ({ walletsFolder: engine.folderOf(network) }),
    'engine.start': async (place) => {
      if (place.walletsFolder !== null) await writes?.refuseWalletsFolder(place.walletsFolder);
      return engine.start(place);
    },

    'plan.make': asTask(async (input, signal) => {
      // An answer changes a plan without a new look.
      if (input.previousPlan === undefined) {
        // A node that was started anew would be refused as another one when the plan is run.
        await connection.catchUp();
        await jobs.takeBackCopies();
      }
      return plans.make(input, signal);
    }),
    'plan.tryPassphrase': asTask(plans.tryPassphrase),
    'plan.rehearse': asTask(plans.rehearse),
    'plan.run': async (input) => {
      const { destination } = input.answers;
      if (destination) writes?.refuseBackup(destination);
      return jobs.run(input);
    },
    'copies.list': async () => ({ copies: await copies.list() }),
    'jobs.list': async () => ({
      jobs: await jobs.list(),
      unreadable: await jobs.unreadable(),
    }),
    'jobs.log': async ({ id }) => ({ lines: await jobs.log(id) }),
    'jobs.report': async ({ id }) => ({ text: await reportForOthers(id) }),
    'jobs.ownReport': async ({ id }) => ({ text: await ownReport(id) }),
    'jobs.saveReport': async ({ id, which, destination }) => {
      writes?.takeChosen('save-report', destination);
      const text = await (which === 'own' ? ownReport(id) : reportForOthers(id));
      const folder = refuseTaken(destination);
      const isPdf = destination.toLowerCase().endsWith('.pdf');
      const content = isPdf ? await host.printPdf?.(text) : text;
      if (content === undefined)
        throw new AppError(
          'not_available_here',
          say('No PDF can be made here.'),
          say('Nothing was saved. Save it as text.'),
        );
      return { path: destination, size: writeNewFile(destination, content, folder) };
    },
    'jobs.cancelRescan': done(({ id }) => jobs.cancelRescan(id)),
    'jobs.askAgain': done(() => jobs.askAgain()),
    'jobs.stopWaiting': done(({ id }) => jobs.stopWaiting(id)),
  };
}

/** Names the fields that are wrong, never their values: one of them may be a secret. */
function badInput(error: z.ZodError): AppError {
  const fields = [...new Set(error.issues.map((issue) => issue.path.join('.') || 'input'))].join(', ');
  return new AppError(
    'bad_input',
    say('The app does not understand this request ({fields}).', { fields }),
    say('Nothing was sent. Check your entries.'),
  );
}
