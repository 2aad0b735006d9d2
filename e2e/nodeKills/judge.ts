/** Compares what the app reported about a stopped job with what is on the disk. */
import type { Job } from './killPlan.ts';

/** What the app reported. `none`: it started no job. `running`: it did not finish in time. */
export type Report = 'done' | 'failed' | 'interrupted' | 'unknown' | 'running' | 'none';

/**
 * The wallet on the disk. `old`: unchanged. `new`: all that the job creates. `half`: neither. `nothing`: no file.
 */
export type DiskState = 'old' | 'new' | 'half' | 'nothing';

export interface Observed {
  readonly job: Job;
  readonly report: Report;
  readonly onDisk: DiskState;
  /** The number of whole copies of the wallet. */
  readonly copies: number;
  /** How many of them the app names. */
  readonly named: number;
}

export type Verdict = 'right' | 'unknown' | 'wrong' | 'lost';

/** `lost`: no wallet and no whole copy is left. `unknown`: the app does not know. `wrong`: its report is false. */
export function judge({ job, report, onDisk, copies, named }: Observed): Verdict {
  const isWhole = onDisk === 'new' || onDisk === 'old';
  // A backup leaves the wallet itself alone.
  if (!isWhole && copies === 0 && job !== 'backup') return 'lost';
  if (report === 'unknown' || report === 'running') return 'unknown';
  if (report === 'interrupted') return isWhole || named === 0 ? 'wrong' : 'right';
  if (report === 'done') return onDisk === 'new' ? 'right' : 'wrong';
  // A failed backup may leave an incomplete file.
  if (job === 'backup' && report === 'failed' && onDisk === 'half') return 'right';
  return onDisk === unchanged(job) ? 'right' : 'wrong';
}

/** The state on the disk if a job changed nothing. */
export function unchanged(job: Job): DiskState {
  if (job === 'rescan') return 'new';
  return job === 'migrate' ? 'old' : 'nothing';
}
