/** Says what became of the lines of a text with keys. */
import type { LineState, TextLines } from '../model/findings/textLines.ts';
import { say } from './say.ts';

/** `Line 2: a letter of this key is wrong.` */
export function damagedLine({ line, column, why, letter = '' }: TextLines['damaged'][number]): string {
  switch (why) {
    case 'letter':
      return say('Line {line, number}, character {column, number}: no key has “{letter}”.', {
        ...{ line, column, letter },
      });
    case 'length':
      return say('Line {line, number}: the key is too short or too long.', { line });
    case 'checksum':
      return say('Line {line, number}: a character is wrong.', { line });
    case 'descriptor':
      return say('Line {line, number}: the descriptor is incomplete or wrong.', { line });
    case 'coin':
      return say('Line {line, number}: a key of another coin.', { line });
    case 'network':
      return say('Line {line, number}: a key of another Bitcoin network.', { line });
    case 'address':
      return say('Line {line, number}: the key does not belong to the address next to it.', { line });
  }
}

/** `2 of 3 lines with keys can be read.` */
export function linesSummary({ keys, taken, damaged }: TextLines): string {
  const of = taken + new Set(damaged.map(({ line }) => line)).size;
  if (of === 1)
    return say(
      '{count, plural, one {# key is damaged} other {# keys are damaged}}, {keys, number} can be read.',
      {
        ...{ count: damaged.length, keys },
      },
    );
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
