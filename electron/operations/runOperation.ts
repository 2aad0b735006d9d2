/** Carries one operation from its beginning to its end, through lost lines, until it is known what came of it. */
import { AppError, type ErrorCode, errorShapeOf } from '../../shared/errors.ts';
import type { Operation } from '../../shared/operation.ts';
import type { Session } from '../node/session.ts';
import { askForScanning } from './askForScanning.ts';
import { askUntilKnown } from './askUntilKnown.ts';
import { heedSilence } from './heedSilence.ts';
import { stoppedBefore, stoppedWaiting } from './operationErrors.ts';
import type { Beginning, Continuation, Ending, Plan } from './plan.ts';
import { doneStepsOf, stepsOf } from './progress.ts';
import type { RunContext } from './runContext.ts';

/** Runs to the end and tells it through `tracked`. Never throws. */
export async function runOperation<Answer>(plan: Plan<Answer>, context: RunContext): Promise<void> {
  await carry(plan, context, () => begun(plan, plan.begin, context));
}

/** The same for one that was begun before the app was away: only what came of it is found out. Never throws. */
export async function resumeOperation(plan: Continuation, context: RunContext): Promise<void> {
  await carry(plan, context, () => askUntilKnown(plan, context));
}

async function carry(plan: Continuation, context: RunContext, work: () => Promise<Ending>): Promise<void> {
  const { tracked, watch, signal, now } = context;
  const asking = new AbortController();
  if (!watch.readable && plan.kind !== 'backup') void askForScanning(plan, context, asking.signal);
  let ending: Ending;
  try {
    ending = await untilAborted(signal, work());
    if (ending.state === 'failed') await plan.takeBack?.(sessionOrNull(context));
    if (ending.state === 'done') await untilAborted(signal, proved(plan, ending, context));
  } catch (thrown) {
    ending = { state: 'unknown', error: signal.aborted ? stoppedWaiting(plan) : errorShapeOf(thrown) };
  }
  asking.abort();
  await watch.settle();
  // The clock may have been set back meanwhile.
  tracked.end(lastChange(ending, context, Math.max(now(), tracked.current().started)));
  await watch.stop();
}

async function begun<Answer>(
  plan: Continuation,
  { prepare, call, conclude }: Beginning<Answer>,
  context: RunContext,
): Promise<Ending> {
  const { tracked, watch, session, signal, keep } = context;
  try {
    await prepare?.({
      session: session(),
      signal,
      show: (patch) => tracked.change(patch),
      reached: watch.reached,
      remember: () => keep(false),
    });
    signal.throwIfAborted();
    if (tracked.current().safetyCopy === null) watch.skip('safety-copy');
    watch.reached('sent');
    // Once this is on the disk, nobody takes the call for not sent.
    keep(true);
  } catch (thrown) {
    return { state: 'failed', error: errorShapeOf(signal.aborted ? stoppedBefore() : thrown) };
  }
  let answer: Answer;
  try {
    answer = await heedSilence((silence) => call(session().client, silence), plan, context);
  } catch (thrown) {
    signal.throwIfAborted();
    if (!(thrown instanceof AppError && isRefusal(thrown))) return askUntilKnown(plan, context);
    // What the log says of the refusal was written before the answer, but may not have been read yet.
    await watch.settle();
    const evidence = { log: watch.state(), readable: watch.readable };
    return { state: 'failed', error: plan.explain(thrown, evidence).toShape() };
  }
  if (plan.kind === 'backup') watch.reached('verifying');
  return conclude(session(), answer, signal);
}

/** That it is done is known by now; a comparison that fails is told within the proof, or not there. */
async function proved(plan: Continuation, ending: Ending, context: RunContext): Promise<void> {
  const { tracked, watch, session, signal } = context;
  if (!plan.prove || ending.state !== 'done') return;
  watch.reached('proving');
  try {
    tracked.change({ result: ending.result, warnings: [...ending.warnings] });
    tracked.change({ proof: await plan.prove(session(), ending.result, signal) });
  } catch (thrown) {
    if (signal.aborted || !(thrown instanceof AppError)) throw thrown;
  }
}

function sessionOrNull({ session }: RunContext): Session | null {
  try {
    return session();
  } catch {
    return null;
  }
}

/** Causes that mean the call was not carried out, besides every answer of the node's own. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set([
  // Such a call has a connection of its own: without one, nothing was sent.
  'cannot_connect',
  'credentials_missing',
  'credentials_refused',
  'forbidden',
  'busy',
  'starting_up',
  'unknown_method',
  'no_wallet_support',
  'release_unsupported',
  'bad_input',
  'not_connected',
]);

function isRefusal(error: AppError): boolean {
  return error.node !== undefined || REFUSALS.has(error.code);
}

function lastChange(ending: Ending, { tracked, watch }: RunContext, ended: number): Partial<Operation> {
  const common = { state: ending.state, ended, progress: null, silentSince: undefined };
  if (ending.state !== 'done') return { ...common, steps: stepsOf(watch.state()), error: ending.error };
  const { result, warnings } = ending;
  const { measured, proof } = tracked.current();
  const separated = result.kind === 'migrate' && (result.watchonlyName ?? result.solvablesName) !== null;
  return {
    ...common,
    line: 'ok',
    steps: doneStepsOf(watch.state(), {
      seen: measured === 'log',
      separated,
      proved: proof !== null,
    }),
    result,
    warnings: [...warnings],
  };
}

function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
