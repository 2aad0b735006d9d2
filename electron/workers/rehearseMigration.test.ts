import { expect, it } from 'vitest';
import { readSqlite } from '../walletfile/database/readSqlite.ts';
import { writeSqlite } from '../walletfile/database/writeSqlite.ts';
import { keyRecords, sampleKey } from '../walletfile/testing/sampleWallet.ts';
import { walletFile } from '../walletfile/testing/wallets.ts';
import { rehearseMigration } from './rehearseMigration.ts';

it('names the companion wallets of the unnamed wallet as a node does', async () => {
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

it('says of a migration that was cut off between its two writes that it was', async () => {
  const { records } = await readSqlite(walletFile('descriptor-hd'));
  const half = await writeSqlite([...records.filter(isNoFlag), ...keyRecords(sampleKey(1))], 'regtest');
  await expect(rehearseMigration(half, { name: 'old' })).rejects.toMatchObject({
    code: 'wallet_error',
    finding: { code: 'migration_interrupted' },
  });
  await expect(rehearseMigration(walletFile('descriptor-hd'), { name: 'old' })).rejects.toMatchObject({
    finding: { code: 'already_descriptor_wallet' },
  });
});

/** A migration sets the flag of descriptor wallets with its last change. */
function isNoFlag({ key }: { key: Uint8Array }): boolean {
  return !Buffer.from(key).includes('flags');
}
