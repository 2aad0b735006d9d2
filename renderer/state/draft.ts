/** A plan before it runs: the request, the answers so far, and the state of both. */
import type { z } from 'zod';
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

/** A request that may have no answers yet. */
export const newRequest = planRequest.extend({ answers: answers.default({}) });

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

/** As it begins; `looking`: it is looked at at once. */
export function newDraft(given: z.input<typeof newRequest>, looking: boolean): Draft {
  return {
    ...newRequest.parse(given),
    ...{ key: crypto.randomUUID(), plan: null, stale: false, looking },
    ...{ error: null, worse: false },
    ...{ typed: false, tried: { state: 'none' }, rehearsing: { state: 'none' } },
    ...{ takesPart: true, standing: { state: 'open' } },
  };
}

/** Null also where a new look failed: what was seen before says nothing of what is there now, but what was typed stays. */
export function seenPlan({ plan, stale, looking }: Draft): Plan | null {
  return stale && !looking ? null : plan;
}

/** Why one cannot be run yet, in a sentence; null where it can. */
export function stopOf(draft: Draft): string | null {
  const { looking, typed, tried } = draft;
  const plan = seenPlan(draft);
  if (plan === null) return looking ? say('Checking…') : say('The check failed.');
  const isWrong = tried.state === 'known' && tried.check.verdict === 'blocker';
  return blockerText(plan, typed) ?? (isWrong ? tried.check.title : null);
}

/** What stops a plan by now, as an error: nothing was sent. */
export function stoppedBy(plan: Plan): AppErrorShape {
  const all = checksOf(plan);
  const stop = all.find(({ verdict }) => verdict === 'blocker') ?? all[0];
  return {
    code: 'stopped_by_check',
    message: stop?.title ?? say('Something changed.'),
    hint: [say('Nothing was sent to the node.'), ...(stop?.text ?? []), ...(stop?.todo ?? [])].join(' '),
  };
}
