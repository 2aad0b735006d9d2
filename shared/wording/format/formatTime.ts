/** Times, for the user's time zone and region, and durations from seconds to days. */
import { say } from '../say.ts';
import { perRegion } from './perRegion.ts';

const DAY_AND_CLOCK = perRegion(
  (region) => new Intl.DateTimeFormat(region, { dateStyle: 'medium', timeStyle: 'short' }),
);
const ONLY_DAY = perRegion((region) => new Intl.DateTimeFormat(region, { dateStyle: 'medium' }));
const CLOCK = perRegion((region) => new Intl.DateTimeFormat(region, { timeStyle: 'short' }));

/** `21 Nov 2025, 14:05`. */
export function formatTime(unixSeconds: number): string {
  return DAY_AND_CLOCK().format(dateOf(unixSeconds));
}

/** `14:05`, for today. */
export function formatClock(unixSeconds: number): string {
  return CLOCK().format(dateOf(unixSeconds));
}

/** `21 Nov 2025`. */
export function formatDay(unixSeconds: number): string {
  return ONLY_DAY().format(dateOf(unixSeconds));
}

/** The time of day if it was today, else the day. */
export function formatDayOrClock(unixSeconds: number): string {
  const isToday = dateOf(unixSeconds).toDateString() === new Date().toDateString();
  return isToday ? formatClock(unixSeconds) : formatDay(unixSeconds);
}

/** The years 1 to 9999: a file or a node can contain a time outside all calendars, on which `Intl` throws. */
const LATEST = 253_402_300_799;
const EARLIEST = -62_135_596_800;

function dateOf(unixSeconds: number): Date {
  return new Date(Math.min(LATEST, Math.max(EARLIEST, unixSeconds)) * 1000);
}

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
