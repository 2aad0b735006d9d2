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
