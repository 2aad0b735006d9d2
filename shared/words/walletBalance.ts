/** A wallet's balance as it is shown. */
import { formatBitcoin } from '../money.ts';
import type { Network } from '../network.ts';
import { say } from '../text/say.ts';

/** `satoshi` in bitcoin with the network's unit; `Not known` for null. `offline`: the offline engine told it. */
export function walletBalance(satoshi: bigint | null, network: Network, offline = false): string {
  if (satoshi === null) return say('Not known');
  const amount = formatBitcoin(satoshi, network);
  return offline ? say('{amount}, as the file last knew', { amount }) : amount;
}
