/** The coin that a wallet file belongs to. */
import { z } from 'zod';

/** A sign of a coin: the first block of the chain, addresses, types of records, or the client's number. */
const coinEvidence = z.object({
  by: z.enum(['genesis-block', 'addresses', 'records', 'client']),
  /** Names of the coins that it fits; empty if it fits no coin that the app knows. */
  coins: z.array(z.string()).readonly(),
});

export const inspectedCoin = z.object({
  /** `ambiguous`: Bitcoin or another coin. `unknown`: nothing in the file shows the coin. */
  verdict: z.enum(['bitcoin', 'other', 'ambiguous', 'unknown']),
  /** Names of the possible coins; empty if the coin is unknown to the file or to the app. */
  coins: z.array(z.string()).readonly(),
  /** Programs that open a wallet of another coin. */
  programs: z.array(z.string()).readonly(),
  evidence: z.array(coinEvidence).readonly(),
});
export type InspectedCoin = z.infer<typeof inspectedCoin>;
