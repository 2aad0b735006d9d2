/**
 * What a passphrase may be that its owner nearly remembers: the owner's own pieces, put together in the ways in which
 * people get them wrong. No lists of words: what was not remembered is not tried.
 */
import { orNull } from '../bytes/once.ts';

export interface PassphraseVariant {
  text: string;
  /** How its characters are written as bytes; releases and systems of old had others than UTF-8. */
  encoding: 'utf-8' | (typeof OLD_PAGES)[number] | 'cp850';
}

/** So many are tried at most: the last of them takes a fast computer a day. */
export const MOST_VARIANTS = 500_000;

const OLD_PAGES = ['windows-1252', 'windows-1251', 'macintosh'] as const;

/**
 * In the order of how likely they are, each once, `MOST_VARIANTS` at most. `remembered` has a whole passphrase in each line; of
 * `(one|other|)` each is tried. Then: capitals, the caps lock, spaces, all before a zero byte, forms of Unicode, keys of
 * other layouts, one typing error, and old code pages.
 */
export function passphraseVariants(remembered: string): PassphraseVariant[] {
  const lines = remembered.split(/\r?\n/).filter((line) => line !== '');
  const texts = new Set<string>();
  const add = (more: Iterable<string>) => {
    // What many alternatives make is without end.
    for (const text of more) {
      if (texts.size >= MOST_VARIANTS) return;
      if (text !== '') texts.add(text);
    }
  };
  add(lines);
  for (const line of lines) add(alternatives(line));
  const whole = [...texts];
  for (const text of whole) add(slips(text));
  for (const text of whole) add(layouts(text));
  for (const text of whole) add(typos(text));
  const variants: PassphraseVariant[] = [...texts].map((text) => ({ text, encoding: 'utf-8' }));
  for (const text of whole)
    for (const encoding of [...OLD_PAGES, 'cp850'] as const)
      if (/[^\p{ASCII}]/u.test(text) && bytesOfVariant({ text, encoding }) !== null)
        variants.push({ text, encoding });
  return variants.slice(0, MOST_VARIANTS);
}

/** The bytes that were typed; null where the code page lacks a character. They are a secret. */
export function bytesOfVariant({ text, encoding }: PassphraseVariant): Uint8Array | null {
  if (encoding === 'utf-8') return new TextEncoder().encode(text);
  const page = pageOf(encoding);
  const bytes = [...text.normalize('NFC')].map((character) => page.get(character));
  return bytes.includes(undefined) ? null : Uint8Array.from(bytes.map((byte) => byte ?? 0));
}

/** `my (old|new|) key`: each of them. Brackets that do not fit stand for themselves. */
function* alternatives(line: string): Generator<string> {
  const [whole, choices] = /\(([^()]*\|[^()]*)\)/.exec(line) ?? [];
  if (whole === undefined || choices === undefined) return yield line;
  const at = line.indexOf(whole);
  for (const choice of choices.split('|'))
    yield* alternatives(line.slice(0, at) + choice + line.slice(at + whole.length));
}

function* slips(text: string): Generator<string> {
  const first = text.slice(0, 1);
  yield* [
    text.toLowerCase(),
    text.toUpperCase(),
    first.toUpperCase() + text.slice(1),
    first.toLowerCase() + text.slice(1),
  ];
  yield text.replace(/\p{L}/gu, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  yield text
    .toLowerCase()
    .replace(/(^|[^\p{L}])(\p{L})/gu, (_, before, letter) => `${before}${letter.toUpperCase()}`);
  yield* [text.trim(), text.replaceAll(' ', ''), `${text} `, ` ${text}`, text.replaceAll(/\s+/g, ' ')];
  // Releases before 25 took no more than that.
  yield text.split('\0')[0] ?? '';
  yield* (['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map((form) => text.normalize(form));
}

/** Rows of letters and signs as the keyboards of some countries have them, at the same places. */
const KEYBOARDS = [
  "qwertyuiop[]asdfghjkl;'zxcvbnm,./-=",
  'qwertzuiopü+asdfghjklöäyxcvbnm,.-ß´',
  'azertyuiop^$qsdfghjklmùwxcvbn,;:!)=',
  "'qwfpgjluy;[]arstdhneiozxcvbkm,./-=".slice(1),
] as const;

function* layouts(text: string): Generator<string> {
  for (const from of KEYBOARDS)
    for (const to of KEYBOARDS) if (from !== to) yield [...text].map((key) => moved(key, from, to)).join('');
}

function moved(key: string, from: string, to: string): string {
  const small = key.toLowerCase();
  const at = from.indexOf(small);
  const there = at < 0 ? key : (to[at] ?? key);
  return key === small ? there : there.toUpperCase();
}

/** One key left out, pressed twice, swapped with the next, in the other case, or its neighbour pressed. */
function* typos(text: string): Generator<string> {
  const keys = [...text];
  for (const [at, key] of keys.entries()) {
    const before = keys.slice(0, at).join('');
    const after = keys.slice(at + 1).join('');
    yield* [before + after, before + key + key + after];
    yield before + (key === key.toLowerCase() ? key.toUpperCase() : key.toLowerCase()) + after;
    const next = keys[at + 1];
    if (next !== undefined) yield before + next + key + keys.slice(at + 2).join('');
    for (const other of neighbours(key)) yield before + other + after;
  }
}

const ROWS = ['1234567890-=', 'qwertyuiop[]', "asdfghjkl;'", 'zxcvbnm,./'] as const;

function neighbours(key: string): string[] {
  const small = key.toLowerCase();
  const row = ROWS.find((keys) => keys.includes(small));
  if (row === undefined) return [];
  const at = row.indexOf(small);
  return [row[at - 1], row[at + 1]].flatMap((other) =>
    other === undefined ? [] : [key === small ? other : other.toUpperCase()],
  );
}

/** From 0x80 on, as the consoles of Western Windows have it. */
const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

function pageOf(encoding: Exclude<PassphraseVariant['encoding'], 'utf-8'>): ReadonlyMap<string, number> {
  const upper = Array.from({ length: 128 }, (_, at) => at + 128);
  const decoder = encoding === 'cp850' ? null : orNull(() => new TextDecoder(encoding));
  const characters = decoder ? upper.map((byte) => decoder.decode(Uint8Array.of(byte))) : [...CP850];
  const ascii = Array.from({ length: 128 }, (_, byte): [string, number] => [String.fromCharCode(byte), byte]);
  return new Map([...ascii, ...characters.map((character, at): [string, number] => [character, at + 128])]);
}
