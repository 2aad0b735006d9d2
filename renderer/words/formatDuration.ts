/** Lengths of time in words, for work that may take seconds or days. */
import { say } from '../../shared/say.ts';

/** Elapsed time: `42 s`, `3 min 05 s`, `2 h 14 min`, `3 d 4 h`. Seconds, fractions cut off, never below zero. */
export function formatElapsed(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < MINUTE) return `${whole} s`;
  if (whole < HOUR)
    return say('{floor} min {pad} s', { floor: Math.floor(whole / MINUTE), pad: pad(whole % MINUTE) });
  if (whole < DAY) return `${Math.floor(whole / HOUR)} h ${pad(Math.floor((whole % HOUR) / MINUTE))} min`;
  return `${Math.floor(whole / DAY)} d ${Math.floor((whole % DAY) / HOUR)} h`;
}

/** An estimate, no finer than it is honest: `less than a minute left`, `about 35 min left`, `about 2.5 h left`. */
export function formatLeft(seconds: number): string {
  if (seconds < MINUTE) return say('less than a minute left');
  if (seconds < 10 * MINUTE) return say('about {round} min left', { round: Math.round(seconds / MINUTE) });
  if (seconds < 1.5 * HOUR)
    return say('about {round} min left', { round: Math.round(seconds / (5 * MINUTE)) * 5 });
  if (seconds < 10 * HOUR)
    return say('about {round} h left', { round: Math.round((seconds / HOUR) * 2) / 2 });
  if (seconds < 2 * DAY) return say('about {round} h left', { round: Math.round(seconds / HOUR) });
  return say('about {round} days left', { round: Math.round(seconds / DAY) });
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function pad(part: number): string {
  return part.toString().padStart(2, '0');
}
