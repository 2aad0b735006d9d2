/** Measures the inspection of a wallet of 10 GB, which takes 11 GB of disk space while the test runs: `npm run bench -- large`. */
import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from '@playwright/test';
import { inShort, report } from './figures.ts';
import { writeLargeWallet } from './largeWallet.ts';
import { inspectOnce } from './program.ts';

test('inspects a wallet of 10 GB', async () => {
  test.setTimeout(3_600_000);
  const folder = await mkdtemp(join(tmpdir(), 'bench-large-'));
  try {
    const path = join(folder, 'wallet.dat');
    writeLargeWallet(path, { transactions: 200_000, keys: 3000 });
    const { seconds, mebibytes } = inspectOnce(path);
    const gigabytes = inShort(statSync(path).size / 1e9);
    await report([
      {
        what: 'a wallet of 10 GB in 200,000 transactions: memory to inspect it',
        goal: '≤ 512 MB',
        measured: `${mebibytes} MiB (${gigabytes} GB, in ${inShort(seconds)} s)`,
        against: '512 MB',
        met: mebibytes * 2 ** 20 <= 512e6,
        command: 'npm run bench -- large',
      },
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
