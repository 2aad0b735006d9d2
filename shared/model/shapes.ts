/** The basic shapes, each with its bounds. */
import { z } from 'zod/mini';

export const count = z.int().check(z.nonnegative());

/** Of at most this many UTF-16 code units. */
export function textUpTo(most: number) {
  return z.string().check(z.maxLength(most));
}

/** A shape whose values become others once they are parsed. */
export function convert<S extends z.ZodMiniType, T>(shape: S, change: (value: z.output<S>) => T) {
  return z.pipe(shape, z.transform(change));
}

/** Seconds since 1970, as nodes and file systems report them. */
export const unixSeconds = z.number().check(z.nonnegative());

export const MAX_PATH_LENGTH = 4096;
/** A path without a zero byte: no file system allows one, and some programs stop reading there. */
export const path = z.string().check(
  z.minLength(1),
  z.maxLength(MAX_PATH_LENGTH),
  z.refine((text) => !text.includes('\0')),
);

/** A share of a whole, 0 to 1. */
export const fraction = z.number().check(z.gte(0), z.lte(1));

/** Any text from a node, bounded so that it cannot flood the page. */
export const nodeText = textUpTo(20_000);

export const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** A file's device and inode in decimal: both can be larger than a number of JavaScript keeps exactly. */
export const fileMark = z.object({ dev: z.string(), ino: z.string() });
export type FileMark = z.infer<typeof fileMark>;

/** A list that may be too long to show: its exact length, and at most 10,000 of its items, or 100 in a finding. */
export function truncatedList<T extends z.ZodMiniType>(item: T) {
  return z.object({ total: count, shown: z.readonly(z.array(item)) });
}
export interface TruncatedList<T> {
  total: number;
  shown: readonly T[];
}

/** Parses JSON without checking its shape; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
