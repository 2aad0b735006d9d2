import { describe, expect, it } from 'vitest';
import type { Job } from '../../../shared/model/job.ts';
import type { Plan } from '../../../shared/model/plan.ts';
import { sampleInspection } from '../../../shared/testing/sampleInspection.ts';
import { sampleJob } from '../../../shared/testing/sampleJob.ts';
import { sampleNodeStatus } from '../../../shared/testing/sampleNodeStatus.ts';
import { samplePlan } from '../../../shared/testing/samplePlan.ts';
import type { Draft } from '../../state/draftsStore.ts';
import { installFakeFerry } from '../../state/testing/fakeFerry.ts';
import { rendered, startWith } from '../../state/testing/rendered.tsx';

installFakeFerry();
const { useApp } = await import('../../state/appStore.ts');
const { countsOf, PlanState, RunState, sharedWarnings } = await import('./BatchTable.tsx');

it('offers a damaged wallet its rescue, and nothing that disconnects the node of the batch', () => {
  const conditions = [{ code: 'page-version', shown: [], total: 1 }] as never;
  const contents = sampleInspection({ kind: 'descriptor', conditions });
  const checks = [{ id: 'file-readable', verdict: 'blocker', title: 'Damaged', text: [], todo: [] }] as never;
  const facts = { ...samplePlan().facts, path: '/w/wallet.dat', contents };
  const plan = samplePlan({ checks, facts, elsewhere: 'this-file' });
  const draft = { plan, answers: {}, isIncluded: false, tried: { state: 'none' } } as unknown as Draft;
  const state = <PlanState draft={draft} shared={[]} describedBy="name" />;
  const markup = rendered(state);
  const buttons = [...markup.matchAll(/<button[^>]*aria-describedby="name".*?<\/button>/g)];
  expect(buttons.map(([button]) => button.replace(/<[^>]+>/g, ''))).toEqual(['Rescue']);
  expect(markup.match(/<button/g)).toHaveLength(1);
});

describe('the warnings above the table', () => {
  const check = (title: string, verdict = 'warning') => ({
    id: 'syncing',
    verdict,
    title,
    text: [],
    todo: [],
  });
  const planned = (...checks: unknown[]) =>
    ({ plan: { checks }, answers: {}, isIncluded: true }) as unknown as Draft;
  const ofNode = check('The node is still syncing');

  it('are those that every wallet that takes part has', () => {
    const own = planned(check('Its keys are young'), ofNode, check('Enough space', 'fine'));
    const other = planned(ofNode, check('Enough space', 'fine'));
    expect(sharedWarnings([own, other])).toEqual([ofNode]);
    expect(sharedWarnings([own, planned()])).toEqual([]);
    expect(sharedWarnings([own, other, { ...planned(), isIncluded: false }])).toEqual([ofNode]);
    expect(sharedWarnings([own, { ...other, isIncluded: false }])).toEqual([]);
  });

  it('are none for a single wallet', () => {
    expect(sharedWarnings([planned(ofNode), { plan: null } as Draft])).toEqual([]);
  });
});

const started = (state: Job['state']) => ({
  draft: { runState: { state: 'started', jobId: 'j' } } as Draft,
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
    const draft = { runState: { state: 'blocked' }, plan: samplePlan({ checks }) } as unknown as Draft;
    expect(countsOf([started('done'), { draft, job: null }])).toBe('1 of 2 done, 1 not started');
    const state = <RunState draft={draft} job={null} hasEnded describedBy="name" />;
    const markup = rendered(state);
    expect(markup).toContain('Not started');
    expect(markup).toContain('Damaged wallet file');
  });

  it('offers to try a wallet again that the user stopped, while its node is in use', () => {
    const plan = samplePlan();
    const draft = { runState: { state: 'not-started', why: 'stopped' }, plan } as unknown as Draft;
    const state = <RunState draft={draft} job={null} hasEnded describedBy="name" />;
    startWith(useApp, { connection: { state: 'none' } });
    expect(rendered(state)).not.toContain('Try again');
    startWith(useApp, { connection: { state: 'connected', node: sampleNodeStatus() } });
    expect(rendered(state)).toContain('Try again');
  });

  it('leave out zeros', () => {
    expect(countsOf([started('done'), started('running')])).toBe('1 of 2 done');
  });
});
