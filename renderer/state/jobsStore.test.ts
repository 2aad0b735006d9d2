import { expect, it } from 'vitest';
import type { Job } from '../../shared/model/job.ts';
import { sampleJob } from '../../shared/testing/sampleJob.ts';
import { sampleNodeStatus } from '../../shared/testing/sampleNodeStatus.ts';
import { installFakeFerry } from './testing/fakeFerry.ts';

const ferry = installFakeFerry();
const { useApp } = await import('./appStore.ts');
const { isShownAt, jobsOfFile, newestOpenJob, resultInUse, startJobs, useJobs } = await import(
  './jobsStore.ts'
);

const wallet = (name: string, job?: string) =>
  ({ at: 'wallet', source: { by: 'wallet', name }, ...(job && { job }) }) as const;
const migration = sampleJob({ id: 'm' });
const backup = sampleJob({ id: 'b', kind: 'backup' });

it('appends the new log lines of each event', async () => {
  const log = () => useJobs.getState().jobs[0]?.log;
  const report = (logLength: number, ...lines: string[]) =>
    ferry.emit('job', sampleJob({ log: lines, logLength }));
  void startJobs();
  // This one comes before the list of jobs, which has its line as well.
  report(2, 'two');
  await ferry.answer('jobs.list', {
    jobs: [sampleJob({ log: ['one', 'two'], logLength: 2 })],
    unreadable: [],
    newer: [],
  });
  expect(log()).toEqual(['one', 'two']);
  report(2);
  report(4, 'three', 'four');
  expect(log()).toEqual(['one', 'two', 'three', 'four']);
  const many = Array.from({ length: 199 }, (_, n) => `${n}`);
  report(203, ...many);
  expect(log()).toEqual(['four', ...many]);
});

it('keeps the jobs that did not change when the list is read again', async () => {
  const jobs = () => useJobs.getState().jobs;
  const answer = async (...states: Job['state'][]) => {
    const holdings = { balance: '150000000', transactions: 2 };
    const result = { kind: 'rescan', walletName: 'w', from: 0, to: 9, before: holdings, after: holdings };
    const listed = () => states.map((state, at) => ({ ...sampleJob({ id: `${at}`, state }), result }));
    while (ferry.waiting('jobs.list') > 0)
      await ferry.answer('jobs.list', { jobs: listed(), unreadable: [], newer: [] });
  };
  void startJobs();
  await answer('done', 'unknown');
  const before = jobs();
  window.dispatchEvent(new Event('focus'));
  await answer('done', 'unknown');
  expect(jobs()).toBe(before);
  window.dispatchEvent(new Event('focus'));
  await answer('done', 'done');
  expect(jobs()[0]).toBe(before[0]);
  expect(jobs()[1]?.state).toBe('done');
});

it('reads the list again after news of an ended job, which lacks whether it was undone', () => {
  const job = sampleJob({ state: 'done' });
  useJobs.setState({ jobs: [job] });
  const asked = ferry.waiting('jobs.list');
  ferry.emit('job', job);
  expect(ferry.waiting('jobs.list')).toBeGreaterThan(asked);
  ferry.forget();
  useJobs.setState({ jobs: [] });
});

it('shows a job on the page of its wallet, unless that page shows another job', () => {
  expect(isShownAt(wallet('w'), migration)).toBe(true);
  expect(isShownAt(wallet('w', 'm'), migration)).toBe(true);
  expect(isShownAt(wallet('w', 'other'), migration)).toBe(false);
  expect(isShownAt(wallet('v'), migration)).toBe(false);
  expect(isShownAt({ at: 'home' }, migration)).toBe(false);
  const node = sampleNodeStatus({ walletsFolder: '/here' });
  useApp.setState({ connection: { state: 'connected', node } });
  const jobIn = (walletsFolder: string) => ({ ...migration, node: { ...migration.node, walletsFolder } });
  expect(isShownAt(wallet('w'), jobIn('/here'))).toBe(true);
  expect(isShownAt(wallet('w'), jobIn('/elsewhere'))).toBe(false);
  useApp.setState({ connection: { state: 'none' } });
});

it('shows a backup on the page of its wallet whatever job that page shows, and in the table', () => {
  expect(isShownAt(wallet('w', 'other'), backup)).toBe(true);
  expect(isShownAt({ at: 'wallets' }, backup)).toBe(true);
  expect(isShownAt({ at: 'wallets' }, migration)).toBe(false);
});

const restored = (change: object) =>
  sampleJob({
    kind: 'restore',
    state: 'done',
    started: 9,
    result: { kind: 'restore', walletName: 'w', walletKind: 'legacy', balance: null, ...change },
  });

const file = { path: '/stick/old.dat', sha256: 'a' };
const copyOf = (path: string, sha256 = 'a') => ({
  files: [{ path: '/copy', source: path, size: 7, sha256 }],
});
const MIGRATED = {
  kind: 'migrate',
  ...{ walletName: 'w', watchonlyName: null, solvablesName: null, backupPath: null, backupSeen: null },
} as const;
const migrated = (change: object = {}) =>
  sampleJob({
    kind: 'restore-migrate',
    state: 'done',
    safetyCopy: copyOf(file.path) as never,
    result: MIGRATED,
    ...change,
  });
const restoredFile = restored({ backupFile: file.path, backupSha256: 'a' });

it.each([
  ['a migration that copied it first', migrated(), true],
  ['a migration that runs', migrated({ state: 'running', result: null }), true],
  ['a restore', restoredFile, true],
  ['a restore that runs', sampleJob({ kind: 'restore', file: { path: file.path, sha256: 'a' } }), true],
  ['a rescue of another file at its path', sampleJob({ file: { path: file.path, sha256: 'b' } }), false],
  ['a job on another file', migrated({ safetyCopy: copyOf('/stick/other.dat') }), false],
  ['a migration of another file at its path', migrated({ safetyCopy: copyOf(file.path, 'b') }), false],
  ['a restore of another file at its path', restored({ backupFile: file.path, backupSha256: 'b' }), false],
  ['a restore of a file that the app could not read', restored({ backupFile: file.path }), false],
])('knows the jobs of a file: %s', (_, job, isIts) => {
  expect(jobsOfFile([job], file)).toEqual(isIts ? [job] : []);
  expect(jobsOfFile([job], { ...file, sha256: undefined })).toEqual([]);
});

it.each([
  ['runs', { state: 'running', ended: null }, true],
  ['failed meanwhile', { state: 'failed', ended: 8 }, true],
  ['failed before', { state: 'failed', ended: 4 }, false],
  ['is done', { state: 'done', ended: 8 }, false],
  ['saved a backup', { kind: 'backup', state: 'failed', ended: 8 }, false],
] as const)('shows a job first that %s', (_, job, isShown) => {
  const jobs = [sampleJob({ id: 'it', ...job })];
  expect(newestOpenJob(jobs, { opened: 5, chosen: false })?.id).toBe(isShown ? 'it' : undefined);
  // The user has chosen what to do next.
  expect(newestOpenJob(jobs, { opened: 5, chosen: true })?.id).toBe(
    job.state === 'running' ? 'it' : undefined,
  );
});

it('names the last job that made a wallet from a file, unless it failed or was undone', () => {
  const failed = sampleJob({ state: 'failed', started: 7 });
  const done = migrated();
  expect(resultInUse([failed, done])).toBe(done);
  expect(resultInUse([restoredFile])).toBe(restoredFile);
  expect(resultInUse([migrated({ result: { ...MIGRATED, undone: true } })])).toBeNull();
  expect(resultInUse([failed])).toBeNull();
});

it('reads the list again once a migration is undone', async () => {
  const undo = { ...restored({}), id: 'undo', action: 'undo' } as const;
  const undone = sampleJob({ state: 'done', result: { ...MIGRATED, undone: true } });
  ferry.emit('job', undo);
  while (ferry.waiting('jobs.list') > 0)
    await ferry.answer('jobs.list', { jobs: [{ ...undo, result: null }, undone], unreadable: [], newer: [] });
  expect(useJobs.getState().jobs[1]).toEqual(undone);
});
