/**
 * Long searches: their progress, the result of searching a disk image, and a half-remembered passphrase with the number of tries that
 * it needs.
 */
import { z } from 'zod/mini';
import { failure } from './findings/fileError.ts';
import { count, path, textUpTo } from './shapes.ts';

/**
 * Progress in tries or bytes; `done` includes an earlier search that this one continues. The rate is measured, the
 * seconds left are an estimate.
 */
export const searchProgress = z.object({
  done: count,
  total: count,
  perSecond: z.number().check(z.nonnegative()),
  seconds: z.number().check(z.nonnegative()),
});
export type SearchProgress = z.infer<typeof searchProgress>;

/** Deleted wallets that a search found in a disk image, a device or a folder of fragments. */
export const imageSearchResult = z.object({
  /** The one with the most keys first. */
  wallets: z.array(
    z.object({
      kind: z.enum(['berkeley-db', 'sqlite']),
      /** Records of private keys, not proved yet. */
      keys: count,
      encrypted: z.boolean(),
      pages: count,
      /** The written file; null if writing was not requested, or failed. */
      path: z.nullable(path),
      /** Whether an earlier search wrote it. */
      wasThere: z.boolean(),
      /** Why it could not be written. */
      error: z.nullable(failure),
    }),
  ),
  /** Bytes that the disk could not read. */
  unread: count,
  /** Whether pieces that matter are left over: a master key, or more pieces than the app keeps. */
  leftOver: z.boolean(),
  /** Other users of this Windows computer may be able to read the written files. Absent otherwise. */
  othersMayRead: z.optional(z.literal(true)),
});
export type ImageSearchResult = z.infer<typeof imageSearchResult>;

const piece = z.object({
  /** One of these stands here. */
  alternatives: z.array(textUpTo(1000)).check(z.minLength(1), z.maxLength(100)),
  /** Whether the piece may be missing. */
  optional: z.boolean(),
});

/** The pieces of a passphrase and the possible variations. Secret. */
export const passphraseClues = z.object({
  pieces: z.array(piece).check(z.minLength(1), z.maxLength(12)),
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

export type PassphraseClues = z.infer<typeof passphraseClues>;
export type PassphraseVariations = Omit<PassphraseClues, 'pieces'>;

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
  perSecond: z.number().check(z.nonnegative()),
  seconds: z.number().check(z.nonnegative()),
});

export type PassphraseEstimate = z.infer<typeof passphraseCount>;

/** The result of a complete search. `tried` includes the tries of an earlier search. */
export const passphraseSearchResult = z.object({
  tried: count,
  /** The passphrase (secret): its bytes in hex, and its text if they are UTF-8. Null if none fits. */
  found: z.nullable(z.object({ hex: z.string(), text: z.nullable(z.string()) })),
});

export type PassphraseSearchResult = z.infer<typeof passphraseSearchResult>;

/** More tries would take years. */
export const MAX_TRIES = 100_000_000;

/**
 * Parses pieces, one a line: `|` separates alternatives, `?` precedes an optional piece, a backslash escapes the next
 * character, and `\0` is the zero byte. Skips empty lines. Null without a piece, or with more than a search allows.
 */
export function parseClues(text: string, variations: PassphraseVariations): PassphraseClues | null {
  return passphraseClues.safeParse({ ...variations, pieces: piecesIn(text) }).data ?? null;
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
