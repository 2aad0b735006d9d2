/** Amounts of bitcoin: whole satoshi as bigint, a decimal string on the line, grouped decimals on screen. */
import { z } from 'zod';
import type { Network } from './network.ts';

const SATOSHI_PER_BITCOIN = 100_000_000n;
const THIN_SPACE = '\u2009';

/** Satoshi that can ever be: 21 million bitcoin (`MAX_MONEY` in `amount.h`). */
export const MOST_SATOSHI = 21_000_000n * SATOSHI_PER_BITCOIN;

/** Satoshi: a bigint in code, a decimal string in JSON. More digits than can ever be: a file may make things up. */
export const satoshi = z.codec(z.string().regex(/^-?\d{1,30}$/), z.bigint(), {
  decode: (text) => BigInt(text),
  encode: (amount) => amount.toString(),
});

/** Of an amount as RPC gives it, with at most eight decimals. Exact: 21 million bitcoin are far below 2^53 satoshi. */
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
 * What a wallet holds, in one way of counting for all: three parts, each coin in one of them and once. Satoshi. What is
 * unconfirmed or not spendable yet counts.
 */
export const balance = z.object({
  /** On scripts that the wallet's own keys spend from, encrypted keys too. */
  spendable: satoshi,
  /** On scripts that it watches without their keys. */
  watched: satoshi,
  /** On scripts that it knows and no node counts as its own. */
  notYours: satoshi,
});
export type Balance = z.infer<typeof balance>;

interface FilePart {
  confirmed: bigint;
  unconfirmed: bigint;
}

/** What a wallet's own file tells. */
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
/** All that counts as the wallet's. Satoshi. */
export function wholeOf({ spendable, watched }: Pick<Balance, 'spendable' | 'watched'>): bigint {
  return spendable + watched;
}

/** What a wallet is asked for: what it can spend, or what it watches where it does nothing but watch. Satoshi. */
export function mainPart({ spendable, watched }: Balance, onlyWatches: boolean): bigint {
  return onlyWatches ? spendable + watched : spendable;
}

/** What lies beside `mainPart`. Satoshi. */
export function watchedPart({ watched }: Balance, onlyWatches: boolean): bigint {
  return onlyWatches ? 0n : watched;
}

/** What a new wallet adds to the sum of all: the coins that one before it has too are counted there. Satoshi. */
export function ownPart({ balance, twice }: { balance: bigint; twice: bigint }): bigint {
  return balance > twice ? balance - twice : 0n;
}
