import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Job } from '../../../shared/model/job.ts';
import { sampleJob } from '../../../shared/testing/sampleJob.ts';
import { track } from './watch.ts';

const first = sampleJob();

let told: Job[];
const start = () => track(first, (job) => told.push(job), 100);

beforeEach(() => {
  vi.useFakeTimers();
  told = [];
});
afterEach(() => {
  vi.useRealTimers();
});

describe('track', () => {
  it('tells the beginning and every change that is more than progress at once', () => {
    const tracked = start();
    tracked.change({ connection: 'lost' });
    tracked.change({ connection: 'ok' });
    expect(told.map(({ connection }) => connection)).toEqual(['ok', 'lost', 'ok']);
  });

  it('tells log lines at most every 100 ms, the newest included', () => {
    const tracked = start();
    for (let n = 1; n <= 10; n++) tracked.change({ log: [`${n}`] });
    expect(told).toHaveLength(1);
    vi.advanceTimersByTime(100);
    expect(told.slice(1).map(({ log }) => log)).toEqual([['10']]);
    vi.advanceTimersByTime(1000);
    expect(told).toHaveLength(2);
    tracked.change({ log: ['11'] });
    expect(told.at(-1)?.log).toEqual(['11']);
  });

  it('tells what was waiting together with a change that does not wait, once', () => {
    const tracked = start();
    tracked.change({ log: ['waiting'] });
    tracked.change({ connection: 'lost' });
    expect(told.at(-1)).toMatchObject({ log: ['waiting'], connection: 'lost' });
    vi.advanceTimersByTime(1000);
    expect(told).toHaveLength(2);
  });

  it('tells nothing after the end', () => {
    const tracked = start();
    tracked.change({ log: ['waiting'] });
    tracked.end({ state: 'done', ended: 2 });
    tracked.change({ connection: 'lost' });
    tracked.end({ state: 'failed' });
    vi.advanceTimersByTime(1000);
    expect(told.map(({ state }) => state)).toEqual(['running', 'done']);
    expect(tracked.current()).toMatchObject({ state: 'done', connection: 'ok', ended: 2 });
  });

  it('tells nothing once it is muted', () => {
    const tracked = start();
    tracked.change({ log: ['waiting'] });
    tracked.mute();
    tracked.change({ connection: 'lost' });
    tracked.end({ state: 'done' });
    vi.advanceTimersByTime(1000);
    expect(told).toHaveLength(1);
  });
});
