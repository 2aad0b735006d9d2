/** What came of a migration that was only rehearsed. */
import { z } from 'zod';
import { inspection } from './inspection.ts';
import { walletPart } from './migrationPreview.ts';
import { count } from './shapes.ts';

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
  /**
   * Scripts that Bitcoin Core leaves out too, as addresses or in hex: no one can spend them, or no descriptor can be
   * made of them.
   */
  leftOut: z.array(z.string()),
});
export type MigrationProof = z.infer<typeof migrationProof>;

/** A migration that was done on a copy and thrown away. */
export const rehearsal = z.object({
  /** Those that come of it, each read again from the file that was made. */
  wallets: z.array(z.object({ part: walletPart, name: z.string(), found: inspection })),
  proof: migrationProof,
});
export type Rehearsal = z.infer<typeof rehearsal>;
