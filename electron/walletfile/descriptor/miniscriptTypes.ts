/** Types of Miniscript fragments (BIP 379), by the rules of Bitcoin Core. */
import { FIRST_TIME } from '../script/transaction.ts';
import type { Fragment, Miniscript } from './descriptor.ts';

/**
 * The properties of BIP 379 as bits: B, V, K, W, z, o, n, d, u, e, f, s, m and x, and those of time locks: g and h (relative, by
 * time and by height), i and j (absolute, likewise), and k if no path mixes them.
 */
export type Type = number;

const LETTERS = 'BVKWzonduefsmxghijk';

const masks = new Map<string, Type>();

function mask(letters: string): Type {
  const known = masks.get(letters);
  if (known !== undefined) return known;
  const bits = [...letters].reduce((sum, letter) => sum | (1 << LETTERS.indexOf(letter)), 0);
  masks.set(letters, bits);
  return bits;
}

/** Whether a type has all these properties. */
export function has(type: Type, letters: string): boolean {
  return (type & mask(letters)) === mask(letters);
}

/** The type of a fragment from its parts' types; 0 if they do not fit. Source: `ComputeType` of `miniscript.cpp`. */
export function typeOf({ fragment, number }: Miniscript, parts: readonly Type[], tapscript: boolean): Type {
  const [x = 0, y = 0, z = 0] = parts;
  const locks = only(x | y | z, 'ghij');
  const unmixed = when(has(parts.length === 3 ? x & y & z : x & y, 'k') && !mixesTimeLocks(x, y), 'k');
  const type = fragmentTypes[fragment]({ number, parts, tapscript, x, y, z, locks, unmixed });
  return (type & mask('BVKW')) === 0 ? 0 : type;
}

/** The properties of a type that are among these. */
function only(type: Type, letters: string): Type {
  return type & mask(letters);
}

/** `type` if the condition holds. */
function when(condition: boolean, type: string | Type): Type {
  if (!condition) return 0;
  return typeof type === 'string' ? mask(type) : type;
}

/** A fragment and its parts, the first three by BIP 379's names. */
interface FragmentInput extends Readonly<Record<'x' | 'y' | 'z' | 'locks' | 'unmixed', Type>> {
  readonly number: number;
  readonly parts: readonly Type[];
  readonly tapscript: boolean;
}

const fragmentTypes: Readonly<Record<Fragment, (input: FragmentInput) => Type>> = {
  pk_k: () => mask('Konudemsxk'),
  pk_h: () => mask('Knudemsxk'),
  older: ({ number }) => mask((number & TIME_FLAG) === 0 ? 'hBzfmxk' : 'gBzfmxk'),
  after: ({ number }) => mask(number < FIRST_TIME ? 'jBzfmxk' : 'iBzfmxk'),
  sha256: () => mask('Bonudmk'),
  ripemd160: () => mask('Bonudmk'),
  hash256: () => mask('Bonudmk'),
  hash160: () => mask('Bonudmk'),
  '1': () => mask('Bzufmxk'),
  '0': () => mask('Bzudemsxk'),
  a: ({ x }) => when(has(x, 'B'), 'W') | only(x, 'ghijkudfems') | mask('x'),
  s: ({ x }) => when(has(x, 'Bo'), 'W') | only(x, 'ghijkudfemsx'),
  c: ({ x }) => when(has(x, 'K'), 'B') | only(x, 'ghijkondfem') | mask('us'),
  // Only tapscript's consensus rules require 0 or 1 as argument of OP_IF.
  d: ({ x, tapscript }) =>
    when(has(x, 'Vz'), 'B') |
    when(has(x, 'z'), 'o') |
    when(has(x, 'f'), 'e') |
    only(x, 'ghijkms') |
    when(tapscript, 'u') |
    mask('ndx'),
  v: ({ x }) => when(has(x, 'B'), 'V') | only(x, 'ghijkzonms') | mask('fx'),
  j: ({ x }) => when(has(x, 'Bn'), 'B') | when(has(x, 'f'), 'e') | only(x, 'ghijkoums') | mask('ndx'),
  n: ({ x }) => only(x, 'ghijkBzondfems') | mask('ux'),
  and_v: ({ x, y, locks, unmixed }) =>
    when(has(x, 'V'), only(y, 'KVB')) |
    only(x, 'n') |
    when(has(x, 'z'), only(y, 'n')) |
    when(has(x | y, 'z'), only(x | y, 'o')) |
    only(x & y, 'mz') |
    only(x | y, 's') |
    when(has(y, 'f') || has(x, 's'), 'f') |
    only(y, 'ux') |
    locks |
    unmixed,
  and_b: ({ x, y, locks, unmixed }) =>
    when(has(y, 'W'), only(x, 'B')) |
    when(has(x | y, 'z'), only(x | y, 'o')) |
    only(x, 'n') |
    when(has(x, 'z'), only(y, 'n')) |
    when(has(x & y, 's'), only(x & y, 'e')) |
    only(x & y, 'dzm') |
    when(has(x & y, 'f') || has(x, 'sf') || has(y, 'sf'), 'f') |
    only(x | y, 's') |
    mask('ux') |
    locks |
    unmixed,
  or_b: ({ x, y, locks }) =>
    when(has(x, 'Bd') && has(y, 'Wd'), 'B') |
    when(has(x | y, 'z'), only(x | y, 'o')) |
    when(has(x | y, 's') && has(x & y, 'e'), only(x & y, 'm')) |
    only(x & y, 'zsek') |
    mask('dux') |
    locks,
  or_d: ({ x, y, locks }) =>
    when(has(x, 'Bdu'), only(y, 'B')) |
    when(has(y, 'z'), only(x, 'o')) |
    when(has(x, 'e') && has(x | y, 's'), only(x & y, 'm')) |
    only(x & y, 'zsk') |
    only(y, 'ufde') |
    mask('x') |
    locks,
  or_c: ({ x, y, locks }) =>
    when(has(x, 'Bdu'), only(y, 'V')) |
    when(has(y, 'z'), only(x, 'o')) |
    when(has(x, 'e') && has(x | y, 's'), only(x & y, 'm')) |
    only(x & y, 'zsk') |
    mask('fx') |
    locks,
  or_i: ({ x, y, locks }) =>
    only(x & y, 'VBKufsk') |
    when(has(x & y, 'z'), 'o') |
    when(has(x | y, 'f'), only(x | y, 'e')) |
    when(has(x | y, 's'), only(x & y, 'm')) |
    only(x | y, 'd') |
    mask('x') |
    locks,
  andor: ({ x, y, z, locks, unmixed }) =>
    when(has(x, 'Bdu'), only(y & z, 'BKV')) |
    only(x & y & z, 'z') |
    when(has(x | (y & z), 'z'), only(x | (y & z), 'o')) |
    only(y & z, 'u') |
    when(has(x, 's') || has(y, 'f'), only(z, 'fe')) |
    only(z, 'd') |
    when(has(x, 'e') && has(x | y | z, 's'), only(x & y & z, 'm')) |
    only(z & (x | y), 's') |
    mask('x') |
    locks |
    unmixed,
  multi: () => mask('Bnudemsk'),
  multi_a: () => mask('Budemsk'),
  thresh: ({ number, parts }) => thresholdType(number, parts),
};

function thresholdType(number: number, parts: readonly Type[]): Type {
  if (!parts.every((type, at) => has(type, at === 0 ? 'Bdu' : 'Wdu'))) return 0;
  const all = (letter: string) => parts.every((type) => has(type, letter));
  const signed = parts.filter((type) => has(type, 's')).length;
  const inputs = parts.reduce((sum, type) => sum + (has(type, 'z') ? 0 : has(type, 'o') ? 1 : 2), 0);
  const locks = parts.reduce(
    (known, type) =>
      ((known | type) & mask('ghij')) |
      when(has(known & type, 'k') && (number === 1 || !mixesTimeLocks(known, type)), 'k'),
    mask('k'),
  );
  return (
    mask('Bdu') |
    when(inputs === 0, 'z') |
    when(inputs === 1, 'o') |
    when(all('e') && signed === parts.length, 'e') |
    when(all('e') && all('m') && signed >= parts.length - number, 'm') |
    when(signed >= parts.length - number + 1, 's') |
    locks
  );
}

/** Whether a time lock of one and a time lock of the other exclude each other. */
function mixesTimeLocks(x: Type, y: Type): boolean {
  return ['gh', 'ij'].some(
    ([one = '', other = '']) => (has(x, one) && has(y, other)) || (has(x, other) && has(y, one)),
  );
}

/** In `older`: of units of 512 seconds, else of blocks (BIP 68). */
const TIME_FLAG = 1 << 22;
