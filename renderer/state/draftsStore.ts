/** The plans before they run: the request of each, the answers so far, and the state of both. They hold no secret: see `passphraseFields`. */
import { z } from 'zod/mini';
import { create } from 'zustand';
import type { AppErrorShape, ErrorCode } from '../../shared/model/errors.ts';
import { isTemporaryPath } from '../../shared/model/files.ts';
import { haveSameWallets, type Job } from '../../shared/model/job.ts';
import { isSameNode } from '../../shared/model/node.ts';
import {
  type Answers,
  answers,
  checksGotWorse,
  checksOf,
  findBlocker,
  isSameSource,
  type Plan,
  type PlanRequest,
  planRequest,
  questionOf,
  type Rehearsal,
  type WalletSource,
} from '../../shared/model/plan.ts';
import type { Check } from '../../shared/model/safety.ts';
import { isSameWallet } from '../../shared/model/walletBackups.ts';
import { blockerText, PASSPHRASE_LACKING } from '../../shared/wording/planWords.ts';
import { say } from '../../shared/wording/say.ts';
import {
  hasNode,
  type KeptConnection,
  keptConnection,
  nodeInUse,
  type Route,
  route,
  useApp,
} from './appStore.ts';
import { type Attempt, until } from './asking.ts';
import { isRunning, useJobs } from './jobsStore.ts';

/** A request that may have no answers yet. */
export const newRequest = z.extend(planRequest, { answers: z._default(answers, {}) });
export type NewRequest = z.input<typeof newRequest>;

/** The action of a job as a request without answers. Null for one on a file that the app no longer has or knows. */
export function requestAgain({ kind, action, rescues, wallet: name, file }: Job): NewRequest | null {
  const ofWallet = { by: 'wallet', name } as const;
  if (action === 'put-back') return { action, source: ofWallet };
  if (kind === 'migrate' || kind === 'backup' || kind === 'rescan') return { action: kind, source: ofWallet };
  if (!file || isTemporaryPath(file.path)) return null;
  return {
    action: action ?? (rescues || kind === 'rescue' ? 'rescue' : 'restore'),
    source: { by: 'file', path: file.path },
  };
}

/** What a reload of the page keeps of a draft. */
export const keptDraft = z.extend(newRequest, {
  batch: z.boolean(),
  chosen: z.boolean(),
  connectionBefore: z.nullable(keptConnection),
  begunAt: z.nullable(route),
});

/** The last try of the passphrase on the file. */
export type Tried =
  | { state: 'none' }
  | { state: 'trying' }
  | { state: 'known'; check: Check }
  | { state: 'failed'; error: AppErrorShape };

type Rehearsing =
  | { state: 'none' }
  /** `since`: Unix seconds. */
  | { state: 'running'; since: number }
  /** Null: it found a loss, which a check of the plan describes. */
  | { state: 'done'; rehearsal: Rehearsal | null }
  | { state: 'failed'; error: AppErrorShape };

/** The state of one wallet of a batch. */
type RunState =
  | { state: 'open' }
  | { state: 'waiting' }
  | { state: 'starting' }
  | { state: 'started'; jobId: string }
  | { state: 'refused'; error: AppErrorShape }
  /** A check of its plan stops it. */
  | { state: 'blocked' }
  | { state: 'not-started'; why: 'stopped' | 'other-node' };

export interface Draft extends PlanRequest {
  readonly key: string;
  /** Whether it is part of a batch, whose wallets run one after another. */
  readonly batch: boolean;
  /** Whether the user chose this action. Otherwise the wallet's page suggests it. */
  readonly chosen: boolean;
  /**
   * `start`: the app connects to the node or engine only when the user starts the job, so there is no plan before.
   * `passphrase`: the same, and the start needs a passphrase.
   */
  readonly waits: 'no' | 'start' | 'passphrase';
  /** What starting it replaced, and Cancel restores. Null if it replaced nothing. */
  readonly connectionBefore: KeptConnection | null;
  /** The page where the user chose it, if that was another one, to which Cancel returns. */
  readonly begunAt: Route | null;
  /** Null until it is made. While a new plan is made, this is the plan of the earlier answers. */
  readonly plan: Plan | null;
  /** Whether the next plan must read all facts again. */
  readonly stale: boolean;
  /** Whether its plan is being made. */
  readonly isPlanning: boolean;
  /** Why there is no plan, or why it did not start. */
  readonly error: AppErrorShape | null;
  /** Whether the plan did not start because something got worse since it was shown. */
  readonly worse: boolean;
  /** Whether a passphrase is typed. The passphrase itself stays in its field. */
  readonly typed: boolean;
  readonly tried: Tried;
  readonly rehearsing: Rehearsing;
  /** Whether the batch includes it. */
  readonly isIncluded: boolean;
  readonly runState: RunState;
}

export type DraftFlags = Pick<Draft, 'batch' | 'chosen'> &
  Partial<Pick<Draft, 'waits' | 'isPlanning'>> & {
    [Name in 'connectionBefore' | 'begunAt']?: Draft[Name] | undefined;
  };

/** `isPlanning`: whether its plan is being made. */
export function newDraft(
  request: NewRequest,
  { connectionBefore = null, begunAt = null, ...flags }: DraftFlags,
): Draft {
  return {
    ...newRequest.parse(request),
    key: crypto.randomUUID(),
    plan: null,
    stale: false,
    waits: 'no',
    isPlanning: false,
    connectionBefore,
    begunAt,
    ...flags,
    error: null,
    worse: false,
    typed: false,
    tried: { state: 'none' },
    rehearsing: { state: 'none' },
    isIncluded: true,
    runState: { state: 'open' },
  };
}

/** The plan. Null if reading the facts again failed, because the old plan no longer holds. */
export function currentPlan({ plan, stale, isPlanning }: Draft): Plan | null {
  return stale && !isPlanning ? null : plan;
}

/** Whether trying a passphrase is fast enough to do it while the user types. */
export function isQuickToTry({ plan }: Pick<Draft, 'plan'>): boolean {
  return ((plan && questionOf(plan, 'passphrase'))?.secondsPerTry ?? null) === null;
}

/**
 * The answers for a new plan. Drops what the user confirmed if the plan is for another wallet, such as one of the same name on another
 * node.
 */
export function answersFor({ answers, plan: before }: Draft, plan: Plan): Answers {
  const { hasOwnCopy, lossRead, bitcoinKeys, isClosed } = answers;
  const isSame = before !== null && isOfSameWallet(before, plan);
  if (isSame || !(hasOwnCopy || lossRead || bitcoinKeys || isClosed)) return answers;
  return { ...answers, hasOwnCopy: false, lossRead: false, bitcoinKeys: false, isClosed: false };
}

/** Whether both plans are for the same wallet, as far as the app sees its file. */
export function isOfSameWallet(before: Plan, now: Plan): boolean {
  return keysOf(before) === keysOf(now) && isSameNode(before.node.identity, now.node.identity);
}

/** Identifies the keys of the planned file; for a rescue, the version of the file, because only a passphrase shows some of its keys. */
function keysOf({ action, facts }: Plan): string | undefined {
  if (action !== 'rescue') return facts.contents?.keysId;
  return facts.file ? `${facts.file.path} ${facts.file.modified} ${facts.file.size}` : undefined;
}

/** What the last try found wrong with the passphrase; null if it found nothing, or there was none. */
export function wrongPassphrase({ tried }: Pick<Draft, 'tried'>): Check | null {
  return tried.state === 'known' && tried.check.verdict === 'blocker' ? tried.check : null;
}

export function triedState(result: Attempt<Check>): Tried {
  return result.ok ? { state: 'known', check: result.value } : { state: 'failed', error: result.error };
}

/**
 * The state that shows a refused passphrase in its field; null for any other error. Focuses the field, which may be far above the
 * button, unless the drafts of a batch share it.
 */
export function refusedPassphrase(
  { key, batch }: Draft,
  { code, message, hint }: AppErrorShape,
): Pick<Draft, 'tried'> | null {
  if (code !== 'wrong_passphrase') return null;
  if (!batch) passphraseFields.get(key)?.focus();
  const text = hint === '' ? [] : [hint];
  return {
    tried: {
      state: 'known',
      check: { id: 'passphrase', verdict: 'blocker', title: message, text, todo: [] },
    },
  };
}

/** Whether a check blocks the plan, whatever the user answers. */
export function isBlocked({ plan }: Pick<Draft, 'plan'>): boolean {
  return plan?.checks.some(({ verdict }) => verdict === 'blocker') ?? false;
}

/** Whether there is a plan without warnings. */
export function hasNoWarnings(draft: Draft): boolean {
  const plan = currentPlan(draft);
  return plan !== null && checksOf(plan).every(({ verdict }) => verdict !== 'warning');
}

/** Whether a job runs on its wallet. Another window may have started it, or this page before it was reloaded. */
export function isOvertaken({ batch, source }: Draft): boolean {
  const node = nodeInUse();
  if (batch || node === null || source.by !== 'wallet') return false;
  const isOfDraft = (job: Job) => job.kind !== 'backup' && isSameWallet({ node, wallet: source.name }, job);
  return useJobs.getState().jobs.some((job) => isRunning(job) && isOfDraft(job));
}

/** Why it did not start, if its file had changed since the user saw its plan. */
export function fileChangedError(draft: Pick<Draft, 'worse' | 'runState'> | null): AppErrorShape | null {
  if (!draft?.worse || draft.runState.state !== 'refused') return null;
  return draft.runState.error.code === 'file_changed' ? draft.runState.error : null;
}

/** Why a draft cannot be run yet, in a sentence; null if it can. */
export function whyNotReady(draft: Draft): string | null {
  const { isPlanning, typed, waits } = draft;
  const wrong = wrongPassphrase(draft)?.title ?? null;
  if (waits !== 'no') return lacksPassphrase(draft) ? PASSPHRASE_LACKING : wrong;
  const { connection } = useApp.getState();
  if (connection.state === 'lost')
    return connection.node.offline ? say('Offline engine stopped') : say('Waiting for the node.');
  const plan = currentPlan(draft);
  if (plan === null && isPlanning) return say('Checking…');
  if (plan === null) return hasNode() ? say('Not checked.') : say('No node yet');
  return blockerText(plan, typed) ?? wrong;
}

/** Whether the passphrase is the first thing still missing before the draft can run. */
export function lacksPassphrase(draft: Draft): boolean {
  const { typed, waits } = draft;
  if (waits !== 'no') return waits === 'passphrase' && !typed;
  const plan = currentPlan(draft);
  const blocker = plan && findBlocker(plan, typed);
  return blocker !== null && 'ask' in blocker && blocker.ask === 'passphrase';
}

/** Connection errors, which say nothing about the wallet. */
export const CONNECTION_ERRORS: ReadonlySet<ErrorCode> = new Set([
  'cannot_connect',
  'connection_lost',
  'timed_out',
  'starting_up',
  'busy',
  'not_connected',
]);

export function stoppedByCheckError(plan: Plan): AppErrorShape {
  const all = checksOf(plan);
  const stop = all.find(({ verdict }) => verdict === 'blocker') ?? all[0];
  return {
    code: 'stopped_by_check',
    message: stop?.title ?? say('Something changed'),
    hint: [say('Nothing was sent.'), ...(stop?.text ?? []), ...(stop?.todo ?? [])].join(' '),
  };
}

/** The passphrase field of each draft, by its key. Nothing else holds a passphrase. */
export const passphraseFields = new Map<string, HTMLInputElement>();

interface DraftsState {
  /** At most one for each source, and those of a batch. */
  drafts: readonly Draft[];
  /** `running`: the plans of the batch run one after another, or did. */
  batch: 'none' | 'open' | 'running';
  /** The keys of the plans that are being started, one after another. */
  starting: readonly string[];
}

export const useDrafts = create<DraftsState>()(() => ({ drafts: [], batch: 'none', starting: [] }));

export function draftByKey(key: string): Draft | null {
  return useDrafts.getState().drafts.find((one) => one.key === key) ?? null;
}

export function draftOfSource({ drafts }: Pick<DraftsState, 'drafts'>, source: WalletSource): Draft | null {
  return drafts.find((draft) => !draft.batch && isSameSource(draft.source, source)) ?? null;
}

/** Changes nothing for a draft that was dropped. */
export function changeDraft(key: string, patch: Partial<Draft>): void {
  useDrafts.setState(({ drafts }) => ({
    drafts: drafts.map((one) => (one.key === key ? { ...one, ...patch } : one)),
  }));
}

/** Resolves once no plan of these is being made. */
export const planned = (isMeant: (draft: Draft) => boolean) =>
  until(
    useDrafts.subscribe,
    () => !useDrafts.getState().drafts.some((one) => isMeant(one) && one.isPlanning) || null,
  );

/** Waits for the plans with the last answers. Marks the drafts that got worse since the user saw them. Resolves with whether any did. */
export async function gotWorse(isMeant: (draft: Draft) => boolean): Promise<boolean> {
  const plansBefore = new Map(useDrafts.getState().drafts.map((draft) => [draft.key, currentPlan(draft)]));
  await planned(isMeant);
  const worse = useDrafts.getState().drafts.filter((draft) => {
    const before = plansBefore.get(draft.key);
    const now = currentPlan(draft);
    return isMeant(draft) && before && now && checksGotWorse(before, now);
  });
  for (const { key } of worse) changeDraft(key, { worse: true });
  return worse.length > 0;
}

export function markRefused(key: string, error: AppErrorShape, patch: Partial<Draft> = {}): null {
  changeDraft(key, { ...patch, runState: { state: 'refused', error } });
  return null;
}

/** Does the work after all that was asked for before: each start may change the connection. */
export async function inTurn(key: string, work: () => Promise<void>): Promise<void> {
  useDrafts.setState(({ starting }) => ({ starting: [...starting, key] }));
  try {
    await until(useDrafts.subscribe, () => useDrafts.getState().starting[0] === key || null);
    await work();
  } finally {
    useDrafts.setState(({ starting }) => ({ starting: starting.filter((one) => one !== key) }));
  }
}

/** Finds the job that another window has started on the draft's wallet since `before`, and shows it as the draft's own. */
export function adoptOtherJob(key: string, before: readonly Job[]): Job | null {
  const { action, plan } = draftByKey(key) ?? {};
  const isOfDraft = ({ kind, wallet, node, state }: Job) =>
    kind === action &&
    wallet === plan?.wallet &&
    haveSameWallets(node, plan.node.identity) &&
    state !== 'failed';
  const job = useJobs
    .getState()
    .jobs.find((one) => isOfDraft(one) && !before.some(({ id }) => id === one.id));
  if (job === undefined) return null;
  changeDraft(key, { runState: { state: 'started', jobId: job.id } });
  return job;
}

/** Whether a plan of the batch waits to run, or is being started. */
export function isBatchRunning({ drafts, batch }: Pick<DraftsState, 'drafts' | 'batch'>): boolean {
  return (
    batch === 'running' &&
    drafts.some((draft) => draft.batch && ['waiting', 'starting'].includes(draft.runState.state))
  );
}

/** The typed passphrase, if any. Secret. */
export function typedPassphrase(key: string): { passphrase?: string } {
  const passphrase = passphraseFields.get(key)?.value;
  return passphrase ? { passphrase } : {};
}

/** Clears the passphrase field once no waiting wallet needs it. */
export function emptyField(key: string): void {
  const field = passphraseFields.get(key);
  const isNeeded = useDrafts
    .getState()
    .drafts.some((one) => one.runState.state === 'waiting' && passphraseFields.get(one.key) === field);
  if (field && !isNeeded) field.value = '';
}
