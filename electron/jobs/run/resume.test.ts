import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import { AppError } from '../../../shared/model/errors.ts';
import type { Job } from '../../../shared/model/job.ts';
import { createBench, infoOf, recordedLog } from '../testing/bench.ts';
import { createJobs } from './jobs.ts';
import { createJournal } from './journal.ts';

const BACKUP = fixtureFile('descriptor-hd');

/** An app that went away in the middle of a job, and another one that begins on its journal. */
async function crash(begin: 'restore' | 'migrate') {
  const folder = await mkdtemp(join(tmpdir(), 'resume-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const journal = createJournal(folder);
  const bench = await createBench({}, { journal });
  const { node, jobs, restore, migrate, session, writeLog, clock, options } = bench;
  node.handlers.listwalletdir = () => ({ wallets: begin === 'migrate' ? [{ name: 'legacy-hd' }] : [] });
  const method = begin === 'migrate' ? 'migratewallet' : 'restorewallet';
  const held = node.hold(method);
  const started =
    begin === 'migrate'
      ? await migrate({ name: 'legacy-hd', passphrase: 'words of mine' })
      : await restore({ name: 'w', backupFile: BACKUP, loadOnStartup: null });
  await held();
  jobs.close();
  const sentBefore = node.calls.filter((call) => call.method === method).length;
  const connection = { session: () => session };
  const told: Job[] = [];
  const again = () => {
    const next = createJobs({
      ...options,
      session: () => connection.session(),
      emit: (job) => told.push(job),
    });
    onTestFinished(() => next.close());
    return next;
  };
  const sent = () => node.calls.filter((call) => call.method === method).length - sentBefore;
  return {
    folder,
    journal,
    node,
    session,
    connection,
    writeLog,
    started,
    told,
    again,
    sent,
    clock,
    restore: bench.restore,
  };
}

const listed = async (jobs: ReturnType<typeof createJobs>, state: Job['state']) =>
  vi.waitFor(async () => {
    const [first] = await jobs.list();
    expect(first).toMatchObject({ state });
    return first;
  });

describe('after the app was away', () => {
  it('a job is found running again, and ends with what came of it', async () => {
    const { node, again, started, sent, told } = await crash('restore');
    node.handlers.getrpcinfo = () => ({
      active_commands: [{ method: 'restorewallet', duration: 5 }],
      logpath: '/x',
    });
    const jobs = again();
    expect(await listed(jobs, 'running')).toMatchObject({ id: started.id, resumed: true });
    expect(jobs.running()).toBe(1);
    await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ connection: 'ok', state: 'running' }));
    node.handlers.getrpcinfo = () => ({ active_commands: [], logpath: '/x' });
    node.handlers.listwallets = () => ['w'];
    node.handlers.getwalletinfo = () => infoOf();
    expect(await listed(jobs, 'done')).toMatchObject({ result: { walletName: 'w' } });
    expect(sent()).toBe(0);
  });

  it('it waits for its own node, and asks no other one', async () => {
    const { node, again, connection, session, sent } = await crash('restore');
    connection.session = () => {
      throw new AppError('not_connected', 'none', '');
    };
    const jobs = again();
    expect(await listed(jobs, 'running')).toMatchObject({ connection: 'lost' });
    const asked = node.calls.length;
    connection.session = () => ({ ...session, status: { ...session.status, network: 'main' } });
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(node.calls).toHaveLength(asked);
    node.handlers.listwallets = () => ['w'];
    connection.session = () => session;
    await listed(jobs, 'done');
    expect(sent()).toBe(0);
  });

  it('the log of the time between is read, and the backup’s path is known', async () => {
    const { node, again, writeLog } = await crash('migrate');
    const log = recordedLog('31.0', 'migrate-positional');
    writeLog(...log);
    node.handlers.listwallets = () => ['legacy-hd'];
    node.handlers.getwalletinfo = () => infoOf();
    const jobs = again();
    const done = await listed(jobs, 'done');
    expect(done?.result).toMatchObject({ backupPath: expect.stringMatching(/legacy-hd_\d+\.legacy\.bak$/) });
    expect(await jobs.log(done?.id ?? '')).toEqual(log);
  });

  it('the log is read though the clock was an hour ahead when it began', async () => {
    const { node, journal, again, writeLog } = await crash('migrate');
    const [entry] = await journal.read();
    if (!entry) throw new Error('no entry');
    const started = Date.parse('2026-11-20T14:24:24Z') / 1000;
    journal.write({ ...entry, job: { ...entry.job, started } });
    writeLog(...recordedLog('31.0', 'migrate-positional'));
    node.handlers.listwallets = () => ['legacy-hd'];
    node.handlers.getwalletinfo = () => infoOf();
    const done = await listed(again(), 'done');
    expect(done?.result).toMatchObject({ backupPath: expect.stringMatching(/legacy-hd_\d+\.legacy\.bak$/) });
    expect(done?.ended).toBe(started);
  });

  it('a second job on its wallet is refused meanwhile', async () => {
    const { node, again, restore } = await crash('restore');
    node.handlers.getrpcinfo = () => ({
      active_commands: [{ method: 'restorewallet', duration: 5 }],
      logpath: '/x',
    });
    const jobs = again();
    await expect(restore({ name: 'w', backupFile: BACKUP }, jobs)).rejects.toMatchObject({
      code: 'job_running',
    });
  });

  it('what was never sent has failed, with nothing changed', async () => {
    const { journal, again, sent } = await crash('restore');
    const [entry] = await journal.read();
    if (!entry) throw new Error('no entry');
    journal.write({ ...entry, sent: false });
    const jobs = again();
    expect(await listed(jobs, 'failed')).toMatchObject({
      error: { code: 'cancelled', hint: expect.stringContaining('Nothing was sent') },
    });
    expect(jobs.running()).toBe(0);
    expect(sent()).toBe(0);
  });

  it('of a migration that was never sent nobody says that the wallet is loaded as before', async () => {
    const { journal, again, sent } = await crash('migrate');
    const [entry] = await journal.read();
    if (!entry) throw new Error('no entry');
    journal.write({ ...entry, sent: false });
    const failed = await listed(again(), 'failed');
    expect(failed?.error?.hint).toMatch(/^The migration was not sent.*may have been loaded or unloaded/);
    expect(failed?.error?.hint).not.toContain('Nothing was sent');
    expect(sent()).toBe(0);
  });

  it('an ended one is still listed, newest first', async () => {
    const { node, again, clock, restore } = await crash('restore');
    node.handlers.listwallets = () => ['w'];
    const first = again();
    await listed(first, 'done');
    clock.now += 10;
    node.handlers.restorewallet = () => ({ name: 'second' });
    await restore({ name: 'second', backupFile: BACKUP }, first);
    await listed(first, 'done');
    first.close();
    expect((await again().list()).map(({ wallet, state }) => `${wallet} ${state}`)).toEqual([
      'second done',
      'w done',
    ]);
  });
});

describe('the journal', () => {
  it('says that the call was sent before it is, and never holds the passphrase', async () => {
    const { journal, folder } = await crash('migrate');
    const [entry] = await journal.read();
    expect(entry).toMatchObject({ sent: true, checkpoint: { kind: 'migrate', gavePassphrase: true } });
    for (const name of await readdir(folder)) {
      expect(await readFile(join(folder, name), 'utf8')).not.toContain('words of mine');
    }
  });

  it('that cannot be written keeps the call from being sent', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'resume-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'file'), '');
    const bench = await createBench({}, { journal: createJournal(join(folder, 'file', 'journal')) });
    await expect(bench.restore({ name: 'w', backupFile: BACKUP, loadOnStartup: null })).rejects.toMatchObject(
      { code: 'journal_unwritable' },
    );
    expect(bench.node.calls.map(({ method }) => method)).not.toContain('restorewallet');
    expect(bench.emitted).toEqual([]);
  });
});
