/** Untrusted text with every character that hides or reorders text made visible. */

interface TextPart {
  /** Where it begins in the text it was made of. */
  at: number;
  text: string;
  /** True where `text` stands for a character that cannot be shown as it is: `⟨U+202E⟩`. */
  escaped: boolean;
}

interface VisibleTextOptions {
  /** Line ends and tabs stay as they are: for words of the node, not for names and paths. */
  lines?: boolean;
  /** Spaces that are none of the keyboard's are shown too: for names. The app's own numbers and times hold some. */
  spaces?: boolean;
}

/**
 * Splits `text` where a character would be invisible or would change how its neighbours are read: controls,
 * bidirectional marks and overrides, zero-width characters, blank letters, odd spaces, tags and halves of surrogate
 * pairs. The joiners and selectors that emoji, Persian and Indic scripts need stay.
 */
export function visibleParts(
  text: string,
  { lines = false, spaces = false }: VisibleTextOptions = {},
): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    const [found] = match;
    if (lines && (found === '\n' || found === '\t')) continue;
    if (!spaces && OTHER_SPACE.test(found)) continue;
    if (match.index > from) parts.push({ at: from, text: text.slice(from, match.index), escaped: false });
    parts.push({ at: match.index, text: escapeOf(found), escaped: true });
    from = match.index + found.length;
  }
  if (from < text.length) parts.push({ at: from, text: text.slice(from), escaped: false });
  return parts;
}

/** The same as one string, for titles, accessible names and the window's title. */
export function visibleText(text: string, options?: VisibleTextOptions): string {
  return visibleParts(text, options)
    .map((part) => part.text)
    .join('');
}

/** Only what shows: without every character that `visibleText` would write out in a name. */
export function shownOnly(text: string): string {
  const kept = visibleParts(text, { spaces: true })
    .filter(({ escaped }) => !escaped)
    .map((part) => part.text)
    .join('');
  // A mark may have lost the letter that it stood on.
  return kept === text ? kept : shownOnly(kept);
}

/**
 * What shows nothing, or turns what is beside it: controls, formats (bidi, soft hyphen, tags), halves of pairs, all that
 * Unicode lets a font draw as nothing (zero-width characters, fillers, variation selectors), what is no character, and
 * the blanks and joiners that no property names: Braille, music, Brahmi, Khitan, Tifinagh and Egyptian ones.
 */
const NOTHING =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u2d7f\u{1107f}\u{13440}\u{16fe4}\u{1d159}]/u;
/** Looks like a space and is none: `a b` and another name would look alike. */
const OTHER_SPACE = /[^\P{Zs} ]/u;
/** A mark that has no letter to stand on. */
const LOOSE_MARK = /(?<![^\s])\p{M}/u;
/** Whose letters take another form by a joiner or a non-joiner beside them. */
const JOINING = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil'],
  ...['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar'],
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');
/** Of an emoji: its picture, the colour of its skin, and that it is to be drawn as one. */
const PICTURE = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f';
/** Where joiners and selectors do what they are for. */
const NEEDED = [
  `(?<=[${JOINING}])[\\u200c\\u200d](?=[${JOINING}])`,
  `(?<=[${PICTURE}])\\u200d(?=\\p{Extended_Pictographic})`,
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
].join('|');
const HIDDEN = new RegExp(
  `(?!${NEEDED})(?:${[NOTHING, OTHER_SPACE, LOOSE_MARK].map(({ source }) => source).join('|')})`,
  'gu',
);

function escapeOf(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return `⟨U+${point.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/**
 * Keeps words from outside to the line of a log or of a terminal that they stand in: the text with every line break and
 * control character written out (C0, DEL and C1 as `\x0a`, the separators of lines and paragraphs as `\u2028`): a
 * wallet's name may hold any of them, and must neither begin a line nor be obeyed.
 */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, '0')}`;
  });
}
