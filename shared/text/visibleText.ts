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
}

/**
 * Splits `text` where a character would be invisible or would change how its neighbours are read: controls,
 * bidirectional marks and overrides, zero-width characters, blank letters, tags and halves of surrogate pairs.
 * The joiners that emoji, Persian and Indic scripts need stay.
 */
export function visibleParts(text: string, { lines = false }: VisibleTextOptions = {}): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    const [found] = match;
    if (lines && (found === '\n' || found === '\t')) continue;
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

/**
 * \p{Cc} controls, \p{Cf} formats (bidi, zero-width, soft hyphen, tags), \p{Cs} lone surrogates, line and
 * paragraph separators, and letters that are drawn as nothing: Hangul fillers, Braille blank, Mongolian and Khmer
 * signs, variation selectors beyond the first sixteen. A joiner between two characters outside ASCII is left.
 */
const HIDDEN =
  /(?<![^\p{ASCII}])[\u200c\u200d]|[\u200c\u200d](?![^\p{ASCII}])|(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\u115f\u1160\u2800\u3164\uffa0]|\u034f|\u17b4|\u17b5|[\u180b-\u180d]|\u180f|[\u{e0100}-\u{e01ef}]/gu;

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
