/** How long a rescan will still take, from how it went so far: told only once the answer holds still. */

/** How much was done at a time: `at` in seconds, `done` a share of the whole that ends at 1. */
export interface Sample {
  readonly at: number;
  readonly done: number;
}

/**
 * The samples with one more. Samples closer than five seconds to the last one are left out; one that goes back
 * begins anew, as another rescan does. The newest twelve are kept: the speed of the last minutes tells more of
 * what is to come than that of the first blocks, which hold little.
 */
export function addSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1);
  if (last === undefined || sample.done < last.done) return [sample];
  if (sample.at - last.at < CLOSEST_SECONDS) return samples;
  return [...samples, sample].slice(-MOST_SAMPLES);
}

/**
 * Seconds left at the time `now`, or null while it would be a guess: it takes three samples over twenty seconds,
 * and the end that they foretell must lie within a fifth of the remaining time (or ten seconds) of what they
 * foretold without the last one.
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

/** The time at which everything is done if it goes on as between these two. */
function endOf(first: Sample, last: Sample | undefined): number | null {
  if (last === undefined || last.at <= first.at || last.done <= first.done) return null;
  return last.at + ((1 - last.done) * (last.at - first.at)) / (last.done - first.done);
}
