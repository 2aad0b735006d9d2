/** A wallet in the node's list. */
import { z } from 'zod';
import { appErrorShape } from './errors.ts';
import { balance, satoshi } from './money.ts';
import { count, fraction, nodeText, sha256, unixSeconds } from './shapes.ts';

/** One wallet in the node's wallets folder. A null field is unknown: the wallet is not loaded, or busy. */
export const wallet = z.object({
  /** Empty for the unnamed wallet, a bare `wallet.dat` in the wallets folder. */
  name: nodeText,
  /** `interrupted`: an interrupted migration left it incomplete. */
  kind: z.enum(['descriptor', 'legacy', 'interrupted', 'unknown']),
  loaded: z.boolean(),
  encrypted: z.boolean().nullable(),
  watchOnly: z.boolean().nullable(),
  balance: balance.nullable(),
  /** The confirmed and mature part of `mainAmount`. */
  spendable: satoshi.nullable(),
  transactions: count.nullable(),
  /** The creation of its oldest key, as the node reports it; it never gets later. Absent if the node does not report it. */
  birthTime: unixSeconds.optional(),
  /** Identifies what gives it its private keys: descriptors, seeds, and other keys. Absent if its file was not read, and without any. */
  keysId: sha256.optional(),
  /** The number of those. Absent if its file was not read. */
  keySources: count.optional(),
  /** Identifies the scripts that it keeps or watches. Absent if its file was not read. */
  scriptsId: sha256.optional(),
  /** Size of its file in bytes. Null if the app cannot see the file. */
  size: count.nullable(),
  /** The details come from the wallet's file, since no node has the wallet loaded. */
  fromFile: z.boolean(),
  /** The path of its file, if something in it is lost to damage. Absent also if the file was not read. */
  damagedFile: nodeText.optional(),
  /**
   * Of an interrupted wallet: its whole copies, the name that it was restored under, and its file if it has no copy but a rescue can
   * save it. Absent if unknown.
   */
  interruption: z
    .object({ copies: count, restoredAs: nodeText.optional(), toRescue: nodeText.optional() })
    .optional(),
  /** The finished share while the node rescans for this wallet. */
  scanning: fraction.nullable(),
  /** Warnings of `listwalletdir`, verbatim. */
  warnings: z.array(nodeText),
  /** Whether the app still waits for its details. */
  pending: z.boolean(),
  /** Why its details could not be read. */
  problem: appErrorShape.nullable(),
});
export type Wallet = z.infer<typeof wallet>;
