/** A few of the stopped jobs of `npm run kills -- --node`, on the real node that `BITCOIND` names. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { stopNodes, tableOf } from '../nodeKills/campaign.ts';

test.skip(!process.env.BITCOIND, 'BITCOIND names no bitcoind');

test('the app reports a stopped job correctly, and recovers the whole wallet', async () => {
  // Each stop starts a node three times.
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

/** From this seed, three jobs with the same small wallet are stopped at once. */
const SEED = 455;
