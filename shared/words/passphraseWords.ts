/** A search for a passphrase in words: what it will take, and how far it is. */
import type { PassphraseCount, PassphraseProgress } from '../passphrase/passphraseMemory.ts';
import { say } from '../text/say.ts';
import { formatElapsed } from './format/formatDuration.ts';
import { formatShare } from './format/formatShare.ts';

/** How many tries at how many a second, how long they take, and where an earlier search stopped. */
export function passphraseCountLines({ tries, exact, done, perSecond, seconds }: PassphraseCount): string[] {
  return [
    exact
      ? say('{tries, plural, one {# try} other {# tries}}.', { tries })
      : say('At most {tries, number} tries.', { tries }),
    say('About {rate, number} a second here: {time} at most.', {
      rate: rounded(perSecond),
      time: formatElapsed(Math.ceil(seconds)),
    }),
    ...(done > 0 ? [say('An earlier search stopped after {done, number}.', { done })] : []),
  ];
}

/** `plain`: for those who get a line each, one for each hundredth. */
export function passphraseProgressLine(
  { tried, tries, perSecond, seconds }: PassphraseProgress,
  plain: boolean,
): string {
  const share = formatShare(plain ? Math.floor((tried / tries) * 100) / 100 : tried / tries);
  if (plain) return share;
  const counts = say('{tried, number} tries, {rate, number} a second', { tried, rate: rounded(perSecond) });
  return [share, counts, say('{time} left at most', { time: formatElapsed(seconds) })].join(' · ');
}

function rounded(rate: number): number {
  return Number(rate.toPrecision(2));
}
