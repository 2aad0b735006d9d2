/** Compares what the app reported about a stopped job with what is on the disk. */
import type { Job } from './killPlan.ts';

/** What the app reported. `none`: it started no job. `running`: it did not finish in time. */
export type Word = 'done' | 'failed' | 'interrupted' | 'unknown' | 'running' | 'none';

/**
 * What lies there. `old`: the wallet as it was before. `new`: all that the job makes. `half`: neither. `nothing`: no file
 * in its place.
 */
export type There = 'old' | 'new' | 'half' | 'nothing';

export interface Seen {
  readonly job: Job;
  readonly word: Word;
  readonly there: There;
  /** Whole copies of the wallet. */
  readonly copies: number;
  /** Copies that the app itself names, of those. */
  readonly named: number;
}

export type Verdict = 'right' | 'unknown' | 'wrong' | 'lost';

/** `lost`: no wallet and no whole copy is left. `unknown`: the app does not know. `wrong`: its report is false. */
export function judge({ job, word, there, copies, named }: Seen): Verdict {
  const isThere = there === 'new' || there === 'old';
  // Of a backup the wallet itself stays where it is.
  if (!isThere && copies === 0 && job !== 'backup') return 'lost';
  if (word === 'unknown' || word === 'running') return 'unknown';
  if (word === 'interrupted') return isThere || named === 0 ? 'wrong' : 'right';
  if (word === 'done') return there === 'new' ? 'right' : 'wrong';
  // A backup that is not whole: the app says so, and the wallet is as it was.
  if (job === 'backup' && word === 'failed' && there === 'half') return 'right';
  return there === unchanged(job) ? 'right' : 'wrong';
}

/** What lies there where nothing was changed. */
export function unchanged(job: Job): There {
  return job === 'migrate' ? 'old' : 'nothing';
}
