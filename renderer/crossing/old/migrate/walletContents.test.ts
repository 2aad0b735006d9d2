import { describe, expect, it } from 'vitest';
import type { InspectedScript, Inspection, Standing } from '../../../../shared/inspection.ts';
import { madeInspection } from '../../../../shared/testing/madeInspection.ts';
import { walletContents } from './walletContents.ts';

const { keys } = madeInspection();
const script = (standing: Standing): InspectedScript => ({
  script: '00',
  address: null,
  kind: 'p2sh',
  multisig: null,
  standing,
});

function said(change: Partial<Inspection>): Record<string, string> {
  return Object.fromEntries(walletContents(madeInspection(change)).map(({ label, text }) => [label, text]));
}

describe('walletContents', () => {
  it('says plainly that a wallet is empty', () => {
    expect(said({})).toMatchObject({
      Keys: 'No private keys',
      'Other scripts': 'None',
      Labels: 'None',
      Transactions: 'None',
    });
  });

  it('counts keys and where they come from', () => {
    expect(said({ keys: { ...keys, encrypted: 104, fromChains: 100, seeds: 2, single: 2 } }).Keys).toBe(
      '104 private keys, 100 of them from an HD seed',
    );
    const twoSeeds = { total: 2, shown: [] };
    expect(said({ keys: { ...keys, plain: 4, fromChains: 4, watched: 1 }, hdChains: twoSeeds }).Keys).toBe(
      '4 private keys, 4 of them from 2 HD seeds, 1 public key only watched',
    );
  });

  it('tells what the wallet can do with its other scripts', () => {
    const shown = [script('watched'), script('solvable'), script('watched')];
    expect(said({ scripts: { total: 3, shown } })['Other scripts']).toBe(
      '2 watched, 1 solvable and not watched',
    );
    expect(said({ scripts: { total: 20_000, shown } })['Other scripts']).toBe('20,000');
  });

  it('puts the descriptors of a descriptor wallet in the place of scripts', () => {
    const told = said({ kind: 'descriptor', descriptors: { total: 8, shown: [] } });
    expect(told.Descriptors).toBe('8');
    expect(told['Other scripts']).toBeUndefined();
  });

  it('keeps what is only watched out of the balance, and tells it beside', () => {
    const parts = { unconfirmed: 0n, ofBlockRewards: 0n };
    const told = said({
      transactions: { total: 2, shown: [] },
      balance: {
        spendable: { confirmed: 150_000_000n, ...parts },
        watched: { confirmed: 75_000_000n, ...parts },
        newestTransaction: 1_700_000_000,
        lastBlock: null,
      },
    });
    expect(told['Last known balance']).toMatch(/^1\.500\u2009000\u200900\u00a0BTC, as of 14 Nov 2023/);
    expect(Object.values(told)).toContain('0.750\u2009000\u200900\u00a0BTC');
  });
});
