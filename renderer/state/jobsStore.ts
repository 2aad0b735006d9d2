/** Every job the app knows of, newest first, as its changes arrive. */
import { create } from 'zustand';
import { type Job, joinLogs } from '../../shared/model/job.ts';
import { go, type Route } from './appStore.ts';
import { bridge } from './bridge/bridge.ts';
import { attempt, until } from './tasks.ts';
import { useWallets } from './walletsStore.ts';

interface JobsState {
  jobs: Job[];
  /** Whether the list came, so that what is not in it is not there. */
  listed: boolean;
  /** Paths of what the app wrote down of jobs that it cannot tell of any more. */
  unreadable: string[];
  /** Fetches what runs already and listens; called once when the page starts. */
  start(): Promise<void>;
  /** One that was begun just now: its first events may have come before. */
  note(job: Job): void;
}

export const useJobs = create<JobsState>()((set, get) => {
  function receive(job: Job): void {
    set(({ jobs }) => ({ jobs: put(jobs, job) }));
    // What ended has changed which wallets there are.
    if (job.state !== 'running') void useWallets.getState().refresh();
  }

  async function list(): Promise<void> {
    const before = get().jobs;
    const result = await attempt(() => bridge.call('jobs.list', {}));
    if (!result.ok) return;
    const { jobs: listed, unreadable } = result.value;
    // Snapshots that came while the list was on its way are newer than it.
    const newer = get().jobs.filter((job) => !before.includes(job));
    set({ jobs: newer.reduceRight(put, listed), unreadable, listed: true });
  }

  return {
    jobs: [],
    unreadable: [],
    listed: false,
    async start() {
      bridge.on('job', receive);
      bridge.watch((reachable) => reachable && void list());
      await list();
    },
    note(job) {
      if (!get().jobs.some(({ id }) => id === job.id)) receive(job);
    },
  };
});

/** A snapshot takes its place, or the first one when it is new. */
function put(jobs: Job[], job: Job): Job[] {
  return jobs.some(({ id }) => id === job.id)
    ? jobs.map((known) => (known.id === job.id ? joinLogs(known, job) : known))
    : [job, ...jobs];
}

export const isRunning = (job: Job): boolean => job.state === 'running';

/** Resolves once it does not run any more. */
export function ended(id: string): Promise<true> {
  return until(useJobs.subscribe, () => {
    const now = useJobs.getState().jobs.find((job) => job.id === id);
    return (now !== undefined && !isRunning(now)) || null;
  });
}

export function goToJob({ id, wallet, result }: Pick<Job, 'id' | 'wallet' | 'result'>): void {
  go({ at: 'wallet', source: { by: 'wallet', name: result?.walletName ?? wallet }, job: id });
}

export function isShownAt(route: Route, { id, wallet, kind }: Pick<Job, 'id' | 'wallet' | 'kind'>): boolean {
  if (route.at === 'batch') return true;
  if (route.at === 'wallets') return kind === 'backup';
  if (route.at !== 'wallet') return false;
  if (route.job === id) return true;
  // The page of a wallet shows its backups, whatever job it shows.
  const isItsWallet = route.source.by === 'wallet' && route.source.name === wallet;
  return kind === 'backup' ? isItsWallet || route.job !== undefined : isItsWallet && route.job === undefined;
}
