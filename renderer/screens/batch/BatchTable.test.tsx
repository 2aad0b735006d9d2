import { describe, expect, it } from 'vitest';
import type { Draft } from '../../state/draftsStore.ts';
import { installFakeFerry } from '../../state/testing/fakeFerry.ts';

installFakeFerry();
const { sharedWarnings } = await import('./BatchTable.tsx');

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
