import { describe, expect, it } from 'vitest';
import type { Inspection } from '../../../../shared/inspection.ts';
import { madeInspection } from '../../../../shared/testing/madeInspection.ts';
import { walletRemarks } from './walletRemarks.ts';

const said = (change: Partial<Inspection>) => walletRemarks(madeInspection(change), { network: 'main' });

describe('walletRemarks', () => {
  it('has nothing to say of a sound wallet of this network', () => {
    expect(said({})).toEqual([]);
  });

  it('stops for a legacy wallet that saw the chain of another network', () => {
    const network = { name: 'regtest', from: 'genesis-block', candidates: ['regtest'] } as const;
    const [remark] = said({ network });
    expect(remark).toMatchObject({ key: 'other-network', stops: true });
    expect(remark?.text[0]).toContain('Regtest');
  });

  it('leaves the head of a file to the remarks on it', () => {
    expect(said({ network: { name: 'regtest', from: 'file', candidates: ['regtest'] } })).toEqual([]);
  });

  it('warns, without stopping, where only the addresses look foreign', () => {
    const network = { name: 'unknown', from: 'addresses', candidates: ['testnet3', 'signet'] } as const;
    const [remark] = said({ network });
    expect(remark).toMatchObject({ key: 'maybe-other-network', tone: 'read', stops: false });
    expect(remark?.text[0]).toContain('Testnet 3 or Signet');
    expect(said({ network: { name: 'unknown', from: 'nothing', candidates: [] } })).toEqual([]);
    expect(said({ network: { name: 'main', from: 'addresses', candidates: ['main'] } })).toEqual([]);
  });

  it('tells damage with what can still be read, and no more than a few problems', () => {
    const problem = (at: number, lost: boolean) => ({ page: at, text: `Problem ${at}.`, lost });
    const problems = [1, 2, 3, 4, 5].map((at) => problem(at, true));
    const [damaged, odd] = said({ problems: [...problems, problem(9, false)] });
    expect(damaged).toMatchObject({ key: 'damaged', tone: 'read', stops: false });
    expect(damaged?.text.slice(0, 4)).toEqual(['Problem 1.', 'Problem 2.', 'Problem 3.', 'And 2 more.']);
    expect(damaged?.text).toContain('Nothing of the wallet can still be read.');
    expect(odd).toMatchObject({ key: 'odd', text: ['Problem 9.'] });
  });
});
