import { expect, it } from 'vitest';
import { walletFile } from '../wallet/vectors/wallets.ts';
import { rehearseMigration } from './rehearseMigration.ts';

it('names the further wallets of the unnamed wallet as a node does', async () => {
  const { wallets } = await rehearseMigration(walletFile('legacy-watchonly'), {
    name: '',
    network: 'regtest',
  });
  expect(wallets.map(({ part, name }) => [part, name])).toEqual([
    ['primary', ''],
    ['watchonly', 'default_wallet_watchonly'],
  ]);
});

it('leaves the bytes that it was given as they are', async () => {
  const bytes = walletFile('legacy-hd');
  const { network } = await rehearseMigration(bytes, { name: 'old' });
  expect(network).toBe('regtest');
  expect(Buffer.from(bytes).equals(walletFile('legacy-hd'))).toBe(true);
});
