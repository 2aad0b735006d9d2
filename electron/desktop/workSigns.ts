/** What the system shows of running jobs outside the window: progress in the taskbar or dock, and a word at the end. */
import type { Job } from '../../shared/model/job.ts';
import { visibleText } from '../../shared/model/names/visibleText.ts';
import { jobHeading, PROOF_HEADINGS } from '../../shared/wording/jobWords.ts';

/** What is there to show it with. */
export interface Desk {
  /** Whether the user has the window before them. */
  isWatched(): boolean;
  /** 0 to 1; null: at work, for how long is not known; `none`: nothing runs. */
  showProgress(share: number | null | 'none'): void;
  /** Keeps the computer from sleeping, until it is told otherwise. */
  stayAwake(awake: boolean): void;
  notify(title: string, body: string): void;
}

type Seen = Pick<Job, 'id' | 'kind' | 'state' | 'wallet' | 'progress' | 'proof' | 'error'>;

/** Takes in how jobs stand. One that ended before it was seen running is not told. */
export function createWorkSigns(desk: Desk): (job: Seen) => void {
  const running = new Map<string, number | null>();
  return (job) => {
    const { id, state, progress } = job;
    const wasRunning = running.has(id);
    if (state === 'running') running.set(id, progress?.fraction ?? null);
    else running.delete(id);
    if (state !== 'running' && !wasRunning) return;
    desk.stayAwake(running.size > 0);
    desk.showProgress(running.size === 0 ? 'none' : shareOf([...running.values()]));
    if (state !== 'running' && !desk.isWatched()) desk.notify(jobHeading(job), bodyOf(job));
  };
}

function shareOf(shares: readonly (number | null)[]): number | null {
  const known = shares.filter((share) => share !== null);
  return known.length < shares.length ? null : known.reduce((sum, share) => sum + share, 0) / known.length;
}

function bodyOf({ wallet, proof, error }: Seen): string {
  const told = error?.message ?? (proof && PROOF_HEADINGS[proof.verdict]);
  // The system draws it, and would follow a character that turns the line around.
  return visibleText(told ? `${wallet}: ${told}` : wallet);
}
