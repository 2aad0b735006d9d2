/** Words for searches that take long: for deleted wallets, and for a passphrase. */
import type { ImageSearchResult, PassphraseEstimate, SearchProgress } from '../model/searches.ts';
import { findingHint, findingText } from './findings/findingWords.ts';
import { OTHERS_MAY_READ } from './findings/hints.ts';
import { counted, formatShare, formatSize } from './format/formatNumber.ts';
import { formatElapsed, formatLeft } from './format/formatTime.ts';
import { KIND_NAMES } from './format/names.ts';
import { joinList } from './format/perRegion.ts';
import { say } from './say.ts';

export const SEARCH_STOPPED = say('Stopped. Search again to continue.');

/** `plain`: for output that prints a line for each percent. */
export function imageProgressLine(progress: SearchProgress, plain: boolean): string {
  const { done, total, perSecond } = progress;
  const far = say('{done} of {all}', { done: formatSize(done), all: formatSize(total) });
  const rate = say('{size} a second', { size: formatSize(Math.round(perSecond)) });
  return progressLine(progress, plain, [far, rate]);
}

function progressLine(
  { done, total, seconds }: SearchProgress,
  plain: boolean,
  facts: readonly string[],
): string {
  const share = total === 0 ? 1 : done / total;
  if (plain) return formatShare(Math.floor(share * 100) / 100);
  return [formatShare(share), ...facts, formatLeft(seconds)].join(' · ');
}

/** The unverified facts of a found wallet. */
export function foundWords({
  kind,
  keys,
  encrypted,
  wasThere,
}: ImageSearchResult['wallets'][number]): string {
  return joinList([
    KIND_NAMES[kind === 'sqlite' ? 'descriptor' : 'legacy'],
    counted.privateKeys(keys),
    encrypted && say('Encrypted'),
    wasThere && say('Written before'),
  ]);
}

/** What the search could not find, read or write, and who may read what it wrote, a sentence each. */
export function imageNotes({ wallets, unread, leftOver, othersMayRead }: ImageSearchResult): string[] {
  return [
    ...(wallets.length === 0 ? [say('No wallets found.')] : []),
    ...wallets.flatMap(({ error }) =>
      error ? [`${findingText(error.finding)} ${findingHint(error.finding)}`] : [],
    ),
    ...(unread > 0 ? [say('Not readable: {size}.', { size: formatSize(unread) })] : []),
    ...(leftOver ? [say('Some pieces fit no wallet.')] : []),
    ...(othersMayRead ? [OTHERS_MAY_READ] : []),
  ];
}

/** The syntax of pieces, see `parseClues`. */
export const PIECES_HINT = say('red|blue means red or blue, ?my may be missing.');

export const NONE_FITS = say('No passphrase fits.');

export const PIECES_LACKING = say('Enter 1 to 12 pieces.');

/** For a found passphrase that cannot be typed anywhere. */
export const NOT_UTF8 = say('Not UTF-8: no node accepts it.');

/** The number of tries, their rate and duration, and where an earlier search stopped. */
export function passphraseCountLines(count: PassphraseEstimate): string[] {
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
export function passphraseProgressLine(progress: SearchProgress, plain: boolean): string {
  const { done, total, perSecond } = progress;
  const rate = say('{rate, number} tries a second', { rate: rounded(perSecond) });
  const far = say('{done, number} of {all, number} done', { done, all: total });
  return progressLine(progress, plain, [rate, far]);
}

function rounded(rate: number): number {
  return Number(rate.toPrecision(2));
}
