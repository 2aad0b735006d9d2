/** A few of the interrupted jobs of `npm run kills -- --node`, on the real node that `BITCOIND` names. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { stopNodes, tableOf } from '../nodeKills/campaign.ts';

test.skip(!process.env.BITCOIND, 'BITCOIND names no bitcoind');

test('the app reports a stopped job correctly, and its way back restores the whole wallet', async () => {
  // Each way to be stopped begins a node three times.
  test.setTimeout(600_000);
  const folder = mkdtempSync(join(tmpdir(), 'ferry-kills-'));
  try {
    const result = await stopNodes({ folder, count: 3, seed: SEED });
    test.info().annotations.push({ type: 'table', description: tableOf(result) });
    expect(result.rounds.filter(({ verdict }) => verdict !== 'right')).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
});

/** Three that are stopped at once in a migration and in a restore of the same small wallet. */
const SEED = 95;
