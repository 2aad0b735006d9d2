import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { rehearseMigration } from './rehearseMigration.ts';

const bytesOf = (name: string) =>
  Uint8Array.from(readFileSync(new URL(`../../e2e/fixtures/wallets/${name}/wallet.dat`, import.meta.url)));

it('names the further wallets of the unnamed wallet as a node does', async () => {
  const { wallets } = await rehearseMigration(bytesOf('legacy-watchonly'), { name: '', network: 'regtest' });
  expect(wallets.map(({ part, name }) => [part, name])).toEqual([
    ['primary', ''],
    ['watchonly', 'default_wallet_watchonly'],
  ]);
});

it('leaves the bytes that it was given as they are', async () => {
  const bytes = bytesOf('legacy-hd');
  const { network } = await rehearseMigration(bytes, { name: 'old' });
  expect(network).toBe('regtest');
  expect(Buffer.from(bytes).equals(bytesOf('legacy-hd'))).toBe(true);
});
