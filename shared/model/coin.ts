/** Which coin a wallet file is of. */
import { z } from 'zod';

/** What speaks for a coin: the first block of the chain, addresses, types of records, the client's number. */
const coinEvidence = z.object({
  by: z.enum(['genesis-block', 'addresses', 'records', 'client']),
  /** Names of the coins that it fits; none where it fits no coin that is known here. */
  coins: z.array(z.string()).readonly(),
});

export const inspectedCoin = z.object({
  /** `ambiguous`: Bitcoin, or another. `unknown`: nothing in the file tells. */
  verdict: z.enum(['bitcoin', 'other', 'ambiguous', 'unknown']),
  /** Names of those that it can be; none where it is unknown, or a coin that is not known here. */
  coins: z.array(z.string()).readonly(),
  /** What opens a wallet of another coin. */
  programs: z.array(z.string()).readonly(),
  evidence: z.array(coinEvidence).readonly(),
});
export type InspectedCoin = z.infer<typeof inspectedCoin>;
