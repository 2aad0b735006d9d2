/** Formats Unix seconds for the user's time zone and region. */
import { perRegion } from './perRegion.ts';

const DAY_AND_CLOCK = perRegion(
  (region) => new Intl.DateTimeFormat(region, { dateStyle: 'medium', timeStyle: 'short' }),
);
const DAY = perRegion((region) => new Intl.DateTimeFormat(region, { dateStyle: 'medium' }));
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
  return DAY().format(dateOf(unixSeconds));
}

/** The time of day if it was today, else the day. */
export function formatDayOrClock(unixSeconds: number, now = new Date()): string {
  const isToday = dateOf(unixSeconds).toDateString() === now.toDateString();
  return isToday ? formatClock(unixSeconds) : formatDay(unixSeconds);
}

/** The years 1 to 9999: a file or a node can contain a time outside all calendars, on which `Intl` throws. */
const LATEST = 253_402_300_799;
const EARLIEST = -62_135_596_800;

function dateOf(unixSeconds: number): Date {
  return new Date(Math.min(LATEST, Math.max(EARLIEST, unixSeconds)) * 1000);
}
