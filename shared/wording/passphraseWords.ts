/** Words for a passphrase search: its cost and its progress. */
import type { PassphraseCount } from '../model/search/passphraseMemory.ts';
import type { SearchProgress } from '../model/search/searches.ts';
import { formatElapsed, formatLeft } from './format/formatDuration.ts';
import { formatShare } from './format/formatShare.ts';
import { say } from './say.ts';

/** The syntax of pieces, see `memoryOf`. */
export const PIECES_HINT = say('red|blue means red or blue, ?my may be missing.');

export const PIECES_LACKING = say('Give 1 to 12 pieces.');

/** For a found passphrase that cannot be typed anywhere. */
export const NOT_UTF8 = say('Not UTF-8, which nodes need.');

/** The number of tries, their rate and duration, and where an earlier search stopped. */
export function passphraseCountLines(count: PassphraseCount): string[] {
  const { tries, exact, done, others, perSecond, seconds } = count;
  return [
    exact ? say('Tries: {tries, number}.', { tries }) : say('Tries: at most {tries, number}.', { tries }),
    say('{rate, number} a second: {time} at most.', {
      rate: rounded(perSecond),
      time: formatElapsed(Math.ceil(seconds)),
    }),
    ...(done > 0 ? [say('Tried before: {done, number}.', { done })] : []),
    ...(others ? [say('Different pieces: the search starts again.')] : []),
  ];
}

/** `plain`: for output that prints a line for each percent. */
export function passphraseProgressLine(
  { done, total, perSecond, seconds }: SearchProgress,
  plain: boolean,
): string {
  const share = formatShare(plain ? Math.floor((done / total) * 100) / 100 : done / total);
  if (plain) return share;
  const rate = say('{rate, number} tries a second', { rate: rounded(perSecond) });
  const far = say('{done, number} of {all, number} done', { done, all: total });
  return [share, far, rate, formatLeft(seconds)].join(' · ');
}

function rounded(rate: number): number {
  return Number(rate.toPrecision(2));
}
