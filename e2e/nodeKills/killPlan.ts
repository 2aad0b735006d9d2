/** Draws from a seed which job a real node runs, and what stops it when. */
import { type SeededRandom, seededRandom } from '../hardship/seededRandom.ts';

export const jobs = ['migrate', 'restore-migrate', 'restore', 'rescue', 'backup'] as const;
export type Job = (typeof jobs)[number];

/**
 * `node`: the node is killed. `app`: the app is. `power`: both, and what the node did not flush is gone. `line`: the
 * connection is cut. `waiting`: it is, and the user stops waiting. `disk`: the disk of the wallets folder is full.
 */
export const stops = ['node', 'app', 'both', 'line', 'waiting', 'power', 'disk'] as const;
export type Stop = (typeof stops)[number];

export interface KillPlan {
  readonly seed: number;
  readonly job: Job;
  readonly stop: Stop;
  /** Name of the recorded wallet; `large` is one of 1,000 keys. */
  readonly recording: string;
  /** On the node; empty for the unnamed wallet. */
  readonly name: string;
  /** When: this share of the time that the whole job takes, or that the node's long call takes. */
  readonly share: number;
  readonly of: 'job' | 'call';
  /** Whether the way back is stopped as well, and at which share of it. */
  readonly backStoppedAt: number | null;
}

interface Means {
  /** As the node tells it: 310000 is release 31.0. */
  readonly version: number;
  /** What can be brought about on this machine. */
  readonly stops: readonly Stop[];
}

export function killPlanOf(seed: number, { version, stops: possible }: Means): KillPlan {
  const random = seededRandom(seed);
  const drawnJob = often(random, JOBS);
  // From release 30 on no legacy wallet is restored without its migration. Before, one is restored as it is.
  const job = version < 300_000 && drawnJob === 'restore-migrate' ? 'restore' : drawnJob;
  const drawn = often(random, STOPS);
  const stop = possible.includes(drawn) ? drawn : 'node';
  const recording = random.of(recordingsOf(job, version));
  // The failing migration of an unnamed wallet removes the whole folder in 30.0 and 30.1.
  // A new wallet gets no name with a slash, and releases before 30 cannot migrate one.
  const hasSlash = job === 'backup' || (job === 'migrate' && version >= 300_000);
  const unnamed = job === 'migrate' && random.share() < 0.15 && (version < 300_000 || version >= 300_200);
  return {
    seed,
    job,
    stop,
    recording,
    name: unnamed ? '' : random.of(hasSlash ? ['old', 'my savings', 'a/b'] : ['old', 'my savings']),
    share: random.share() * 1.1,
    of: stop === 'line' || stop === 'waiting' || stop === 'disk' || random.share() < 0.6 ? 'call' : 'job',
    backStoppedAt: random.share() < 0.25 ? random.share() * 1.1 : null,
  };
}

export function titleOf({ seed, job, stop, recording, name, share, of }: KillPlan): string {
  return `${seed}: ${job} of ${recording} as “${name}”, ${stop} at ${share.toFixed(2)} of the ${of}`;
}

const JOBS: Readonly<Record<Job, number>> = {
  migrate: 10,
  'restore-migrate': 4,
  restore: 2,
  rescue: 2,
  backup: 1,
};
const STOPS: Readonly<Record<Stop, number>> = {
  node: 8,
  both: 3,
  app: 2,
  line: 1.5,
  waiting: 1.5,
  power: 2.5,
  disk: 1.5,
};

/** One of the keys, each as often as its weight says. */
function often<T extends string>(random: SeededRandom, weights: Readonly<Record<T, number>>): T {
  const all = (Object.keys(weights) as T[]).map((key) => [key, weights[key]] as const);
  let left = random.share() * all.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [key, weight] of all) {
    left -= weight;
    if (left < 0) return key;
  }
  throw new Error('there is nothing to choose from');
}

function recordingsOf(job: Job, version: number): readonly string[] {
  switch (job) {
    case 'migrate':
    case 'restore-migrate':
      return LEGACY;
    case 'restore':
      return version < 300_000 ? [...DESCRIPTOR, 'legacy-hd'] : DESCRIPTOR;
    case 'rescue':
      return ['legacy-hd'];
    case 'backup':
      return DESCRIPTOR;
  }
}

/** The migration of a large wallet takes long enough to be stopped. */
const LEGACY = [
  'large',
  'large',
  'large',
  'legacy-hd',
  'legacy-hd-encrypted',
  'legacy-watchonly',
  'legacy-solvable',
  'legacy-imported',
];
const DESCRIPTOR = ['descriptor-hd', 'descriptor-encrypted'];
