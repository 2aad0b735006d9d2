/** What became of each line of a text with keys. */
import { z } from 'zod';
import { count } from '../shapes.ts';

/**
 * What is wrong with a word that looks like a key. `letter`: no key has this letter. `length`: too short or too long.
 * `checksum`: one or more letters are wrong. `descriptor`: a descriptor that no Bitcoin Core reads. `coin`: the key of another
 * coin. `network`: a key of another Bitcoin network. `address`: the key does not fit the address that the text names.
 */
export const keyDamage = z.object({
  /** Of the wrong letter or of the start of the word, from 1. */
  column: count,
  why: z.enum(['letter', 'length', 'checksum', 'descriptor', 'coin', 'network', 'address']),
  letter: z.string().optional(),
});
export type KeyDamage = z.infer<typeof keyDamage>;

/** `other`: a line without a key. Of a damaged line, the other keys are taken. */
export const lineState = z.enum(['empty', 'taken', 'comment', 'other', 'damaged']);
export type LineState = z.infer<typeof lineState>;

export const textLines = z.object({
  /** Number of keys and descriptors that can be read. */
  keys: count,
  /** Number of lines of which every key is taken. */
  taken: count,
  /** Lines are counted from 1, the empty ones too. */
  damaged: z.array(keyDamage.extend({ line: count })),
  /** The state of each line, at most of the first 1,000. */
  states: z.array(lineState),
});
export type TextLines = z.infer<typeof textLines>;
