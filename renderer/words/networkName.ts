/** What a network is called on screen. */
import type { Network } from '../../shared/model.ts';
import { say } from '../../shared/say.ts';

const NAMES: Readonly<Record<Network, string>> = {
  main: say('Main network'),
  testnet3: say('Testnet 3'),
  testnet4: say('Testnet 4'),
  signet: say('Signet'),
  regtest: say('Regtest'),
};

export function networkName(network: Network): string {
  return NAMES[network];
}
