/** What nodes made of a fixture's wallet when they migrated it: which wallets, with which descriptors and balance. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { FixtureName } from '../testNode/walletFixture.ts';
import type { EngineRelease } from './startEngine.ts';

export interface MigrationFact {
  /** As the node named it when the wallet had the fixture's name. */
  readonly name: string;
  /** Sorted. */
  readonly descriptors: string[];
  /** Confirmed and spendable, or watched, in bitcoin. */
  readonly balance: number;
}

/** The primary wallet first. Releases before 30 as 28.1 did it. */
export function migrationFacts(fixture: FixtureName, release: EngineRelease): MigrationFact[] {
  const file = new URL(`../fixtures/wallets/${fixture}/facts.json`, import.meta.url);
  const { after_by_release } = shape.parse(JSON.parse(readFileSync(file, 'utf8')));
  const after = after_by_release[release >= 30 ? '30.0' : '28.1'];
  const parts = ['wallet_name', 'watchonly_name', 'solvables_name'] as const;
  return parts.flatMap((part) => {
    const name = after?.migratewallet[part];
    const wallet = after?.wallets[part];
    return name && wallet
      ? [
          {
            name,
            descriptors: sortedDescriptors(wallet.listdescriptors),
            balance: wallet.getbalances.mine.trusted,
          },
        ]
      : [];
  });
}

/** The descriptors of an answer to `listdescriptors`, sorted. */
export function sortedDescriptors(answer: unknown): string[] {
  return listShape
    .parse(answer)
    .descriptors.map(({ desc }) => desc)
    .sort();
}

const listShape = z.object({ descriptors: z.array(z.object({ desc: z.string() })) });
const shape = z.object({
  after_by_release: z.record(
    z.string(),
    z.object({
      migratewallet: z.record(z.string(), z.string()),
      wallets: z.record(
        z.string(),
        z.object({
          listdescriptors: listShape,
          getbalances: z.object({ mine: z.object({ trusted: z.number() }) }),
        }),
      ),
    }),
  ),
});
