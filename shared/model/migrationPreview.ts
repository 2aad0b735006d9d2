/** The outcome of a migration, as far as the legacy wallet's file shows it. */
import { z } from 'zod/mini';
import { count, truncatedList } from './shapes.ts';

/** One of the wallets that a migration creates. */
export const walletPart = z.enum(['primary', 'watchonly', 'solvables']);
export type WalletPart = z.infer<typeof walletPart>;

/**
 * Contents that some release refuses or fails on; `electron/jobs/plan/hazards.ts` names the releases.
 * `no-best-block`: no record of the last block that the wallet saw. `wkey`: keys with an expiry, which releases after 0.18 do not
 * read. `no-seed`: a chain without its seed. `chain-gap`: a chain with an index below its counter that no key has. `unused-seed`: a
 * seed that another replaced before it gave an address. `unowned-labels`: a receiving address that belongs to no wallet.
 * `unreadable-labels`: a receiving address that is invalid on this network. `labels-of-others`: a watch-only wallet whose address book
 * has addresses of others. `watched-transactions`: a watch-only wallet with transactions. `scripts-without-descriptor`: own scripts
 * that no descriptor can express. `labels-without-descriptor`: a receiving address of such a script. `non-minimal-pushes`: own
 * multisig scripts that push a key with more bytes than it needs. `odd-taproot`: a watched taproot output whose key is an own public
 * key with an odd second coordinate. `empty`: no keys and no scripts.
 */
const hazard = z.enum([
  'no-best-block',
  'wkey',
  'no-seed',
  'chain-gap',
  'unused-seed',
  'unowned-labels',
  'unreadable-labels',
  'labels-of-others',
  'watched-transactions',
  'scripts-without-descriptor',
  'labels-without-descriptor',
  'non-minimal-pushes',
  'odd-taproot',
  'empty',
]);
export type Hazard = z.infer<typeof hazard>;

/** The new active descriptors of a main wallet: pkh, sh(wpkh), wpkh and tr, each for addresses and for change. */
export const NEW_ACTIVE_DESCRIPTORS = 8;

/** Follows the rules of release 31, and needs no passphrase. */
export const migrationPreview = z.object({
  /** `seed` of the new active descriptors; `none`: there are none. Null: empty, so release 30 and later drop it. */
  primary: z.nullable(z.object({ descriptors: count, seed: z.enum(['kept', 'fresh', 'none']) })),
  /** `<name>_watchonly`: watched scripts that the wallet cannot spend from. */
  watchOnly: z.nullable(z.object({ descriptors: count })),
  /** `<name>_solvables`: scripts that the wallet does not watch but can help to sign for. */
  solvables: z.nullable(z.object({ descriptors: count })),
  /** Watched scripts that nobody can ever spend, or that break a rule. A migration drops them. */
  leftOut: count,
  /** Receiving addresses of dropped scripts, and own scripts that fit no descriptor (in hex if without address). */
  lostAddresses: truncatedList(z.string()),
  /** Public keys (hex) of unused addresses in the pool that the wallet has neither a key nor a seed for. */
  keylessPool: truncatedList(z.string()),
  /** Transactions that belong to no new wallet. A node then refuses to migrate (bitcoin/bitcoin#35626). */
  unownedTransactions: truncatedList(z.string()),
  hazards: z.readonly(z.array(hazard)),
});
export type MigrationPreview = z.infer<typeof migrationPreview>;

/** What was proved of a migration, in numbers. */
export const migrationProof = z.object({
  /** Output scripts that the legacy wallet called its own, and where they are now. */
  scripts: z.object({ old: count, primary: count, watchonly: count }),
  /** Output scripts that it did not call its own but can help to sign for. */
  solvable: count,
  /** Unused chain keys that the legacy wallet did not have yet. */
  ready: count,
  /** Records of the address book, transactions and locked coins of the legacy wallet, all of them kept. */
  addressRecords: count,
  transactions: count,
  lockedCoins: count,
  /** Scripts (addresses or hex) that Bitcoin Core leaves out too: unspendable, or without a descriptor. */
  leftOut: z.array(z.string()),
});
export type MigrationProof = z.infer<typeof migrationProof>;
