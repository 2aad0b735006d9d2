/** Generates the candidates for a half-remembered passphrase, in a fixed order. */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { PassphraseClues } from '../../shared/model/searches.ts';

/**
 * Yields candidates as bytes, those with fewer typing errors first. The order depends on the clues alone, so that a search can
 * resume by skipping as many as it has tried. Yields none twice within `REMEMBERED`, and never the empty one.
 */
export function* candidates(clues: PassphraseClues): Generator<Uint8Array> {
  const isNew = createDuplicateFilter();
  const letters = lettersOf(clues);
  for (let typos = 0; typos <= clues.typos; typos += 1) {
    for (const base of bases(clues)) {
      for (const intended of clues.capitals ? capitalsOf(base) : [base.join('')]) {
        for (const typed of clues.keyboards ? onOtherLayouts(intended) : [intended]) {
          for (const text of typosOf(typed, typos, letters)) {
            for (const bytes of encodingsOf(text, clues.encodings)) {
              if (bytes.length > 0 && isNew(bytes)) yield bytes;
            }
          }
        }
      }
    }
  }
}

/** The number of candidates: exact if counting is fast, otherwise an upper bound that includes duplicates. */
export function countCandidates(clues: PassphraseClues): {
  readonly tries: number;
  readonly exact: boolean;
} {
  const most = mostCandidates(clues);
  if (most > COUNTED) return { tries: most, exact: false };
  let tries = 0;
  for (const _ of candidates(clues)) tries += 1;
  return { tries, exact: true };
}

/** An upper bound for the number of candidates; may be Infinity. */
export function mostCandidates(clues: PassphraseClues): number {
  const { pieces } = clues;
  const lengths = pieces.map(({ alternatives }) => Math.max(...alternatives.map((one) => [...one].length)));
  const longest = lengths.reduce((sum, length) => sum + length, clues.spaces ? pieces.length - 1 : 0);
  const letters = lettersOf(clues);
  const plain = letters.every((letter) => letter >= ' ' && letter <= '~') && !clues.keyboards;
  const count = countOfBases(clues, (parts) => (clues.capitals ? countOfCapitals(parts) : 1));
  const typed = clues.keyboards ? countOfLayouts : 1;
  return (
    count *
    typed *
    countOfTypos(longest, clues.typos, letters.length) *
    countOfEncodings(clues.encodings && !plain)
  );
}

/** Up to this bound, `countCandidates` counts exactly: a moment's work. */
const COUNTED = 100_000;
/** The number of latest candidates that are not repeated. Takes about 50 MB. */
const REMEMBERED = 250_000;
const REMEMBERED_IN_A_HALF = REMEMBERED / 2;

/** Returns a function that checks whether bytes are new among the latest `REMEMBERED`. */
function createDuplicateFilter(): (bytes: Uint8Array) => boolean {
  let older = new Set<string>();
  let newer = new Set<string>();
  return (bytes) => {
    const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    if (newer.has(key) || older.has(key)) return false;
    if (newer.size >= REMEMBERED_IN_A_HALF) [older, newer] = [newer, new Set()];
    newer.add(key);
    return true;
  };
}

/** The characters that may replace another by mistake: all of ASCII, and those of the pieces. */
function lettersOf({ pieces }: PassphraseClues): readonly string[] {
  const ascii = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
  return [...new Set([...ascii, ...pieces.flatMap(({ alternatives }) => [...alternatives.join('')])])];
}

/** Combinations of the pieces, each as a list of parts. Spaces between pieces are parts too. */
function* bases({ pieces, orders, spaces }: PassphraseClues): Generator<readonly string[]> {
  for (const chosen of choices(pieces)) {
    for (const parts of orders ? permutations(chosen) : [chosen]) {
      yield parts;
      if (spaces && parts.length > 1) yield parts.flatMap((part, at) => (at === 0 ? [part] : [' ', part]));
    }
  }
}

/** An upper bound for `bases`, in which each base of n pieces counts `times(n)` times. */
function countOfBases(
  { pieces, orders, spaces }: PassphraseClues,
  times: (pieces: number) => number,
): number {
  // The number of choices with 0, 1, 2… pieces.
  let bySize = [1];
  for (const { alternatives, optional } of pieces) {
    const next = new Array<number>(bySize.length + 1).fill(0);
    for (const [size, ways] of bySize.entries()) {
      next[size + 1] = (next[size + 1] ?? 0) + ways * alternatives.length;
      if (optional) next[size] = (next[size] ?? 0) + ways;
    }
    bySize = next;
  }
  return bySize.reduce((sum, ways, size) => {
    const inOrder = orders ? factorial(size) : 1;
    return sum + ways * inOrder * (spaces && size > 1 ? 2 : 1) * times(size);
  }, 0);
}

function* choices([first, ...rest]: PassphraseClues['pieces']): Generator<readonly string[]> {
  if (first === undefined) {
    yield [];
    return;
  }
  for (const one of first.alternatives) for (const others of choices(rest)) yield [one, ...others];
  if (first.optional) yield* choices(rest);
}

/** Yields the given order first. */
function* permutations(parts: readonly string[]): Generator<readonly string[]> {
  if (parts.length < 2) {
    yield parts;
    return;
  }
  for (const [at, part] of parts.entries()) {
    for (const others of permutations(parts.toSpliced(at, 1))) yield [part, ...others];
  }
}

function factorial(size: number): number {
  return size < 2 ? 1 : size * factorial(size - 1);
}

/** Variants of a base with other capitals. `parts`: from `bases`. */
function* capitalsOf(parts: readonly string[]): Generator<string> {
  yield parts.join('');
  const pieces = parts.flatMap((part, at) => (part === ' ' ? [] : [at]));
  for (let turned = 1; turned < 2 ** pieces.length; turned += 1) {
    const isTurned = (at: number) =>
      pieces.includes(at) && Math.floor(turned / 2 ** pieces.indexOf(at)) % 2 === 1;
    yield parts.map((part, at) => (isTurned(at) ? withFirstLetterToggled(part) : part)).join('');
  }
  const text = parts.join('');
  yield mapLetters(text, upper);
  yield mapLetters(text, lower);
  yield mapLetters(text, otherCase);
}

/** An upper bound for `capitalsOf` with this many pieces. */
function countOfCapitals(pieces: number): number {
  return 2 ** pieces + 3;
}

function withFirstLetterToggled(part: string): string {
  const [first = '', ...rest] = part;
  return otherCase(first) + rest.join('');
}

function mapLetters(text: string, to: (letter: string) => string): string {
  return Array.from(text, to).join('');
}

/** Keeps `ß`: keyboards have no capital of two letters. */
const single = (text: string, letter: string) => ([...text].length === 1 ? text : letter);
const upper = (letter: string) => single(letter.toUpperCase(), letter);
const lower = (letter: string) => single(letter.toLowerCase(), letter);
const otherCase = (letter: string) => (lower(letter) === letter ? upper(letter) : lower(letter));

/** All texts with exactly `errors` errors. `letters`: possible replacements for a character. */
function* typosOf(text: string, errors: number, letters: readonly string[]): Generator<string> {
  if (errors === 0) yield text;
  else for (const typed of withOneError([...text], letters)) yield* typosOf(typed, errors - 1, letters);
}

/** An upper bound for the texts with up to `errors` errors in a text of `length` characters. */
function countOfTypos(length: number, errors: number, letters: number): number {
  if (errors === 0) return 1;
  // A character may be missing, doubled, swapped or replaced. Doubling makes the text longer for the next error.
  return 1 + length * (3 + letters) * countOfTypos(length + 1, errors - 1, letters);
}

function* withOneError(text: readonly string[], letters: readonly string[]): Generator<string> {
  for (const [at, letter] of text.entries()) {
    const [before, after] = [text.slice(0, at).join(''), text.slice(at + 1).join('')];
    yield before + after;
    yield before + letter + letter + after;
    const [next, ...rest] = text.slice(at + 1);
    if (next !== undefined) yield before + next + letter + rest.join('');
  }
  // Replacements come last: they are the most, and the least likely.
  for (const [at, letter] of text.entries()) {
    const [before, after] = [text.slice(0, at).join(''), text.slice(at + 1).join('')];
    for (const other of letters) if (other !== letter) yield before + other + after;
  }
}

/** The characters of the keys, row by row, without and with Shift. A space marks a key without a character. */
export const layouts = {
  american: {
    plain: "`1234567890-=qwertyuiop[]\\asdfghjkl;'zxcvbnm,./",
    shifted: '~!@#$%^&*()_+QWERTYUIOP{}|ASDFGHJKL:"ZXCVBNM<>?',
  },
  british: {
    plain: "`1234567890-=qwertyuiop[]#asdfghjkl;'zxcvbnm,./",
    shifted: '¬!"£$%^&*()_+QWERTYUIOP{}~ASDFGHJKL:@ZXCVBNM<>?',
  },
  german: {
    plain: '^1234567890ß´qwertzuiopü+#asdfghjklöäyxcvbnm,.-',
    shifted: '°!"§$%&/()=?`QWERTZUIOPÜ*\'ASDFGHJKLÖÄYXCVBNM;:_',
  },
  french: {
    plain: '²&é"\'(-è_çà)=azertyuiop^$*qsdfghjklmùwxcvbn,;:!',
    shifted: ' 1234567890°+AZERTYUIOP¨£µQSDFGHJKLM%WXCVBN?./§',
  },
  russian: {
    plain: 'ё1234567890-=йцукенгшщзхъ\\фывапролджэячсмитьбю.',
    shifted: 'Ё!"№;%:?*()_+ЙЦУКЕНГШЩЗХЪ/ФЫВАПРОЛДЖЭЯЧСМИТЬБЮ,',
  },
  ukrainian: {
    plain: "'1234567890-=йцукенгшщзхї\\фівапролджєячсмитьбю.",
    shifted: '₴!"№;%:?*()_+ЙЦУКЕНГШЩЗХЇ/ФІВАПРОЛДЖЄЯЧСМИТЬБЮ,',
  },
  greek: {
    plain: "`1234567890-=;ςερτυθιοπ[]\\ασδφγηξκλ΄'ζχψωβνμ,./",
    shifted: '~!@#$%^&*()_+:΅ΕΡΤΥΘΙΟΠ{}|ΑΣΔΦΓΗΞΚΛ¨"ΖΧΨΩΒΝΜ<>?',
  },
  hebrew: {
    plain: ";1234567890-=/'קראטוןםפ][\\שדגכעיחלךף,זסבהנמצתץ.",
    shifted: '~!@#$%^&*)(_+QWERTYUIOP}{|ASDFGHJKL:"ZXCVBNM><?',
  },
} as const;
type Layout = (typeof layouts)[keyof typeof layouts];

const { american, ...others } = layouts;
/** What telephones, word processors and macOS write in place of these by themselves. */
const TYPOGRAPHIC = [
  ["'", '’'],
  ['"', '”'],
  ['-', '–'],
  [' ', '\xa0'],
] as const;

/** The characters that come out if an American layout is mistaken for another one, or marks are changed, and the reverse. */
const mistakenLayouts: readonly ReadonlyMap<string, string>[] = [
  ...Object.values(others).flatMap((other) => [keyMapOf(american, other), keyMapOf(other, american)]),
  new Map(TYPOGRAPHIC),
  new Map([...TYPOGRAPHIC.map(([plain, written]) => [written, plain] as const), ['“', '"']]),
];

/** Yields the text, and the text as typed on each mistaken layout. */
function* onOtherLayouts(intended: string): Generator<string> {
  yield intended;
  for (const keys of mistakenLayouts)
    yield Array.from(intended, (letter) => keys.get(letter) ?? letter).join('');
}

/** The number of texts that `typedElsewhere` yields. */
const countOfLayouts = 1 + mistakenLayouts.length;

function keyMapOf(intended: Layout, actual: Layout): ReadonlyMap<string, string> {
  const from = [...intended.plain, ...intended.shifted];
  const to = [...actual.plain, ...actual.shifted];
  return new Map(
    from.flatMap((letter, at) => {
      const written = to[at];
      return written === undefined || written === ' ' || letter === ' ' ? [] : [[letter, written] as const];
    }),
  );
}

/**
 * Yields the text in UTF-8 first. With `all`, also in other Unicode forms and in the code pages that have all its characters. Yields
 * bytes with a zero byte also cut before it, because releases before 25 ignored the rest.
 */
function* encodingsOf(text: string, all: boolean): Generator<Uint8Array> {
  for (const bytes of all && !isAscii(text) ? allBytesOf(text) : [utf8ToBytes(text)]) {
    yield bytes;
    const zero = bytes.indexOf(0);
    if (zero >= 0) yield bytes.subarray(0, zero);
  }
}

/** An upper bound for `encodingsOf`. */
function countOfEncodings(all: boolean): number {
  return (all ? 1 + FORMS.length + codePages.length + 1 : 1) * 2;
}

const FORMS = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;

/** The upper halves of code pages, from Unicode's mapping tables. A zero byte marks an unused code. */
const codePages: readonly ReadonlyMap<string, number>[] = [
  // Windows-1252, of Windows in Western languages.
  `€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ${latin1Half()}`,
  // CP437 and CP850, of the Windows command prompt.
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\xa0',
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\xad±‗¾¶§÷¸°¨·¹³²■\xa0',
].map((half) => new Map([...half].flatMap((letter, at) => (letter === '\0' ? [] : [[letter, 128 + at]]))));

function* allBytesOf(text: string): Generator<Uint8Array> {
  yield utf8ToBytes(text);
  for (const form of FORMS) yield utf8ToBytes(text.normalize(form));
  const letters = [...text.normalize('NFC')];
  for (const page of codePages) {
    const bytes = letters.map((letter) => (isAscii(letter) ? letter.charCodeAt(0) : page.get(letter)));
    if (bytes.every((byte) => byte !== undefined)) yield Uint8Array.from(bytes);
  }
  // ISO-8859-1, as Qt 4 converted it: with a question mark for each other character.
  yield Uint8Array.from(letters, (letter) => (letter <= '\xff' ? letter.charCodeAt(0) : QUESTION_MARK));
}

const QUESTION_MARK = 0x3f;

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) return false;
  return true;
}

function latin1Half(): string {
  return String.fromCharCode(...Array.from({ length: 96 }, (_, at) => 0xa0 + at));
}
