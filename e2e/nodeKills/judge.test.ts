import { describe, expect, it } from 'vitest';
import { judge, type Seen, type Verdict } from './judge.ts';
import { jobs, killPlanOf, stops } from './killPlan.ts';

const cases: readonly [Partial<Seen>, Verdict][] = [
  [{ word: 'done', there: 'new' }, 'right'],
  [{ word: 'done', there: 'half' }, 'wrong'],
  [{ word: 'done', there: 'old' }, 'wrong'],
  [{ word: 'failed', there: 'old' }, 'right'],
  [{ word: 'failed', there: 'half' }, 'wrong'],
  [{ word: 'failed', there: 'new' }, 'wrong'],
  [{ word: 'none', there: 'old' }, 'right'],
  [{ word: 'interrupted', there: 'half', named: 1 }, 'right'],
  [{ word: 'interrupted', there: 'half', named: 0 }, 'wrong'],
  [{ word: 'interrupted', there: 'nothing', named: 1 }, 'right'],
  [{ word: 'interrupted', there: 'old', named: 1 }, 'wrong'],
  [{ word: 'unknown', there: 'new' }, 'unknown'],
  [{ word: 'running', there: 'half' }, 'unknown'],
  [{ word: 'interrupted', there: 'half', copies: 0 }, 'lost'],
  [{ word: 'unknown', there: 'nothing', copies: 0 }, 'lost'],
  [{ job: 'restore', word: 'failed', there: 'nothing' }, 'right'],
  [{ job: 'restore', word: 'failed', there: 'half' }, 'wrong'],
  [{ job: 'backup', word: 'failed', there: 'nothing', copies: 0 }, 'right'],
  [{ job: 'backup', word: 'failed', there: 'half', copies: 0 }, 'right'],
  [{ job: 'backup', word: 'done', there: 'half', copies: 0 }, 'wrong'],
];

describe('judging what the app said', () => {
  it.each(cases)('%j: %s', (seen, verdict) => {
    const usual: Seen = { job: 'migrate', word: 'done', there: 'new', copies: 1, named: 0 };
    expect(judge({ ...usual, ...seen })).toBe(verdict);
  });
});

describe('planning what is stopped when', () => {
  const plans = (version: number) =>
    Array.from({ length: 400 }, (_, seed) => killPlanOf(seed, { version, stops }));

  it('is the same for the same seed, and has every job and every way to stop it', () => {
    expect(plans(310_000)).toEqual(plans(310_000));
    expect(new Set(plans(310_000).map(({ job }) => job))).toEqual(new Set(jobs));
    expect(new Set(plans(310_000).map(({ stop }) => stop))).toEqual(new Set(stops));
  });

  it('spares 30.0 the migration of an unnamed wallet, which can remove all others', () => {
    expect(plans(300_000).filter(({ name }) => name === '')).toEqual([]);
    expect(plans(310_000).filter(({ name }) => name === '')).not.toEqual([]);
  });

  it('cuts nothing that cannot be cut on this machine', () => {
    const few = Array.from({ length: 100 }, (_, seed) =>
      killPlanOf(seed, { version: 310_000, stops: ['node'] }),
    );
    expect(new Set(few.map(({ stop }) => stop))).toEqual(new Set(['node']));
  });
});
