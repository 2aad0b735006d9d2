import { describe, expect, it } from 'vitest';
import type { MigrationProof, WalletPart } from '../../../../shared/model/migrationPreview.ts';
import type { Rehearsal } from '../../../../shared/model/plan.ts';
import { sampleInspection, samplePreview } from '../../../../shared/testing/sampleInspection.ts';
import { samplePlan } from '../../../../shared/testing/samplePlan.ts';
import { installFakeFerry } from '../../../state/testing/fakeFerry.ts';
import { rendered } from '../../../state/testing/rendered.tsx';

installFakeFerry();
const { MigrationPreviewList, PlanDetails, proofFacts, rehearsedWallets } = await import('./PlanDetails.tsx');
const { newDraft } = await import('../../../state/draftsStore.ts');

const preview = sampleInspection().migration;
const found = sampleInspection({
  kind: 'descriptor',
  descriptors: { total: 11, shown: [] },
  labels: { total: 1, shown: [] },
});

const proof: MigrationProof = {
  scripts: { old: 430, primary: 424, watchonly: 6 },
  solvable: 0,
  ready: 0,
  addressRecords: 38,
  transactions: 13,
  lockedCoins: 0,
  leftOut: [],
};

function rehearsal(...parts: WalletPart[]): Rehearsal {
  return { wallets: parts.map((part) => ({ part, name: `of ${part}`, found })), proof };
}

describe('PlanDetails', () => {
  it.each([true, false])('shows what a rehearsal made only if the plan is of that content: %s', (isSame) => {
    const { facts, action, source } = samplePlan();
    const plan = samplePlan({
      facts: { ...facts, contents: sampleInspection() },
      checks: isSame ? [{ id: 'rehearsal', verdict: 'fine', title: 'It arrived', text: [], todo: [] }] : [],
    });
    const look = { batch: false, chosen: true, isPlanning: false, waits: 'no' } as const;
    const rehearsing = { state: 'done', rehearsal: rehearsal('primary') } as const;
    const draft = { ...newDraft({ action, source }, look), plan, rehearsing };
    const markup = rendered(<PlanDetails draft={draft} plan={plan} />);
    expect(markup).toContain('Rehearse');
    expect(markup.includes('of primary')).toBe(isSame);
  });
});

it('says once that a node refuses a migration, with every reason', () => {
  const unownedTransactions = { total: 1, shown: ['abcd'] };
  const refused = samplePreview({ hazards: ['no-seed'], unownedTransactions });
  const markup = rendered(<MigrationPreviewList preview={refused} name={null} />);
  expect(markup.split('A node refuses this migration')).toHaveLength(2);
  expect(markup).toMatch(/lacks its seed.*abcd/);
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

function said(change: Partial<MigrationProof>): Record<string, string> {
  return Object.fromEntries(proofFacts({ ...proof, ...change }));
}

describe('proofFacts', () => {
  it('says how many scripts are there now, and in which wallet', () => {
    expect(said({}).Scripts).toBe('430 of 430, 6 watch-only');
    expect(said({ scripts: { old: 8, primary: 8, watchonly: 0 } }).Scripts).toBe('8 of 8');
    expect(said({ scripts: { old: 8, primary: 0, watchonly: 7 } }).Scripts).toBe('7 of 8, 7 watch-only');
  });

  it('says what is kept, and leaves out what there was none of', () => {
    expect(said({})).toEqual({ Scripts: expect.any(String), Labels: '38 kept', Transactions: '13 kept' });
    expect(
      said({ transactions: 0, addressRecords: 1, lockedCoins: 1, solvable: 6, ready: 1000 }),
    ).toMatchObject({
      Labels: '1 kept',
      Transactions: 'None',
      'Locked coins': '1 kept',
      'Solvable scripts': '6',
      'Additional unused keys': '1,000',
    });
  });
});
