/** What a network is called, wherever a person reads it. */
import type { Network } from './network.ts';
import { oneOf } from './text/perRegion.ts';
import { say } from './text/say.ts';

export function networkName(network: Network): string {
  switch (network) {
    case 'main':
      return say('Main network');
    case 'testnet3':
      return say('Testnet 3');
    case 'testnet4':
      return say('Testnet 4');
    case 'signet':
      return say('Signet');
    case 'regtest':
      return say('Regtest');
  }
}

/** `Testnet 3, Signet or Regtest`. */
export function anyOf(networks: readonly Network[]): string {
  return oneOf(networks.map(networkName));
}
