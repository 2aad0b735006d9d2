/** A real node for all specs of one worker, with two migrations of each fixture. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import {
  type FixtureName,
  factsByHash,
  fixtureFile,
  fixtureNames,
  type WalletFacts,
} from '../testNode/walletFixture.ts';
import { type MigratedTwice, migrateTwice } from './migratedTwice.ts';
import { type RealNode, startRealNode } from './realNode.ts';

interface WorkerFixtures {
  /** Fixtures that lie in the node's wallets folder from its start, by the wallet's name. */
  wallets: Readonly<Record<string, FixtureName>>;
  node: RealNode;
  /** Migrates a fixture when a spec first needs it. */
  migrated(fixture: FixtureName): Promise<MigratedTwice>;
}

export const test = base.extend<object, WorkerFixtures>({
  wallets: [{}, { scope: 'worker', option: true }],

  node: [
    async ({ wallets }, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'ferry-live-'));
      try {
        const node = await startRealNode(join(folder, '.bitcoin'), wallets);
        await use(node);
        await node.stop();
      } finally {
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      }
    },
    { scope: 'worker' },
  ],

  migrated: [
    async ({ node }, use) => {
      const cache = new Map<FixtureName, Promise<MigratedTwice>>();
      await use((fixture) => {
        const cached = cache.get(fixture);
        if (cached) return cached;
        const { passphrase } = fixtureFacts(fixture);
        const migrating = migrateTwice(node, fixture, fixtureFile(fixture), passphrase);
        cache.set(fixture, migrating);
        return migrating;
      });
    },
    { scope: 'worker' },
  ],
});

export const legacyFixtures: readonly FixtureName[] = fixtureNames.filter((name) =>
  name.startsWith('legacy'),
);

/** The fixtures with private keys. The others can neither sign nor give new addresses. */
export const fixturesWithKeys: readonly FixtureName[] = legacyFixtures.filter(
  (name) => name !== 'legacy-blank' && name !== 'legacy-nokeys',
);

/** What a node answered about the fixture before any migration. */
export function fixtureFacts(fixture: FixtureName): WalletFacts {
  for (const facts of factsByHash().values()) if (facts.fixture === fixture) return facts;
  throw new Error(`There are no facts of ${fixture}.`);
}
