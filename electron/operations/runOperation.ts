/** Carries one operation from its beginning to its end, through lost lines, until it is known what came of it. */
import { setTimeout as pause } from 'node:timers/promises';
import { AppError, type ErrorCode, errorShapeOf } from '../../shared/errors.ts';
import type { Operation } from '../../shared/model.ts';
import { say } from '../../shared/say.ts';
import type { NodeClient, Session } from '../node/session.ts';
import { rpcInfo, walletInfo } from '../node/walletCalls.ts';
import { heedSilence } from './heedSilence.ts';
import type { Beginning, Continuation, Ending, Plan } from './plan.ts';
import { doneStepsOf, stepsOf } from './progress.ts';
import type { Tracked } from './tracked.ts';
import type { Watch } from './watch.ts';

export interface RunContext {
  tracked: Tracked;
  watch: Watch;
  /**
   * The node of this operation as it is reached now: after it was reached anew with another client than at the start.
   * Throws AppError `not_connected` while the app is connected to none or to another one.
   */
  session: () => Session;
  /** Aborted when nobody waits for the operation any more. */
  signal: AbortSignal;
  /** How often the node is asked while the line is lost, or while the log cannot be read. */
  askEveryMs: number;
  /** How often the node is asked whether it still works on a call that it has not answered. */
  silenceMs: number;
  /** Unix seconds. */
  now: () => number;
  /** Writes what is known to the disk. `sent`: from now on the call may reach the node. Throws AppError. */
  keep: (sent: boolean) => void;
}

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
    return { state: 'failed', error: errorShapeOf(signal.aborted ? cancelled() : thrown) };
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

/** Asked this often, a bad end must look the same: a call may wait in the node's queue and not be running yet. */
const SAME_LOOKS = 2;

/** The answer is lost, the work is not: asks the node until it is clear what came of it. */
async function askUntilKnown(plan: Continuation, context: RunContext): Promise<Ending> {
  const { watch, session, signal, askEveryMs } = context;
  setLine(context, 'lost');
  let bad: Ending['state'] | null = null;
  let looks = 0;
  for (;;) {
    signal.throwIfAborted();
    try {
      const now = session();
      const stillRunning = await isRunning(now.client, plan.method, signal);
      setLine(context, 'ok');
      await watch.settle();
      const look = { stillRunning, log: watch.state(), readable: watch.readable, signal };
      const ending = await plan.decide(now, look);
      if (ending?.state === 'done') return ending;
      const state = ending === null || stillRunning ? null : ending.state;
      looks = state === bad ? looks + 1 : 1;
      bad = state;
      if (ending !== null && bad !== null && looks >= SAME_LOOKS) return ending;
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      bad = null;
      setLine(context, 'lost');
    }
    await pause(askEveryMs, undefined, { signal, ref: false });
  }
}

/**
 * Whether the method runs. A login that may not ask this gets a refusal, which shows that the line is good; then
 * it counts as running, and only finding the work done ends the waiting.
 */
async function isRunning(client: NodeClient, method: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { activeCommands } = await rpcInfo(client, signal);
    return activeCommands.some((command) => command.method === method);
  } catch (thrown) {
    if (thrown instanceof AppError && (thrown.code === 'forbidden' || thrown.code === 'unknown_method'))
      return true;
    throw thrown;
  }
}

function setLine({ tracked, now }: RunContext, line: Operation['line']): void {
  const { line: before, silentSince } = tracked.current();
  const since = line === 'ok' ? undefined : (silentSince ?? now());
  if (before !== line || silentSince !== since) tracked.change({ line, silentSince: since });
}

/** Where the log cannot be read: the share of the rescan, on nodes that tell it while the call runs. */
async function askForScanning(
  { wallet }: Continuation,
  context: RunContext,
  ended: AbortSignal,
): Promise<void> {
  const { watch, session, signal, askEveryMs } = context;
  const stop = AbortSignal.any([signal, ended]);
  while (!stop.aborted) {
    try {
      await pause(askEveryMs, undefined, { signal: stop, ref: false });
      const { scanning } = await walletInfo(session().client, wallet, stop);
      if (scanning !== null && !stop.aborted) watch.sawScanning(scanning.progress);
    } catch {
      // Not loaded yet, or no answer: the next turn may tell.
    }
  }
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

function cancelled(): AppError {
  return new AppError(
    'cancelled',
    say('It was stopped before the node was asked.'),
    say('Nothing was sent to the node, and the wallet is as it was.'),
  );
}

function stoppedWaiting({ kind, wallet }: Continuation) {
  const name = wallet === '' ? say('the unnamed wallet') : `“${wallet}”`;
  return {
    code: 'outcome_unknown',
    message: say('The app stopped waiting for the node.'),
    hint: beforeAskingAgain(kind, name),
  } as const;
}

function beforeAskingAgain(kind: Operation['kind'], wallet: string): string {
  switch (kind) {
    case 'restore':
      return say(
        'What the node has begun it goes on doing. Look at the list of wallets, and at its log, before you restore {wallet} once more.',
        { wallet },
      );
    case 'migrate':
    case 'restore-migrate':
      return say(
        'What the node has begun it goes on doing. Look at the list of wallets, and at its log, before you migrate {wallet} once more.',
        { wallet },
      );
    case 'backup':
      return say(
        'What the node has begun it goes on doing. Look at the list of wallets, and at its log, before you back up {wallet} once more.',
        { wallet },
      );
  }
}
