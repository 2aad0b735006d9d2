import { describe, expect, it } from 'vitest';
import { nearNames } from './nearNames.ts';

describe('nearNames', () => {
  it('finds names with a typing error, another case, an accent or a part of the word', () => {
    expect(nearNames('savigns', ['holiday', 'savings', 'old savings'])).toEqual(['savings']);
    expect(nearNames('Savings', ['savings', 'savings-2'])).toEqual(['savings', 'savings-2']);
    expect(nearNames('cafe', ['Café'])).toEqual(['Café']);
    expect(nearNames('sav', ['savings'])).toEqual(['savings']);
    expect(nearNames('--ofline', ['--offline', '--out'])).toEqual(['--offline']);
  });

  it('finds nothing if no name is similar', () => {
    expect(nearNames('x', ['savings', ''])).toEqual([]);
    expect(nearNames('', ['savings'])).toEqual([]);
    expect(nearNames('a'.repeat(4000), ['savings', `b${'a'.repeat(4000)}`])).toEqual([
      `b${'a'.repeat(4000)}`,
    ]);
  });

  it('finds at most three, the nearest first', () => {
    expect(nearNames('wallet', ['wallet-3', 'wallet', 'wallets', 'wallet2', 'wallet-10'])).toEqual([
      'wallet',
      'wallets',
      'wallet2',
    ]);
  });
});
