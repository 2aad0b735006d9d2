/** All jobs that the app knows, newest first, and the jobs of a file. */
import { create } from 'zustand';
import { type Job, joinLogs, newWalletResult } from '../../shared/model/job.ts';
import { bigintAsText } from '../../shared/model/money.ts';
import { go, isOtherNode, type Route } from './appStore.ts';
import { attempt, until } from './asking.ts';
import { bridge } from './bridge.ts';
import { refreshWallets } from './walletsStore.ts';

interface JobsState {
  jobs: Job[];
  /** Whether the list has arrived. */
  listed: boolean;
  /** Paths of journal entries that the app cannot read. */
  unreadable: string[];
  /** Paths of those that a newer version of the app wrote. */
  newer: string[];
}

export const useJobs = create<JobsState>()(() => ({
  jobs: [],
  unreadable: [],
  newer: [],
  listed: false,
}));
const { getState: get, setState: set } = useJobs;

/** Requests the list and listens for changes. Call it once. */
export async function startJobs(): Promise<void> {
  bridge.on('job', receive);
  bridge.watch((reachable) => reachable && void list());
  // Another program may remove the file of a backup.
  window.addEventListener('focus', () => void list());
  await list();
}

/** Adds a job that just started, unless its first event came before. */
export function addJob(job: Job): void {
  if (!get().jobs.some(({ id }) => id === job.id)) receive(job);
}

function receive(job: Job): void {
  const hadEnded = get().jobs.some((known) => known.id === job.id && !isRunning(known));
  set(({ jobs }) => ({ jobs: put(jobs, job) }));
  // A finished job may have created, renamed or removed wallets.
  if (job.state !== 'running') void refreshWallets();
  // Only the list has the undone migrations and the current state of the files of ended jobs.
  if (hadEnded || (job.state === 'done' && job.action === 'undo')) void list();
}

async function list(): Promise<void> {
  const before = get().jobs;
  const result = await attempt(() => bridge.call('jobs.list', {}));
  if (!result.ok) return;
  const { jobs: listed, ...unread } = result.value;
  // Events that arrived during the request are newer than the list.
  const newer = get().jobs.filter((job) => !before.includes(job));
  const known = new Map(before.map((job) => [job.id, job]));
  // Only what changed may be shown anew.
  const listedNow = listed.map((job) => {
    const same = known.get(job.id);
    return same && textOf(same) === textOf(job) ? same : job;
  });
  const jobs = newer.reduceRight(put, listedNow);
  const now = get().jobs;
  const isChanged = jobs.length !== now.length || jobs.some((job, at) => job !== now[at]);
  set({ jobs: isChanged ? jobs : now, ...unread, listed: true });
}

function textOf(job: Job): string {
  return JSON.stringify(job, bigintAsText);
}

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

/** Whether the page of this route shows the job. */
export function isShownAt(
  route: Route,
  { id, wallet, kind, node }: Pick<Job, 'id' | 'wallet' | 'kind' | 'node'>,
): boolean {
  if (route.at === 'batch') return true;
  if (route.at === 'wallets') return kind === 'backup';
  if (route.at !== 'wallet') return false;
  if (route.job === id) return true;
  // A wallet's page always shows its backups.
  const isItsWallet = route.source.by === 'wallet' && route.source.name === wallet && !isOtherNode(node);
  return kind === 'backup' ? isItsWallet || route.job !== undefined : isItsWallet && route.job === undefined;
}

/** The jobs that made or make a wallet from a file with this content. `sha256`: of the content; without it, no job is certain. */
export function jobsOfFile(
  jobs: readonly Job[],
  { path, sha256 }: { path: string; sha256: string | undefined },
): Job[] {
  if (sha256 === undefined) return [];
  return jobs.filter(({ file, safetyCopy, result }) => {
    if (file?.path === path && file.sha256 === sha256) return true;
    const isCopied =
      safetyCopy?.files.some((file) => file.source === path && file.sha256 === sha256) ?? false;
    const isRestored =
      result?.kind === 'restore' && result.backupFile === path && result.backupSha256 === sha256;
    return isCopied || isRestored;
  });
}

/**
 * The job of a wallet or file that its page shows first: a running one, or one that ended without a result since the page was opened.
 * `opened`: Unix seconds. `chosen`: whether the user has chosen what to do next.
 */
export function newestOpenJob(
  jobs: readonly Job[],
  { opened, chosen }: { opened: number; chosen: boolean },
): Job | undefined {
  return jobs
    .filter(({ kind }) => kind !== 'backup')
    .find(
      ({ state, ended }) =>
        state === 'running' || (state !== 'done' && !chosen && ended !== null && ended >= opened),
    );
}

/** The newest finished job of these, unless another one undid it. */
export function resultInUse(jobs: readonly Job[]): Job | null {
  const newest = jobs.find(({ state }) => state === 'done');
  const result = newWalletResult(newest?.result ?? null);
  if (!newest || result === null) return null;
  return result.kind === 'migrate' && result.undone ? null : newest;
}
