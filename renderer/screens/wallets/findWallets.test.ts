import { expect, it } from 'vitest';
import { sampleWallet } from '../../../shared/testing/sampleWallet.ts';
import { findWallets } from './sortWallets.ts';

const wallets = ['', 'Savings', 'Café', 'savings-old'].map((name) => sampleWallet({ name }));
const found = (sought: string) => findWallets(wallets, sought).map(({ name }) => name);

it('finds parts of names whatever their case, and all of them for nothing', () => {
  expect(found('SAV')).toEqual(['Savings', 'savings-old']);
  expect(found('  ')).toHaveLength(4);
  expect(found('x')).toEqual([]);
});

it('finds accents however they are typed', () => {
  expect(found('cafe\u0301')).toEqual(['Café']);
});

it('finds the unnamed wallet by what it is called on screen', () => {
  expect(found('unnamed')).toEqual(['']);
});
