/** Amounts of bitcoin: satoshi as bigint in code, a decimal string in JSON, grouped decimals on screen. */
import { z } from 'zod/mini';
import type { Network } from './network.ts';

const SATOSHI_PER_BITCOIN = 100_000_000n;
const THIN_SPACE = '\u2009';

/** The satoshi that can ever exist: 21 million bitcoin (`MAX_MONEY` in `amount.h`). */
export const MAX_SATOSHI = 21_000_000n * SATOSHI_PER_BITCOIN;

/** Satoshi. A damaged file may claim any amount, hence 30 digits. */
export const satoshi = z.codec(z.string().check(z.regex(/^-?\d{1,30}$/)), z.bigint(), {
  decode: (text) => BigInt(text),
  encode: (amount) => amount.toString(),
});

/** A replacer for `JSON.stringify`: JSON has no bigint. */
export function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

/** Converts an RPC amount with at most eight decimals. Exact, since 21 million bitcoin are far below 2^53 satoshi. */
export function satoshiOfBitcoin(bitcoin: number): bigint {
  return BigInt(Math.round(bitcoin * Number(SATOSHI_PER_BITCOIN)));
}

/** The unit's name on a network: `BTC` on main, `tBTC` on the test networks, `rBTC` on regtest. */
export function unitOf(network: Network): string {
  if (network === 'main') return 'BTC';
  return network === 'regtest' ? 'rBTC' : 'tBTC';
}

/** `12345678901n` on main → `123.456 789 01 BTC`, eight decimals, thin spaces, whole part grouped too. */
export function formatBitcoin(amount: bigint, network: Network): string {
  const sign = amount < 0n ? '\u2212' : '';
  const absolute = amount < 0n ? -amount : amount;
  const whole = (absolute / SATOSHI_PER_BITCOIN).toString().replace(/\B(?=(\d{3})+$)/g, THIN_SPACE);
  const decimals = (absolute % SATOSHI_PER_BITCOIN).toString().padStart(8, '0');
  const grouped = `${decimals.slice(0, 3)}${THIN_SPACE}${decimals.slice(3, 6)}${THIN_SPACE}${decimals.slice(6)}`;
  return `${sign}${whole}.${grouped}\u00a0${unitOf(network)}`;
}

/**
 * The coins of a wallet in satoshi, counted alike everywhere: each coin once, in one of three parts. Unconfirmed and
 * immature coins count.
 */
export const balance = z.object({
  /** On scripts that the wallet's own keys can spend from; encrypted keys count. */
  spendable: satoshi,
  /** On scripts that it watches without their keys. */
  watched: satoshi,
  /** On scripts that it knows but that no node counts as its own. */
  notYours: satoshi,
});
export type Balance = z.infer<typeof balance>;

interface FilePart {
  confirmed: bigint;
  unconfirmed: bigint;
}

/** The balance that a wallet's file records. */
export function balanceInFile({
  spendable,
  watched,
  notYours,
}: Record<'spendable' | 'watched', FilePart> & { notYours: bigint }): Balance {
  return {
    spendable: spendable.confirmed + spendable.unconfirmed,
    watched: watched.confirmed + watched.unconfirmed,
    notYours,
  };
}

/** Whether these problems of a file may hide transactions, keys or addresses, so that it can have coins which its balance lacks. */
export function mayLackCoins(
  problems: readonly { readonly lost: boolean; readonly finding: { readonly code: string } }[],
): boolean {
  return problems.some(({ lost, finding: { code } }) => lost || LACKING.has(code));
}

const LACKING: ReadonlySet<string> = new Set(['balance_lacks_addresses', 'balance_lacks_hardened_addresses']);

/** The wallet's whole balance in satoshi. */
export function totalBalance({ spendable, watched }: Pick<Balance, 'spendable' | 'watched'>): bigint {
  return spendable + watched;
}

/** The amount to show first, in satoshi: the spendable one, or the watched one of a watch-only wallet. */
export function mainAmount({ spendable, watched }: Balance, onlyWatches: boolean): bigint {
  return onlyWatches ? spendable + watched : spendable;
}

/** The watched amount that `mainAmount` leaves out, in satoshi. */
export function otherWatchedAmount({ watched }: Balance, onlyWatches: boolean): bigint {
  return onlyWatches ? 0n : watched;
}

/** What a new wallet adds to the total, in satoshi: without the coins that an earlier wallet counts already. */
export function amountNotCountedBefore({ balance, twice }: { balance: bigint; twice: bigint }): bigint {
  return balance > twice ? balance - twice : 0n;
}
