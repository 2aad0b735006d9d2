import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Job } from '../../../shared/model/job.ts';
import { sampleJob } from '../../../shared/testing/sampleJob.ts';
import { track } from './watch.ts';

const first = sampleJob();

let reported: Job[];
const start = () => track(first, (job) => reported.push(job), 100);

beforeEach(() => {
  vi.useFakeTimers();
  reported = [];
});
afterEach(() => {
  vi.useRealTimers();
});

describe('track', () => {
  it('reports the first state, and every change but progress, at once', () => {
    const tracked = start();
    tracked.change({ connection: 'lost' });
    tracked.change({ connection: 'ok' });
    expect(reported.map(({ connection }) => connection)).toEqual(['ok', 'lost', 'ok']);
  });

  it('reports log lines at most every 100 ms, the newest included', () => {
    const tracked = start();
    for (let n = 1; n <= 10; n++) tracked.change({ log: [`${n}`] });
    expect(reported).toHaveLength(1);
    vi.advanceTimersByTime(100);
    expect(reported.slice(1).map(({ log }) => log)).toEqual([['10']]);
    vi.advanceTimersByTime(1000);
    expect(reported).toHaveLength(2);
    tracked.change({ log: ['11'] });
    expect(reported.at(-1)?.log).toEqual(['11']);
  });

  it('reports waiting log lines together with an urgent change, once', () => {
    const tracked = start();
    tracked.change({ log: ['waiting'] });
    tracked.change({ connection: 'lost' });
    expect(reported.at(-1)).toMatchObject({ log: ['waiting'], connection: 'lost' });
    vi.advanceTimersByTime(1000);
    expect(reported).toHaveLength(2);
  });

  it('reports nothing after the end', () => {
    const tracked = start();
    tracked.change({ log: ['waiting'] });
    tracked.end({ state: 'done', ended: 2 });
    tracked.change({ connection: 'lost' });
    tracked.end({ state: 'failed' });
    vi.advanceTimersByTime(1000);
    expect(reported.map(({ state }) => state)).toEqual(['running', 'done']);
    expect(tracked.current()).toMatchObject({ state: 'done', connection: 'ok', ended: 2 });
  });

  it('reports nothing once it is muted', () => {
    const tracked = start();
    tracked.change({ log: ['waiting'] });
    tracked.mute();
    tracked.change({ connection: 'lost' });
    tracked.end({ state: 'done' });
    vi.advanceTimersByTime(1000);
    expect(reported).toHaveLength(1);
  });
});
