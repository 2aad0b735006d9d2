/** Words for the lines of a text with keys. */
import type { LineState, TextLines } from '../model/findings/textLines.ts';
import { say } from './say.ts';

/** `Line 2: a character is wrong.` */
export function damagedLine({ line, column, why, letter = '' }: TextLines['damaged'][number]): string {
  if (why === 'letter')
    return say('Line {line, number}, character {column, number}: no key has “{letter}”.', {
      ...{ line, column, letter },
    });
  return say('Line {line, number}: {damage}.', { line, damage: DAMAGES[why] });
}

const DAMAGES: Readonly<Record<Exclude<TextLines['damaged'][number]['why'], 'letter'>, string>> = {
  length: say('the key is too short or too long'),
  checksum: say('a character is wrong'),
  descriptor: say('the descriptor is incomplete or wrong'),
  coin: say('a key of another coin'),
  network: say('a key of another Bitcoin network'),
  address: say('the key does not belong to the address next to it'),
};

/** `2 of 3 lines with keys can be read.` */
export function linesSummary({ keys, taken, damaged }: TextLines): string {
  const of = taken + new Set(damaged.map(({ line }) => line)).size;
  if (of === 1)
    return say('Damaged keys: {damaged, number}. Readable: {keys, number}.', {
      ...{ damaged: damaged.length, keys },
    });
  return say('{taken, number} of {of, number} lines with keys can be read.', { taken, of });
}

/** `Key`, `Comment`; null for an empty line. */
export function lineStateWord(state: LineState): string | null {
  const words = { taken: say('Key'), comment: say('Comment'), other: say('No key'), damaged: say('Damaged') };
  return state === 'empty' ? null : words[state];
}

/** `Go on without these 2 keys`. */
export function goOnWithoutKeys({ damaged }: TextLines): string {
  return say('Go on without {count, plural, one {this key} other {these # keys}}', { count: damaged.length });
}
