/** Makes backups one after another, even when the user leaves the page, and knows which of the new wallets have one. */
import { z } from 'zod/mini';
import { create } from 'zustand';
import { AppError, appErrorShape } from '../../shared/model/errors.ts';
import { haveSameWallets, type Job, type JobNode, job, newWalletResult } from '../../shared/model/job.ts';
import { findByName } from '../../shared/model/names/walletName.ts';
import type { Plan } from '../../shared/model/plan.ts';
import { parseJson, unixSeconds } from '../../shared/model/shapes.ts';
import {
  type BackupsByName,
  backedUpBy,
  backupsOfWallet,
  compareOldPassphrase,
  isSameWallet,
  newBackupOf,
  walletBackups,
} from '../../shared/model/walletBackups.ts';
import { notSent, OTHER_NODE } from '../../shared/wording/findings/hints.ts';
import { blockerText } from '../../shared/wording/planWords.ts';
import { newWalletWords } from '../../shared/wording/proofWords.ts';
import { say } from '../../shared/wording/say.ts';
import { jobVerdict } from '../../shared/wording/verdictWords.ts';
import { useNode } from './appStore.ts';
import { attempt } from './asking.ts';
import { bridge } from './bridge.ts';
import { stoppedByCheckError } from './draftsStore.ts';
import { addJob, ended, useJobs } from './jobsStore.ts';
import { useWallets } from './walletsStore.ts';

interface OfWallet {
  node: JobNode;
  wallet: string;
}

/** The state of a backup before it starts as a job. */
const queueState = z.discriminatedUnion('state', [
  z.object({ state: z.literal('queued') }),
  z.object({ state: z.literal('refused'), error: appErrorShape }),
]);
type QueueState = z.infer<typeof queueState>;

const backupsState = z.object({
  queue: z.array(
    z.object({
      node: z.omit(job.shape.node, { label: true, release: true }),
      wallet: z.string(),
      queueState,
      /** When it got this state. */
      since: unixSeconds,
    }),
  ),
  /** The wallets that the user last backed up together. */
  lastBatch: z.nullable(z.object({ node: job.shape.node, wallets: z.array(z.string()) })),
});
type BackupsState = z.infer<typeof backupsState>;

export const useBackups = create<BackupsState>()(() => ({ queue: [], lastBatch: null }));
const { setState: set } = useBackups;

/**
 * Adds these backups to the queue. `destination`: a full path. `ofAll`: of all wallets, except those that are only kept because they were
 * put back under another name.
 */
export function saveBackups(
  list: readonly (OfWallet & { destination: string })[],
  { ofAll = false } = {},
): Promise<void> {
  for (const of of list) setQueueState(of, { state: 'queued' });
  const work = before.then(async () => {
    for (const of of list) await saveOne(of, ofAll);
  });
  before = work;
  return work;
}

let before: Promise<unknown> = Promise.resolve();

function setQueueState(of: OfWallet, queueState: QueueState | null): void {
  set(({ queue }) => {
    const others = queue.filter((one) => !isSameWallet(one, of));
    const { node, wallet } = of;
    const since = Date.now() / 1000;
    return { queue: queueState === null ? others : [...others, { node, wallet, queueState, since }] };
  });
}

/** Restores what a reload of the page, which drops the backups that have not started, would forget. Call it once. */
export function keepBackups(): void {
  const kept = backupsState.safeParse(parseJson(sessionStorage.getItem(KEPT) ?? '{}'));
  if (kept.success) {
    const { queue, lastBatch } = kept.data;
    const stopped = queue.map((one) =>
      one.queueState.state === 'queued' ? { ...one, queueState: NOT_STARTED } : one,
    );
    set({ queue: stopped, lastBatch });
  }
  useBackups.subscribe((state) => sessionStorage.setItem(KEPT, JSON.stringify(state)));
  // The last one may have started as the page left, and another page can make up for the others.
  useJobs.subscribe(({ jobs }) => {
    const { queue } = useBackups.getState();
    const left = queue.filter(
      (one) =>
        one.queueState.state === 'queued' ||
        !jobs.some((job) => job.kind === 'backup' && job.started >= one.since && isSameWallet(job, one)),
    );
    if (left.length < queue.length) set({ queue: left });
  });
}

const KEPT = 'backups';
const NOT_STARTED: QueueState = {
  state: 'refused',
  error: { code: 'cancelled', message: say('Not started'), hint: notSent() },
};

async function saveOne(of: OfWallet & { destination: string }, ofAll: boolean): Promise<void> {
  const started = await attempt(() => start(of));
  if (!started.ok) return setQueueState(of, { state: 'refused', error: started.error });
  if ('id' in started.value) {
    setQueueState(of, null);
    await ended(started.value.id);
    return;
  }
  const { refused } = started.value;
  if (ofAll && refused.isKept) {
    setQueueState(of, null);
    set(({ lastBatch: last }) => ({
      lastBatch: last && { ...last, wallets: last.wallets.filter((one) => one !== of.wallet) },
    }));
  } else setQueueState(of, { state: 'refused', error: stoppedByCheckError(refused) });
}

/** Whether backups wait for their start. */
export function hasQueued({ queue }: Pick<BackupsState, 'queue'>): boolean {
  return queue.some(({ queueState }) => queueState.state === 'queued');
}

/** The state of a wallet's queued or refused backup; null without one, and once it runs. */
export function queueStateOf({ queue }: Pick<BackupsState, 'queue'>, of: OfWallet): QueueState | null {
  return queue.find((one) => isSameWallet(one, of))?.queueState ?? null;
}

/** Resolves with the id of the job, or with the plan that cannot run. Throws AppError if nothing can be planned. */
async function start({
  node,
  wallet,
  destination,
}: OfWallet & { destination: string }): Promise<{ id: string } | { refused: Plan }> {
  const answers = { destination };
  const plan = await bridge.call('plan.make', {
    action: 'backup',
    source: { by: 'wallet', name: wallet },
    answers,
  });
  // Another node may have a wallet of the same name.
  if (!haveSameWallets(plan.node.identity, node)) throw AppError.fromShape(OTHER_NODE);
  if (blockerText(plan, false) !== null) return { refused: plan };
  const run = await bridge.call('plan.run', { plan: plan.id, answers });
  if (!run.began) return { refused: run.plan };
  addJob(run.job);
  return { id: run.job.id };
}

/**
 * The wallets of other nodes, or of the offline folder, that a job made since the page was loaded or that still need a backup. `jobs`:
 * newest first.
 */
export function walletsOfOtherNodes(jobs: readonly Job[], node: JobNode | null) {
  const known: { node: JobNode; backups: BackupsByName }[] = [];
  const backupsOn = (its: JobNode) => {
    const found = known.find((one) => haveSameWallets(one.node, its))?.backups;
    const backups = found ?? walletBackups(jobs, its);
    if (found === undefined) known.push({ node: its, backups });
    return backups;
  };
  return jobs
    .filter((job) => job.state === 'done' && !(node !== null && haveSameWallets(job.node, node)))
    .flatMap((job) => {
      const { node: its, ended, started } = job;
      const result = newWalletResult(job.result);
      if (result === null) return [];
      const backups = backupsOfWallet(backupsOn(its), { name: result.walletName });
      const isRecent = (ended ?? started) * 1000 > performance.timeOrigin;
      if (backups.createdBy !== job || !(backups.isNeeded || isRecent)) return [];
      const { tone } = jobVerdict(
        job,
        backedUpBy(backups.lastFinished && [backups.lastFinished], backups.unchecked),
      );
      const icon = backups.isNeeded && tone === 'good' ? ('read' as const) : tone;
      return [{ job, name: result.walletName, icon }];
    });
}

export type NewWallets = ReturnType<typeof useNewWallets>;

/** The wallets of finished jobs, with the state of their backups. */
export function useNewWallets(migrations: readonly Job[]) {
  const inUse = useNode();
  const jobs = useJobs((state) => state.jobs);
  const backupsState = useBackups();
  const listed = useWallets(({ wallets }) => wallets);
  const wallets = migrations.flatMap((job) => {
    const here = inUse !== null && haveSameWallets(job.node, inUse);
    const backups = walletBackups(jobs, job.node);
    return newWalletRows(job).map((wallet) => {
      const known = here ? findByName(listed, wallet.name, inUse.walletsFolder) : undefined;
      const all = backupsOfWallet(backups, known ?? { name: wallet.name });
      return {
        ...wallet,
        // The node answers only to the spelling of its list.
        ...(known && { name: known.name }),
        /** Another node may have a wallet of the same name. */
        here,
        /** A later job created a wallet of this name. */
        isReplaced: all.createdBy?.id !== job.id,
        queueState: queueStateOf(backupsState, { node: job.node, wallet: wallet.name }),
        backup: all.lastTried,
        newBackup: newBackupOf(job, all),
        oldPassphrase: known ? compareOldPassphrase(job.oldPassphraseId, known) : null,
        unchecked: all.unchecked,
        isUnread: all.unchecked && here && (listed === null || known?.pending === true),
      };
    });
  });
  const newBackups = wallets.flatMap(({ newBackup }) => newBackup ?? []);
  const backedUp = backedUpBy(
    newBackups,
    wallets.some(({ unchecked, isUnread }) => unchecked && !isUnread),
  );
  const left = wallets.filter(({ newBackup }) => newBackup === null);
  // No backup can be made of a wallet that a later job created again.
  const canSave = left.some(({ isReplaced }) => !isReplaced);
  return {
    wallets,
    left,
    /** Whether each wallet has a new backup. Null if those that have none were all replaced. */
    isBackedUp:
      left.length > 0
        ? canSave
          ? false
          : null
        : backedUp === true && wallets.some(({ isUnread }) => isUnread)
          ? 'unread'
          : backedUp,
    newBackups: left.length > 0 ? null : newBackups,
    savable: left.filter(
      ({ here, isReplaced, backup, queueState }) =>
        here && !isReplaced && queueState?.state !== 'queued' && backup?.state !== 'running',
    ),
    elsewhere: wallets.find(({ here }) => !here) ?? null,
  };
}

function newWalletRows({ id, result: ofJob, wallet, node, proof }: Job) {
  const result = newWalletResult(ofJob);
  if (result === null) return [];
  const newWallets =
    result.kind === 'migrate'
      ? newWalletWords(result, wallet, proof?.wallets)
      : [{ name: result.walletName, title: null, meaning: null }];
  return newWallets.map(({ name, title, meaning }) => ({
    id: `${id} ${name}`,
    name,
    title,
    meaning,
    node,
    /** What its proof read in it. */
    proved: proof?.wallets.find((one) => one.name === name),
  }));
}
