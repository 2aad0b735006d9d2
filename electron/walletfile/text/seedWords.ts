/** Recognises seed words and other secrets of wallets that people write down, and checks their checksums. */
import { hmac } from '@noble/hashes/hmac.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { validateMnemonic } from '@scure/bip39';
import { wordlist as czech } from '@scure/bip39/wordlists/czech.js';
import { wordlist as english } from '@scure/bip39/wordlists/english.js';
import { wordlist as french } from '@scure/bip39/wordlists/french.js';
import { wordlist as italian } from '@scure/bip39/wordlists/italian.js';
import { wordlist as japanese } from '@scure/bip39/wordlists/japanese.js';
import { wordlist as korean } from '@scure/bip39/wordlists/korean.js';
import { wordlist as portuguese } from '@scure/bip39/wordlists/portuguese.js';
import { wordlist as simplifiedChinese } from '@scure/bip39/wordlists/simplified-chinese.js';
import { wordlist as spanish } from '@scure/bip39/wordlists/spanish.js';
import { wordlist as traditionalChinese } from '@scure/bip39/wordlists/traditional-chinese.js';
import type { FileKind } from '../../../shared/model/findings/fileKinds.ts';

const LISTS: readonly (readonly string[])[] = [
  ...[english, spanish, french, italian, portuguese, czech, japanese, korean],
  ...[simplifiedChinese, traditionalChinese],
];
const sets = LISTS.map((list) => new Set(list));

/** The kind of secret that a text holds: seed words anywhere in it, or one that is the whole text. Null for other texts. */
export function seedIn(text: string): FileKind | null {
  if (text.length > MAX_CHARACTERS) return null;
  // A label may stand before it.
  const plain = text.replace(/<[^<>]{1,200}>|&#?\w{2,12};/g, ' ');
  const lines = plain.split(/[\r\n]+/).map((line) => line.replace(/^[^:：]{0,30}[:：]\s*/, '').trim());
  if (lines.some((line) => CODEX32.test(line))) return { code: 'codex32_share' };
  if (lines.some((line) => isSeedQr(line.replaceAll(' ', '')))) return { code: 'seed_qr' };
  const seedsIn = (words: readonly string[]) =>
    LISTS.flatMap((list, at) => seedsOfList(words, list, sets[at] ?? new Set()));
  const words = inOrderOfNumbers(plain) ?? wordsIn(plain);
  const found = seedsIn(words);
  // Several seeds, one a line; two columns; Chinese is written without spaces.
  const byLine = lines.map((line) => (/^\p{sc=Han}+$/u.test(line) ? [...line] : wordsIn(line)));
  const others = [columnByColumn(byLine), ...byLine].filter(({ length }) => SIZES.has(length));
  const fitting = [...found, ...others.flatMap(seedsIn)].find(({ checksum }) => checksum === 'fits');
  if (fitting) return { code: 'seed_words', ...fitting };
  if ([...lines, words.join(' ')].some(isSlip39)) return { code: 'slip39_share' };
  if (found[0]) return { code: 'seed_words', ...found[0] };
  // The seed of Electrum before release 2, in its other form. The hashes of files look like it.
  if (/electrum/i.test(plain) && /\b(?:electrum|seed)\b[^\n]{0,30}[:=]\s*["']?[0-9a-f]{32}\b/i.test(plain))
    return { code: 'other_wallet', program: 'Electrum', openIn: ['Electrum'] };
  const all = (pattern: RegExp) =>
    /^[a-z\s\d.,;:)]+$/i.test(text) && words.every((word) => pattern.test(word));
  if (words.length === 25 && all(/^[a-z]{4,12}$/))
    return { code: 'other_wallet', program: 'Monero', openIn: ['Monero GUI'] };
  // Early Electrum and other programs have lists of their own.
  if (SIZES.has(words.length) && all(/^(?!(?:the|and|was|are|has|his|her|for|with)$)[a-z]{3,8}$/))
    return { code: 'seed_words', words: words.length, checksum: isElectrumSeed(words) ? 'fits' : 'wrong' };
  return null;
}

function wordsIn(text: string): string[] {
  return (
    text
      .normalize('NFKD')
      .toLowerCase()
      .match(/[\p{L}\p{M}]+/gu) ?? []
  );
}

/** The words behind the numbers from 1 to a seed's size, wherever each stands; null for another text. */
function inOrderOfNumbers(text: string): string[] | null {
  const found = [...text.matchAll(/(?<![\p{L}\d])(\d{1,2})[\s.):\]#-]{1,4}([\p{L}\p{M}]+)/gu)];
  const byNumber = new Map(found.map(([, number, word = '']) => [Number(number), word]));
  const isWhole = SIZES.has(found.length) && found.every((_, at) => byNumber.has(at + 1));
  return isWhole ? wordsIn(found.map((_, at) => byNumber.get(at + 1)).join(' ')) : null;
}

/** The words of a table, if it has as many as a seed. */
function columnByColumn(lines: readonly (readonly string[])[]): string[] {
  const rows = lines.filter(({ length }) => length > 0);
  const [first = []] = rows;
  if (!SIZES.has(first.length * rows.length)) return [];
  return first.flatMap((_, column) => rows.map((row) => row[column] ?? ''));
}

/** Seeds are short. A long text with them is a document. */
const MAX_CHARACTERS = 1_000_000;
const SIZES: ReadonlySet<number> = new Set([12, 15, 18, 21, 24]);
/** BIP 93; Core Lightning's begin with `cl`. */
const CODEX32 = /^(?:ms|cl)1[02-9][ac-hj-np-z02-9]{44,124}$/i;

type Seed = Omit<FileKind<'seed_words'>, 'code'>;

/** The seeds among the runs of words of one list. Words next to a seed may be of the list too: “seed”. */
function seedsOfList(words: readonly string[], list: readonly string[], set: ReadonlySet<string>): Seed[] {
  const found: Seed[] = [];
  let run: string[] = [];
  const end = () => {
    const { length } = run;
    // One part of 24 words with a wrong one has a right checksum by chance, most often.
    const fewest = length === 24 ? 24 : 12;
    const sizes = [...SIZES]
      .filter((size) => size >= fewest && size <= length && length <= MAX_WORDS)
      .reverse();
    for (const size of sizes)
      for (let first = 0; first + size <= length; first += 1)
        if (isSeed(run.slice(first, first + size), list)) found.push({ words: size, checksum: 'fits' });
    const [largest] = sizes;
    if (largest !== undefined && length - largest <= 2) found.push({ words: largest, checksum: 'wrong' });
    run = [];
  };
  for (const word of words) {
    if (set.has(word)) run.push(word);
    else end();
  }
  end();
  return found;
}

/** Longer runs are lists of words, not seeds. */
const MAX_WORDS = 100;

/** 20 or 33 words of another list, of four to eight letters. */
function isSlip39(line: string): boolean {
  const words = line.toLowerCase().split(/[\s,]+/);
  return (words.length === 20 || words.length === 33) && words.every((word) => /^[a-z]{4,8}$/.test(word));
}

function isSeed(words: readonly string[], list: readonly string[]): boolean {
  const separator = list === japanese ? '\u3000' : ' ';
  return validateMnemonic(words.join(separator), [...list]) || isElectrumSeed(words);
}

/** Source: `is_new_seed` of `electrum/mnemonic.py`. */
function isElectrumSeed(words: readonly string[]): boolean {
  const digest = bytesToHex(hmac(sha512, utf8ToBytes('Seed version'), utf8ToBytes(words.join(' '))));
  return /^(?:01|100|101|102)/.test(digest);
}

/** Four digits for each word of BIP 39. */
function isSeedQr(text: string): boolean {
  if (!/^(?:\d{4}){12,24}$/.test(text)) return false;
  const words = (text.match(/\d{4}/g) ?? []).map((digits) => english[Number(digits)] ?? '');
  return SIZES.has(words.length) && validateMnemonic(words.join(' '), english);
}
