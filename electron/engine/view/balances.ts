/** A wallet's balances out of its coins. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { AddressMarks } from '../../wallet/legacy/addressMarks.ts';
import type { BalanceParts, Coin, KnownBalances } from './loadedWallet.ts';

/** Sums up. Locked coins count, as they do in a node. */
export function balancesOf(
  coins: readonly Coin[],
  { marks, avoidsReuse, watches }: { marks: AddressMarks; avoidsReuse: boolean; watches: boolean },
): KnownBalances {
  const reused = (coin: Coin) => avoidsReuse && marks.isReused(bytesToHex(coin.script));
  const mine = coins.filter((coin) => coin.spendable);
  const all = partsOf(mine);
  const watched = watches ? partsOf(coins.filter((coin) => !coin.spendable)) : null;
  if (!avoidsReuse) return { mine: all, used: null, watched };
  const fresh = partsOf(mine.filter((coin) => !reused(coin)));
  const used = all.trusted + all.pending - fresh.trusted - fresh.pending;
  return { mine: fresh, used, watched };
}

function partsOf(coins: readonly Coin[]): BalanceParts {
  const sum = (wanted: (coin: Coin) => boolean) =>
    coins.filter(wanted).reduce((total, coin) => total + coin.amount, 0n);
  return {
    trusted: sum((coin) => !coin.immature && coin.safe),
    pending: sum((coin) => !coin.immature && !coin.safe),
    immature: sum((coin) => coin.immature),
  };
}
