import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { Job } from '../../../shared/model/job.ts';
import type { Plan } from '../../../shared/model/plan.ts';
import { sampleJob } from '../../../shared/testing/sampleJob.ts';
import { samplePlan } from '../../../shared/testing/samplePlan.ts';
import type { Draft } from '../../state/draftsStore.ts';
import { installFakeFerry } from '../../state/testing/fakeFerry.ts';

installFakeFerry();
const { countsOf, RunState } = await import('./RunState.tsx');

const started = (state: Job['state']) => ({
  draft: { standing: { state: 'started', jobId: 'j' } } as Draft,
  job: sampleJob({ state }),
});

describe('the counts of a batch', () => {
  it('name every wallet that has ended, and how', () => {
    const rows = [started('done'), started('interrupted'), started('failed'), started('unknown')];
    expect(countsOf(rows)).toBe('1 of 4 done, 1 failed, 1 interrupted, 1 not known');
  });

  it('count a wallet that a check stops, whose row says why', () => {
    const checks = [
      { id: 'wallet-file', verdict: 'blocker', title: 'Damaged wallet file', text: [], todo: [] },
    ] as unknown as Plan['checks'];
    const draft = { standing: { state: 'blocked' }, plan: samplePlan({ checks }) } as unknown as Draft;
    expect(countsOf([started('done'), { draft, job: null }])).toBe('1 of 2 done, 1 not started');
    const state = <RunState draft={draft} job={null} hasEnded describedBy="name" />;
    const markup = renderToStaticMarkup(<MantineProvider>{state}</MantineProvider>);
    expect(markup).toContain('Not started');
    expect(markup).toContain('Damaged wallet file');
  });

  it('leave out zeros', () => {
    expect(countsOf([started('done'), started('running')])).toBe('1 of 2 done');
  });
});
