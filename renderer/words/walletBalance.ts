/** A wallet's balance as it is shown. */
import { formatBitcoin } from '../../shared/money.ts';
import type { Network } from '../../shared/network.ts';
import { say } from '../../shared/say.ts';

/** Satoshi in bitcoin with the network's unit; `Not known` for null. */
export function walletBalance(satoshi: bigint | null, network: Network): string {
  return satoshi === null ? say('Not known') : formatBitcoin(satoshi, network);
}
