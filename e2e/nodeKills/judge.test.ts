/** Verdicts on the app's reports, and the plans of a campaign. */
import { describe, expect, it } from 'vitest';
import { judge, type Observed, type Verdict } from './judge.ts';
import { jobs, killPlanOf, stops } from './killPlan.ts';

const cases: readonly [Partial<Observed>, Verdict][] = [
  [{ report: 'done', onDisk: 'new' }, 'right'],
  [{ report: 'done', onDisk: 'half' }, 'wrong'],
  [{ report: 'done', onDisk: 'old' }, 'wrong'],
  [{ report: 'failed', onDisk: 'old' }, 'right'],
  [{ report: 'failed', onDisk: 'half' }, 'wrong'],
  [{ report: 'failed', onDisk: 'new' }, 'wrong'],
  [{ report: 'none', onDisk: 'old' }, 'right'],
  [{ report: 'interrupted', onDisk: 'half', named: 1 }, 'right'],
  [{ report: 'interrupted', onDisk: 'half', named: 0 }, 'wrong'],
  [{ report: 'interrupted', onDisk: 'nothing', named: 1 }, 'right'],
  [{ report: 'interrupted', onDisk: 'old', named: 1 }, 'wrong'],
  [{ report: 'unknown', onDisk: 'new' }, 'unknown'],
  [{ report: 'running', onDisk: 'half' }, 'unknown'],
  [{ report: 'interrupted', onDisk: 'half', copies: 0 }, 'lost'],
  [{ report: 'unknown', onDisk: 'nothing', copies: 0 }, 'lost'],
  [{ job: 'restore', report: 'failed', onDisk: 'nothing' }, 'right'],
  [{ job: 'restore', report: 'failed', onDisk: 'half' }, 'wrong'],
  [{ job: 'backup', report: 'failed', onDisk: 'nothing', copies: 0 }, 'right'],
  [{ job: 'backup', report: 'failed', onDisk: 'half', copies: 0 }, 'right'],
  [{ job: 'backup', report: 'done', onDisk: 'half', copies: 0 }, 'wrong'],
];

describe('the verdict on a report', () => {
  it.each(cases)('about %j is %s', (observed, verdict) => {
    const usual: Observed = { job: 'migrate', report: 'done', onDisk: 'new', copies: 1, named: 0 };
    expect(judge({ ...usual, ...observed })).toBe(verdict);
  });
});

describe('a kill plan', () => {
  const plans = (version: number) =>
    Array.from({ length: 400 }, (_, seed) => killPlanOf(seed, { version, stops }));

  it('is the same for the same seed, and over many seeds covers every job and every kind of stop', () => {
    expect(plans(310_000)).toEqual(plans(310_000));
    const all = [...plans(290_300), ...plans(310_000)];
    expect(new Set(all.map(({ job }) => job))).toEqual(new Set(jobs));
    expect(new Set(plans(310_000).map(({ stop }) => stop))).toEqual(new Set(stops));
  });

  it('does not migrate an unnamed wallet on 30.0, which can remove all other wallets', () => {
    expect(plans(300_000).filter(({ name }) => name === '')).toEqual([]);
    expect(plans(310_000).filter(({ name }) => name === '')).not.toEqual([]);
  });

  it('uses only the stops that this machine supports', () => {
    const few = Array.from({ length: 100 }, (_, seed) =>
      killPlanOf(seed, { version: 310_000, stops: ['node'] }),
    );
    expect(new Set(few.map(({ stop }) => stop))).toEqual(new Set(['node']));
  });
});
