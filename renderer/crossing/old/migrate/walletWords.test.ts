import { describe, expect, it } from 'vitest';
import { walletLine } from './walletWords.ts';

const wallet = { kind: 'legacy', loaded: true, encrypted: true, balance: 123_456_789n } as const;

describe('walletLine', () => {
  it('tells what is known', () => {
    expect(walletLine(wallet, 'main')).toBe('Legacy wallet, encrypted, 1.234\u2009567\u200989\u00a0BTC');
    expect(walletLine({ ...wallet, encrypted: false, balance: null }, 'main')).toBe(
      'Legacy wallet, not encrypted',
    );
  });

  it('leaves out what a wallet that is not loaded does not tell', () => {
    expect(walletLine({ kind: 'unknown', loaded: false, encrypted: null, balance: null }, 'main')).toBe(
      'Not loaded, so its kind is not known',
    );
  });
});
