/** The networks a node or a wallet can be on, and the coin that a wallet file belongs to. */
import { z } from 'zod/mini';

export const networks = ['main', 'testnet3', 'testnet4', 'signet', 'regtest'] as const;
export const network = z.enum(networks);
export type Network = z.infer<typeof network>;

/** The names of networks that `-chain` and `getblockchaininfo` use. Source: `src/util/chaintype.cpp`. */
export const chainNames = ['main', 'test', 'testnet4', 'signet', 'regtest'] as const;
type ChainName = (typeof chainNames)[number];

export function networkOfChain(chain: ChainName): Network {
  return chain === 'test' ? 'testnet3' : chain;
}

export function chainOfNetwork(network: Network): ChainName {
  return network === 'testnet3' ? 'test' : network;
}

/** A sign of a coin: the first block of the chain, addresses, types of records, the client's number, or the kind of signatures. */
const coinEvidence = z.object({
  by: z.enum(['genesis-block', 'addresses', 'records', 'client', 'signatures']),
  /** Names of the coins that it fits; empty if it fits no coin that the app knows. */
  coins: z.readonly(z.array(z.string())),
});

export const inspectedCoin = z.object({
  /** `ambiguous`: Bitcoin or another coin. `unknown`: nothing in the file shows the coin. */
  verdict: z.enum(['bitcoin', 'other', 'ambiguous', 'unknown']),
  /** Names of the possible coins; empty if the coin is unknown to the file or to the app. */
  coins: z.readonly(z.array(z.string())),
  /** Programs that open a wallet of another coin. */
  programs: z.readonly(z.array(z.string())),
  evidence: z.readonly(z.array(coinEvidence)),
});
export type InspectedCoin = z.infer<typeof inspectedCoin>;
