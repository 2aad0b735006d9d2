/** What is shown as the balance of a wallet. */
import type { Balances } from './walletShapes.ts';

/**
 * Satoshi. What a legacy wallet watches beside its own keys is not its owner's to spend, and counts only in a wallet
 * that does nothing but watch. Coins that avoid_reuse keeps aside are in the whole.
 */
export function shownBalance(balances: Balances, watchOnly: boolean): { balance: bigint; spendable: bigint } {
  const { spendable, unconfirmed, immature, used } = balances;
  const watched = watchOnly ? balances.watched : null;
  return {
    balance:
      spendable +
      unconfirmed +
      immature +
      used +
      (watched ? watched.spendable + watched.unconfirmed + watched.immature : 0n),
    spendable: spendable + (watched?.spendable ?? 0n),
  };
}
