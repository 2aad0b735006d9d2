import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Job } from '../../shared/model/job.ts';
import { identityOf } from '../../shared/model/node.ts';
import type { Check } from '../../shared/model/safety.ts';
import { endedJob, migratedJob, sampleJob } from '../../shared/testing/sampleJob.ts';
import { sampleNodeStatus } from '../../shared/testing/sampleNodeStatus.ts';
import { samplePlan } from '../../shared/testing/samplePlan.ts';
import { installFakeFerry } from './testing/fakeFerry.ts';

const kept = new Map<string, string>();
vi.stubGlobal('sessionStorage', {
  getItem: (name: string) => kept.get(name) ?? null,
  setItem: (name: string, value: string) => kept.set(name, value),
});
const ferry = installFakeFerry();
const {
  keepBackups,
  walletsOfOtherNodes: madeElsewhere,
  queueStateOf,
  saveBackups,
  useBackups,
} = await import('./backupsStore.ts');
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
const queueState = (wallet: string) => queueStateOf(useBackups.getState(), { node, wallet });
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
    expect([queueState('a'), queueState('b')]).toEqual([{ state: 'queued' }, { state: 'queued' }]);
    await Promise.resolve();
    await ferry.answer('plan.make', plan('a'));
    await ferry.answer('plan.run', { began: true, job: job('a') });
    expect(queueState('a')).toBeNull();
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
    expect(queueState('a')).toMatchObject({ state: 'refused', error: { message: 'Taken' } });
    await ferry.answer('plan.make', plan('b'));
    await ferry.answer('plan.run', { began: false, plan: plan('b', stop) });
    expect(queueState('b')).toMatchObject({ error: { hint: expect.stringContaining('Choose another.') } });
    await saved;
  });

  it('of all wallets leave out one that is only kept', async () => {
    const place = { node, wallet: 'a', destination: '/b/a' };
    const kept = { ...plan('a', stop), isKept: true as const };
    useBackups.setState({ lastBatch: { node: sampleJob().node, wallets: ['a'] } });
    const saved = saveBackups([place], { ofAll: true });
    await Promise.resolve();
    await ferry.answer('plan.make', kept);
    await saved;
    expect([queueState('a'), useBackups.getState().lastBatch?.wallets]).toEqual([null, []]);
    // The user has chosen it.
    const chosen = save('a');
    await Promise.resolve();
    await ferry.answer('plan.make', kept);
    await chosen;
    expect(queueState('a')).toMatchObject({ state: 'refused' });
  });

  it('skip a wallet of the same name on another node', async () => {
    const saved = save('a');
    await Promise.resolve();
    await ferry.answer('plan.make', plan('a', fine, sampleNodeStatus({ walletsFolder: '/other/wallets' })));
    await saved;
    expect(queueState('a')).toMatchObject({ error: { code: 'not_connected' } });
    expect(ferry.waiting('plan.run')).toBe(0);
  });
});

it('calls the backups that a reload of the page has dropped not started, unless a later one was made', async () => {
  keepBackups();
  const lastBatch = { node: sampleJob().node, wallets: ['a', 'b'] };
  useBackups.setState({ lastBatch });
  void save('a', 'b');
  const storage = kept.get('backups');
  useBackups.setState({ queue: [], lastBatch: null });
  kept.set('backups', storage ?? '');
  keepBackups();
  expect(useBackups.getState().lastBatch).toEqual(lastBatch);
  expect(queueState('b')).toMatchObject({ state: 'refused', error: { message: 'Not started' } });
  const now = Date.now() / 1000;
  const { address, network, walletsFolder } = node;
  const made = (wallet: string, started: number) => {
    const { node: its, ...rest } = job(wallet);
    return { ...rest, started, node: { ...its, address, network, walletsFolder } };
  };
  useJobs.setState({ jobs: [made('a', now + 1), made('b', now - 60)] });
  expect([queueState('a'), queueState('b')?.state]).toEqual([null, 'refused']);
});

const { node: NODE } = sampleJob();

describe('madeElsewhere', () => {
  const here = { ...NODE, address: { ...NODE.address, port: 1 } };
  const names = (jobs: Job[], at: Job['node'] | null = here) =>
    madeElsewhere(jobs, at).map(({ name }) => name);

  it('keeps the wallets that a job made on another node, until they are backed up', () => {
    const migration = migratedJob('savings');
    expect(names([migration])).toEqual(['savings']);
    expect(names([migration], null)).toEqual(['savings']);
    expect(names([migration], NODE)).toEqual([]);
    expect(names([endedJob('backup', 'savings'), migration])).toEqual([]);
    // One of this session stays, so that nobody has to look for it.
    const soon = Date.now() / 1000 + 60;
    expect(names([endedJob('backup', 'savings'), { ...migration, ended: soon }])).toEqual(['savings']);
  });

  it('names each wallet once, by its last job', () => {
    expect(names([migratedJob('savings'), migratedJob('savings', { id: 'earlier' })])).toEqual(['savings']);
    expect(names([migratedJob('savings', { state: 'failed' })])).toEqual([]);
  });

  it('marks a wallet that needs a backup', () => {
    expect(madeElsewhere([migratedJob('savings')], here)).toMatchObject([{ icon: 'read' }]);
  });
});
