/** Durations of work, from seconds to days. */
import { say } from '../say.ts';
import { perRegion } from './perRegion.ts';

/** Elapsed time: `42 s`, `3 min 05 s`, `2 h 14 min`, `3 d 4 h`. Seconds, fractions cut off, never below zero. */
export function formatElapsed(elapsed: number): string {
  const whole = Math.max(0, Math.floor(elapsed));
  const days = Math.floor(whole / DAY);
  const hours = Math.floor((whole % DAY) / HOUR);
  const minutes = Math.floor((whole % HOUR) / MINUTE);
  const seconds = whole % MINUTE;
  if (whole < MINUTE) return say('{seconds, number} s', { seconds });
  if (whole < HOUR) {
    return say('{minutes, number} min {seconds} s', { minutes, seconds: TWO_DIGITS().format(seconds) });
  }
  return whole < DAY
    ? say('{hours, number} h {minutes} min', { hours, minutes: TWO_DIGITS().format(minutes) })
    : say('{days, number} d {hours, number} h', { days, hours });
}

/** An estimate, coarsely rounded: `under a minute left`, `about 35 min left`, `about 2.5 h left`. Input in seconds. */
export function formatLeft(seconds: number): string {
  if (seconds < MINUTE) return say('under a minute left');
  if (seconds < 10 * MINUTE) return minutesLeft(Math.round(seconds / MINUTE));
  if (seconds < 1.5 * HOUR) return minutesLeft(Math.round(seconds / (5 * MINUTE)) * 5);
  if (seconds < 10 * HOUR) return hoursLeft(Math.round((seconds / HOUR) * 2) / 2);
  if (seconds < 2 * DAY) return hoursLeft(Math.round(seconds / HOUR));
  const days = Math.round(seconds / DAY);
  return say('about {days, number} days left', { days });
}

const minutesLeft = (minutes: number) => say('about {minutes, number} min left', { minutes });
const hoursLeft = (hours: number) => say('about {hours, number} h left', { hours });

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TWO_DIGITS = perRegion((region) => new Intl.NumberFormat(region, { minimumIntegerDigits: 2 }));
