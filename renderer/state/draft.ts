/** A plan before it runs: the request, the answers so far, and the state of both. */
import { z } from 'zod';
import type { AppErrorShape } from '../../shared/model/errors.ts';
import {
  answers,
  checksOf,
  type Plan,
  type PlanRequest,
  planRequest,
  type Rehearsal,
} from '../../shared/model/plan.ts';
import type { Check } from '../../shared/model/safety.ts';
import { blockerText } from '../../shared/wording/planWords.ts';
import { say } from '../../shared/wording/say.ts';
import { nodeInUse } from './appStore.ts';

/** A request that may have no answers yet. */
export const newRequest = planRequest.extend({ answers: answers.default({}) });
export type NewRequest = z.input<typeof newRequest>;

/** What a reload of the page keeps of a draft. */
export const keptDraft = newRequest.extend({ batch: z.boolean(), chosen: z.boolean() });

/** How a passphrase stood when it was last tried on the file. */
type Tried =
  | { state: 'none' }
  | { state: 'trying' }
  | { state: 'known'; check: Check }
  | { state: 'failed'; error: AppErrorShape };

type Rehearsing =
  | { state: 'none' }
  /** `since`: Unix seconds. */
  | { state: 'running'; since: number }
  /** Null: a loss was found, which a check of the plan tells. */
  | { state: 'done'; rehearsal: Rehearsal | null }
  | { state: 'failed'; error: AppErrorShape };

/** Where one of several stands once they are run. */
type Standing =
  | { state: 'open' }
  | { state: 'waiting' }
  | { state: 'starting' }
  | { state: 'begun'; jobId: string }
  | { state: 'refused'; error: AppErrorShape }
  | { state: 'not-begun'; why: 'stopped' | 'other-node' };

export interface Draft extends PlanRequest {
  readonly key: string;
  /** One of several wallets that are run one after another. */
  readonly batch: boolean;
  /** The user asked for this action; otherwise the page of its wallet suggests it. */
  readonly chosen: boolean;
  /**
   * `start`: its node or the offline engine is connected only when the user starts it, so there is no plan before.
   * `passphrase`: the same, and it needs a passphrase then.
   */
  readonly waits: 'no' | 'start' | 'passphrase';
  /** Null until it was made. What is shown is of the answers before while it is made anew. */
  readonly plan: Plan | null;
  /** A new look at everything is wanted and has not come yet: an answer meanwhile asks for it anew. */
  readonly stale: boolean;
  readonly looking: boolean;
  /** Why there is no plan, or why it was not begun. */
  readonly error: AppErrorShape | null;
  /** Something is worse than it was when the plan was shown, so it was not begun. */
  readonly worse: boolean;
  /** Whether something is typed as passphrase; never what. */
  readonly typed: boolean;
  readonly tried: Tried;
  readonly rehearsing: Rehearsing;
  /** Of several: whether this one takes part. */
  readonly takesPart: boolean;
  readonly standing: Standing;
}

type Look = Pick<Draft, 'looking' | 'batch' | 'chosen' | 'waits'>;

/** A draft without a plan; `looking`: its plan is being made. */
export function newDraft(given: z.input<typeof newRequest>, look: Look): Draft {
  return {
    ...newRequest.parse(given),
    ...{ key: crypto.randomUUID(), plan: null, stale: false, ...look },
    ...{ error: null, worse: false },
    ...{ typed: false, tried: { state: 'none' }, rehearsing: { state: 'none' } },
    ...{ takesPart: true, standing: { state: 'open' } },
  };
}

/** Null also where a new look failed: what was seen before says nothing of what is there now, but what was typed stays. */
export function seenPlan({ plan, stale, looking }: Draft): Plan | null {
  return stale && !looking ? null : plan;
}

/** Why a draft cannot be run yet, in a sentence; null if it can. */
export function stopOf(draft: Draft): string | null {
  const { looking, typed, tried, waits } = draft;
  const wrong = tried.state === 'known' && tried.check.verdict === 'blocker' ? tried.check.title : null;
  if (waits !== 'no') return waits === 'passphrase' && !typed ? say('Type the passphrase.') : wrong;
  const plan = seenPlan(draft);
  if (plan === null && looking) return say('Checking…');
  if (plan === null) return nodeInUse() === null ? say('No node yet') : say('The check failed.');
  return blockerText(plan, typed) ?? wrong;
}

/** What stops a plan by now, as an error: nothing was sent. */
export function stoppedBy(plan: Plan): AppErrorShape {
  const all = checksOf(plan);
  const stop = all.find(({ verdict }) => verdict === 'blocker') ?? all[0];
  return {
    code: 'stopped_by_check',
    message: stop?.title ?? say('Something changed.'),
    hint: [say('Nothing was sent.'), ...(stop?.text ?? []), ...(stop?.todo ?? [])].join(' '),
  };
}

/** Where the passphrase for each plan is typed, by its key: nothing else holds one. */
export const passphraseFields = new Map<string, HTMLInputElement>();

/** What is typed there, if anything is. */
export function secretOf(key: string): { passphrase?: string } {
  const passphrase = passphraseFields.get(key)?.value;
  return passphrase ? { passphrase } : {};
}
