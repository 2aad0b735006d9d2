/** Names of networks as `-chain` and `getblockchaininfo` write them. Source: `src/util/chaintype.cpp`. */
import type { Network } from '../../shared/network.ts';

export const chainNames = ['main', 'test', 'testnet4', 'signet', 'regtest'] as const;
export type ChainName = (typeof chainNames)[number];

export function networkOfChain(chain: ChainName): Network {
  return chain === 'test' ? 'testnet3' : chain;
}

export function chainOfNetwork(network: Network): ChainName {
  return network === 'testnet3' ? 'test' : network;
}
