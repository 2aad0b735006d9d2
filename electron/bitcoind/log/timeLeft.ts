/** Estimates the time left in a rescan, once the estimate is stable. */

/** Progress at a time: `at` in seconds, `done` a fraction from 0 to 1. */
export interface Sample {
  readonly at: number;
  readonly done: number;
}

/**
 * Adds a sample. Skips samples less than five seconds after the last one; a sample that goes back starts over, as
 * another rescan does. Keeps the newest twelve: recent speed predicts better than the first blocks, which are small.
 */
export function addSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1);
  if (last === undefined || sample.done < last.done) return [sample];
  if (sample.at - last.at < CLOSEST_SECONDS) return samples;
  return [...samples, sample].slice(-MOST_SAMPLES);
}

/**
 * Seconds left at the time `now`, or null while it would be a guess: it needs three samples over twenty seconds, and
 * an estimated end within a fifth of the remaining time (or ten seconds) of the estimate without the last sample.
 */
export function secondsLeft(samples: readonly Sample[], now: number): number | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined || samples.length < FEWEST_SAMPLES) return null;
  if (last.at - first.at < SHORTEST_SPAN_SECONDS) return null;
  const end = endOf(first, last);
  const before = endOf(first, samples.at(-2));
  if (end === null || before === null) return null;
  const remaining = Math.max(end - last.at, before - last.at);
  if (Math.abs(end - before) > Math.max(STEADY_SHARE * remaining, STEADY_SECONDS)) return null;
  return Math.max(0, end - now);
}

const CLOSEST_SECONDS = 5;
const MOST_SAMPLES = 12;
const FEWEST_SAMPLES = 3;
const SHORTEST_SPAN_SECONDS = 20;
const STEADY_SHARE = 0.2;
const STEADY_SECONDS = 10;

/** The estimated end, assuming constant speed between two samples. */
function endOf(first: Sample, last: Sample | undefined): number | null {
  if (last === undefined || last.at <= first.at || last.done <= first.done) return null;
  return last.at + ((1 - last.done) * (last.at - first.at)) / (last.done - first.done);
}
