/** For tests: plans and jobs on a scripted node in memory. */
import { appendFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { z } from 'zod/mini';
import { loadRecording, type ReleaseName } from '../../../e2e/testNode/recording.ts';
import { createScriptedNode } from '../../../e2e/testNode/scriptedNode.ts';
import { type FixtureName, fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import { type Job, job, joinLogs } from '../../../shared/model/job.ts';
import { bigintAsText } from '../../../shared/model/money.ts';
import type { NodeStatus } from '../../../shared/model/node.ts';
import {
  type Plan,
  type PlanRequest,
  plan as planShape,
  type WalletSource,
} from '../../../shared/model/plan.ts';
import type { Check } from '../../../shared/model/safety.ts';
import { sampleNodeStatus } from '../../../shared/testing/sampleNodeStatus.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import { removeTestFolder } from '../../files/testing/removeTestFolder.ts';
import { walletWorkHere } from '../../workers/testing/walletWorkHere.ts';
import type { WalletWork } from '../../workers/walletWork.ts';
import { createPlans } from '../plan/plans.ts';
import { createWalletFiles, type WalletFiles } from '../plan/walletFiles.ts';
import { createProver, type Prover } from '../proof/proof.ts';
import { createBusyWallets } from '../run/busyWallets.ts';
import { createJobs, type JobsOptions } from '../run/jobs.ts';
import { createJournal, interruptionsInJournal, type Journal, type JournalEntry } from '../run/journal.ts';
import { createInterruptions } from '../safetyCopies/interruptions.ts';
import { createSafetyCopies, type SafetyCopies } from '../safetyCopies/safetyCopies.ts';
import { PlanNotRun } from './planNotRun.ts';

/** A journal that keeps nothing and only calls `write`. */
export function journalWith(write: (entry: JournalEntry) => unknown = () => undefined): Journal {
  const read = async () => ({ entries: [], unreadable: [], newer: [] });
  return { read, write, logOf: async () => [] };
}

/** A prover without a copy to compare with. */
export const proveNothing: Prover = async () => ({
  proof: {
    verdict: 'partly',
    scripts: null,
    labels: null,
    transactions: null,
    balance: { file: null, fileTime: null, before: null, after: null },
    wallets: [],
    differences: [],
    unknown: [],
  },
});

/** The app's prover for wallets that the node has not loaded: it reads their files, and needs no copies of them. */
export function createFileProver(work: WalletWork = walletWorkHere): Prover {
  const unused = () => Promise.reject(new Error('no copy is needed'));
  return createProver({ work, folders: { during: unused, keep: unused, close: () => undefined } });
}

/** For busy machines. */
const PATIENCE = { timeout: 60_000, interval: 10 };

/** `getwalletinfo` of a loaded wallet, as release 30 answers it. */
export function infoOf(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    walletname: 'w',
    format: 'sqlite',
    txcount: 3,
    private_keys_enabled: true,
    scanning: false,
    descriptors: true,
    ...fields,
  };
}

export const balances = { mine: { trusted: 1.5, untrusted_pending: 0.25, immature: 0.00000001 } };

/** The expected rejection of a run that a check of this id, with these words in its title, blocks. */
export function stoppedBy(id: Check['id'], words = '') {
  const check = expect.objectContaining({ id, title: expect.stringContaining(words) });
  return { stops: expect.arrayContaining([check]) };
}

interface BenchOptions {
  log?: boolean;
  /** `kept`: the app's own, in its folder. Default: none. */
  journal?: Journal | 'kept';
  answerPollMs?: number;
  copies?: SafetyCopies;
  prover?: Prover;
  /** Reads files. Default: the app's own. */
  files?: Pick<WalletFiles, 'inspect' | 'tryPassphrase' | 'rehearse'>;
}

interface Start extends Partial<PlanRequest> {
  passphrase?: string | undefined;
}

/**
 * Plans and jobs on a scripted node with a log. Checks every plan and every snapshot against the contract's schema. `folder` is
 * the node's, `appFolder` the app's.
 */
export async function createBench(
  status: Partial<NodeStatus> = {},
  {
    log = true,
    journal: givenJournal = journalWith(),
    answerPollMs,
    copies: givenCopies,
    prover = proveNothing,
    files: givenFiles,
  }: BenchOptions = {},
) {
  const node = createScriptedNode();
  const folder = await mkdtemp(join(tmpdir(), 'jobs-'));
  const appFolder = await mkdtemp(join(tmpdir(), 'app-'));
  const logPath = join(folder, 'debug.log');
  const journal = givenJournal === 'kept' ? createJournal(join(appFolder, 'journal')) : givenJournal;
  await writeFile(logPath, '2026-11-20T13:00:00Z before\n');
  const session: Session = {
    client: node.client,
    status: sampleNodeStatus({
      address: node.client.address,
      network: 'regtest',
      logPath: log ? logPath : null,
      walletsFolder: folder,
      ...status,
    }),
  };
  node.handlers.getnetworkinfo = () => ({
    version: session.status.release.number,
    subversion: session.status.offline ? '/Wallet Ferry engine:1.0.0/' : '/Satoshi:28.1.0/',
    warnings: [],
  });
  const events: Job[] = [];
  const emitted: Job[] = [];
  const clock = { now: 1_795_180_000 };
  const connection: { session: () => Session } = { session: () => session };
  const copies =
    givenCopies ??
    createSafetyCopies({ work: walletWorkHere, folder: join(appFolder, 'copies'), now: () => clock.now });
  const interruptions = createInterruptions({
    work: walletWorkHere,
    copies,
    recorded: async () => interruptionsInJournal(await jobs.list()),
  });
  let inspections = 0;
  const reader = createWalletFiles({
    session: () => connection.session(),
    work: walletWorkHere,
    copiesFolder: join(appFolder, 'reading'),
  });
  const files = givenFiles ?? reader;
  const plans = createPlans({
    session: () => connection.session(),
    files: {
      ...files,
      inspect: (...request) => {
        inspections++;
        return files.inspect(...request);
      },
    },
    deps: { work: walletWorkHere, copies, interruptions, copiesFolder: appFolder, now: () => clock.now },
  });
  const options: JobsOptions = {
    session: () => connection.session(),
    emit: (snapshot) => {
      z.encode(job, snapshot);
      events.push(structuredClone(snapshot));
      const known = emitted.findLast(({ id }) => id === snapshot.id);
      emitted.push(structuredClone(known ? joinLogs(known, snapshot) : snapshot));
    },
    journal,
    prover,
    copies,
    interruptions,
    // Nobody listens at its address.
    stoppedNodeFolder: async () => null,
    work: walletWorkHere,
    plans,
    now: () => clock.now,
    pollMs: 5,
    ...(answerPollMs === undefined ? {} : { answerPollMs }),
    logPollMs: 5,
    // No wallet is at work at the app's next start.
    get busy() {
      return createBusyWallets();
    },
  };
  const busy = createBusyWallets();
  const jobs = createJobs({ ...options, busy });
  onTestFinished(async () => {
    jobs.close();
    await reader.close();
    await Promise.all([folder, appFolder].map(removeTestFolder));
  });
  const { signal } = new AbortController();
  const plan = async (request: Parameters<typeof plans.make>[0]) => {
    const plan = await plans.make(request, signal);
    z.encode(planShape, plan);
    return plan;
  };
  /** Runs a plan with its answers, and says that the user has a copy. Throws PlanNotRun for a plan that is not run. */
  const run = async (
    { id }: Pick<Plan, 'id'>,
    { answers, passphrase }: Pick<Start, 'answers' | 'passphrase'> = {},
    on: Pick<typeof jobs, 'run'> = jobs,
  ) => {
    const secret = passphrase === undefined ? {} : { passphrase };
    const ran = await on.run({ plan: id, answers: { hasOwnCopy: true, ...answers }, ...secret }, signal);
    if (!ran.began) throw new PlanNotRun(ran.plan);
    return ran.job;
  };
  /** Makes the plan and runs it. Throws as `run`. */
  const start = async (
    { passphrase, answers, ...request }: Start & Pick<PlanRequest, 'action' | 'source'>,
    on?: Pick<typeof jobs, 'run'>,
  ) => {
    const all = { hasOwnCopy: true, withPassphrase: (passphrase ?? '') !== '', ...answers };
    return run(await plan({ ...request, answers: all }), { answers: all, passphrase }, on);
  };
  const of = (name: string): WalletSource => ({ by: 'wallet', name });
  const last = () => {
    const snapshot = emitted.at(-1);
    if (!snapshot) throw new Error('nothing was emitted');
    return snapshot;
  };
  return {
    node,
    folder,
    appFolder,
    logPath,
    session,
    connection,
    copies,
    interruptions,
    plans,
    jobs,
    journal,
    /** For other jobs on the same plans, as at the app's next start, when no wallet is at work. */
    options,
    busy,
    plan,
    run,
    start,
    restore: (input: Restoring, on?: Pick<typeof jobs, 'run'>) => start(restoreRequest(input), on),
    migrate: ({ name, passphrase }: { name: string; passphrase?: string }) =>
      start({ action: 'migrate', source: of(name), passphrase }),
    backUp: ({ name, destination }: { name: string; destination: string }) =>
      start({ action: 'backup', source: of(name), answers: { destination } }),
    /** How often plans inspected a file. */
    inspections: () => inspections,
    /** Each change as it was emitted, with only its new log lines. */
    events,
    /** The job after each change. */
    emitted,
    clock,
    last,
    writeLog: (...lines: string[]) =>
      appendFileSync(logPath, lines.map((line) => `${stamped(line)}\n`).join('')),
    /** The last snapshot, once it passes. */
    until: (passes: (snapshot: Job) => boolean) =>
      vi.waitFor(() => {
        const snapshot = last();
        if (!passes(snapshot)) throw new Error(`not yet: ${JSON.stringify(snapshot, bigintAsText)}`);
        return snapshot;
      }, PATIENCE),
    /** The last job's first snapshot after its end. A later look for an unknown outcome may have replaced it since. */
    ended: () =>
      vi.waitFor(() => {
        const { id } = last();
        const snapshot = emitted.find((each) => each.id === id && each.state !== 'running');
        if (!snapshot) throw new Error(`still runs: ${JSON.stringify(last(), bigintAsText)}`);
        return snapshot;
      }, PATIENCE),
  };
}

/** A bench on a node whose wallets folder is apart from its log, and holds the wallet `other`. */
export async function createWalletsBench(...options: Parameters<typeof createBench>) {
  const bench = await createBench(...options);
  const wallets = join(await realpath(bench.folder), 'wallets');
  bench.session.status.walletsFolder = wallets;
  await putWallet(wallets, 'other', 'descriptor-hd');
  bench.node.handlers.listwalletdir = async () => ({
    wallets: (await readdir(wallets)).map((name) => ({ name })),
  });
  return { ...bench, wallets };
}

/** Copies a fixture into the folder of a wallet. Returns the path of its file. */
export async function putWallet(wallets: string, name: string, fixture: FixtureName): Promise<string> {
  const file = join(wallets, name, 'wallet.dat');
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await copyFile(fixtureFile(fixture), file);
  return file;
}

/** The answer of `getrpcinfo` while these calls run. */
export const running = (...methods: string[]) => ({
  active_commands: [...methods, 'getrpcinfo'].map((method) => ({ method, duration: 1000 })),
  logpath: '/x',
});

interface Restoring {
  name: string;
  backupFile: string;
  loadOnStartup?: boolean | null;
  passphrase?: string;
}

function restoreRequest({ name, backupFile, loadOnStartup = null, passphrase }: Restoring) {
  return {
    action: 'restore',
    source: { by: 'file', path: backupFile },
    answers: { name, loadOnStartup },
    passphrase,
  } as const;
}

/** The line with a node's time before it. */
export function stamped(line: string): string {
  return /^\d{4}-/.test(line) ? line : `2026-11-20T13:32:03Z ${line}`;
}

/** The log lines of one exchange in the recordings. */
export function recordedLog(release: string, id: string): string[] {
  return loadRecording(release as ReleaseName).exchange(id).log;
}

/** The state of each step, by phase. */
export function stepStates({ steps }: Pick<Job, 'steps'>): Record<string, string> {
  return Object.fromEntries(steps.map(({ phase, state }) => [phase, state]));
}
