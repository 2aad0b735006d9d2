/** What a wallet holds in all, as the node tells it. */
import { walletBalances } from '../../node/calls/walletCalls.ts';
import type { NodeClient } from '../../node/rpc/session.ts';

/**
 * Satoshi: spendable, unconfirmed, immature, used, and watched where a release tells that apart. Null where the node does
 * not tell. Throws the signal's reason only.
 */
export async function wholeBalance(
  client: NodeClient,
  wallet: string,
  signal: AbortSignal,
): Promise<bigint | null> {
  try {
    const { spendable, unconfirmed, immature, used, watched } = await walletBalances(client, wallet, signal);
    const own = spendable + unconfirmed + immature + used;
    return watched === null ? own : own + watched.spendable + watched.unconfirmed + watched.immature;
  } catch {
    signal.throwIfAborted();
    return null;
  }
}
