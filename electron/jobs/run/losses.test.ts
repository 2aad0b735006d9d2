import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { filesBelow } from '../../../e2e/app/filesBelow.ts';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import { AppError } from '../../../shared/model/errors.ts';
import type { Job } from '../../../shared/model/job.ts';
import { releaseOf } from '../../bitcoind/rpc/session.ts';
import { failing } from '../../files/testing/failing.ts';
import { once } from '../../walletfile/bytes/once.ts';
import { migratedFile } from '../../walletfile/testing/newWallet.ts';
import { createBench, infoOf } from '../testing/bench.ts';
import { writeInterruptedFiles } from '../testing/interruptedStates.ts';
import { createJobs } from './jobs.ts';

const LEGACY = fixtureFile('legacy-imported');
const DESCRIPTORS = fixtureFile('descriptor-hd');
const EARLIER = new Date(Date.now() - 60_000);

const migrated = once(() => migratedFile(readFileSync(LEGACY)));

type Bench = Awaited<ReturnType<typeof lossBench>>;
/** A job, and what the node leaves of it: all, or half. */
interface LossCase {
  readonly release: number;
  readonly method: string;
  readonly wallet: string;
  /** Makes the wallets that the job needs. */
  readonly before?: (bench: Bench) => void;
  readonly start: (bench: Bench) => Promise<Job>;
  readonly done: (bench: Bench) => Promise<void> | void;
  readonly half: (bench: Bench) => void;
  /** The outcome of `half`. Default: interrupted. A partial backup is none, and a rescan changes no file. */
  readonly halfIs?: 'failed';
}

const place = ({ wallets }: Bench, name: string, file: string | Uint8Array, fileName = 'wallet.dat') => {
  const path = join(wallets, name, fileName);
  mkdirSync(dirname(path), { recursive: true });
  if (typeof file === 'string') cpSync(file, path);
  else writeFileSync(path, file);
};
/** What a node leaves that was killed during a migration, with its backup. */
const halve = (bench: Bench, name: string) => {
  const folder = join(bench.wallets, name);
  rmSync(join(folder, 'wallet.dat'), { force: true });
  writeInterruptedFiles('empty-descriptor', folder, Date.now() / 1000);
  const stem = name === '' ? 'default_wallet' : name;
  place(bench, '', LEGACY, `${stem}_1795651085.legacy.bak`);
};
const load = ({ node }: Bench, name: string, info = {}) => {
  node.handlers.listwallets = () => [name];
  node.handlers.getwalletinfo = () => infoOf(info);
  node.handlers.listdescriptors = () => ({ descriptors: [{}] });
};
const source = (name: string) => ({ by: 'wallet', name }) as const;
const migrates = async (bench: Bench, name: string) => {
  place(bench, name, await migrated());
  load(bench, name);
};

const restoreOf = (wallet: string): LossCase => ({
  release: 280_100,
  method: 'restorewallet',
  wallet,
  start: ({ restore }) => restore({ name: wallet, backupFile: DESCRIPTORS }),
  done(bench) {
    place(bench, wallet, DESCRIPTORS);
    load(bench, wallet);
  },
  half: (bench) => place(bench, wallet, new Uint8Array(8192).fill(7)),
});
const migrateOf = (wallet: string, release: number): LossCase => ({
  release,
  method: 'migratewallet',
  wallet,
  before: (bench) => place(bench, wallet, LEGACY),
  start: ({ migrate }) => migrate({ name: wallet }),
  done: (bench) => migrates(bench, wallet),
  half: (bench) => halve(bench, wallet),
});
const backupOf = (wallet: string): LossCase => ({
  release: 280_100,
  method: 'backupwallet',
  wallet,
  before(bench) {
    place(bench, wallet, DESCRIPTORS);
    load(bench, wallet);
  },
  start: ({ backUp, appFolder }) => backUp({ name: wallet, destination: join(appFolder, 'new.bak') }),
  done: ({ appFolder }) => cpSync(DESCRIPTORS, join(appFolder, 'new.bak')),
  half: ({ appFolder }) => writeFileSync(join(appFolder, 'new.bak'), new Uint8Array(4096)),
  halfIs: 'failed',
});
const rescanOf = (wallet: string): LossCase => ({
  release: 280_100,
  method: 'rescanblockchain',
  wallet,
  before(bench) {
    place(bench, wallet, DESCRIPTORS);
    load(bench, wallet);
  },
  start: ({ start }) => start({ action: 'rescan', source: source(wallet) }),
  done: ({ writeLog, wallet: name }) => writeLog(`[${name}] Rescan completed in              12ms`),
  half: ({ writeLog, wallet: name }) => writeLog(`[${name}] Rescan started from block 00`),
  halfIs: 'failed',
});
const putBackOf = (wallet: string, back: string, release: number): LossCase => ({
  release,
  wallet: back,
  method: release >= 300_000 ? 'migratewallet' : 'restorewallet',
  before: (bench) => halve(bench, wallet),
  start: ({ start }) => start({ action: 'put-back', source: source(wallet) }),
  async done(bench) {
    if (release >= 300_000) return migrates(bench, back);
    place(bench, back, LEGACY);
    load(bench, back, { descriptors: false, format: 'bdb' });
  },
  half: (bench) =>
    release >= 300_000 ? halve(bench, back) : place(bench, back, new Uint8Array(8192).fill(7)),
});

const lossCases: Readonly<Record<string, LossCase>> = {
  restore: restoreOf('w'),
  'restore of a name with a slash': restoreOf('a/b'),
  'restore and migrate': {
    release: 310_000,
    method: 'migratewallet',
    wallet: 'w',
    start: ({ restore }) => restore({ name: 'w', backupFile: LEGACY }),
    done: (bench) => migrates(bench, 'w'),
    half: (bench) => halve(bench, 'w'),
  },
  'migrate on 28': migrateOf('w', 280_100),
  'migrate on 31': migrateOf('w', 310_000),
  'migrate of a name with a slash': migrateOf('a/b', 310_000),
  'migrate of the unnamed wallet': migrateOf('', 280_100),
  rescue: {
    release: 310_000,
    method: 'migratewallet',
    wallet: 'w',
    start: ({ start }) =>
      start({ action: 'rescue', source: { by: 'file', path: LEGACY }, answers: { name: 'w', logs: null } }),
    done: (bench) => migrates(bench, 'w'),
    half: (bench) => halve(bench, 'w'),
  },
  undo: {
    ...restoreOf('w'),
    start: ({ start }) =>
      start({ action: 'undo', source: { by: 'file', path: LEGACY }, answers: { name: 'w' } }),
    done(bench) {
      place(bench, 'w', LEGACY);
      load(bench, 'w', { descriptors: false, format: 'bdb' });
    },
  },
  backup: backupOf('w'),
  'backup of the unnamed wallet': backupOf(''),
  'backup of a name with a slash': backupOf('a/b'),
  rescan: rescanOf('w'),
  'rescan of a name with a slash': rescanOf('a/b'),
  'put back on 28': putBackOf('w', 'w', 280_100),
  'put back on 31': putBackOf('w', 'w', 310_000),
  'put back of the unnamed wallet': putBackOf('', 'wallet', 310_000),
  'put back of a name with a slash': putBackOf('a/b', 'a-b', 310_000),
};

async function lossBench({ release, wallet }: LossCase) {
  const bench = await createBench({ release: releaseOf(release) }, { journal: 'kept' });
  const wallets = join(bench.folder, 'wallets');
  mkdirSync(wallets, { mode: 0o700 });
  bench.session.status.walletsFolder = wallets;
  bench.node.handlers.listwalletdir = () => {
    const files = filesBelow(wallets).filter((path) => basename(path) === 'wallet.dat');
    const names = files.map((path) => relative(wallets, dirname(path)).replaceAll(sep, '/'));
    return { wallets: names.map((name) => ({ name })) };
  };
  return { ...bench, wallets, wallet };
}

const losses = [
  'app killed',
  'node killed',
  'connection lost',
  'waiting stopped',
  'node gone for good',
] as const;

/** Starts the job, and loses its answer after the node has left this. `known` gives the job as the app knows it then. */
async function lost(
  job: LossCase,
  loss: (typeof losses)[number],
  leave: (bench: Bench) => Promise<void> | void,
) {
  const bench = await lossBench(job);
  const { node, wallets, options } = bench;
  job.before?.(bench);
  const nextCall = node.hold(job.method);
  let isGone = false;
  const begin = () => createJobs({ ...options, stoppedNodeFolder: async () => (isGone ? wallets : null) });
  let jobs = begin();
  onTestFinished(() => jobs.close());
  bench.jobs.close();
  const started = await job.start({ ...bench, ...startedOn(bench, jobs) });
  const call = await nextCall();
  node.handlers.getrpcinfo = () => ({ active_commands: [], logpath: '/x' });
  if (loss === 'app killed') jobs.close();
  if (loss === 'waiting stopped') jobs.stopWaiting(started.id);
  await leave(bench);
  // The app waits for three seconds before it trusts younger files of a node that is gone.
  for (const file of filesBelow(wallets)) utimesSync(file, EARLIER, EARLIER);
  const answers = { ...node.handlers };
  if (loss === 'node killed' || loss === 'node gone for good') {
    isGone = true;
    for (const method of Object.keys(answers)) {
      node.handlers[method] = failing(new AppError('cannot_connect', 'gone', ''));
    }
  }
  if (loss === 'app killed') jobs = begin();
  else call.fail(new AppError('connection_lost', 'lost', ''));
  if (loss === 'node gone for good') jobs.stopWaiting(started.id);
  const known = async () => {
    const [last] = await jobs.list();
    if (last?.state !== 'unknown' && !last?.withoutNode) return last;
    await jobs.resolveUnknown();
    return (await jobs.list())[0];
  };
  /** Starts the node again. */
  const back = () => {
    isGone = false;
    Object.assign(node.handlers, answers);
  };
  return { ...bench, known, back };
}

/** The bench's functions that start a job, for these jobs. */
function startedOn(bench: Bench, on: ReturnType<typeof createJobs>) {
  const start: Bench['start'] = (plan) => bench.start(plan, on);
  return {
    start,
    restore: (input: Parameters<Bench['restore']>[0]) => bench.restore(input, on),
    migrate: ({ name }: { name: string }) => start({ action: 'migrate', source: source(name) }),
    backUp: ({ name, destination }: { name: string; destination: string }) =>
      start({ action: 'backup', source: source(name), answers: { destination } }),
  };
}

const PATIENCE = { timeout: 20_000, interval: 20 };

describe('the app finds the outcome of a job whose answer was lost', () => {
  for (const [title, job] of Object.entries(lossCases)) {
    // The wallet's name, a release's file and the page that starts the job make the same difference after each loss.
    it.each(/ of |^migrate on 28|undo/.test(title) ? losses.slice(1, 2) : losses)(
      `${title}: %s`,
      async (loss) => {
        const done = await lost(job, loss, (bench) => job.done(bench));
        if (loss === 'node killed') done.back();
        await expect.poll(done.known, PATIENCE).toMatchObject({ state: 'done' });
        if (loss === 'node gone for good' && job.method !== 'backupwallet') {
          done.back();
          await expect.poll(async () => (await done.known())?.withoutNode, PATIENCE).toBeUndefined();
          const { proof, kind, result } = (await done.known()) ?? {};
          const isLegacy = result?.kind === 'restore' && result.walletKind === 'legacy';
          expect(proof != null).toBe(kind !== 'rescan' && !isLegacy);
        }

        const unchanged = await lost(job, loss, () => undefined);
        await expect.poll(unchanged.known, PATIENCE).toMatchObject({ state: 'failed' });

        const half = await lost(job, loss, (bench) => job.half(bench));
        const state = job.halfIs ?? 'interrupted';
        await expect.poll(half.known, PATIENCE).toMatchObject({ state });
        if (state === 'interrupted') {
          const copies = (await half.known())?.interruption?.copies ?? [];
          expect(copies.map(({ path }) => existsSync(path))).toContain(true);
        }
      },
    );
  }
});
