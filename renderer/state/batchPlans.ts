/** Runs the plans of several wallets one after another. */
import { isConnectedTo } from './appStore.ts';
import {
  adoptOtherJob,
  CONNECTION_ERRORS,
  changeDraft,
  type Draft,
  draftByKey,
  emptyField,
  gotWorse,
  isBatchRunning,
  isBlocked,
  markRefused,
  stoppedByCheckError,
  useDrafts,
  whyNotReady,
} from './draftsStore.ts';
import { ended, useJobs } from './jobsStore.ts';
import { drop, makePlan, run } from './plansStore.ts';

const { getState: get, setState: set } = useDrafts;

export async function startBatch(): Promise<void> {
  if (isBatchRunning(get())) return;
  if (await gotWorse(({ batch, isIncluded }) => batch && isIncluded)) return;
  const included = get().drafts.filter(({ batch, isIncluded }) => batch && isIncluded);
  if (get().batch !== 'open' || included.some((draft) => whyNotReady(draft) !== null)) return;
  // The result names them too.
  const blocked = get().drafts.filter((draft) => draft.batch && !draft.isIncluded && isBlocked(draft));
  for (const { key } of blocked) changeDraft(key, { runState: { state: 'blocked' } });
  await runAll(included);
}

export function stopAfterThis(): void {
  stopping = true;
  giveUpWaiting('stopped');
}

export function leaveBatch(): void {
  if (isBatchRunning(get())) return;
  drop(({ batch }) => batch);
  set({ batch: 'none' });
}

let stopping = false;

/** Runs the drafts of the batch one after another. */
async function runAll(included: readonly Draft[]): Promise<void> {
  stopping = false;
  const node = included[0]?.plan?.node.identity;
  const jobsBefore = useJobs.getState().jobs;
  set({ batch: 'running' });
  for (const { key } of included) changeDraft(key, { runState: { state: 'waiting' } });
  for (let at = 0; at < included.length; ) {
    const key = included[at]?.key ?? '';
    if (node !== undefined && !(await isConnectedTo(node))) return giveUpWaiting('other-node');
    if (stopping) return giveUpWaiting('stopped');
    const job = (await run(key)) ?? adoptOtherJob(key, jobsBefore);
    const runState = draftByKey(key)?.runState;
    const code = runState?.state === 'refused' ? runState.error.code : null;
    if (code === 'plan_gone' || (code !== null && CONNECTION_ERRORS.has(code))) {
      // Neither error says anything about the wallet. Retry: the node may only be restarting.
      changeDraft(key, { runState: { state: 'waiting' } });
      if (code !== 'plan_gone') await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
      void makePlan(key, true);
      if (!(await gotWorse((one) => one.key === key))) continue;
      const plan = draftByKey(key)?.plan;
      if (plan) markRefused(key, stoppedByCheckError(plan));
    }
    at += 1;
    emptyField(key);
    if (job !== null) await ended(job.id);
  }
}

function giveUpWaiting(why: 'stopped' | 'other-node'): void {
  for (const { key, runState } of get().drafts) {
    if (runState.state !== 'waiting') continue;
    changeDraft(key, { runState: { state: 'not-started', why } });
    emptyField(key);
  }
}

const RETRY_AFTER_MS = 2000;
