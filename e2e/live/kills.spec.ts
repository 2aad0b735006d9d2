/** A few of the stopped jobs of `npm run kills`, on the real node that `BITCOIND` names. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { stopNodes, tableOf } from '../nodeKills/campaign.ts';

test.skip(!process.env.BITCOIND, 'BITCOIND names no bitcoind');

for (const { what, seed, count } of [
  { what: 'a full disk, and a kill of the node and of both', seed: 455, count: 3 },
  { what: 'a kill of the app, kills of the node, and a cut connection', seed: 3863, count: 5 },
]) {
  test(`the app reports jobs correctly after ${what}, and recovers the whole wallets`, async () => {
    // Each stop of a small wallet's job starts a node three times.
    test.setTimeout(600_000);
    const folder = mkdtempSync(join(tmpdir(), 'ferry-kills-'));
    try {
      const result = await stopNodes({ folder, count, seed });
      test.info().annotations.push({ type: 'table', description: tableOf(result) });
      expect(result.rounds.filter(({ verdict }) => verdict !== 'right')).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  });
}
