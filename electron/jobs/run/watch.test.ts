import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Job } from '../../../shared/model/job.ts';
import { sampleJob } from '../../../shared/testing/sampleJob.ts';
import { trackJob } from './watch.ts';

const first = sampleJob();

let reported: Job[];
const start = (job = first) =>
  trackJob(job, (changed) => reported.push(changed), { paceMs: 100, now: () => Date.now() / 1000 });

beforeEach(() => {
  vi.useFakeTimers();
  reported = [];
});
afterEach(() => {
  vi.useRealTimers();
});

describe('trackJob', () => {
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

  it('notes when each step was done, unless that was while the app was closed', () => {
    const step = (phase: 'sent' | 'loading', state: 'waiting' | 'running' | 'done') => ({ phase, state });
    const steps = [step('sent', 'running'), step('loading', 'waiting')];
    const live = start({ ...first, steps });
    vi.setSystemTime(50_000);
    live.change({ steps: [step('sent', 'done'), step('loading', 'running')] });
    vi.setSystemTime(60_000);
    live.change({ steps: [step('sent', 'done'), step('loading', 'done')] });
    expect(live.current().steps.map(({ ended }) => ended)).toEqual([50, 60]);
    const resumed = start({ ...first, steps, resumed: true });
    resumed.change({ steps: [step('sent', 'done'), step('loading', 'done')] });
    expect(resumed.current().steps.map(({ ended }) => ended)).toEqual([undefined, undefined]);
    const again = start({ ...live.current(), resumed: true });
    again.change({ steps: [step('sent', 'running'), step('loading', 'waiting')] });
    again.change({ steps: [step('sent', 'done'), step('loading', 'done')] });
    expect(again.current().steps.map(({ ended }) => ended)).toEqual([50, 60]);
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
