/** Words for the lines of a text with keys. */
import type { LineState, TextLines } from '../model/findings/textLines.ts';
import { counted } from './format/formatNumber.ts';
import { say } from './say.ts';

/** `Line 2: wrong character.` */
export function damagedLine({ line, column, why, letter = '' }: TextLines['damaged'][number]): string {
  if (why === 'letter')
    return say('Line {line, number}, character {column, number}: no key has “{letter}”.', {
      ...{ line, column, letter },
    });
  return say('Line {line, number}: {damage}.', { line, damage: DAMAGES[why] });
}

const DAMAGES: Readonly<Record<Exclude<TextLines['damaged'][number]['why'], 'letter'>, string>> = {
  length: say('wrong key length'),
  checksum: say('wrong character'),
  descriptor: say('incomplete or wrong descriptor'),
  coin: say('another coin’s key'),
  network: say('another network’s key'),
  address: say('another address’s key'),
};

/** `Readable: 2 of 3 lines with keys.` */
export function linesSummary({ keys, taken, damaged }: TextLines): string {
  const of = taken + new Set(damaged.map(({ line }) => line)).size;
  if (of === 1)
    return say('Damaged keys: {damaged, number}. Readable: {keys, number}.', {
      ...{ damaged: damaged.length, keys },
    });
  return say('Readable: {taken, number} of {of, number} lines with keys.', { taken, of });
}

/** `Key`, `Comment`; null for an empty line. */
export function lineStateWord(state: LineState): string | null {
  const words = { taken: say('Key'), comment: say('Comment'), other: say('No key'), damaged: say('Damaged') };
  return state === 'empty' ? null : words[state];
}

/** `Go on without 2 keys`. */
export function goOnWithoutKeys({ damaged }: TextLines): string {
  return say('Go on without {keys}', { keys: counted.keys(damaged.length) });
}
