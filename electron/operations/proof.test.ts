import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { proof } from '../../shared/safety.ts';
import type { MigrationComparison } from '../wallet/compareMigration.ts';
import { proofOf } from './proof.ts';

const whole = (count: number) => ({ before: count, after: count, missing: { total: 0, shown: [] } });
const lacking = (count: number, ...missing: string[]) => ({
  before: count,
  after: count - missing.length,
  missing: { total: missing.length, shown: missing },
});

const comparison: MigrationComparison = {
  scripts: whole(40),
  labels: whole(3),
  transactions: whole(7),
  balance: { amount: 900n, newest: 1_795_180_000 },
  wallets: [
    { part: 'primary', name: 'w', descriptors: 11, labels: 3, transactions: 7 },
    { part: 'watchonly', name: 'w_watchonly', descriptors: 1, labels: 0, transactions: 1 },
  ],
  unread: false,
};
const made = [
  { part: 'primary', name: 'w' },
  { part: 'watchonly', name: 'w_watchonly' },
] as const;
const found = { made, compared: comparison, balances: [700n, 200n], balanceBefore: 900n, offline: false };

const prove = (fields: Partial<Parameters<typeof proofOf>[0]> = {}) => {
  const made = proofOf({ ...found, ...fields });
  // It crosses to the page.
  expect(z.decode(proof, z.encode(proof, made))).toEqual(made);
  return made;
};

describe('proofOf', () => {
  it('finds nothing different where nothing is', () => {
    expect(prove()).toMatchObject({
      verdict: 'same',
      differences: [],
      unknown: [],
      balance: { file: 900n, fileTime: 1_795_180_000, before: 900n, after: 900n },
      wallets: [
        { name: 'w', descriptors: 11, balance: 700n },
        { name: 'w_watchonly', transactions: 1, balance: 200n },
      ],
    });
  });

  it.each([
    ['scripts', 'script of the old wallet'],
    ['labels', 'label of the old wallet'],
    ['transactions', 'transaction of the old wallet'],
  ] as const)('tells of %s that are missing, and what that means', (what, words) => {
    const { verdict, differences } = prove({ compared: { ...comparison, [what]: lacking(7, 'one') } });
    expect(verdict).toBe('different');
    expect(differences).toEqual([
      { title: expect.stringContaining(words), meaning: expect.stringMatching(/.{40}/) },
    ]);
  });

  it('tells when less is there than before, and takes more for no loss', () => {
    expect(prove({ balanceBefore: 901n }).verdict).toBe('different');
    expect(prove({ balanceBefore: 1n }).verdict).toBe('same');
  });

  it('does not count what only the solvables hold: nobody counted it before', () => {
    const { balance } = prove({
      made: [...made, { part: 'solvables', name: 'w_solvables' }],
      balances: [700n, 200n, 5n],
    });
    expect(balance.after).toBe(900n);
  });

  it('says what it could not compare', () => {
    const noFiles = prove({ compared: 'Nothing was compared: the file is gone.' });
    expect(noFiles).toMatchObject({ verdict: 'partly', scripts: null, labels: null, transactions: null });
    expect(noFiles.unknown).toContain('Nothing was compared: the file is gone.');
    expect(prove({ balances: [700n, null] })).toMatchObject({ verdict: 'partly', balance: { after: null } });
    expect(prove({ compared: { ...comparison, unread: true } }).verdict).toBe('partly');
    expect(prove({ balanceBefore: null }).unknown.join()).toContain('not loaded');
    expect(prove({ balanceBefore: null, offline: true }).unknown).toEqual([]);
  });
});
