/** What a passphrase nearly remembered may have been: every candidate once, in an order that stays. */
import type { PassphraseMemory } from '../../../shared/model/search/passphraseMemory.ts';
import { countOfBases, madeBases } from './bases.ts';
import { capitalsOf, countOfCapitals } from './capitals.ts';
import { countOfEncodings, encodingsOf } from './encodings.ts';
import { countOfLayouts, typedElsewhere } from './keyboards.ts';
import { countOfTypos, typosOf } from './typos.ts';

/**
 * As bytes, those with fewer typing errors first. The order depends on the memory alone, so that a search goes on where
 * it was by leaving out as many. None comes twice within `REMEMBERED`; the empty one never comes.
 */
export function* candidates(memory: PassphraseMemory): Generator<Uint8Array> {
  const seen = createSeen();
  const letters = lettersOf(memory);
  for (let typos = 0; typos <= memory.typos; typos += 1) {
    for (const base of madeBases(memory)) {
      for (const meant of memory.capitals ? capitalsOf(base) : [base.join('')]) {
        for (const typed of memory.keyboards ? typedElsewhere(meant) : [meant]) {
          for (const text of typosOf(typed, typos, letters)) {
            for (const bytes of encodingsOf(text, memory.encodings)) {
              if (bytes.length > 0 && seen(bytes)) yield bytes;
            }
          }
        }
      }
    }
  }
}

/**
 * How many candidates there are: counted, where that takes a moment; else an upper bound, which counts equal ones as
 * often as they are made.
 */
export function countCandidates(memory: PassphraseMemory): {
  readonly tries: number;
  readonly exact: boolean;
} {
  const most = mostCandidates(memory);
  if (most > COUNTED) return { tries: most, exact: false };
  let tries = 0;
  for (const _ of candidates(memory)) tries += 1;
  return { tries, exact: true };
}

/** An upper bound; infinite where it is beyond all numbers. */
export function mostCandidates(memory: PassphraseMemory): number {
  const { pieces } = memory;
  const lengths = pieces.map(({ alternatives }) => Math.max(...alternatives.map((one) => [...one].length)));
  const longest = lengths.reduce((sum, length) => sum + length, memory.spaces ? pieces.length - 1 : 0);
  const letters = lettersOf(memory);
  const plain = letters.every((letter) => letter >= ' ' && letter <= '~') && !memory.keyboards;
  const meant = countOfBases(memory, (parts) => (memory.capitals ? countOfCapitals(parts) : 1));
  const typed = memory.keyboards ? countOfLayouts : 1;
  return (
    meant *
    typed *
    countOfTypos(longest, memory.typos, letters.length) *
    countOfEncodings(memory.encodings && !plain)
  );
}

/** A moment's work. */
const COUNTED = 100_000;
/** About 50 MB for the two halves. */
const REMEMBERED = 250_000;
const REMEMBERED_IN_A_HALF = REMEMBERED / 2;

/** Tells of bytes whether they are new, as far as it remembers. */
function createSeen(): (bytes: Uint8Array) => boolean {
  let older = new Set<string>();
  let newer = new Set<string>();
  return (bytes) => {
    const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    if (newer.has(key) || older.has(key)) return false;
    if (newer.size >= REMEMBERED_IN_A_HALF) [older, newer] = [newer, new Set()];
    newer.add(key);
    return true;
  };
}

/** What may have been typed for another character: all of ASCII, and what stands in the pieces. */
function lettersOf({ pieces }: PassphraseMemory): readonly string[] {
  const ascii = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
  return [...new Set([...ascii, ...pieces.flatMap(({ alternatives }) => [...alternatives.join('')])])];
}
