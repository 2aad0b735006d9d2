import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Job } from '../../../shared/model/job.ts';
import { sampleJob } from '../../../shared/testing/sampleJob.ts';
import { trackJob } from './watch.ts';

const first = sampleJob();

let reported: Job[];
const start = () => trackJob(first, (job) => reported.push(job), 100);

beforeEach(() => {
  vi.useFakeTimers();
  reported = [];
});
afterEach(() => {
  vi.useRealTimers();
});

describe('track', () => {
  it('reports the first state, and every change but progress, at once', () => {
    const tracker = start();
    tracker.change({ connection: 'lost' });
    tracker.change({ connection: 'ok' });
    expect(reported.map(({ connection }) => connection)).toEqual(['ok', 'lost', 'ok']);
  });

  it('reports log lines at most every 100 ms, the newest included', () => {
    const tracker = start();
    for (let n = 1; n <= 10; n++) tracker.change({ log: [`${n}`] });
    expect(reported).toHaveLength(1);
    vi.advanceTimersByTime(100);
    expect(reported.slice(1).map(({ log }) => log)).toEqual([['10']]);
    vi.advanceTimersByTime(1000);
    expect(reported).toHaveLength(2);
    tracker.change({ log: ['11'] });
    expect(reported.at(-1)?.log).toEqual(['11']);
  });

  it('reports waiting log lines together with an urgent change, once', () => {
    const tracker = start();
    tracker.change({ log: ['waiting'] });
    tracker.change({ connection: 'lost' });
    expect(reported.at(-1)).toMatchObject({ log: ['waiting'], connection: 'lost' });
    vi.advanceTimersByTime(1000);
    expect(reported).toHaveLength(2);
  });

  it('reports nothing after the end', () => {
    const tracker = start();
    tracker.change({ log: ['waiting'] });
    tracker.end({ state: 'done', ended: 2 });
    tracker.change({ connection: 'lost' });
    tracker.end({ state: 'failed' });
    vi.advanceTimersByTime(1000);
    expect(reported.map(({ state }) => state)).toEqual(['running', 'done']);
    expect(tracker.current()).toMatchObject({ state: 'done', connection: 'ok', ended: 2 });
  });

  it('reports nothing once it is muted', () => {
    const tracker = start();
    tracker.change({ log: ['waiting'] });
    tracker.mute();
    tracker.change({ connection: 'lost' });
    tracker.end({ state: 'done' });
    vi.advanceTimersByTime(1000);
    expect(reported).toHaveLength(1);
  });
});
