/** The wallets that nodes created when they migrated a fixture. */
import { factsOf } from '../../electron/walletfile/testing/wallets.ts';
import type { FixtureName } from '../testNode/walletFixture.ts';
import type { EngineRelease } from './startEngine.ts';

/** A wallet that a node created when it migrated a fixture's wallet. */
interface MigrationFact {
  /** The name, if the migrated wallet had the fixture's name. */
  readonly name: string;
  /** Sorted. */
  readonly descriptors: string[];
  /** Confirmed and spendable, or watched, in bitcoin. */
  readonly balance: number;
}

/** The wallets that a node created, the primary one first. Releases before 30 use the recording of 28.1. */
export function migrationFacts(fixture: FixtureName, release: EngineRelease): MigrationFact[] {
  const after = factsOf(fixture).after_by_release?.[release >= 30 ? '30.0' : '28.1'];
  const parts = ['wallet_name', 'watchonly_name', 'solvables_name'] as const;
  return parts.flatMap((part) => {
    const name = after?.migratewallet[part];
    const wallet = after?.wallets[part];
    if (!name || !wallet) return [];
    const descriptors = sortedDescriptors(wallet.listdescriptors);
    return [{ name, descriptors, balance: wallet.getbalances.mine.trusted }];
  });
}

/** The descriptors of an answer to `listdescriptors`, sorted. */
export function sortedDescriptors(answer: unknown): string[] {
  const { descriptors } = answer as { descriptors: { desc: string }[] };
  return descriptors.map(({ desc }) => desc).sort();
}
