import { describe, expect, it } from 'vitest';
import type { MigrationProof } from '../../../shared/rehearsal.ts';
import { proofFacts } from './proofFacts.ts';

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
  return Object.fromEntries(proofFacts({ ...proof, ...change }).map(({ label, text }) => [label, text]));
}

describe('proofFacts', () => {
  it('says where each script is now', () => {
    expect(said({}).Scripts).toBe('430 of 430 found again: 424 in the main wallet, 6 in the watch-only one');
    expect(said({ scripts: { old: 8, primary: 8, watchonly: 0 } }).Scripts).toBe(
      '8 of 8 found again, in the main wallet',
    );
    expect(said({ scripts: { old: 8, primary: 0, watchonly: 7 } }).Scripts).toBe(
      '7 of 8 found again, in the watch-only wallet',
    );
  });

  it('says what is kept, and leaves out what there was none of', () => {
    expect(said({})).toEqual({
      Scripts: expect.any(String),
      Labels: 'All 38 records kept',
      Transactions: 'All 13 transactions kept',
    });
    expect(
      said({ transactions: 0, addressRecords: 1, lockedCoins: 1, solvable: 6, ready: 1000 }),
    ).toMatchObject({
      Labels: '1 record, kept',
      Transactions: 'None to keep',
      'Locked coins': '1 coin, kept',
      'Solvable scripts': '6 put apart',
      'Kept ready': '1,000 keys more than before',
    });
  });
});
