/**
 * What is to be done next: a plan for each wallet, as the app made it, and the answers to it. It holds no secret: a
 * passphrase stays in its field until the plan is run, and does not survive a reload of the page as all else does.
 */
import type { z } from 'zod';
import { create } from 'zustand';
import type { AppErrorShape, ErrorCode } from '../../shared/model/errors.ts';
import type { Job } from '../../shared/model/job.ts';
import { type Answers, askOf, isQuiet, type PlanRequest } from '../../shared/model/plan.ts';
import { go, isConnectedTo, nodeInUse } from './appStore.ts';
import { attempt } from './attempt.ts';
import { bridge } from './bridge/bridge.ts';
import { type Draft, newDraft, newRequest, seenPlan, stopOf, stoppedBy } from './draft.ts';
import { ended, useJobs } from './jobsStore.ts';
import { passphraseFields, secretOf } from './passphraseFields.ts';
import { newestTasks } from './tasks.ts';
import { until } from './until.ts';

interface PlansState {
  drafts: readonly Draft[];
  /** `many` while several are run one after another, or were. */
  run: 'none' | 'one' | 'many';
  /** Makes plans of these and shows them, in the place of those before. */
  begin(requests: readonly z.input<typeof newRequest>[]): void;
  /** Makes a plan and runs it, where there is nothing to read and nothing to answer; else shows it. */
  runAtOnce(request: z.input<typeof newRequest>): Promise<void>;
  /** Shows the plan of a job that failed once more. */
  again(job: Job): void;
  answer(key: string, given: Answers): void;
  /** Looks at everything anew. */
  lookAgain(key: string): void;
  cancelLook(key: string): void;
  /** The passphrase goes straight through to the main process. */
  tryPassphrase(key: string): Promise<void>;
  /** Something else is typed. */
  typedAnew(key: string, filled: boolean): void;
  rehearse(key: string): Promise<void>;
  cancelRehearsal(key: string): void;
  takePart(key: string, takesPart: boolean): void;
  /** Runs all that take part, one after another. Each field is emptied once its plan is begun. */
  start(): Promise<void>;
  stopAfterThis(): void;
  /** Forgets all plans; what runs goes on. */
  clear(): void;
}

export const usePlans = create<PlansState>()((set, get) => {
  /** Of each kind, one for each draft. */
  const tasks = newestTasks();
  /** What each job was begun with. */
  const begunWith = new Map<string, PlanRequest>();
  /** They drop what waits when it is typed on. */
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  let stopping = false;

  const draftOf = (key: string) => get().drafts.find((one) => one.key === key) ?? null;

  function change(key: string, patch: Partial<Draft>): void {
    set(({ drafts }) => ({ drafts: drafts.map((one) => (one.key === key ? { ...one, ...patch } : one)) }));
  }

  /** `anew`: with a new look at everything. */
  async function look(key: string, anew: boolean): Promise<void> {
    const draft = draftOf(key);
    if (draft === null) return;
    const fresh = anew || draft.stale;
    change(key, { looking: true, error: null, stale: fresh });
    const previousPlan = fresh ? undefined : draft.plan?.id;
    const result = await tasks.run(`plan ${key}`, (task) =>
      bridge.call('plan.make', { ...newRequest.parse(draft), previousPlan, task }),
    );
    if (result === null) return;
    if (result.ok) {
      const plan = result.value;
      const stops = plan.checks.some(({ verdict }) => verdict === 'blocker');
      // One that cannot be run does not keep the others back.
      const leaves = get().drafts.length > 1 && draft.plan === null && stops;
      return change(key, { plan, looking: false, stale: false, ...(leaves && { takesPart: false }) });
    }
    if (result.error.code === 'plan_gone' && !fresh) return look(key, true);
    change(key, { looking: false, error: result.error });
  }

  /** Resolves once nothing is looked at any more. */
  const looked = () => until(usePlans.subscribe, () => !get().drafts.some(({ looking }) => looking) || null);

  function refuse(key: string, error: AppErrorShape, patch: Partial<Draft> = {}): null {
    change(key, { ...patch, standing: { state: 'refused', error } });
    return null;
  }

  /** Begins one, or leaves its error with it. Gives the job, or null. */
  async function begin(key: string): Promise<Job | null> {
    const draft = draftOf(key);
    const plan = draft && seenPlan(draft);
    if (!plan) return draft?.error ? refuse(key, draft.error) : null;
    change(key, { error: null, worse: false, standing: { state: 'starting' } });
    const asked = { plan: plan.id, answers: draft.answers, ...secretOf(key) };
    const result = await attempt(() => bridge.call('plan.run', asked));
    if (!result.ok) {
      const { error } = result;
      const isGone = error.code === 'plan_gone';
      refuse(key, error, { error, worse: isGone && get().run === 'one' });
      if (isGone) void look(key, true);
      return null;
    }
    if (!result.value.began) {
      const { plan } = result.value;
      return refuse(key, stoppedBy(plan), { plan, worse: true });
    }
    const { job } = result.value;
    const field = passphraseFields.get(key);
    if (field) field.value = '';
    begunWith.set(job.id, draft);
    useJobs.getState().note(job);
    change(key, { standing: { state: 'begun', jobId: job.id } });
    return job;
  }

  /** One after another, each looked at once more by the app itself: those before may have taken its name or its room. */
  async function startMany(takers: readonly Draft[]): Promise<void> {
    stopping = false;
    const node = takers[0]?.plan?.node.identity;
    set({ run: 'many' });
    for (const { key } of takers) change(key, { standing: { state: 'waiting' } });
    for (let at = 0; at < takers.length; ) {
      const key = takers[at]?.key ?? '';
      if (node !== undefined && !(await isConnectedTo(node))) return drop('other-node');
      if (stopping) return drop('stopped');
      const job = await begin(key);
      const standing = draftOf(key)?.standing;
      if (standing?.state === 'refused' && OF_THE_LINE.has(standing.error.code)) {
        // It says nothing of the wallet: the node may answer again, also started anew.
        change(key, { standing: { state: 'waiting' } });
        await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
        await look(key, true);
        continue;
      }
      at += 1;
      if (job !== null) await ended(job.id);
    }
  }

  /** Gives up those that wait. */
  function drop(why: 'stopped' | 'other-node'): void {
    for (const { key, standing } of get().drafts) {
      if (standing.state === 'waiting') change(key, { standing: { state: 'not-begun', why } });
    }
  }

  return {
    drafts: [],
    run: 'none',

    begin(requests) {
      if (isAtWork(get())) return go({ at: 'check' });
      tasks.cancelAll();
      const connected = nodeInUse() !== null;
      const drafts = requests.map((one) => newDraft(one, connected));
      set({ drafts, run: 'none' });
      go({ at: 'check' });
      if (connected) for (const { key } of drafts) void look(key, true);
    },

    async runAtOnce(request) {
      get().begin([request]);
      const [begun] = get().drafts;
      await looked();
      const [draft] = get().drafts;
      // Another was begun meanwhile, or something was answered.
      if (!draft?.plan || draft.key !== begun?.key || draft.answers !== begun.answers) return;
      if (isQuiet(draft.plan)) await get().start();
    },

    again(job) {
      const before = begunWith.get(job.id);
      if (before) return get().begin([before]);
      const source = { by: 'wallet', name: job.wallet } as const;
      const { kind } = job;
      if (kind === 'migrate' || kind === 'backup' || kind === 'rescan')
        get().begin([{ action: kind, source }]);
      else go({ at: 'start' });
    },

    answer(key, given) {
      const draft = draftOf(key);
      if (draft === null) return;
      change(key, { answers: { ...draft.answers, ...given }, worse: false, looking: true });
      clearTimeout(timers.get(key));
      timers.set(
        key,
        setTimeout(() => void look(key, false), TYPING_MS),
      );
    },

    lookAgain: (key) => void look(key, true),

    cancelLook(key) {
      tasks.cancel(`plan ${key}`);
      change(key, { looking: false, stale: false });
    },

    async tryPassphrase(key) {
      const plan = draftOf(key)?.plan;
      const { passphrase } = secretOf(key);
      if (!plan || passphrase === undefined) return;
      change(key, { tried: { state: 'trying' } });
      const result = await tasks.run(`try ${key}`, (task) =>
        bridge.call('plan.tryPassphrase', { plan: plan.id, passphrase, task }),
      );
      if (result === null) return;
      change(key, {
        tried: result.ok ? { state: 'known', check: result.value } : { state: 'failed', error: result.error },
      });
    },

    typedAnew(key, filled) {
      const draft = draftOf(key);
      if (draft === null) return;
      tasks.cancel(`try ${key}`);
      const wasWrong = draft.error?.code === 'wrong_passphrase';
      change(key, { typed: filled, tried: { state: 'none' }, ...(wasWrong ? { error: null } : {}) });
      // Where it is needed anyway, the calls are the same.
      const isNeeded = draft.plan !== null && askOf(draft.plan, 'passphrase')?.needed === true;
      if (!isNeeded && filled !== (draft.answers.withPassphrase ?? false)) {
        get().answer(key, { withPassphrase: filled });
      }
    },

    async rehearse(key) {
      const draft = draftOf(key);
      if (!draft?.plan || draft.rehearsing.state === 'running') return;
      const asked = { plan: draft.plan.id, answers: draft.answers, ...secretOf(key) };
      change(key, { rehearsing: { state: 'running', since: Date.now() / 1000 } });
      const result = await tasks.run(`rehearse ${key}`, (task) =>
        bridge.call('plan.rehearse', { ...asked, task }),
      );
      if (result === null) return;
      if (!result.ok) return change(key, { rehearsing: { state: 'failed', error: result.error } });
      const { plan, rehearsal } = result.value;
      change(key, { plan, rehearsing: { state: 'done', rehearsal } });
    },

    cancelRehearsal(key) {
      tasks.cancel(`rehearse ${key}`);
      change(key, { rehearsing: { state: 'none' } });
    },

    takePart: (key, takesPart) => change(key, { takesPart }),

    async start() {
      if (isAtWork(get()) || get().run === 'one') return;
      set({ run: 'one' });
      // What was typed last has to be looked at first.
      await looked();
      // Others were begun meanwhile, or all were given up.
      if (get().run !== 'one') return;
      const takers = get().drafts.filter(({ takesPart }) => takesPart);
      if (takers.some((draft) => stopOf(draft) !== null)) return set({ run: 'none' });
      if (get().drafts.length > 1) return startMany(takers);
      const job = await begin(takers[0]?.key ?? '');
      set({ run: 'none' });
      if (job === null) return;
      set({ drafts: [] });
      go({ at: 'job', id: job.id });
    },

    stopAfterThis() {
      stopping = true;
      drop('stopped');
    },

    clear() {
      if (isAtWork(get())) return;
      tasks.cancelAll();
      set({ drafts: [], run: 'none' });
    },
  };
});

/** Milliseconds that nothing is typed for before it is looked at. */
const TYPING_MS = 150;

/** Failures that say nothing of the wallet. */
const OF_THE_LINE: ReadonlySet<ErrorCode> = new Set([
  'cannot_connect',
  'connection_lost',
  'timed_out',
  'starting_up',
  'busy',
  'not_connected',
]);
const AGAIN_AFTER_MS = 2000;

/** Whether something waits to be begun, or is being begun. */
export function isAtWork({ drafts, run }: Pick<PlansState, 'drafts' | 'run'>): boolean {
  return run !== 'none' && drafts.some(({ standing }) => ['waiting', 'starting'].includes(standing.state));
}
