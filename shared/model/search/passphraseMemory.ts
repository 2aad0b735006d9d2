/** A half-remembered passphrase: what its owner still knows, and the number of tries that follow. */
import { z } from 'zod';
import { count } from '../shapes.ts';

const piece = z.object({
  /** One of these stands here. */
  alternatives: z.array(z.string().max(1000)).min(1).max(100),
  /** Whether the piece may be missing. */
  optional: z.boolean(),
});

/** The pieces of a passphrase and the possible variations. Secret. */
export const passphraseMemory = z.object({
  pieces: z.array(piece).min(1).max(12),
  /** The pieces in any order. */
  orders: z.boolean(),
  /** With spaces between the pieces, too. */
  spaces: z.boolean(),
  /** First letters, all letters, Caps Lock. */
  capitals: z.boolean(),
  /** At most this many typing errors. */
  typos: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  /** Typed on a keyboard with another layout. */
  keyboards: z.boolean(),
  /** Other Unicode forms, and the code pages of old systems. */
  encodings: z.boolean(),
});

export type PassphraseMemory = z.infer<typeof passphraseMemory>;
export type PassphraseVariations = Omit<PassphraseMemory, 'pieces'>;

export const NO_VARIATIONS: PassphraseVariations = {
  orders: false,
  spaces: false,
  capitals: false,
  typos: 0,
  keyboards: false,
  encodings: false,
};

/** The expected effort of a search. */
export const passphraseCount = z.object({
  tries: count,
  /** False: `tries` is an upper bound, because duplicates show only during the search. */
  exact: z.boolean(),
  /** Tries of an earlier search with the same pieces and wallet, which this one continues. */
  done: count,
  /** Whether the last search on this wallet had other pieces. This one starts over and replaces it. */
  others: z.boolean(),
  /** Estimates: tries per second on all cores, and seconds left. */
  perSecond: z.number().nonnegative(),
  seconds: z.number().nonnegative(),
});

export type PassphraseCount = z.infer<typeof passphraseCount>;

/** The result of a complete search. `tried` includes the tries of an earlier search. */
export const passphraseFound = z.object({
  tried: count,
  /** The passphrase (secret): its bytes in hex, and its text if they are UTF-8. Null if none fits. */
  found: z.object({ hex: z.string(), text: z.string().nullable() }).nullable(),
});

export type PassphraseFound = z.infer<typeof passphraseFound>;

/** More tries would take years. */
export const MOST_TRIES = 100_000_000;

/**
 * Parses pieces, one a line: `|` separates alternatives, `?` precedes an optional piece, a backslash escapes the next
 * character, and `\0` is the zero byte. Skips empty lines. Null without a piece, or with more than a search allows.
 */
export function memoryOf(text: string, variations: PassphraseVariations): PassphraseMemory | null {
  return passphraseMemory.safeParse({ ...variations, pieces: piecesIn(text) }).data ?? null;
}

function piecesIn(text: string): z.infer<typeof piece>[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map((line) => {
      const optional = line.startsWith('?');
      const alternatives = [''];
      for (const [part] of (optional ? line.slice(1) : line).matchAll(/\\?./gsu)) {
        if (part === '|') alternatives.push('');
        else alternatives.push(`${alternatives.pop() ?? ''}${plain(part)}`);
      }
      return { alternatives, optional };
    });
}

function plain(part: string): string {
  if (part === '\\0') return '\0';
  return part.length > 1 && part.startsWith('\\') ? part.slice(1) : part;
}
