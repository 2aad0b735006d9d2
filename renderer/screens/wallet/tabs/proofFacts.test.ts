import { describe, expect, it } from 'vitest';
import type { MigrationProof } from '../../../../shared/model/migrationPreview.ts';
import { installFakeFerry } from '../../../state/testing/fakeFerry.ts';

installFakeFerry();
const { proofFacts } = await import('./PlanDetails.tsx');

const proof: MigrationProof = {
  scripts: { old: 430, primary: 424, watchonly: 6 },
  solvable: 0,
  ready: 0,
  addressRecords: 38,
  transactions: 13,
  lockedCoins: 0,
  leftOut: [],
};

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
      'More keys ready': '1,000',
    });
  });
});
