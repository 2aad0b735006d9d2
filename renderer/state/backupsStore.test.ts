import { beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../shared/model/job.ts';
import { identityOf } from '../../shared/model/node.ts';
import type { Check } from '../../shared/model/safety.ts';
import { sampleJob } from '../../shared/testing/sampleJob.ts';
import { sampleNodeStatus } from '../../shared/testing/sampleNodeStatus.ts';
import { samplePlan } from '../../shared/testing/samplePlan.ts';
import { installFakeFerry } from './testing/fakeFerry.ts';

const ferry = installFakeFerry();
const { madeElsewhere, NO_BACKUPS, readinessOf, saveBackups, useBackups, walletBackups } = await import(
  './backupsStore.ts'
);
const { useJobs } = await import('./jobsStore.ts');

const status = sampleNodeStatus({ walletsFolder: '/n/wallets' });
const node = identityOf(status);
const fine: Check = { id: 'backup-place', verdict: 'fine', title: 'Free', text: [], todo: [] };
const stop: Check = { ...fine, verdict: 'blocker', title: 'Taken', todo: ['Choose another.'] };

const plan = (wallet: string, check: Check = fine, at = status) =>
  samplePlan(
    {
      id: `plan of ${wallet}`,
      action: 'backup',
      kind: 'backup',
      wallet,
      asks: [{ ask: 'destination', value: '/b', check }],
    },
    at,
  );
const job = (wallet: string) => sampleJob({ id: wallet, kind: 'backup', wallet });
const standing = (wallet: string) => readinessOf(useBackups.getState(), { node, wallet });
const save = (...wallets: string[]) =>
  saveBackups(wallets.map((wallet) => ({ node, wallet, destination: `/b/${wallet}` })));
const end = (wallet: string) => {
  const jobs = [{ ...job(wallet), state: 'done' } as const];
  useJobs.setState({ jobs });
};

beforeEach(() => useJobs.setState({ jobs: [] }));

describe('new backups', () => {
  it('are made one after another, each with its own plan', async () => {
    const saved = save('a', 'b');
    expect([standing('a'), standing('b')]).toEqual([{ state: 'queued' }, { state: 'queued' }]);
    await Promise.resolve();
    await ferry.answer('plan.make', plan('a'));
    await ferry.answer('plan.run', { began: true, job: job('a') });
    expect(standing('a')).toBeNull();
    expect(ferry.waiting('plan.make')).toBe(0);
    end('a');
    await new Promise((resolve) => setImmediate(resolve));
    await ferry.answer('plan.make', plan('b'));
    await ferry.answer('plan.run', { began: true, job: job('b') });
    end('b');
    await saved;
  });

  it('report why one did not start, and continue with the next', async () => {
    const saved = save('a', 'b');
    await Promise.resolve();
    await ferry.answer('plan.make', plan('a', stop));
    expect(standing('a')).toMatchObject({ state: 'refused', error: { message: 'Taken' } });
    await ferry.answer('plan.make', plan('b'));
    await ferry.answer('plan.run', { began: false, plan: plan('b', stop) });
    expect(standing('b')).toMatchObject({ error: { hint: expect.stringContaining('Choose another.') } });
    await saved;
  });

  it('skip a wallet of the same name on another node', async () => {
    const saved = save('a');
    await Promise.resolve();
    await ferry.answer('plan.make', plan('a', fine, sampleNodeStatus({ walletsFolder: '/other/wallets' })));
    await saved;
    expect(standing('a')).toMatchObject({ error: { code: 'not_connected' } });
    expect(ferry.waiting('plan.run')).toBe(0);
  });
});

const { node: NODE } = sampleJob();

const ended = (kind: Job['kind'], wallet: string, change: Partial<Job> = {}) =>
  sampleJob({ id: `${kind} ${wallet}`, kind, wallet, state: 'done', ended: 2, ...change });
const migrated = (wallet: string, change: Partial<Job> = {}) =>
  ended('migrate', wallet, {
    result: {
      kind: 'migrate',
      walletName: wallet,
      watchonlyName: `${wallet}_watchonly`,
      solvablesName: null,
      backupPath: null,
      backupSeen: null,
    },
    ...change,
  });
const of = (jobs: Job[], wallet: string) => walletBackups(jobs, NODE).get(wallet) ?? NO_BACKUPS;

describe('walletBackups', () => {
  it('asks for a backup of every wallet from a migration, and of no other', () => {
    const jobs = [migrated('savings')];
    expect(of(jobs, 'savings').owed).toBe(true);
    expect(of(jobs, 'savings_watchonly').owed).toBe(true);
    expect(of(jobs, 'savings_solvables')).toEqual(NO_BACKUPS);
    expect(of(jobs, 'other')).toEqual(NO_BACKUPS);
  });

  it('accepts only a later, finished backup of the same wallet', () => {
    const backup = ended('backup', 'savings');
    const origin = migrated('savings');
    const jobs = [backup, origin];
    expect(of(jobs, 'savings')).toEqual({ newest: backup, made: backup, owed: false, origin });
    expect(of(jobs, 'savings_watchonly').owed).toBe(true);
  });

  it('reports a failed backup next to the finished one', () => {
    const failed = ended('backup', 'savings', { state: 'failed', id: 'failed' });
    const made = ended('backup', 'savings');
    expect(of([failed, made, ended('backup', 'savings', { id: 'old' })], 'savings')).toEqual({
      ...{ newest: failed, made, owed: false, origin: null },
    });
    const origin = migrated('savings');
    expect(of([failed, origin], 'savings')).toEqual({ newest: failed, made: null, owed: true, origin });
  });

  it('does not count a backup from before the migration', () => {
    const origin = migrated('savings');
    expect(of([origin, ended('backup', 'savings')], 'savings')).toEqual({
      ...NO_BACKUPS,
      ...{ owed: true, origin },
    });
  });

  it('asks for one after a restore with migration, but not after a later restore under the name', () => {
    expect(of([migrated('old', { kind: 'restore-migrate' })], 'old').owed).toBe(true);
    const origin = ended('restore', 'savings');
    const restored = [origin, ended('backup', 'savings'), migrated('savings')];
    expect(of(restored, 'savings')).toEqual({ ...NO_BACKUPS, origin });
  });

  it('knows a node by its wallets folder, where both are known', () => {
    const at = (port: number, walletsFolder: string, offline = false) => ({
      ...{ ...NODE, address: { ...NODE.address, port }, walletsFolder, offline },
    });
    const isOwed = (now: Parameters<typeof walletBackups>[1], node: Job['node'] = at(1, '/a')) =>
      walletBackups([migrated('w', { node })], now).get('w')?.owed;
    // Another node took the port, and has a wallet of the same name.
    expect(isOwed(at(1, '/b'))).toBeUndefined();
    expect(isOwed({ ...at(1, '/a'), network: 'signet' })).toBeUndefined();
    // The offline engine has another port at each start.
    expect(isOwed(at(2, '/engine', true), at(1, '/engine', true))).toBe(true);
    expect(isOwed(at(1, '/a', true))).toBeUndefined();
    // A node on another machine.
    expect(isOwed({ ...NODE, walletsFolder: null }, { ...NODE, walletsFolder: null })).toBe(true);
  });

  it('ignores other nodes and unfinished migrations', () => {
    expect(
      walletBackups([migrated('savings')], { ...NODE, address: { ...NODE.address, port: 1 } }).size,
    ).toBe(0);
    expect(of([migrated('savings', { state: 'failed' })], 'savings').owed).toBe(false);
  });
});

describe('madeElsewhere', () => {
  const here = { ...NODE, address: { ...NODE.address, port: 1 } };
  const names = (jobs: Job[], at: Job['node'] | null = here) =>
    madeElsewhere(jobs, at).map(({ name }) => name);

  it('keeps the wallets that a job made on another node, until they are backed up', () => {
    const made = migrated('savings');
    expect(names([made])).toEqual(['savings']);
    expect(names([made], null)).toEqual(['savings']);
    expect(names([made], NODE)).toEqual([]);
    expect(names([ended('backup', 'savings'), made])).toEqual([]);
    // One of this session stays, so that nobody has to look for it.
    const soon = Date.now() / 1000 + 60;
    expect(names([ended('backup', 'savings'), { ...made, ended: soon }])).toEqual(['savings']);
  });

  it('names each wallet once, by its last job', () => {
    expect(names([migrated('savings'), migrated('savings', { id: 'earlier' })])).toEqual(['savings']);
    expect(names([migrated('savings', { state: 'failed' })])).toEqual([]);
  });

  it('marks a wallet that needs a backup', () => {
    expect(madeElsewhere([migrated('savings')], here)).toMatchObject([{ mark: 'read' }]);
  });
});
