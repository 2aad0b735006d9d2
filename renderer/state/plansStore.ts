/** The plans of jobs that have not run yet, with the user's answers. A passphrase stays in its field until its plan runs. */
import type { z } from 'zod/mini';
import { haveSameWallets, type Job } from '../../shared/model/job.ts';
import {
  type Answers,
  isSameSource,
  type Plan,
  type PlanRequest,
  questionOf,
} from '../../shared/model/plan.ts';
import {
  connectionToKeep,
  go,
  type KeptConnection,
  nodeInUse,
  restoreConnection,
  useApp,
} from './appStore.ts';
import { attempt, cancelTask, newestTasks, until } from './asking.ts';
import { bridge } from './bridge.ts';
import {
  answersFor,
  changeDraft,
  currentPlan,
  type Draft,
  type DraftFlags,
  draftByKey,
  draftOfSource,
  emptyField,
  fileChangedError,
  gotWorse,
  hasNoWarnings,
  inTurn,
  isBatchRunning,
  isBlocked,
  isOfSameWallet,
  isOvertaken,
  type keptDraft,
  markRefused,
  type NewRequest,
  newDraft,
  newRequest,
  planned,
  refusedPassphrase,
  requestAgain,
  stoppedByCheckError,
  triedState,
  typedPassphrase,
  useDrafts,
  whyNotReady,
} from './draftsStore.ts';
import { addJob, useJobs } from './jobsStore.ts';

const { getState: get, setState: set } = useDrafts;

export const plans = {
  /** Suggests an action for a source. Keeps the draft and the answers of the same source and action. */
  suggest(request: NewRequest, waits: Draft['waits']) {
    const known = draftOfSource(get(), request.source);
    if (known?.chosen || get().starting.includes(known?.key ?? '')) return;
    if (known === null || known.action !== request.action) {
      put(request, { chosen: false, waits });
      // A changed file can need another action. Its card must still say that the file changed.
      const key = draftOfSource(get(), request.source)?.key ?? '';
      if (known && fileChangedError(known)) changeDraft(key, { worse: true, runState: known.runState });
    } else if (known.waits !== waits && known.connectionBefore === null) {
      changeDraft(known.key, { waits, plan: null, stale: false, tried: { state: 'none' } });
      if (waits === 'no') void makePlan(known.key, true);
    }
  },

  /** Plans an action that the user chose: one on the page of its wallet, several as a batch. `connectionBefore`: as of its draft. */
  begin(requests: readonly NewRequest[], connectionBefore: KeptConnection | null = null) {
    const [only, another] = requests;
    if (only === undefined) return;
    if (another === undefined) {
      const { source } = only;
      // A wallet's file has a page of its own, on which nothing began.
      const begunAt = source.by === 'wallet' || isOnPage(source) ? null : useApp.getState().route;
      put(only, { chosen: true, connectionBefore, begunAt });
      return go({ at: 'wallet', source });
    }
    if (isBatchRunning(get())) return go({ at: 'batch' });
    drop(({ batch }) => batch);
    set({ batch: 'open' });
    go({ at: 'batch' });
    add(requests.map((one) => ({ ...one, batch: true, chosen: true })));
  },

  /** Restores the drafts after a reload of the page. */
  restore(kept: readonly z.infer<typeof keptDraft>[]) {
    set({ drafts: [], batch: kept.some(({ batch }) => batch) ? 'open' : 'none' });
    add(kept);
  },

  /** Plans one action and starts it, unless it has warnings or open questions. */
  async runAtOnce(request: NewRequest) {
    plans.begin([request]);
    const first = draftOfSource(get(), request.source);
    if (first === null) return;
    await planned(({ key }) => key === first.key);
    const draft = draftByKey(first.key);
    // The user may have answered something in between.
    if (draft?.answers === first.answers && hasNoWarnings(draft)) await plans.start(draft.key);
  },

  /** Plans the action of a failed job again: as it was requested, or after a reload of the page, without its answers. */
  retry(job: Job) {
    const request = requestOf.get(job.id) ?? requestAgain(job);
    if (request) plans.begin([request]);
    else go({ at: 'home' });
  },

  answer(key: string, changes: Answers) {
    const draft = draftByKey(key);
    if (draft === null) return;
    const answers = { ...draft.answers, ...changes };
    if (draft.waits !== 'no') return changeDraft(key, { answers });
    // A plan under way has the earlier answers.
    tasks.cancel(`plan ${key}`);
    changeDraft(key, { answers, worse: false, isPlanning: true });
    clearTimeout(timers.get(key));
    // The plan is made again once nothing was typed for a moment.
    timers.set(key, setTimeout(makePlan, TYPING_MS, key, false));
  },

  planAgain: (key: string) => void makePlan(key, true),

  cancelPlanning(key: string) {
    tasks.cancel(`plan ${key}`);
    changeDraft(key, { isPlanning: false, stale: false });
  },

  /** Tries the typed passphrase, without storing it. `isThorough`: see the contract. */
  async tryPassphrase(key: string, isThorough?: boolean) {
    const draft = draftByKey(key);
    const { passphrase } = typedPassphrase(key);
    if (draft === null || passphrase === undefined) return;
    const { plan, source } = draft;
    if (plan === null && draft.waits === 'no') return;
    changeDraft(key, { tried: { state: 'trying' } });
    const result = await tasks.run(`try ${key}`, (task) =>
      plan === null
        ? bridge.call('wallet.tryPassphrase', { source, passphrase, task })
        : bridge.call('plan.tryPassphrase', { plan: plan.id, passphrase, isThorough, task }),
    );
    if (result === null) return;
    changeDraft(key, { tried: triedState(result) });
    if (draft.action === 'rescue' && result.ok) plans.answer(key, { withPassphrase: true });
  },

  passphraseChanged(key: string, filled: boolean) {
    const draft = draftByKey(key);
    if (draft === null) return;
    tasks.cancel(`try ${key}`);
    changeDraft(key, { typed: filled, tried: { state: 'none' } });
    // If the passphrase is needed anyway, the calls stay the same.
    const isNeeded = draft.plan !== null && questionOf(draft.plan, 'passphrase')?.needed === true;
    if (!isNeeded && filled !== (draft.answers.withPassphrase ?? false)) {
      plans.answer(key, { withPassphrase: filled });
    }
  },

  async rehearse(key: string) {
    const draft = draftByKey(key);
    if (!draft?.plan || draft.rehearsing.state === 'running') return;
    // The user has read only what an earlier rehearsal found.
    const { lossRead: _, ...answers } = draft.answers;
    const request = { plan: draft.plan.id, answers, ...typedPassphrase(key) };
    changeDraft(key, { answers, rehearsing: { state: 'running', since: Date.now() / 1000 } });
    const result = await tasks.run(`rehearse ${key}`, (task) =>
      bridge.call('plan.rehearse', { ...request, task }),
    );
    if (result === null) return;
    if (!result.ok) {
      const { error } = result;
      const wrong = refusedPassphrase(draft, error);
      const rehearsing = wrong ? ({ state: 'none' } as const) : ({ state: 'failed', error } as const);
      return changeDraft(key, { rehearsing, ...wrong });
    }
    const { plan, rehearsal } = result.value;
    const now = draftByKey(key);
    if (now && !keepPlan(now, plan, { rehearsing: { state: 'done', rehearsal } })) void makePlan(key, false);
  },

  cancelRehearsal(key: string) {
    tasks.cancel(`rehearse ${key}`);
    changeDraft(key, { rehearsing: { state: 'none' } });
  },

  include: (key: string, isIncluded: boolean) => changeDraft(key, { isIncluded }),

  /** Runs one plan, after those that are being started. `connect`, for a draft that waits: connects, then runs a plan without warnings. */
  async start(key: string, connect?: () => Promise<void>) {
    const asked = draftByKey(key);
    if (asked === null || get().starting.includes(key)) return;
    await inTurn(key, async () => {
      const isCancelled = () => draftByKey(key) === null;
      if (isCancelled()) return restoreConnection(asked.connectionBefore);
      const before = asked.connectionBefore ?? (asked.waits === 'no' ? null : connectionToKeep());
      const job = await connectAndRun(key, before, connect);
      if (job === null) return isCancelled() ? restoreConnection(before) : undefined;
      drop((one) => one.key === key);
      // Where Cancel came too late, the job's page says that it runs.
      if (isOnPage(asked.source, asked.begunAt)) go({ at: 'wallet', source: asked.source, job: job.id });
    });
  },

  /** Drops the draft, and returns to the page where the user chose it, and to the connection before it. A start ends with that itself. */
  leave(key: string) {
    const { connectionBefore: before = null, begunAt = null } = draftByKey(key) ?? {};
    cancelTask(startTasks.get(key));
    drop((draft) => draft.key === key);
    if (!get().starting.includes(key)) void inTurn(key, () => restoreConnection(before));
    if (begunAt !== null) go(begunAt);
  },
};

/** One task of each kind for each draft. */
const tasks = newestTasks();
/** The request of each job of this session. */
const requestOf = new Map<string, PlanRequest>();
/** The task of the last start of each draft. */
const startTasks = new Map<string, string>();
const timers = new Map<string, ReturnType<typeof setTimeout>>();

useJobs.subscribe(() => drop((draft) => !isStarting(draft) && isOvertaken(draft)));
useApp.subscribe(leaveOtherWallets);

/** Whether its own job is starting, not only waiting for another one to start. */
function isStarting({ key }: Draft): boolean {
  return get().starting[0] === key;
}

function isOnPage(source: NewRequest['source'], begunAt: Draft['begunAt'] = null): boolean {
  const { route } = useApp.getState();
  return route === begunAt || (route.at === 'wallet' && isSameSource(route.source, source));
}

/** Drops the plans for the wallets of the previous node, because the next node may have other wallets of the same names. */
function leaveOtherWallets(): void {
  const node = nodeInUse();
  const before = lastNode;
  lastNode = node ?? before;
  // The engine has the wallets of a node in the same folder.
  if (before === null || node === null || haveSameWallets({ ...before, offline: undefined }, node)) return;
  const { batch } = get();
  drop((one) => one.source.by === 'wallet' && !isStarting(one) && !(one.batch && batch === 'running'));
  if (batch !== 'open' || get().drafts.some((one) => one.batch)) return;
  set({ batch: 'none' });
  if (useApp.getState().route.at === 'batch') go({ at: 'wallets' });
}

let lastNode = nodeInUse();

export function drop(isDropped: (draft: Draft) => boolean): void {
  if (!get().drafts.some(isDropped)) return;
  for (const { key } of get().drafts.filter(isDropped)) {
    for (const purpose of ['plan', 'try', 'rehearse']) tasks.cancel(`${purpose} ${key}`);
    clearTimeout(timers.get(key));
  }
  set(({ drafts }) => ({ drafts: drafts.filter((draft) => !isDropped(draft)) }));
}

/** Adds a draft, and drops the one of the same source. */
function put(request: NewRequest, state: Omit<DraftFlags, 'batch'>): void {
  const before = draftOfSource(get(), request.source);
  drop((draft) => !draft.batch && isSameSource(draft.source, request.source));
  const connectionBefore = before?.connectionBefore ?? state.connectionBefore ?? null;
  add([{ ...request, ...state, connectionBefore, batch: false }]);
}

/** Adds drafts, and makes the plans of those that do not wait. */
function add(requests: readonly (NewRequest & DraftFlags)[]): void {
  const added = requests.map(({ batch, chosen, connectionBefore, begunAt, waits = 'no', ...request }) => {
    const isPlanning = waits === 'no' && nodeInUse() !== null;
    return newDraft(request, { batch, chosen, connectionBefore, begunAt, waits, isPlanning });
  });
  set(({ drafts }) => ({ drafts: [...drafts, ...added] }));
  for (const { key, isPlanning } of added) if (isPlanning) void makePlan(key, true);
}

/** Makes the plan. `again`: reads all facts again. */
export async function makePlan(key: string, again: boolean): Promise<void> {
  const draft = draftByKey(key);
  if (draft === null || draft.waits !== 'no') return changeDraft(key, { isPlanning: false });
  const fresh = again || draft.stale;
  changeDraft(key, { isPlanning: true, error: null, stale: fresh });
  const previousPlan = fresh ? undefined : draft.plan?.id;
  const result = await tasks.run(`plan ${key}`, (task) =>
    bridge.call('plan.make', { ...newRequest.parse(draft), previousPlan, task }),
  );
  if (result === null) return;
  if (!result.ok) {
    if (result.error.code === 'plan_gone' && !fresh) return makePlan(key, true);
    return changeDraft(key, { isPlanning: false, error: result.error });
  }
  const plan = result.value;
  // Skip blocked plans so the rest of the batch can run.
  const leaves = draft.batch && draft.plan === null && isBlocked({ plan });
  if (!keepPlan(draft, plan, { stale: false, ...(leaves && { isIncluded: false }) }))
    return makePlan(key, false);
  changeDraft(key, { isPlanning: false });
  // The new facts lack what the passphrase opened.
  if (fresh && draft.action === 'rescue' && draftByKey(key)?.tried.state !== 'none')
    void plans.tryPassphrase(key);
}

/** Stores a new plan, and drops what the user confirmed, typed or tried for another wallet. Returns whether all answers still hold. */
function keepPlan(draft: Draft, plan: Plan, patch: Partial<Draft>): boolean {
  const { key, plan: before, action, answers } = draft;
  const isChanged = before !== null && before.facts.sha256 !== plan.facts.sha256;
  if (before !== null && !isOfSameWallet(before, plan)) forgetPassphrase(draft);
  else if (isChanged && action !== 'rescue') forgetTry(key);
  const kept = answersFor(draftByKey(key) ?? draft, plan);
  changeDraft(key, { plan, answers: kept, ...patch });
  return kept === answers;
}

/** The passphrase was tried on what the file held before. */
function forgetTry(key: string): void {
  tasks.cancel(`try ${key}`);
  changeDraft(key, { tried: { state: 'none' } });
}

/** Clears the passphrase of another wallet, except in a batch, whose wallets share the field. */
function forgetPassphrase({ key, batch, answers }: Draft): void {
  forgetTry(key);
  if (batch) return;
  emptyField(key);
  const { withPassphrase, ...others } = answers;
  changeDraft(key, { typed: false, ...(withPassphrase && { answers: others }) });
}

/** Runs a plan. Resolves with its job, also after a Cancel that came too late, or with null, and the error in the draft. */
export async function run(key: string): Promise<Job | null> {
  const draft = draftByKey(key);
  const plan = draft && currentPlan(draft);
  if (!plan) return draft?.error ? markRefused(key, draft.error) : null;
  changeDraft(key, { error: null, worse: false, runState: { state: 'starting' } });
  const request = { plan: plan.id, answers: draft.answers, ...typedPassphrase(key) };
  const task = crypto.randomUUID();
  startTasks.set(key, task);
  const result = await attempt(() => bridge.call('plan.run', { ...request, task }));
  if (!result.ok) {
    const { error } = result;
    // The new plan takes the place of the error, so say that something changed. A batch plans again itself.
    const isOld = !draft.batch && (error.code === 'plan_gone' || error.code === 'file_changed');
    markRefused(key, error, refusedPassphrase(draft, error) ?? { error, worse: isOld });
    if (isOld) void makePlan(key, true);
    return null;
  }
  if (!result.value.began) {
    const { plan } = result.value;
    if (!keepPlan(draft, plan, { worse: true })) void makePlan(key, false);
    return markRefused(key, stoppedByCheckError(plan));
  }
  const { job } = result.value;
  emptyField(key);
  requestOf.set(job.id, draft);
  addJob(job);
  changeDraft(key, { runState: { state: 'started', jobId: job.id } });
  return job;
}

/** Runs a plan as `run` does, and connects first for a draft that waits. */
async function connectAndRun(
  key: string,
  before: KeptConnection | null,
  connect?: () => Promise<void>,
): Promise<Job | null> {
  const isReady = draftByKey(key)?.waits === 'no';
  if (!isReady && !(connect && (await connectAndPlan(key, before, connect)))) return null;
  if (await gotWorse((draft) => draft.key === key)) return null;
  const draft = draftByKey(key);
  return draft === null || whyNotReady(draft) !== null ? null : run(key);
}

/** Connects for a waiting draft and plans it. Resolves with whether the plan has no warnings. */
async function connectAndPlan(
  key: string,
  connectionBefore: KeptConnection | null,
  connect: () => Promise<void>,
): Promise<boolean> {
  changeDraft(key, { error: null, connectionBefore });
  const isLeft = until(useDrafts.subscribe, () => draftByKey(key) === null || null);
  const connected = await Promise.race([attempt(connect), isLeft]);
  if (connected === true) return false;
  if (!connected.ok) {
    changeDraft(key, { error: connected.error, connectionBefore: null });
    return false;
  }
  changeDraft(key, { waits: 'no' });
  await makePlan(key, true);
  await planned((draft) => draft.key === key);
  const draft = draftByKey(key);
  return draft !== null && hasNoWarnings(draft);
}

const TYPING_MS = 150;
