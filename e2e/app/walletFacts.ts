/** What nodes recorded of a fixture's wallet, before and after they migrated it. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { FixtureName } from '../testNode/walletFixture.ts';
import type { EngineRelease } from './startEngine.ts';

const descriptor = z.object({
  desc: z.string(),
  active: z.boolean(),
  range: z.tuple([z.number(), z.number()]).optional(),
  next: z.number().optional(),
  timestamp: z.number(),
});
const descriptors = z.object({ descriptors: z.array(descriptor) });

const shape = z.object({
  passphrase: z.string().optional(),
  before: z.object({
    getwalletinfo: z.object({
      format: z.enum(['bdb', 'sqlite']),
      txcount: z.number(),
      birthtime: z.number().optional(),
      hdseedid: z.string().optional(),
      private_keys_enabled: z.boolean(),
      keypoolsize: z.number(),
      keypoolsize_hd_internal: z.number(),
    }),
    getbalances: z.object({
      mine: z.object({ trusted: z.number() }),
      watchonly: z.object({ trusted: z.number() }).optional(),
    }),
    transactions: z.array(z.string()),
    listreceivedbyaddress: z.array(z.object({ address: z.string(), label: z.string() })),
    listdescriptors: descriptors.optional(),
    listdescriptors_private: descriptors.optional(),
  }),
  after_by_release: z
    .record(
      z.string(),
      z.object({
        wallets: z.record(z.string(), z.object({ listdescriptors: descriptors })),
      }),
    )
    .optional(),
});
export type WalletFileFacts = z.infer<typeof shape>;

/** The part that the screens of a wallet file are compared with. */
export function walletFacts(name: FixtureName): WalletFileFacts {
  return shape.parse(recorded(name));
}

/** A wallet that a node created when it migrated a fixture's wallet. */
interface MigrationFact {
  /** As the node named it when the wallet had the fixture's name. */
  readonly name: string;
  /** Sorted. */
  readonly descriptors: string[];
  /** Confirmed and spendable, or watched, in bitcoin. */
  readonly balance: number;
}

/** The wallets that a node created, the primary one first. Releases before 30 use what 28.1 did. */
export function migrationFacts(fixture: FixtureName, release: EngineRelease): MigrationFact[] {
  const { after_by_release } = migrationShape.parse(recorded(fixture));
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
const migrationShape = z.object({
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

function recorded(fixture: FixtureName): unknown {
  const file = new URL(`../fixtures/wallets/${fixture}/facts.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8'));
}
