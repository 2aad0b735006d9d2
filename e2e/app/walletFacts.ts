/** What a node said of a recorded wallet, as far as the screens of its file are compared with it. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { FixtureName } from '../testNode/testNode.ts';

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

export function walletFacts(name: FixtureName): WalletFileFacts {
  const file = new URL(`../fixtures/wallets/${name}/facts.json`, import.meta.url);
  return shape.parse(JSON.parse(readFileSync(file, 'utf8')));
}
