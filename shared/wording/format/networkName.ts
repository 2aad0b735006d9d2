/** The names of networks for users. */
import type { Network } from '../../model/network.ts';
import { say } from '../say.ts';
import { oneOf } from './perRegion.ts';

export function networkName(network: Network): string {
  return NAMES[network];
}

/** `Testnet 3, Signet or Regtest`. */
export function anyOf(networks: readonly Network[]): string {
  return oneOf(networks.map(networkName));
}

const NAMES: Readonly<Record<Network, string>> = {
  main: say('Main network'),
  testnet3: say('Testnet 3'),
  testnet4: say('Testnet 4'),
  signet: say('Signet'),
  regtest: say('Regtest'),
};
