/** Draws from a seed the job, and how and when it is stopped. */
import { type SeededRandom, seededRandom } from '../hardship/seededRandom.ts';

export const jobs = ['migrate', 'restore-migrate', 'restore', 'rescue', 'backup', 'rescan', 'undo'] as const;
export type Job = (typeof jobs)[number];

/**
 * `node`, `app`, `both`: they are killed. `power`: both are killed, and the node loses what it did not flush.
 * `connection`: the connection is cut. `waiting`: it is cut, and the user stops waiting. `disk`: the disk of the wallets
 * folder is full.
 */
export const stops = ['node', 'app', 'both', 'connection', 'waiting', 'power', 'disk'] as const;
export type Stop = (typeof stops)[number];

export interface KillPlan {
  readonly seed: number;
  readonly job: Job;
  readonly stop: Stop;
  /** The recorded wallet; `large` has 1,000 keys. */
  readonly recording: string;
  /** The name on the node; empty for the unnamed wallet. */
  readonly name: string;
  /** The moment of the stop, as a share of the time of the whole job or of the node's long call. */
  readonly share: number;
  readonly of: 'job' | 'call';
  /** The share of the recovery at which the node is killed again; null if it is not. */
  readonly recoveryStoppedAt: number | null;
}

interface Limits {
  /** As the node reports it: 310000 is release 31.0. */
  readonly version: number;
  /** The stops that this machine supports. */
  readonly stops: readonly Stop[];
}

/** Draws the plan of a seed. */
export function killPlanOf(seed: number, { version, stops: possible }: Limits): KillPlan {
  const random = seededRandom(seed);
  const job = jobFor(pick(random, JOBS), version);
  const choice = pick(random, STOPS);
  const stop = possible.includes(choice) ? choice : 'node';
  const recording = random.of(recordingsOf(job, version));
  // The failing migration of an unnamed wallet removes the whole folder in 30.0 and 30.1.
  // The app gives no new wallet a name with a slash, and releases before 30 cannot migrate a wallet with one.
  const hasSlash = isOnDescriptorWallet(job) || (job === 'migrate' && version >= 300_000);
  const unnamed = job === 'migrate' && random.share() < 0.15 && (version < 300_000 || version >= 300_200);
  return {
    seed,
    job,
    stop,
    recording,
    name: unnamed ? '' : random.of(hasSlash ? ['old', 'my savings', 'a/b'] : ['old', 'my savings']),
    share: random.share() * 1.1,
    of:
      stop === 'connection' || stop === 'waiting' || stop === 'disk' || random.share() < 0.6 ? 'call' : 'job',
    recoveryStoppedAt: random.share() < 0.25 ? random.share() * 1.1 : null,
  };
}

/** What a release can do instead of the drawn job. */
function jobFor(job: Job, version: number): Job {
  // Since release 30 a legacy wallet cannot be restored without its migration; before, the app restores it unchanged.
  if (version < 300_000) return job === 'restore-migrate' ? 'restore' : job;
  // An undo restores a legacy wallet.
  return job === 'undo' ? 'migrate' : job;
}

/** Whether the job is done on a descriptor wallet that the node has. */
export function isOnDescriptorWallet(job: Job): boolean {
  return job === 'backup' || job === 'rescan';
}

/** Describes a plan in one line. */
export function titleOf({ seed, job, stop, recording, name, share, of }: KillPlan): string {
  return `${seed}: ${job} of ${recording} as “${name}”, ${stop} at ${share.toFixed(2)} of the ${of}`;
}

const JOBS: Readonly<Record<Job, number>> = {
  migrate: 10,
  'restore-migrate': 4,
  restore: 2,
  rescue: 2,
  backup: 1,
  rescan: 1,
  undo: 2,
};
const STOPS: Readonly<Record<Stop, number>> = {
  node: 8,
  both: 3,
  app: 2,
  connection: 1.5,
  waiting: 1.5,
  power: 2.5,
  disk: 1.5,
};

/** Picks a key by weight. */
function pick<T extends string>(random: SeededRandom, weights: Readonly<Record<T, number>>): T {
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
    case 'undo':
      return LEGACY;
    case 'restore':
      return version < 300_000 ? [...DESCRIPTOR, 'legacy-hd'] : DESCRIPTOR;
    case 'rescue':
      return ['legacy-hd'];
    case 'backup':
    case 'rescan':
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
