/** The networks a node or a wallet can be on. */
import { z } from 'zod';

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
