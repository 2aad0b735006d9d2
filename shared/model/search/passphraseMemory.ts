/** A passphrase nearly remembered: what its owner still knows of it, and how many tries that makes. */
import { z } from 'zod';
import { count } from '../shapes.ts';

const piece = z.object({
  /** What may stand here: one of these. */
  alternatives: z.array(z.string().max(1000)).min(1).max(100),
  /** Whether it may be missing. */
  optional: z.boolean(),
});

/** The pieces of a passphrase, and in which ways it may differ from them. Secret. */
export const passphraseMemory = z.object({
  pieces: z.array(piece).min(1).max(12),
  /** The pieces in any order. */
  orders: z.boolean(),
  /** With spaces between the pieces, too. */
  spaces: z.boolean(),
  /** First letters, all letters, Caps Lock. */
  capitals: z.boolean(),
  /** So many typing errors at most. */
  typos: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  /** Typed on a keyboard of another layout than was meant. */
  keyboards: z.boolean(),
  /** Other Unicode forms, and the code pages of old systems. */
  encodings: z.boolean(),
});

export type PassphraseMemory = z.infer<typeof passphraseMemory>;
/** In which ways. */
export type PassphraseVariations = Omit<PassphraseMemory, 'pieces'>;

export const NO_VARIATIONS: PassphraseVariations = {
  orders: false,
  spaces: false,
  capitals: false,
  typos: 0,
  keyboards: false,
  encodings: false,
};

/** What a search will take. */
export const passphraseCount = z.object({
  tries: count,
  /** False: `tries` is an upper bound, because equal ones are found only on the way. */
  exact: z.boolean(),
  /** Of an earlier search of the same pieces on the same wallet, which goes on there. */
  done: count,
  /** Whether the last search on this wallet was of other pieces: this one begins anew, and takes its place. */
  others: z.boolean(),
  /** Tries per second on all cores, and seconds for what is left. Both are estimates. */
  perSecond: z.number().nonnegative(),
  seconds: z.number().nonnegative(),
});

export type PassphraseCount = z.infer<typeof passphraseCount>;

/** What came of a search that was not stopped. `tried` counts what an earlier search tried, too. */
export const passphraseFound = z.object({
  tried: count,
  /** The passphrase, secret: its bytes in hex, and its text where they are UTF-8. Null: none fitted. */
  found: z.object({ hex: z.string(), text: z.string().nullable() }).nullable(),
});

export type PassphraseFound = z.infer<typeof passphraseFound>;

/** More would take years, or have an app search for what nobody remembers. */
export const MOST_TRIES = 100_000_000;

/**
 * Of pieces as they are typed, one in a line: `|` stands between alternatives, `?` before a piece that may be missing. A
 * backslash before a character takes that for itself; `\0` is the zero byte. Empty lines are none. Null where there is no
 * piece, or more than can be searched.
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
