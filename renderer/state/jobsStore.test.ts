import { expect, it } from 'vitest';
import { sampleJob } from '../../shared/testing/sampleJob.ts';
import { installFakeFerry } from './testing/fakeFerry.ts';

const ferry = installFakeFerry();
const { isShownAt, useJobs } = await import('./jobsStore.ts');

const wallet = (name: string, job?: string) =>
  ({ at: 'wallet', source: { by: 'wallet', name }, ...(job && { job }) }) as const;
const migration = { id: 'm', wallet: 'w', kind: 'migrate' } as const;
const backup = { id: 'b', wallet: 'w', kind: 'backup' } as const;

it('appends the new log lines of each event', async () => {
  const log = () => useJobs.getState().jobs[0]?.log;
  const report = (logLength: number, ...lines: string[]) =>
    ferry.emit('job', sampleJob({ log: lines, logLength }));
  void useJobs.getState().start();
  // This one comes before the list of jobs, which has its line as well.
  report(2, 'two');
  await ferry.answer('jobs.list', {
    jobs: [sampleJob({ log: ['one', 'two'], logLength: 2 })],
    unreadable: [],
  });
  expect(log()).toEqual(['one', 'two']);
  report(2);
  report(4, 'three', 'four');
  expect(log()).toEqual(['one', 'two', 'three', 'four']);
  const many = Array.from({ length: 199 }, (_, n) => `${n}`);
  report(203, ...many);
  expect(log()).toEqual(['four', ...many]);
});

it('shows a job on the page of its wallet, unless that page shows another job', () => {
  expect(isShownAt(wallet('w'), migration)).toBe(true);
  expect(isShownAt(wallet('w', 'm'), migration)).toBe(true);
  expect(isShownAt(wallet('w', 'other'), migration)).toBe(false);
  expect(isShownAt(wallet('v'), migration)).toBe(false);
  expect(isShownAt({ at: 'home' }, migration)).toBe(false);
});

it('shows a backup on the page of its wallet whatever job that page shows, and in the table', () => {
  expect(isShownAt(wallet('w', 'other'), backup)).toBe(true);
  expect(isShownAt({ at: 'wallets' }, backup)).toBe(true);
  expect(isShownAt({ at: 'wallets' }, migration)).toBe(false);
});
