/** A moment, given in Unix seconds, in the time zone of the user. The page speaks English, so its dates do. */
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** `21 Nov 2025, 14:05`. */
export function formatTime(unixSeconds: number): string {
  const date = new Date(unixSeconds * 1000);
  return `${DAY.format(date)}, ${CLOCK.format(date)}`;
}

/** `14:05`, for what happened today. */
export function formatClock(unixSeconds: number): string {
  return CLOCK.format(new Date(unixSeconds * 1000));
}
