/** Shows running jobs outside the window: progress in the taskbar or dock, and a notification when a job ends. */
import { type BrowserWindow, Notification, powerSaveBlocker } from 'electron';
import { eventTable } from '../../shared/contract.ts';
import type { Job } from '../../shared/model/job.ts';
import { visibleText } from '../../shared/model/names/visibleText.ts';
import { jobHeading, proofHeading } from '../../shared/wording/jobWords.ts';
import type { Services } from '../backend/host.ts';

/** Shows running jobs with Electron, and keeps the computer awake meanwhile. */
export function showRunningJobs(services: Services, window: BrowserWindow): void {
  let blocker: number | null = null;
  const update = createJobIndicators({
    isWatched: () => !window.isDestroyed() && window.isFocused(),
    showProgress(share) {
      // Electron shows a bar without a length for values above 1, and no bar below 0.
      if (!window.isDestroyed()) window.setProgressBar(share === 'none' ? -1 : (share ?? 2));
    },
    stayAwake(awake) {
      if (awake) blocker ??= powerSaveBlocker.start('prevent-app-suspension');
      else if (blocker !== null) {
        powerSaveBlocker.stop(blocker);
        blocker = null;
      }
    },
    notify(title, body) {
      if (!services.settings().notifications || !Notification.isSupported()) return;
      const notification = new Notification({ title, body });
      notification.on('click', () => {
        if (window.isDestroyed()) return;
        window.show();
        window.focus();
      });
      notification.show();
    },
  });
  services.subscribe((name, value) => {
    if (name === 'job') update(eventTable.job.parse(value));
  });
}

interface SystemIndicators {
  /** Whether the user has the window in front. */
  isWatched(): boolean;
  /** `share`: 0 to 1; null if a job runs for an unknown time; `none` if no job runs. */
  showProgress(share: number | null | 'none'): void;
  /** Keeps the computer from sleeping, or lets it sleep again. */
  stayAwake(awake: boolean): void;
  notify(title: string, body: string): void;
}

type JobState = Pick<Job, 'id' | 'kind' | 'state' | 'wallet' | 'progress' | 'proof' | 'result' | 'error'>;

/** Returns the function that takes each update of a job. It ignores a job that ended before it saw the job run. */
export function createJobIndicators(signs: SystemIndicators): (job: JobState) => void {
  const running = new Map<string, number | null>();
  return (job) => {
    const { id, state, progress } = job;
    const wasRunning = running.has(id);
    if (state === 'running') running.set(id, progress?.fraction ?? null);
    else running.delete(id);
    if (state !== 'running' && !wasRunning) return;
    signs.stayAwake(running.size > 0);
    signs.showProgress(running.size === 0 ? 'none' : meanShare([...running.values()]));
    if (state !== 'running' && !signs.isWatched()) signs.notify(jobHeading(job), notificationText(job));
  };
}

function meanShare(shares: readonly (number | null)[]): number | null {
  const known = shares.filter((share) => share !== null);
  return known.length < shares.length ? null : known.reduce((sum, share) => sum + share, 0) / known.length;
}

function notificationText(job: JobState): string {
  const { wallet, error } = job;
  const result = error?.message ?? proofHeading(job);
  // The system draws this text and would obey characters that turn its direction.
  return visibleText(result ? `${wallet}: ${result}` : wallet);
}
