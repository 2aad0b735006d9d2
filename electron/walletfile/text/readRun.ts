/** Reads a run of letters and digits: as a key, as a damaged key, or as no key. */
import { base58 } from '@scure/base';
import type { KeyDamage } from '../../../shared/model/findings/textLines.ts';
import { endsWithChecksum } from '../bytes/quickHash.ts';
import { MAX_EXTENDED_KEY_LENGTH } from '../keys/extendedKey.ts';
import { readKeyText } from './keyText.ts';
import type { KeyForm, TextKey } from './scanText.ts';

interface Surroundings {
  /** Whether it is a word of its own. */
  readonly isAlone?: boolean;
  /** Whether the words near it say that it is a key. */
  readonly isCalledKey?: boolean;
  /** Whether the line has nothing else. */
  readonly isLine?: boolean;
}

/** The form of a key, or what is wrong with it; null for other text. */
export function readRun(run: string, surroundings: Surroundings = {}): KeyForm | KeyDamage | null {
  const { isAlone = false, isCalledKey = false, isLine = false } = surroundings;
  // The checksum of a mini key is one byte: one of 256 words has it by chance.
  const key = KEY_LENGTHS.has(run.length) && (isAlone || run.length > 50) ? readKeyText(run, {}) : null;
  if (key !== null) return key === 'sealed' ? 'sealed' : 'private';
  if (HEX.test(run)) return null;
  const isExtended = EXTENDED.test(run);
  // Decoding is slow, and has a use only where a checksum may show that a word is no damaged key.
  const mayBeWhole = isExtended
    ? run.length <= MAX_EXTENDED_KEY_LENGTH
    : run.length >= (isCalledKey || isLine ? CUT_LENGTH : 50) && run.length <= 52;
  const bytes = mayBeWhole && BASE58.test(run) ? base58.decode(run) : null;
  const isWhole = bytes !== null && endsWithChecksum(bytes);
  if (isWhole) {
    if (isExtended && bytes.length === 82) return 'extended';
    const isOfCoin = [37, 38].includes(bytes.length);
    return isOfCoin ? { why: 'coin', column: 1 } : null;
  }
  const lengths = expectedLengths(run, surroundings);
  const isLikely = isCalledKey && SURE_START.test(run) && lengths?.includes(run.length) === true;
  if (lengths === null && isAlone) return damageAtStart(run);
  if (lengths === null || !(isAlone || isLikely)) return null;
  const wrong = /[0OIl]/.exec(run);
  if (wrong) return { why: 'letter', letter: wrong[0], column: wrong.index + 1 };
  return { why: lengths.includes(run.length) ? 'checksum' : 'length', column: 1 };
}

/** The lengths of mini keys, WIF and BIP 38. */
export const KEY_LENGTHS: ReadonlySet<number> = new Set([22, 26, 30, 51, 52, 58]);
/** The lengths of mini keys, and one letter more or less. */
const MINI_LENGTHS: ReadonlySet<number> = new Set([21, 22, 23, 25, 26, 27, 29, 30, 31]);
export const EXTENDED = /^[xtyzuvYZUV](?:prv|pub)/;
const SURE_START = /^(?:[5KLc9]|6P|[xyztuv]prv)/;

/** The lengths of the kind of key that a word resembles; null if it resembles none. */
function expectedLengths(run: string, { isCalledKey, isLine }: Surroundings): readonly number[] | null {
  const isExpected = isCalledKey || isLine;
  const { length } = run;
  if (!/\d/.test(run) || !/[a-z]/.test(run) || !/[A-Z]/.test(run)) {
    // Somebody typed it in one case.
    return isExpected && /^[5KL]/i.test(run) && WIF_LENGTHS.includes(length) ? WIF_LENGTHS : null;
  }
  if (length < 130 && (EXTENDED.test(run) ? length > 40 : length > 90 && ALMOST_EXTENDED.test(run)))
    return [111, 112];
  if (/^S/.test(run) && MINI_LENGTHS.has(length)) {
    // Names of files and programs have long words and years.
    const isRandom = /\d[A-Za-z]+\d/.test(run) && (isExpected || !/[a-z]{6}|[0OIl].*[0OIl]/.test(run));
    return isCalledKey || isRandom ? [22, 26, 30] : null;
  }
  if (length >= 56 && length <= 60 && /^6P/.test(run)) return [58];
  const isCut = length >= (isExpected ? CUT_LENGTH : 38) && length < 49 && BASE58.test(run);
  const isNear = isCut || (isExpected ? length >= 44 && length <= 57 : length >= 49 && length <= 54);
  if (isNear && /^[59]/.test(run)) return [51];
  if (isNear && /^[KLc]/.test(run)) return [52];
  // Its beginning is lost. Addresses have up to 35 letters.
  if (isCut && isLine && (length > 35 || !/^[123mn]/.test(run))) return WIF_LENGTHS;
  // The first letter may be wrong. Other programs write words of this length too.
  if (isExpected && length >= 56 && length <= 60) return [58];
  return isExpected && length >= 49 && length <= 54 ? WIF_LENGTHS : null;
}

/** The damage of a key whose first letters are wrong, which shows once they are put right; null for other words. */
function damageAtStart(run: string): KeyDamage | null {
  const heads = HEADS.filter(({ lengths }) => lengths.some((length) => Math.abs(run.length - length) <= 1));
  const swapped = `${run[1] ?? ''}${run[0] ?? ''}${run.slice(2)}`;
  // A letter is wrong, missing, or too many.
  const tried = heads.flatMap(({ head }) => [0, -1, 1].map((more) => head + run.slice(head.length + more)));
  if (heads.length === 0 || ![swapped, ...tried].some((text) => typeof readRun(text) === 'string'))
    return null;
  const wrong = /^[0OIl]/.exec(run);
  if (wrong) return { why: 'letter', letter: wrong[0], column: 1 };
  return {
    why: heads.some(({ lengths }) => lengths.includes(run.length)) ? 'checksum' : 'length',
    column: 1,
  };
}

const HEADS: readonly { head: string; lengths: readonly number[] }[] = [
  ...['5', 'K', 'L', 'c', '9'].map((head) => ({ head, lengths: [51, 52] })),
  { head: '6P', lengths: [58] },
  ...[...'xtyzuv'].flatMap((type) => [`${type}prv`, `${type}pub`]).map((head) => ({ head, lengths: [111] })),
];

/** The least letters of a key that is cut off. */
const CUT_LENGTH = 30;
const HEX = /^[0-9a-f]+$/i;
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/;
const WIF_LENGTHS: readonly number[] = [51, 52];
/** The start of an extended key whose first letter is wrong or missing. */
const ALMOST_EXTENDED = /^[A-Za-z]?(?:prv|pub)/i;

/** Whole keys in a longer word, such as a key that is glued to its label. One or two letters too many are damage instead. */
export function keysInside(run: string, offset: number): TextKey[] {
  const found: TextKey[] = [];
  let from = 0;
  if (HEX.test(run) || run.length > MAX_RUN) return [];
  for (const { index } of run.matchAll(/[5KLc9](?=[1-9A-HJ-NP-Za-km-z]{50})|6P|[xyztuv]prv/g)) {
    if (index < from) continue;
    for (const length of INSIDE_LENGTHS) {
      const text = run.slice(index, index + length);
      if (text.length < length || run.length - length < 3) continue;
      const form = readRun(text);
      if (typeof form !== 'string') continue;
      from = index + length;
      found.push({ text, form, start: offset + index, end: offset + from });
      break;
    }
  }
  return found;
}

const INSIDE_LENGTHS = [51, 52, 58, 111] as const;
/** The longest run to search. Longer ones are base64 without line ends. */
const MAX_RUN = 10_000;
