import { describe, expect, it } from 'vitest';
import type { Job } from '../../../shared/model/job.ts';
import { sampleJob } from '../../../shared/testing/sampleJob.ts';
import type { Draft } from '../../state/draft.ts';
import { installFakeFerry } from '../../state/testing/fakeFerry.ts';

installFakeFerry();
const { countsOf, sharedWarnings } = await import('./BatchTable.tsx');

const started = (state: Job['state']) => ({
  draft: { standing: { state: 'started', jobId: 'j' } } as Draft,
  job: sampleJob({ state }),
});

describe('the counts of a batch', () => {
  it('name every wallet that has ended, and how', () => {
    const rows = [started('done'), started('interrupted'), started('failed'), started('unknown')];
    expect(countsOf(rows)).toBe('1 of 4 done, 1 failed, 1 interrupted, 1 not known');
  });

  it('leave out what is nought', () => {
    expect(countsOf([started('done'), started('running')])).toBe('1 of 2 done');
  });
});

describe('the warnings above the table', () => {
  const check = (title: string, verdict = 'warning') => ({
    id: 'syncing',
    verdict,
    title,
    text: [],
    todo: [],
  });
  const planned = (...checks: unknown[]) => ({ plan: { checks }, answers: {} }) as unknown as Draft;
  const ofNode = check('The node is still syncing');

  it('are those that every wallet has', () => {
    const own = planned(check('Its keys are young'), ofNode, check('Enough space', 'fine'));
    const other = planned(ofNode, check('Enough space', 'fine'));
    expect(sharedWarnings([own, other])).toEqual([ofNode]);
    expect(sharedWarnings([own, planned()])).toEqual([]);
  });

  it('are none of a single wallet', () => {
    expect(sharedWarnings([planned(ofNode), { plan: null } as Draft])).toEqual([]);
  });
});
