/** A wallet as the node's list shows it. */
import { z } from 'zod';
import { appErrorShape } from './errors.ts';
import { balance, satoshi } from './money.ts';
import { count, fraction, nodeText, unixSeconds } from './shapes.ts';

/** One wallet in the node's wallets folder. What is null is not known (the wallet is not loaded, or busy). */
export const wallet = z.object({
  /** Empty for the unnamed wallet, a bare `wallet.dat` in the wallets folder. */
  name: nodeText,
  /** `interrupted`: a migration that was cut off left it half-made. */
  kind: z.enum(['descriptor', 'legacy', 'interrupted', 'unknown']),
  loaded: z.boolean(),
  encrypted: z.boolean().nullable(),
  watchOnly: z.boolean().nullable(),
  balance: balance.nullable(),
  /** Of what it is asked for, `mainPart`: confirmed and mature. */
  spendable: satoshi.nullable(),
  transactions: count.nullable(),
  birthTime: unixSeconds.nullable(),
  /** Of its file, bytes. Null where the file cannot be seen. */
  size: count.nullable(),
  /** The details are what the wallet's file last knew: no node has it loaded. */
  fromFile: z.boolean(),
  /** Of an interrupted one: how many whole copies there are, and what it was put back as. Absent where it cannot be told. */
  interruption: z.object({ copies: count, backAs: nodeText.optional() }).optional(),
  /** Set while the node rescans for this wallet: the share done. */
  scanning: fraction.nullable(),
  /** What `listwalletdir` warned of, verbatim. */
  warnings: z.array(nodeText),
  /** True while its details are still being asked for. */
  pending: z.boolean(),
  /** Why its details could not be read. */
  problem: appErrorShape.nullable(),
});
export type Wallet = z.infer<typeof wallet>;
