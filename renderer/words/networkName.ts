/** What a network is called on screen. */
import type { Network } from '../../shared/model.ts';

const NAMES: Readonly<Record<Network, string>> = {
  main: 'Main network',
  testnet3: 'Testnet 3',
  testnet4: 'Testnet 4',
  signet: 'Signet',
  regtest: 'Regtest',
};

export function networkName(network: Network): string {
  return NAMES[network];
}
