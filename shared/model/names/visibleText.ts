/** Untrusted text with every character that hides or reorders text made visible. */

export interface TextPart {
  /** Its position in the original text. */
  at: number;
  text: string;
  /** Whether `text` replaces a hidden character: `⟨U+202E⟩`. */
  escaped: boolean;
}

interface VisibleTextOptions {
  /** Keep line ends and tabs: for the node's messages, not for names and paths. */
  lines?: boolean;
  /** Escape spaces other than U+0020: for names. The app's own numbers and times contain such spaces. */
  spaces?: boolean;
}

/**
 * Splits `text` at characters that are invisible or reorder their neighbours: controls, bidirectional marks and overrides,
 * zero-width characters, blank letters, unusual spaces, tags and unpaired surrogates. Keeps the joiners and selectors that
 * emoji, Persian and Indic scripts need.
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

/** The same as one string, for titles and accessible names. */
export function visibleText(text: string, options?: VisibleTextOptions): string {
  return visibleParts(text, options)
    .map((part) => part.text)
    .join('');
}

/** Removes the characters that `visibleText` escapes in a name. */
export function withoutHiddenCharacters(text: string): string {
  const kept = visibleParts(text, { spaces: true })
    .filter(({ escaped }) => !escaped)
    .map((part) => part.text)
    .join('');
  // A combining mark may have lost its letter.
  return kept === text ? kept : withoutHiddenCharacters(kept);
}

/**
 * Invisible characters: controls, formats (bidi, soft hyphen, tags), unpaired surrogates, characters that Unicode calls
 * ignorable (zero-width characters, fillers, variation selectors), unassigned ones, and the blanks and joiners without such a
 * property: Braille, music, Brahmi, Khitan, Tifinagh and Egyptian ones.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u2d7f\u{1107f}\u{13440}\u{16fe4}\u{1d159}]/u;
/** Spaces other than U+0020, which would make two names look alike. */
const OTHER_SPACE = /[^\P{Zs} ]/u;
/** A combining mark without a letter. */
const LOOSE_MARK = /(?<![^\s])\p{M}/u;
/** Scripts whose letters change their form next to a joiner or a non-joiner. */
const JOINING = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil'],
  ...['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar'],
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');
/** Parts of an emoji: its picture, its skin colour, and the selector of the emoji style. */
const PICTURE = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f';
/** Joiners and selectors that have an effect. */
const NEEDED = [
  `(?<=[${JOINING}])[\\u200c\\u200d](?=[${JOINING}])`,
  `(?<=[${PICTURE}])\\u200d(?=\\p{Extended_Pictographic})`,
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
].join('|');
const HIDDEN = new RegExp(
  `(?!${NEEDED})(?:${[INVISIBLE, OTHER_SPACE, LOOSE_MARK].map(({ source }) => source).join('|')})`,
  'gu',
);

function escapeOf(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return `⟨U+${point.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/**
 * Escapes line breaks and control characters for a log or a terminal: C0, DEL and C1 as `\x0a`, the separators of lines and
 * paragraphs as `\u2028`. A wallet's name may contain them, and must not start a new line or control the terminal.
 */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, '0')}`;
  });
}

/**
 * An argument of a command that the user can paste into a shell: into `sh`, or on Windows into PowerShell and `cmd`. On Windows it
 * is `placeholder` if no text means the argument to both, because one of them might even run a part of it, and if it is empty.
 * Sources: about_Quoting_Rules of PowerShell, whose CharTraits.cs lists its quotes, its NativeCommandParameterBinder.cs, and
 * "Parsing C command-line arguments" of Microsoft.
 */
export function shellQuoted(argument: string, isWindows: boolean, placeholder: string): string {
  // zsh looks for a command if a word starts with =.
  if (!isWindows) {
    return /^(?!=)[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
  }
  // PowerShell reads a leading @ as a variable, and splits -a.b into two arguments.
  if (/^(?![@-])[\w@+=:./\\-]+$/.test(argument)) return argument;
  // In double quotes, PowerShell expands $ and `, and cmd %. PowerShell closes them at a typographic quote too. Windows PowerShell
  // 5.1 passes on neither a double quote nor an empty argument.
  if (/^$|["“”„$`%\p{Cc}]/u.test(argument)) return placeholder;
  // A program reads a backslash before the closing quote as part of an escaped quote. An extra one
  // at the end of a folder's path does no harm.
  return `"${argument.replace(/\\+$/, '$&$&')}"`;
}

/** The argument that names a wallet: an option if the name would be none in some shell, or looks like an option. */
export function walletArgument(name: string, isWindows: boolean): string {
  const text = name === '' ? '' : shellQuoted(name, isWindows, 'WALLET');
  return name === '' || name.startsWith('-') ? `--wallet=${text}` : text;
}
