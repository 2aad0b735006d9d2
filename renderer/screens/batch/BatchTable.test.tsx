import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { sampleInspection } from '../../../shared/testing/sampleInspection.ts';
import { samplePlan } from '../../../shared/testing/samplePlan.ts';
import type { Draft } from '../../state/draftsStore.ts';
import { installFakeFerry } from '../../state/testing/fakeFerry.ts';

installFakeFerry();
const { PlanState, sharedWarnings } = await import('./BatchTable.tsx');

it('offers a damaged wallet its rescue, and nothing that disconnects the node of the batch', () => {
  const conditions = [{ code: 'page-version', shown: [], total: 1 }] as never;
  const contents = sampleInspection({ kind: 'descriptor', conditions });
  const checks = [{ id: 'file-readable', verdict: 'blocker', title: 'Damaged', text: [], todo: [] }] as never;
  const facts = { ...samplePlan().facts, path: '/w/wallet.dat', contents };
  const plan = samplePlan({ checks, facts, elsewhere: 'this-file' });
  const draft = { plan, answers: {}, takesPart: false, tried: { state: 'none' } } as unknown as Draft;
  const state = <PlanState draft={draft} shared={[]} describedBy="name" />;
  const markup = renderToStaticMarkup(<MantineProvider>{state}</MantineProvider>);
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
    ({ plan: { checks }, answers: {}, takesPart: true }) as unknown as Draft;
  const ofNode = check('The node is still syncing');

  it('are those that every wallet that takes part has', () => {
    const own = planned(check('Its keys are young'), ofNode, check('Enough space', 'fine'));
    const other = planned(ofNode, check('Enough space', 'fine'));
    expect(sharedWarnings([own, other])).toEqual([ofNode]);
    expect(sharedWarnings([own, planned()])).toEqual([]);
    expect(sharedWarnings([own, other, { ...planned(), takesPart: false }])).toEqual([ofNode]);
    expect(sharedWarnings([own, { ...other, takesPart: false }])).toEqual([]);
  });

  it('are none for a single wallet', () => {
    expect(sharedWarnings([planned(ofNode), { plan: null } as Draft])).toEqual([]);
  });
});
