import { join } from 'node:path';
import { expect, it } from 'vitest';
import { walletParts } from './relatedFiles.ts';

it('lists the file of a wallet, its journals, and of its log folder only the log', () => {
  const file = join('wallets', 'savings', 'wallet.dat');
  expect(walletParts(file)).toEqual([file, `${file}-journal`, `${file}-wal`]);
  expect(walletParts(file, ['log.0000000001', '__db.001', 'log.txt'])).toEqual([
    ...walletParts(file),
    join('wallets', 'savings', 'database', 'log.0000000001'),
  ]);
});
