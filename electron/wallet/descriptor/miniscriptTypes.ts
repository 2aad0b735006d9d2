/** What each fragment of Miniscript is good for: the type system of BIP 379, by the rules of Bitcoin Core. */
import type { Miniscript } from './descriptor.ts';

/**
 * The properties of BIP 379 as bits: B, V, K, W, z, o, n, d, u, e, f, s, m and x, and those of time locks: g and h (relative, by
 * time and by height), i and j (absolute, so too), and k where no path mixes them.
 */
export type Type = number;

const LETTERS = 'BVKWzonduefsmxghijk';

const masks = new Map<string, Type>();

function mask(letters: string): Type {
  const known = masks.get(letters);
  if (known !== undefined) return known;
  const made = [...letters].reduce((sum, letter) => sum | (1 << LETTERS.indexOf(letter)), 0);
  masks.set(letters, made);
  return made;
}

/** Whether a type has all of these. */
export function has(type: Type, letters: string): boolean {
  return (type & mask(letters)) === mask(letters);
}

/** The type of a fragment by those of its parts; 0 where they do not fit. Source: `ComputeType` of `miniscript.cpp`. */
export function typeOf(node: Miniscript, parts: readonly Type[], tapscript: boolean): Type {
  const type = untidyType(node, parts, tapscript);
  return (type & mask('BVKW')) === 0 ? 0 : type;
}

/** `type` where the condition holds. */
function when(condition: boolean, type: string | Type): Type {
  if (!condition) return 0;
  return typeof type === 'string' ? mask(type) : type;
}

function untidyType({ fragment, number }: Miniscript, parts: readonly Type[], tapscript: boolean): Type {
  const [x = 0, y = 0, z = 0] = parts;
  const only = (type: Type, letters: string) => type & mask(letters);
  const locks = only(x | y | z, 'ghij');
  const unmixed = when(has(parts.length === 3 ? x & y & z : x & y, 'k') && !mixes(x, y), 'k');
  const both = (letters: string) => only(x & y, letters);
  const either = (letters: string) => only(x | y, letters);
  const hasEither = (letters: string) => has(x | y, letters);
  switch (fragment) {
    case 'pk_k':
      return mask('Konudemsxk');
    case 'pk_h':
      return mask('Knudemsxk');
    case 'older':
      return when((number & TIME_FLAG) !== 0, 'g') | when((number & TIME_FLAG) === 0, 'h') | mask('Bzfmxk');
    case 'after':
      return when(number >= FIRST_TIME, 'i') | when(number < FIRST_TIME, 'j') | mask('Bzfmxk');
    case 'sha256':
    case 'ripemd160':
    case 'hash256':
    case 'hash160':
      return mask('Bonudmk');
    case '1':
      return mask('Bzufmxk');
    case '0':
      return mask('Bzudemsxk');
    case 'a':
      return when(has(x, 'B'), 'W') | only(x, 'ghijkudfems') | mask('x');
    case 's':
      return when(has(x, 'Bo'), 'W') | only(x, 'ghijkudfemsx');
    case 'c':
      return when(has(x, 'K'), 'B') | only(x, 'ghijkondfem') | mask('us');
    case 'd':
      // Only in tapscript is it a rule of consensus that the argument of OP_IF is 0 or 1.
      return (
        when(has(x, 'Vz'), 'B') |
        when(has(x, 'z'), 'o') |
        when(has(x, 'f'), 'e') |
        only(x, 'ghijkms') |
        when(tapscript, 'u') |
        mask('ndx')
      );
    case 'v':
      return when(has(x, 'B'), 'V') | only(x, 'ghijkzonms') | mask('fx');
    case 'j':
      return when(has(x, 'Bn'), 'B') | when(has(x, 'f'), 'e') | only(x, 'ghijkoums') | mask('ndx');
    case 'n':
      return only(x, 'ghijkBzondfems') | mask('ux');
    case 'and_v':
      return (
        when(has(x, 'V'), only(y, 'KVB')) |
        only(x, 'n') |
        when(has(x, 'z'), only(y, 'n')) |
        when(hasEither('z'), either('o')) |
        both('mz') |
        either('s') |
        when(has(y, 'f') || has(x, 's'), 'f') |
        only(y, 'ux') |
        locks |
        unmixed
      );
    case 'and_b':
      return (
        when(has(y, 'W'), only(x, 'B')) |
        when(hasEither('z'), either('o')) |
        only(x, 'n') |
        when(has(x, 'z'), only(y, 'n')) |
        when(has(x & y, 's'), both('e')) |
        both('dzm') |
        when(has(x & y, 'f') || has(x, 'sf') || has(y, 'sf'), 'f') |
        either('s') |
        mask('ux') |
        locks |
        unmixed
      );
    case 'or_b':
      return (
        when(has(x, 'Bd') && has(y, 'Wd'), 'B') |
        when(hasEither('z'), either('o')) |
        when(hasEither('s') && has(x & y, 'e'), both('m')) |
        both('zsek') |
        mask('dux') |
        locks
      );
    case 'or_d':
      return (
        when(has(x, 'Bdu'), only(y, 'B')) |
        when(has(y, 'z'), only(x, 'o')) |
        when(has(x, 'e') && hasEither('s'), both('m')) |
        both('zsk') |
        only(y, 'ufde') |
        mask('x') |
        locks
      );
    case 'or_c':
      return (
        when(has(x, 'Bdu'), only(y, 'V')) |
        when(has(y, 'z'), only(x, 'o')) |
        when(has(x, 'e') && hasEither('s'), both('m')) |
        both('zsk') |
        mask('fx') |
        locks
      );
    case 'or_i':
      return (
        both('VBKufsk') |
        when(has(x & y, 'z'), 'o') |
        when(hasEither('f'), either('e')) |
        when(hasEither('s'), both('m')) |
        either('d') |
        mask('x') |
        locks
      );
    case 'andor': {
      const mayFail = has(x, 's') || has(y, 'f');
      return (
        when(has(x, 'Bdu'), only(y & z, 'BKV')) |
        only(x & y & z, 'z') |
        when(has(x | (y & z), 'z'), only(x | (y & z), 'o')) |
        only(y & z, 'u') |
        when(mayFail, only(z, 'fe')) |
        only(z, 'd') |
        when(has(x, 'e') && has(x | y | z, 's'), only(x & y & z, 'm')) |
        only(z & (x | y), 's') |
        mask('x') |
        locks |
        unmixed
      );
    }
    case 'multi':
      return mask('Bnudemsk');
    case 'multi_a':
      return mask('Budemsk');
    case 'thresh':
      return thresholdType(number, parts);
  }
}

function thresholdType(number: number, parts: readonly Type[]): Type {
  if (!parts.every((type, at) => has(type, at === 0 ? 'Bdu' : 'Wdu'))) return 0;
  const all = (letter: string) => parts.every((type) => has(type, letter));
  const signed = parts.filter((type) => has(type, 's')).length;
  const taken = parts.reduce((sum, type) => sum + (has(type, 'z') ? 0 : has(type, 'o') ? 1 : 2), 0);
  const locks = parts.reduce(
    (known, type) =>
      ((known | type) & mask('ghij')) |
      when(has(known & type, 'k') && (number === 1 || !mixes(known, type)), 'k'),
    mask('k'),
  );
  return (
    mask('Bdu') |
    when(taken === 0, 'z') |
    when(taken === 1, 'o') |
    when(all('e') && signed === parts.length, 'e') |
    when(all('e') && all('m') && signed >= parts.length - number, 'm') |
    when(signed >= parts.length - number + 1, 's') |
    locks
  );
}

/** Whether a time lock of the one and one of the other can never be met together. */
function mixes(x: Type, y: Type): boolean {
  return ['gh', 'ij'].some(
    ([one = '', other = '']) => (has(x, one) && has(y, other)) || (has(x, other) && has(y, one)),
  );
}

/** In `older`: of units of 512 seconds, else of blocks (BIP 68). */
const TIME_FLAG = 1 << 22;
/** In `after`: a time from here on, else a height. `LOCKTIME_THRESHOLD`, `script.h` */
const FIRST_TIME = 500_000_000;
