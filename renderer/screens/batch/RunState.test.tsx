import { describe, expect, it } from 'vitest';
import type { Job } from '../../../shared/model/job.ts';
import { sampleJob } from '../../../shared/testing/sampleJob.ts';
import type { Draft } from '../../state/draftsStore.ts';
import { installFakeFerry } from '../../state/testing/fakeFerry.ts';

installFakeFerry();
const { countsOf } = await import('./RunState.tsx');

const started = (state: Job['state']) => ({
  draft: { standing: { state: 'started', jobId: 'j' } } as Draft,
  job: sampleJob({ state }),
});

describe('the counts of a batch', () => {
  it('name every wallet that has ended, and how', () => {
    const rows = [started('done'), started('interrupted'), started('failed'), started('unknown')];
    expect(countsOf(rows)).toBe('1 of 4 done, 1 failed, 1 interrupted, 1 not known');
  });

  it('leave out zeros', () => {
    expect(countsOf([started('done'), started('running')])).toBe('1 of 2 done');
  });
});
