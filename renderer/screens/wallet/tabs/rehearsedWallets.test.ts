import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { WalletPart } from '../../../../shared/model/migrationPreview.ts';
import type { Rehearsal } from '../../../../shared/model/plan.ts';
import { sampleInspection } from '../../../../shared/testing/sampleInspection.ts';
import { samplePlan } from '../../../../shared/testing/samplePlan.ts';
import { installFakeFerry } from '../../../state/testing/fakeFerry.ts';

installFakeFerry();
const { PlanDetails, rehearsedWallets } = await import('./PlanDetails.tsx');
const { newDraft } = await import('../../../state/draftsStore.ts');

const preview = sampleInspection().migration;
const found = sampleInspection({
  kind: 'descriptor',
  descriptors: { total: 11, shown: [] },
  labels: { total: 1, shown: [] },
});

function rehearsal(...parts: WalletPart[]): Rehearsal {
  return {
    wallets: parts.map((part) => ({ part, name: `of ${part}`, found })),
    proof: {
      scripts: { old: 0, primary: 0, watchonly: 0 },
      solvable: 0,
      ready: 0,
      addressRecords: 0,
      transactions: 0,
      lockedCoins: 0,
      leftOut: [],
    },
  };
}

describe('PlanDetails', () => {
  it.each([true, false])('shows what a rehearsal made only if the plan is of that content: %s', (isSame) => {
    const { facts, action, source } = samplePlan();
    const plan = samplePlan({
      facts: { ...facts, contents: sampleInspection() },
      checks: isSame ? [{ id: 'rehearsal', verdict: 'fine', title: 'It arrived', text: [], todo: [] }] : [],
    });
    const look = { batch: false, chosen: true, looking: false, waits: 'no' } as const;
    const rehearsing = { state: 'done', rehearsal: rehearsal('primary') } as const;
    const draft = { ...newDraft({ action, source }, look), plan, rehearsing };
    const markup = renderToStaticMarkup(
      createElement(MantineProvider, null, createElement(PlanDetails, { draft, plan })),
    );
    expect(markup).toContain('Rehearse');
    expect(markup.includes('of primary')).toBe(isSame);
  });
});

describe('rehearsedWallets', () => {
  it('names each wallet, and counts what is in it', () => {
    expect(rehearsedWallets(rehearsal('primary', 'watchonly', 'solvables'), preview)).toMatchObject([
      { title: 'Main wallet', name: 'of primary', contents: '11 descriptors, 0 transactions, 1 label' },
      { title: 'Watch-only wallet', name: 'of watchonly' },
      { title: 'Wallet of solvable scripts', name: 'of solvables' },
    ]);
  });

  it('says of where new addresses come only what is known', () => {
    const meaning = (seed: 'kept' | 'fresh' | null) =>
      rehearsedWallets(
        rehearsal('primary'),
        seed && preview && { ...preview, primary: { descriptors: 11, seed } },
      )[0]?.meaning;
    expect(meaning('kept')).not.toContain('keys');
    expect(meaning('fresh')).toContain('new keys');
    expect(meaning(null)).not.toContain('keys');
  });
});
