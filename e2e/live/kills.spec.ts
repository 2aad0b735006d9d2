/** Jobs that are stopped in the midst on a real node, a few of those of `npm run kills -- --node`: `BITCOIND` names it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { stopNodes, tableOf } from '../nodeKills/campaign.ts';

test.skip(!process.env.BITCOIND, 'BITCOIND names no bitcoind');

test('what the app says of a stopped job is so, and the way back leads to the whole wallet', async () => {
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
