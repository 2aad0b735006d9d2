/** A moment, given in Unix seconds, in the time zone of the user. The page speaks English, so its dates do. */
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** `21 Nov 2025, 14:05`. */
export function formatTime(unixSeconds: number): string {
  const date = dateOf(unixSeconds);
  return `${DAY.format(date)}, ${CLOCK.format(date)}`;
}

/** `14:05`, for what happened today. */
export function formatClock(unixSeconds: number): string {
  return CLOCK.format(dateOf(unixSeconds));
}

/** The years 1 to 9999: a file or a node can name a time that no calendar has, which would stop the page. */
const LATEST = 253_402_300_799;
const EARLIEST = -62_135_596_800;

function dateOf(unixSeconds: number): Date {
  return new Date(Math.min(LATEST, Math.max(EARLIEST, unixSeconds)) * 1000);
}
