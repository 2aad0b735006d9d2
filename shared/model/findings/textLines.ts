/** The result of reading each line of a text with keys. */
import { z } from 'zod/mini';
import { count } from '../shapes.ts';

/**
 * The damage of a key in a text. `letter`: no key has this letter. `length`: too short or too long.
 * `checksum`: one or more letters are wrong. `descriptor`: a descriptor that no Bitcoin Core reads. `coin`: the key of another
 * coin. `network`: a key of another Bitcoin network. `address`: the key does not fit the address that the text names. `cut`: the last
 * line of a dump that lacks its end, so that keys may be missing.
 */
const keyDamage = z.object({
  /** Of the wrong letter, or of the first letter of the key, from 1. */
  column: count,
  why: z.enum(['letter', 'length', 'checksum', 'descriptor', 'coin', 'network', 'address', 'cut']),
  letter: z.optional(z.string()),
  /** Of a descriptor whose private key is read: only what it makes of the key is unknown. */
  isKeyRead: z.optional(z.literal(true)),
});
export type KeyDamage = z.infer<typeof keyDamage>;

/** `other`: a line without a key. `taken`: all its keys are read. The app also reads the whole keys of a damaged line. */
const lineState = z.enum(['empty', 'taken', 'comment', 'other', 'damaged']);
export type LineState = z.infer<typeof lineState>;

export const textLines = z.object({
  /** Number of keys and descriptors that can be read. */
  keys: count,
  /** Number of lines whose keys are all read. */
  taken: count,
  /** Line numbers count from 1 and include empty lines. */
  damaged: z.array(z.extend(keyDamage, { line: count })),
  /** The state of each of the first 1,000 lines. */
  states: z.array(lineState),
});
/**
 * Of a wallet that is made of a text. `unchecked`: a descriptor has no checksum, so that a typing error would give another wallet. What
 * the wallet leaves out: watch-only descriptors beside private keys, or keys of a multisig wallet beside others.
 */
export const textNote = z.enum(['unchecked', 'watch-only', 'multisig']);
export type TextNote = z.infer<typeof textNote>;

export type TextLines = z.infer<typeof textLines>;

/** The damages whose keys are lost, and the number of lines with keys. */
export function countDamage({ taken, damaged }: Pick<TextLines, 'taken' | 'damaged'>) {
  const lost = damaged.filter(({ isKeyRead }) => !isKeyRead);
  return { lost: lost.length, of: taken + new Set(lost.map(({ line }) => line)).size };
}
