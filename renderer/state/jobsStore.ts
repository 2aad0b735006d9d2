/** All jobs that the app knows, newest first. */
import { create } from 'zustand';
import { type Job, joinLogs } from '../../shared/model/job.ts';
import { go, type Route } from './appStore.ts';
import { attempt, until } from './asking.ts';
import { bridge } from './bridge.ts';
import { useWallets } from './walletsStore.ts';

interface JobsState {
  jobs: Job[];
  /** Whether the list has arrived. */
  listed: boolean;
  /** Paths of journal entries that the app cannot read. */
  unreadable: string[];
  /** Requests the list and listens for changes. Call it once. */
  start(): Promise<void>;
  /** Adds a job that just started, unless its first event came before. */
  note(job: Job): void;
}

export const useJobs = create<JobsState>()((set, get) => {
  function receive(job: Job): void {
    set(({ jobs }) => ({ jobs: put(jobs, job) }));
    // A finished job may have created, renamed or removed wallets.
    if (job.state !== 'running') void useWallets.getState().refresh();
  }

  async function list(): Promise<void> {
    const before = get().jobs;
    const result = await attempt(() => bridge.call('jobs.list', {}));
    if (!result.ok) return;
    const { jobs: listed, unreadable } = result.value;
    // Events that arrived during the request are newer than the list.
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

/** Replaces a known job, or puts a new one first. */
function put(jobs: Job[], job: Job): Job[] {
  return jobs.some(({ id }) => id === job.id)
    ? jobs.map((known) => (known.id === job.id ? joinLogs(known, job) : known))
    : [job, ...jobs];
}

export const isRunning = (job: Job): boolean => job.state === 'running';

/** Resolves when the job no longer runs. */
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
  // A wallet's page always shows its backups.
  const isItsWallet = route.source.by === 'wallet' && route.source.name === wallet;
  return kind === 'backup' ? isItsWallet || route.job !== undefined : isItsWallet && route.job === undefined;
}
