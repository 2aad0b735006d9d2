import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { endOf, type Job } from '../../../shared/model/job.ts';
import { failing } from '../../files/testing/failing.ts';
import { createBench, infoOf, recordedLog, running } from '../testing/bench.ts';
import { createJobs } from './jobs.ts';
import type { JournalEntry } from './journal.ts';

const BACKUP = fixtureFile('descriptor-hd');

/** An app that closed during a job. `again` is its next start, on the same journal. */
async function crash(begin: 'restore' | 'migrate', log = true) {
  const bench = await createBench({}, { journal: 'kept', log });
  const { node, jobs, restore, migrate, session, options } = bench;
  node.handlers.listwalletdir = () => ({ wallets: begin === 'migrate' ? [{ name: 'legacy-hd' }] : [] });
  const method = begin === 'migrate' ? 'migratewallet' : 'restorewallet';
  const nextCall = node.hold(method);
  const started =
    begin === 'migrate'
      ? await migrate({ name: 'legacy-hd', passphrase: 'words of mine' })
      : await restore({ name: 'w', backupFile: BACKUP, loadOnStartup: null });
  const call = await nextCall();
  jobs.close();
  const sentBefore = node.calls.filter((call) => call.method === method).length;
  const connection = { session: () => session };
  const emitted: Job[] = [];
  const again = () => {
    const next = createJobs({
      ...options,
      session: () => connection.session(),
      emit: (job) => emitted.push(job),
    });
    onTestFinished(() => next.close());
    return next;
  };
  const sent = () => node.calls.filter((call) => call.method === method).length - sentBefore;
  return { ...bench, call, connection, started, emitted, again, sent };
}

const listed = async (jobs: ReturnType<typeof createJobs>, state: Job['state']) =>
  vi.waitFor(async () => {
    const [first] = await jobs.list();
    expect(first).toMatchObject({ state });
    return first;
  });

describe('after a restart of the app', () => {
  it('a job waits for its own node, and asks no other one', async () => {
    const { node, again, connection, session, sent } = await crash('restore');
    connection.session = failing(new AppError('not_connected', 'none', ''));
    const jobs = again();
    expect(await listed(jobs, 'running')).toMatchObject({ connection: 'lost' });
    const callsBefore = node.calls.length;
    const another = vi.fn(() => ({ ...session, status: { ...session.status, network: 'main' as const } }));
    connection.session = another;
    await vi.waitFor(() => expect(another.mock.calls.length).toBeGreaterThan(2));
    expect(node.calls).toHaveLength(callsBefore);
    node.handlers.listwallets = () => ['w'];
    connection.session = () => session;
    await listed(jobs, 'done');
    expect(sent()).toBe(0);
  });

  /** Changes the entry of the job that the closed app left in its journal. */
  const rewrite = async ({ journal }: Awaited<ReturnType<typeof crash>>, fields: Partial<JournalEntry>) => {
    const [entry] = (await journal.read()).entries;
    if (!entry) throw new Error('no entry');
    journal.write({ ...entry, ...fields });
  };

  it.each([
    ['at the right time', null],
    ['an hour ahead at the start', Date.parse('2026-11-20T14:24:24Z') / 1000],
  ])(
    'the app finds the backup’s path in the log of the time between, with its clock %s',
    async (_, started) => {
      const all = await crash('migrate');
      const { node, call, again, writeLog } = all;
      if (started !== null) await rewrite(all, { job: { ...all.started, started } });
      const log = recordedLog('31.0', 'migrate-positional');
      writeLog(...log);
      call.answer({});
      node.handlers.listwallets = () => ['legacy-hd'];
      node.handlers.getwalletinfo = () => infoOf();
      const jobs = again();
      const done = await listed(jobs, 'done');
      expect(done?.result).toMatchObject({
        backupPath: expect.stringMatching(/legacy-hd_\d+\.legacy\.bak$/),
      });
      expect(await jobs.log(done?.id ?? '')).toEqual(log);
      // By its last line, not when the app was opened again.
      const last = Date.parse(log.at(-1)?.split(' ')[0] ?? '') / 1000;
      expect(done && endOf(done)).toBe(started ?? last);
    },
  );

  it.each([
    ['when the node was last seen at work', true],
    ['unknown if nothing shows it', false],
  ])('the end of a job without a log is %s', async (_, isSeen) => {
    const { node, again, clock } = await crash('restore', false);
    let isAtWork = isSeen;
    node.handlers.getrpcinfo = () => running(...(isAtWork ? ['restorewallet'] : []));
    clock.now += 100;
    const seenAt = clock.now;
    node.handlers.listwallets = () => {
      const loaded = isAtWork ? [] : ['w'];
      isAtWork = false;
      clock.now += 86_400;
      return loaded;
    };
    const done = await listed(again(), 'done');
    expect(done && endOf(done)).toBe(isSeen ? seenAt : null);
  });

  it('a second job on the wallet is refused', async () => {
    const { node, again, restore } = await crash('restore');
    node.handlers.getrpcinfo = () => running('restorewallet');
    const second = restore({ name: 'w', backupFile: BACKUP }, again());
    await expect(second).rejects.toMatchObject({ code: 'job_running' });
  });

  it('two jobs that an earlier version ran on one wallet, at two ports, are both resumed', async () => {
    const { node, again, journal, started } = await crash('restore');
    node.handlers.getrpcinfo = () => running('restorewallet');
    const [entry] = (await journal.read()).entries;
    if (!entry) throw new Error('no entry');
    const address = { ...started.node.address, port: 1 };
    const job = { ...started, id: randomUUID(), node: { ...started.node, address } };
    journal.write({ ...entry, job, node: { ...entry.node, address } });
    expect(await again().list()).toMatchObject([{ state: 'running' }, { state: 'running' }]);
  });

  it.each([
    ['restore', /Nothing was sent/],
    // The safety copy may have loaded the wallet.
    ['migrate', /^Not migrated.*may be loaded now/],
  ] as const)('a %s whose call was not sent has failed', async (kind, hint) => {
    const all = await crash(kind);
    const { again, sent } = all;
    await rewrite(all, { sent: false });
    const jobs = again();
    const error = { code: 'cancelled', hint: expect.stringMatching(hint) };
    expect(await listed(jobs, 'failed')).toMatchObject({ error });
    expect(jobs.running().length).toBe(0);
    expect(sent()).toBe(0);
  });

  it('ended jobs are listed, the newest first', async () => {
    const { node, again, clock, restore } = await crash('restore');
    node.handlers.listwallets = () => ['w'];
    const first = again();
    await listed(first, 'done');
    clock.now += 10;
    node.handlers.restorewallet = () => ({ name: 'second' });
    await restore({ name: 'second', backupFile: BACKUP }, first);
    await listed(first, 'done');
    first.close();
    const kept = await again().list();
    expect(kept.map(({ wallet, state }) => `${wallet} ${state}`)).toEqual(['second done', 'w done']);
  });
});
