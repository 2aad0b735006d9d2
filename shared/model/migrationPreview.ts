/** What a migration would make of a legacy wallet, as far as its file tells. */
import { z } from 'zod';
import { codedShape } from './findings/coded.ts';
import { count, listed } from './shapes.ts';

/** Which of the wallets that a migration makes. */
export const walletPart = z.enum(['primary', 'watchonly', 'solvables']);
export type WalletPart = z.infer<typeof walletPart>;

/**
 * What a node refuses, or fails on, in some release: which, `electron/jobs/plan/releaseChecks.ts` tells.
 * `no-best-block`: no record of how far the wallet saw the chain. `wkey`: keys with an expiry. `no-seed`: a chain without
 * its seed; `chain-gap`: one with a number below its counter that no key tells to be its. `stray-labels`: an address that was given out and is no wallet's; `unreadable-labels`: one that is none of this
 * network. `labels-of-others`: the address book of a wallet that only watches has addresses that were not given out.
 * `odd-scripts`: scripts of its own that no descriptor fits; `odd-labels`: an address of one of them was given out.
 */
const hazard = z.enum([
  'no-best-block',
  'wkey',
  'no-seed',
  'chain-gap',
  'stray-labels',
  'unreadable-labels',
  'labels-of-others',
  'odd-scripts',
  'odd-labels',
]);
export type Hazard = z.infer<typeof hazard>;

/** Keys with an expiry, which releases after 0.18 do not read, and chains of keys whose seed is missing. */
export const obstacles = {
  keys_expire: { count },
  seeds_missing: { missing: count, chains: count },
} as const;

/** Told without a passphrase, by the rules of release 31. */
export const migrationPreview = z.object({
  /** `seed`: of the new active descriptors; `none`: there are none. Null: empty, and not kept from release 30 on. */
  primary: z.object({ descriptors: count, seed: z.enum(['kept', 'fresh', 'none']) }).nullable(),
  /** `<name>_watchonly`: what is watched and cannot be spent from. */
  watchOnly: z.object({ suffix: z.literal('_watchonly'), descriptors: count }).nullable(),
  /** `<name>_solvables`: what the wallet does not watch and can help to sign for. */
  solvables: z.object({ suffix: z.literal('_solvables'), descriptors: count }).nullable(),
  /** Watched scripts that no one can ever spend, and such as break a rule: left out. */
  leftOut: count,
  /** Receiving addresses of such scripts, and own scripts that no descriptor fits, those without an address in hex. */
  lostAddresses: listed(z.string()),
  /** Public keys (hex) of unused addresses that the wallet names as its own and has no key to, not even by a seed. */
  keylessPool: listed(z.string()),
  /** Transactions that would belong to none of these: a node refuses to migrate then (bitcoin/bitcoin#35626). */
  strayTransactions: listed(z.string()),
  /** Why else a node would refuse. */
  obstacles: z.array(codedShape(obstacles)).readonly(),
  hazards: z.array(hazard).readonly(),
});
export type MigrationPreview = z.infer<typeof migrationPreview>;

/** What was proved of a migration, in numbers. */
export const migrationProof = z.object({
  /** Output scripts that the legacy wallet called its own, and where they are now. */
  scripts: z.object({ old: count, primary: count, watchonly: count }),
  /** Output scripts that it did not call its own but can help to sign for. */
  solvable: count,
  /** Keys of chains that are kept ready beyond those that the legacy wallet had. */
  ready: count,
  /** Records of the address book, transactions and locked coins of the legacy wallet, all of them kept. */
  addressRecords: count,
  transactions: count,
  lockedCoins: count,
  /** Scripts (addresses or hex) that Bitcoin Core leaves out too: unspendable, or without a descriptor. */
  leftOut: z.array(z.string()),
});
export type MigrationProof = z.infer<typeof migrationProof>;
