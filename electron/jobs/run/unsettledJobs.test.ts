import { existsSync } from 'node:fs';
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { filesBelow } from '../../../e2e/app/filesBelow.ts';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { comparisonError } from '../../../shared/model/job.ts';
import { identityOf } from '../../../shared/model/node.ts';
import { sampleJob } from '../../../shared/testing/sampleJob.ts';
import { errorShapeOf } from '../../../shared/wording/findings/findingWords.ts';
import { releaseOf } from '../../bitcoind/rpc/session.ts';
import { failing } from '../../files/testing/failing.ts';
import { rehearseMigration } from '../../walletfile/migrate/migrateWallet.ts';
import { REPAIRED_FILE } from '../../workers/repairRequest.ts';
import { createBench, infoOf, journalWith, proveNothing, running } from '../testing/bench.ts';
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
    node,
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
      const how = { name: 'w', network: 'regtest' } as const;
      const { wallets: newWallets } = await rehearseMigration(await readFile(LEGACY), how);
      await writeFile(join(wallets, 'w', 'wallet.dat'), newWallets[0]?.bytes ?? new Uint8Array());
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

it('keeps the repaired file of a rescue that is done without the node until the comparison', async () => {
  const all = await notAwaited('rescue');
  const { node, jobs, begin, proofs, state, repaired, stopWaiting, finish, load } = all;
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
  expect(repaired()).toHaveLength(1);
  jobs.close();
  // A question that was on its way ends.
  await jobs.resolveUnknown();
  const next = begin();
  await next.list();
  expect(repaired()).toHaveLength(1);
  state.isGone = false;
  Object.assign(node.handlers, answers);
  load();
  await vi.waitFor(async () => {
    await next.resolveUnknown();
    expect((await next.list())[0]?.withoutNode).toBeUndefined();
  }, PATIENCE);
  expect(proofs).toEqual([true]);
  expect(repaired()).toEqual([]);
});

it('reports no copy to remove once the placed wallet is migrated', async () => {
  const { jobs, stopWaiting, finish, load } = await notAwaited('restore');
  stopWaiting();
  const leftCopy = { text: expect.stringContaining('remove') };
  await expect.poll(() => jobs.list()).toMatchObject([{ state: 'unknown', leftCopy }]);
  await finish();
  load();
  await jobs.resolveUnknown();
  const [job] = await jobs.list();
  expect(job).toMatchObject({ state: 'done' });
  expect(job?.leftCopy).toBeUndefined();
});

it.each(['throws', 'names the error in the proof'])(
  'tries a comparison again when the user asks, and after the next start, if it %s',
  async (how) => {
    const state = { fails: true, tries: 0 };
    const error = new AppError('no_space', 'Disk full.', '');
    const bench = await createBench(
      {},
      {
        journal: 'kept',
        async prover(...input) {
          state.tries++;
          if (!state.fails) return proveNothing(...input);
          if (how === 'throws') throw error;
          return { ...(await proveNothing(...input)), error: errorShapeOf(error) };
        },
      },
    );
    const { node, jobs, options } = bench;
    node.handlers.restorewallet = () => ({ name: 'w' });
    node.handlers.getwalletinfo = () => infoOf();
    await bench.restore({ name: 'w', backupFile: fixtureFile('descriptor-hd') });
    await bench.ended();
    node.handlers.listwallets = () => ['w'];
    node.handlers.getrpcinfo = () => running();
    await jobs.resolveUnknown();
    expect(state.tries).toBe(2);
    const [failed] = await jobs.list();
    expect(failed && comparisonError(failed)).toMatchObject({ code: 'no_space' });
    jobs.close();
    const next = createJobs(options);
    onTestFinished(() => next.close());
    await next.list();
    state.fails = false;
    await next.resolveUnknown();
    const [job] = await next.list();
    expect(job).toMatchObject({ state: 'done', resumed: false, proof: expect.anything() });
    expect(job && comparisonError(job)).toBeNull();
    await next.resolveUnknown();
    expect(state.tries).toBe(3);
  },
);

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
    leftCopy: { path: join(folder, 'w', 'wallet.dat'), text: 'open' },
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
  });
  copies.add(entry);
  const looking = copies.removeAll();
  await Promise.resolve();
  copies.settle({ ...entry, job: { ...job, state: 'done', leftCopy: undefined } });
  await looking;
  expect(copies.latest(job).state).toBe('done');
  expect(states).toEqual(['done']);
});
