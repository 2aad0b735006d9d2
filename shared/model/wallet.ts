/** A wallet in the node's list. */
import { z } from 'zod/mini';
import { appErrorShape } from './errors.ts';
import { balance, satoshi } from './money.ts';
import { count, fraction, nodeText, sha256, unixSeconds } from './shapes.ts';

/** What identifies a wallet. Absent if its file was not read. */
export const walletIds = z.object({
  /** Identifies what gives it its private keys: descriptors, seeds, and other keys. Absent also without any. */
  keysId: z.optional(sha256),
  /** The number of those. */
  keySources: z.optional(count),
  /** Identifies the scripts that it keeps or watches. */
  scriptsId: z.optional(sha256),
  /** Identifies the passphrase and the key that it encrypts. Absent also without any, and in older results. */
  passphraseId: z.optional(sha256),
  /** Identifies the descriptors that its node names. Absent if the app can read its file. */
  descriptorsId: z.optional(sha256),
});
export type WalletIds = z.infer<typeof walletIds>;

export function walletIdsOf(ids: WalletIds): WalletIds {
  const { keysId, keySources, scriptsId, passphraseId, descriptorsId } = ids;
  return { keysId, keySources, scriptsId, passphraseId, descriptorsId };
}

/** One wallet in the node's wallets folder. A null field is unknown: the wallet is not loaded, or busy. */
export const wallet = z.object({
  /** Empty for the unnamed wallet, a bare `wallet.dat` in the wallets folder. */
  name: nodeText,
  /** `interrupted`: an interrupted migration left it incomplete. */
  kind: z.enum(['descriptor', 'legacy', 'interrupted', 'unknown']),
  loaded: z.boolean(),
  encrypted: z.nullable(z.boolean()),
  watchOnly: z.nullable(z.boolean()),
  balance: z.nullable(balance),
  /** The confirmed and mature part of `mainAmount`. */
  spendable: z.nullable(satoshi),
  transactions: z.nullable(count),
  /** The creation of its oldest key, as the node reports it; it never gets later. Absent if the node does not report it. */
  birthTime: z.optional(unixSeconds),
  ...walletIds.shape,
  /** Size of its file in bytes. Null if the app cannot see the file. */
  size: z.nullable(count),
  /** The details come from the wallet's file, since no node has the wallet loaded. */
  fromFile: z.boolean(),
  /** The path of its file, if something in it is lost to damage. Absent also if the file was not read. */
  damagedFile: z.optional(nodeText),
  /**
   * Of an interrupted wallet: its whole copies, the name that it was restored under, and its file if it has no copy but a rescue can
   * save it. Absent if unknown.
   */
  interruption: z.optional(
    z.object({ copies: count, restoredAs: z.optional(nodeText), toRescue: z.optional(nodeText) }),
  ),
  /** The finished share while the node rescans for this wallet. */
  scanning: z.nullable(fraction),
  /** Warnings of `listwalletdir`, verbatim. */
  warnings: z.array(nodeText),
  /** Whether the app still waits for its details. */
  pending: z.boolean(),
  /** Why its details could not be read. */
  problem: z.nullable(appErrorShape),
});
export type Wallet = z.infer<typeof wallet>;
