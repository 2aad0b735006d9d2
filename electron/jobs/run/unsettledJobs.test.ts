import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { filesBelow } from '../../../e2e/app/filesBelow.ts';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import { AppError, type ErrorCode } from '../../../shared/model/errors.ts';
import { canCompareAgain, comparisonError, type Job } from '../../../shared/model/job.ts';
import { identityOf } from '../../../shared/model/node.ts';
import { sampleJob } from '../../../shared/testing/sampleJob.ts';
import { errorShapeOf } from '../../../shared/wording/findings/findingWords.ts';
import { releaseOf, type Session } from '../../bitcoind/rpc/session.ts';
import { failing } from '../../files/testing/failing.ts';
import { migratedFile } from '../../walletfile/testing/newWallet.ts';
import { REPAIRED_FILE } from '../../workers/repairRequest.ts';
import { createBench, infoOf, journalWith, proveNothing, running, stepStates } from '../testing/bench.ts';
import { createBusyWallets } from './busyWallets.ts';
import { createJobs } from './jobs.ts';
import type { JournalEntry } from './journal.ts';
import { createLeftCopies } from './unsettledJobs.ts';

const PATIENCE = { timeout: 20_000, interval: 20 };
const LEGACY = fixtureFile('legacy-hd');

/** A migration of a placed copy whose answer the app no longer waits for. */
async function notAwaited(action: 'restore' | 'rescue') {
  const bench = await createBench({ release: releaseOf(310_000) }, { journal: 'kept' });
  const { node, appFolder, folder } = bench;
  const wallets = join(folder, 'wallets');
  await mkdir(wallets, { mode: 0o700 });
  bench.session.status.walletsFolder = wallets;
  bench.jobs.close();
  const state = { isGone: false, isAtWork: true, fails: false };
  const proofs: boolean[] = [];
  const begin = () => {
    const jobs = createJobs({
      ...bench.options,
      busy: bench.busy,
      stoppedNodeFolder: async () => (state.isGone ? wallets : null),
      async prover(session, checkpoint, ...rest) {
        if (state.fails) throw new Error('no memory');
        proofs.push(checkpoint.fileForProof !== null && existsSync(checkpoint.fileForProof));
        return proveNothing(session, checkpoint, ...rest);
      },
    });
    onTestFinished(() => jobs.close());
    return jobs;
  };
  const jobs = begin();
  const nextCall = node.hold('migratewallet');
  const answers = { name: 'w', ...(action === 'rescue' ? { logs: null } : {}) };
  const { id } = await bench.start({ action, source: { by: 'file', path: LEGACY }, answers }, jobs);
  const call = await nextCall();
  node.handlers.getrpcinfo = () => running(...(state.isAtWork ? ['migratewallet'] : []));
  return {
    ...bench,
    wallets,
    jobs,
    begin,
    proofs,
    state,
    repaired: () => filesBelow(appFolder).filter((path) => path.endsWith(REPAIRED_FILE)),
    stopWaiting() {
      call.fail(new AppError('connection_lost', 'lost', ''));
      jobs.stopWaiting(id);
    },
    async finish() {
      state.isAtWork = false;
      await writeFile(join(wallets, 'w', 'wallet.dat'), await migratedFile(await readFile(LEGACY)));
      const earlier = new Date(Date.now() - 60_000);
      for (const file of filesBelow(wallets)) await utimes(file, earlier, earlier);
    },
    load() {
      node.handlers.listwalletdir = () => ({ wallets: [{ name: 'w' }] });
      node.handlers.listwallets = () => ['w'];
      node.handlers.getwalletinfo = () => infoOf();
      node.handlers.listdescriptors = () => ({ descriptors: [{}] });
    },
  };
}

/** A rescue that is done by its files, while its node is gone. */
async function doneWithoutNode() {
  const all = await notAwaited('rescue');
  const { node, jobs, state, stopWaiting, finish, load, session } = all;
  const answers = { ...node.handlers };
  state.isGone = true;
  const gone = failing(new AppError('cannot_connect', 'gone', ''));
  for (const method of Object.keys(answers)) node.handlers[method] = gone;
  await finish();
  stopWaiting();
  await vi.waitFor(async () => {
    await jobs.resolveUnknown();
    expect((await jobs.list())[0]).toMatchObject({ state: 'done', withoutNode: true });
  }, PATIENCE);
  return {
    ...all,
    /** The node is back, while something else uses the wallet until the returned function is called. */
    comeBack() {
      const free = all.busy.reserve(['w'], session.status);
      state.isGone = false;
      Object.assign(node.handlers, answers);
      load();
      return free;
    },
  };
}

it('keeps the repaired file of a rescue that is done without the node until the comparison', async () => {
  const { jobs, begin, proofs, repaired, comeBack } = await doneWithoutNode();
  expect(repaired()).toHaveLength(1);
  jobs.close();
  // A question that was on its way ends.
  await jobs.resolveUnknown();
  const next = begin();
  await next.list();
  expect(repaired()).toHaveLength(1);
  const free = comeBack();
  await next.resolveUnknown();
  expect((await next.list())[0]).toMatchObject({ withoutNode: true });
  expect(proofs).toEqual([]);
  free();
  await vi.waitFor(async () => {
    await next.resolveUnknown();
    expect((await next.list())[0]?.withoutNode).toBeUndefined();
  }, PATIENCE);
  expect(proofs).toEqual([true]);
  expect(repaired()).toEqual([]);
});

it('compares nothing once a later job may have put another wallet in its place', async () => {
  const { node, jobs, proofs, repaired, comeBack, restore } = await doneWithoutNode();
  const free = comeBack();
  const nextCall = node.hold('restorewallet');
  await restore({ name: 'w_watchonly', backupFile: fixtureFile('descriptor-hd') }, jobs);
  const call = await nextCall();
  free();
  await jobs.resolveUnknown();
  expect(await jobs.list()).toMatchObject([{ state: 'running' }, { withoutNode: true }]);
  call.answer({ name: 'w_watchonly' });
  await expect.poll(() => jobs.list(), PATIENCE).toMatchObject([{ state: 'done' }, {}]);
  proofs.length = 0;
  await jobs.resolveUnknown();
  const [, job] = await jobs.list();
  expect(job?.withoutNode).toBeUndefined();
  const message = 'A later job changed this wallet.';
  expect(job).toMatchObject({ state: 'done', proof: null, proofError: { message } });
  expect(job && canCompareAgain(job)).toBe(false);
  expect(proofs).toEqual([]);
  expect(repaired()).toEqual([]);
});

it('does not mistake a later job’s wallet for the result of a job with an unknown outcome', async () => {
  const { node, jobs, begin, state, proofs, repaired, stopWaiting, finish, load, restore } =
    await notAwaited('rescue');
  stopWaiting();
  await expect.poll(() => jobs.list()).toMatchObject([{ state: 'unknown' }]);
  const nextCall = node.hold('restorewallet');
  const later = { name: 'w_watchonly', backupFile: fixtureFile('descriptor-hd') };
  // The first job frees its wallets after it has ended.
  await vi.waitFor(() => restore(later, jobs), PATIENCE);
  const call = await nextCall();
  state.isAtWork = false;
  await finish();
  load();
  await jobs.resolveUnknown();
  expect(await jobs.list()).toMatchObject([
    { state: 'running' },
    { state: 'unknown', error: { code: 'outcome_unknown' } },
  ]);
  call.answer({ name: 'w_watchonly' });
  await expect.poll(() => jobs.list(), PATIENCE).toMatchObject([{ state: 'done' }, {}]);
  proofs.length = 0;
  await jobs.resolveUnknown();
  const replaced = { state: 'unknown', error: { message: 'A later job changed this wallet.' } };
  expect(await jobs.list()).toMatchObject([{ state: 'done' }, replaced]);
  jobs.close();
  const next = begin();
  await next.resolveUnknown();
  expect(await next.list()).toMatchObject([{ state: 'done' }, replaced]);
  expect(proofs).toEqual([]);
  // It may be the only whole copy.
  expect(repaired()).toHaveLength(1);
});

it('reports no copy to remove once the placed wallet is migrated', async () => {
  const { jobs, stopWaiting, finish, load } = await notAwaited('restore');
  stopWaiting();
  const leftCopy = { why: 'may-be-used' };
  await expect.poll(() => jobs.list()).toMatchObject([{ state: 'unknown', leftCopy }]);
  await finish();
  load();
  await jobs.resolveUnknown();
  const [job] = await jobs.list();
  expect(job).toMatchObject({ state: 'done' });
  expect(job?.leftCopy).toBeUndefined();
});

it('shows each step of a job that turns out to be done as done or skipped, with its time', async () => {
  const { jobs, stopWaiting, finish, load, last } = await notAwaited('restore');
  stopWaiting();
  await expect.poll(() => jobs.list()).toMatchObject([{ state: 'unknown' }]);
  const before = last().steps;
  await finish();
  load();
  await jobs.resolveUnknown();
  const [job] = await jobs.list();
  if (job?.state !== 'done') throw new Error(`it is ${job?.state}`);
  expect(new Set(Object.values(stepStates(job)))).toEqual(new Set(['done', 'skipped']));
  expect(stepStates(job)).toMatchObject({ sent: 'done', proving: 'done' });
  const timed = before.filter(({ ended }) => ended !== undefined);
  expect(timed).not.toEqual([]);
  expect(job.steps).toEqual(expect.arrayContaining(timed));
});

/** A node with two restored wallets, `w` and `v`, whose comparisons failed for lack of room. */
async function notCompared(how: 'throws' | 'with a proof') {
  const state: { tries: string[]; fails: ErrorCode | null } = { tries: [], fails: 'no_space' };
  const bench = await createBench(
    {},
    {
      journal: 'kept',
      async prover(session, before, wallets, signal) {
        state.tries.push(wallets.walletName);
        const { proof } = await proveNothing(session, before, wallets, signal);
        if (state.fails === null) return { proof: { ...proof, verdict: 'same' } };
        const error = new AppError(state.fails, 'Why.', 'Do this.');
        if (how === 'throws') throw error;
        return { proof, proofError: errorShapeOf(error) };
      },
    },
  );
  const { node, jobs, folder, options } = bench;
  const loaded: string[] = [];
  node.handlers.restorewallet = ({ params }) => {
    const { wallet_name: name } = params as { wallet_name: string };
    loaded.push(name);
    return { name };
  };
  node.handlers.listwallets = () => loaded;
  node.handlers.getwalletinfo = () => infoOf();
  node.handlers.getrpcinfo = () => running();
  const backupFile = join(folder, 'backup.dat');
  await copyFile(fixtureFile('descriptor-hd'), backupFile);
  const restored = async (name: string, on?: typeof jobs) => {
    const { id } = await bench.restore({ name, backupFile }, on);
    await bench.until((job) => job.id === id && job.state !== 'running');
    return id;
  };
  const id = await restored('w');
  await restored('v');
  state.tries = [];
  return {
    ...bench,
    id,
    backupFile,
    loaded,
    restored,
    state,
    /** Starts the app again. */
    begin() {
      const next = createJobs(options);
      onTestFinished(() => next.close());
      return next;
    },
  };
}

it.each(['throws', 'with a proof'] as const)(
  'compares again only when the user asks, and only this job, after a comparison that failed: %s',
  async (how) => {
    const { jobs, id, state, begin, emitted } = await notCompared(how);
    const of = async (on: typeof jobs) => (await on.list()).find((job) => job.id === id);
    const [before] = emitted.filter((job) => job.id === id && job.state === 'done');
    expect(before && comparisonError(before)).toMatchObject({ code: 'no_space' });
    // As at each connection to the node.
    await jobs.resolveUnknown();
    await jobs.removeLeftCopies();
    expect(state.tries).toEqual([]);

    state.fails = 'file_missing';
    await jobs.compareAgain(id);
    expect(state.tries).toEqual(['w']);
    const again = await of(jobs);
    expect(again).toEqual(emitted.at(-1));
    expect(again).toMatchObject({ state: 'done', proofError: { code: 'file_missing' } });
    // An amount that the user has spent since must not look like a loss.
    expect(again?.proof).toEqual(before?.proof);

    jobs.close();
    const next = begin();
    await next.list();
    await next.resolveUnknown();
    expect(state.tries).toEqual(['w']);
    expect(await of(next)).toMatchObject({ proofError: { code: 'file_missing' } });
    state.fails = null;
    await next.compareAgain(id);
    expect(state.tries).toEqual(['w', 'w']);
    const job = await of(next);
    expect(job).toMatchObject({ state: 'done', resumed: false, proof: { verdict: 'same' } });
    expect(job && stepStates(job).proving).toBe('done');
    expect(job && comparisonError(job)).toBeNull();
    await expect(next.compareAgain(id)).rejects.toMatchObject({ code: 'bad_input' });
    expect(state.tries).toEqual(['w', 'w']);
  },
);

it('does not compare again on another node, during other work, or with another wallet of the name', async () => {
  const { jobs, id, state, connection, session, busy, restored, node, loaded } = await notCompared('throws');
  const refused = (code: ErrorCode) => expect(jobs.compareAgain(id)).rejects.toMatchObject({ code });
  state.fails = null;
  connection.session = () => ({ ...session, status: { ...session.status, network: 'main' } });
  await refused('not_connected');
  connection.session = () => session;
  const answer = node.handlers.getblockchaininfo;
  node.handlers.getblockchaininfo = (call) => ({ ...(answer?.(call) as object), chain: 'main' });
  await refused('not_connected');
  Object.assign(node.handlers, { getblockchaininfo: answer });
  const free = busy.reserve(['w'], session.status);
  await refused('job_running');
  free();
  // The user removed the wallet and restored another one under its name.
  loaded.length = 0;
  await restored('w');
  state.tries = [];
  await refused('bad_input');
  expect(state.tries).toEqual([]);
});

it('does not compare with a backup file that has changed', async () => {
  const { jobs, id, state, backupFile } = await notCompared('with a proof');
  state.fails = null;
  await copyFile(LEGACY, backupFile);
  await jobs.compareAgain(id);
  expect(state.tries).toEqual([]);
  const job = (await jobs.list()).find((one) => one.id === id);
  expect(job).toMatchObject({ proofError: { code: 'file_changed' } });
});

it('removes the repaired file of a rescue although its comparison failed, and does not repeat that', async () => {
  const { jobs, state, repaired, stopWaiting, finish, load } = await notAwaited('rescue');
  state.fails = true;
  stopWaiting();
  await expect.poll(() => jobs.list()).toMatchObject([{ state: 'unknown' }]);
  expect(repaired()).toHaveLength(1);
  await finish();
  load();
  await jobs.resolveUnknown();
  const [job] = await jobs.list();
  expect(job).toMatchObject({ state: 'done', proofError: { code: 'internal' } });
  expect(repaired()).toEqual([]);
  expect(job && canCompareAgain(job)).toBe(false);
  await expect(jobs.compareAgain(job?.id ?? '')).rejects.toMatchObject({ code: 'bad_input' });
});

it('is done without a comparison that fails', async () => {
  const { jobs, state, stopWaiting, finish, load } = await notAwaited('restore');
  state.fails = true;
  stopWaiting();
  await expect.poll(() => jobs.list()).toMatchObject([{ state: 'unknown' }]);
  await finish();
  load();
  await jobs.resolveUnknown();
  expect(await jobs.list()).toMatchObject([{ state: 'done', proof: null, proofError: { code: 'internal' } }]);
});

it('keeps the outcome of a job that becomes known during the search for its copy', async () => {
  const { folder, session } = await createBench();
  const job = sampleJob({
    kind: 'restore-migrate',
    state: 'unknown',
    wallet: 'w',
    leftCopy: { path: join(folder, 'w', 'wallet.dat'), why: 'may-be-used' },
  });
  const placed = {
    folder: join(folder, 'w'),
    file: join(folder, 'w', 'wallet.dat'),
    sha256: '00'.repeat(32),
  };
  const entry = {
    job,
    sent: true,
    node: identityOf(session.status),
    logMark: null,
    checkpoint: { kind: 'restore-migrate', name: 'w', backupFile: join(folder, 'legacy.dat'), placed },
  } as unknown as JournalEntry;
  const states: string[] = [];
  const copies = createLeftCopies({
    journal: journalWith(),
    session: () => session,
    emit: ({ state }) => states.push(state),
    reserve: createBusyWallets().reserve,
  });
  copies.add(entry);
  const looking = copies.removeAll();
  await Promise.resolve();
  copies.recordOutcome({ ...entry, job: { ...job, state: 'done', leftCopy: undefined } });
  await looking;
  expect(states).toEqual(['done']);
});

/** The entry of a migration that has failed and has not loaded its wallet again. */
function unloadedByJob({ status }: Session, name: string) {
  const names = { name, loadedBefore: [name], unloaded: [name] };
  const rest = { gavePassphrase: false, encrypted: false, fileForProof: null, balanceBefore: null };
  const job = sampleJob({ kind: 'migrate', state: 'failed', wallet: name, id: randomUUID() });
  const entry = { job, sent: true, node: identityOf(status), logMark: null };
  return { entry, job, checkpoint: () => ({ kind: 'migrate' as const, ...names, ...rest }) };
}

it('reserves a wallet as long as it loads, and looks again when a slow load has ended', async () => {
  const { node, session, journal } = await createBench();
  const { entry, job, checkpoint } = unloadedByJob(session, 'w');
  const { reserve } = createBusyWallets();
  const emit = vi.fn<(job: Job) => void>();
  const copies = createLeftCopies({ journal, session: () => session, emit, reserve });
  copies.add({ ...entry, checkpoint: checkpoint() });
  node.handlers.listwallets = () => [];
  const nextCall = node.hold('loadwallet');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const looking = copies.removeAll();
  const call = await nextCall();
  await vi.runAllTimersAsync();
  await looking;
  vi.useRealTimers();
  expect(emit.mock.calls).toMatchObject([[{ leftCopy: { path: 'w', why: 'not-loaded-again' } }]]);
  expect(() => reserve(['w'], job.node)).toThrow('This wallet is busy.');
  call.answer({ name: 'w' });
  await vi.waitFor(() => expect(emit).toHaveBeenCalledTimes(2), PATIENCE);
  expect(emit.mock.lastCall?.[0]).not.toHaveProperty('leftCopy');
  reserve(['w'], job.node)();
  expect(node.calls.filter(({ method }) => method === 'loadwallet')).toHaveLength(1);
});

it('loads the unnamed wallet again once, and records it after the end too', async () => {
  const { node, session, journal, jobs } = await createBench({}, { journal: 'kept' });
  // It must not read these entries, too.
  await jobs.list();
  const states: (string | undefined)[] = [];
  const begin = async () => {
    const emit = ({ leftCopy }: Job) => states.push(leftCopy?.path);
    const { reserve } = createBusyWallets();
    const copies = createLeftCopies({ journal, session: () => session, emit, reserve });
    for (const each of (await journal.read()).entries) copies.add(each);
    return copies;
  };
  const { entry, job, checkpoint } = unloadedByJob(session, '');
  journal.write({ ...entry, checkpoint: checkpoint() });
  const words = { code: -4, message: 'b'.repeat(5000) };
  node.handlers.loadwallet = failing(new AppError('wallet_error', 'busy', '', words));
  await (await begin()).removeAll();
  node.handlers.loadwallet = () => ({ name: '' });
  for (const _ of [1, 2]) await (await begin()).removeAll();
  expect(states).toEqual(['', undefined]);
  // It became known later that the job failed.
  journal.write({ ...entry, checkpoint: checkpoint() });
  for (const _ of [1, 2]) await (await begin()).removeAll();
  const loads = () => node.calls.filter(({ method }) => method === 'loadwallet').length;
  expect(loads()).toBe(3);
  // A later job, or the user, decides since.
  journal.write({ ...entry, checkpoint: checkpoint() });
  const later = { ...job, state: 'done' as const, id: randomUUID() };
  (await begin()).add({ ...entry, job: later, checkpoint: { ...checkpoint(), unloaded: undefined } });
  await (await begin()).removeAll();
  journal.write({ ...entry, checkpoint: checkpoint() });
  (await begin()).leaveAsIs([''], job.node);
  await (await begin()).removeAll();
  expect(loads()).toBe(3);
});
