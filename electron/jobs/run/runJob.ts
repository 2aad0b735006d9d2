/** Carries one job from its beginning to its end, through lost lines, until it is known what came of it. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError, type AppErrorShape, type ErrorCode } from '../../../shared/model/errors.ts';
import type { Job, LeftCopy } from '../../../shared/model/job.ts';
import { errorShapeOf } from '../../../shared/wording/errorWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { type Secret, sendPlanned } from '../../bitcoind/calls/call.ts';
import { walletInfo } from '../../bitcoind/calls/walletCalls.ts';
import { completedSteps, stepsOf } from '../../bitcoind/log/progress.ts';
import type { NodeClient } from '../../bitcoind/rpc/session.ts';
import { backUp, resumedBackup } from '../backUp.ts';
import type { JobDeps, JobKind, Outcome, ResumeDeps, ResumedJob } from '../jobKind.ts';
import { migrate, resumedMigration } from '../migrate.ts';
import { remainingCopy, removeLeftovers, takeBackPlaced } from '../placing/takeBackPlaced.ts';
import type { PlanFacts } from '../plan/checkFacts.ts';
import type { Checkpoint } from '../plan/checkpoint.ts';
import { stoppedBefore } from '../plan/jobErrors.ts';
import { rescan, resumedRescan } from '../rescan.ts';
import { rescue } from '../rescue.ts';
import { restore, resumedRestore } from '../restore.ts';
import { restoreMigrate } from '../restoreMigrate.ts';
import { askUntilKnown, awaitAnswer, awaitingSession, lookOnce } from './awaitAnswer.ts';
import type { RunContext } from './runContext.ts';
import { sessionOf } from './unsettledJobs.ts';

/** Runs to the end and tells it through `tracked`. Takes the passphrase out of `secret`. Never throws. */
export async function runJob(jobKind: JobKind<unknown>, secret: Secret, context: RunContext): Promise<void> {
  const work = async () =>
    (await unsent(jobKind, secret, context)) ?? untilAborted(context.signal, sent(jobKind, secret, context));
  await carry(jobKind, context, work);
}

/** The same for one that was begun before the app was away: only what came of it is found out. Never throws. */
export async function resumeJob(jobKind: ResumedJob, context: RunContext): Promise<void> {
  await carry(jobKind, context, () => untilAborted(context.signal, askUntilKnown(jobKind, context)));
}

async function carry(jobKind: ResumedJob, context: RunContext, work: () => Promise<Outcome>): Promise<void> {
  const { tracked, watch, signal, now } = context;
  const asking = new AbortController();
  const { kind } = jobKind.checkpoint;
  // The log tells a rescan's progress once a minute at most, and the wallet is loaded meanwhile.
  if (kind === 'rescan' || (!watch.readable && kind !== 'backup'))
    void askForScanning(jobKind, context, asking.signal);
  let outcome: Outcome;
  try {
    outcome = await work();
    if (outcome.state === 'done') await untilAborted(signal, proved(jobKind, outcome, context));
  } catch (thrown) {
    outcome = { state: 'unknown', error: signal.aborted ? STOPPED_WAITING : errorShapeOf(thrown) };
  }
  asking.abort();
  const leftCopy = outcome.state === 'done' ? null : await takeBack(jobKind, outcome, context);
  await watch.settle();
  // The clock may have been set back meanwhile.
  const last = lastChange(outcome, context, Math.max(now(), tracked.current().started));
  tracked.end(leftCopy === null ? last : { ...last, leftCopy });
  await watch.stop();
}

const STOPPED_WAITING: AppErrorShape = {
  code: 'outcome_unknown',
  message: say('The app stopped waiting for the node.'),
  hint: say('The app checks again whenever it can. See the result before you try again.'),
};

/** How it ended before its call was sent; null where it goes on, and the journal says that it is sent. */
async function unsent(
  jobKind: JobKind<unknown>,
  secret: Secret,
  context: RunContext,
): Promise<Outcome | null> {
  const { tracked, watch, signal, keep } = context;
  try {
    await prepare(jobKind, secret, context);
    signal.throwIfAborted();
    if (tracked.current().safetyCopy === null) watch.skip('safety-copy');
    watch.reached('sent');
    // Once this is on the disk, nobody takes the call for not sent.
    keep(true);
    return null;
  } catch (thrown) {
    const error = errorShapeOf(signal.aborted ? stoppedBefore(jobKind.checkpoint) : thrown);
    return { state: 'failed', error, neverSent: true };
  }
}

/** Ends soon after nobody waits any more, even where a disk or the node keeps the work from ending. */
async function prepare(
  jobKind: JobKind<unknown>,
  { passphrase }: Secret,
  context: RunContext,
): Promise<void> {
  const { tracked, watch, signal, keep } = context;
  const work = jobKind.prepare?.({
    session: awaitingSession(context),
    passphrase,
    signal,
    show: (patch) => tracked.change(patch),
    reached: watch.reached,
    save: () => keep(false),
  });
  if (work === undefined) return;
  const late = aborted(signal).then(() => pause(LONGEST_STOPPING_MS, 'late', { ref: false }));
  if ((await Promise.race([work, late])) !== 'late') return;
  // What it still places must not stay.
  void work
    .catch(() => undefined)
    .then(() => removeLeftovers(jobKind.checkpoint, 'failed'))
    .then(() => takeBackPlaced(jobKind.checkpoint, null, 'never'));
}

const LONGEST_STOPPING_MS = 1000;

async function sent(jobKind: JobKind<unknown>, secret: Secret, context: RunContext): Promise<Outcome> {
  const { watch, session, signal } = context;
  let answer: unknown;
  try {
    answer = await awaitAnswer(
      (silence) => answerOf(jobKind, secret, session().client, silence),
      jobKind,
      context,
    );
  } catch (thrown) {
    signal.throwIfAborted();
    if (!(thrown instanceof AppError && isRefusal(thrown))) return askUntilKnown(jobKind, context);
    // What the log says of the refusal was written before the answer, but may not have been read yet.
    await watch.settle();
    const evidence = { log: watch.state(), readable: watch.readable };
    // A migration that failed may not have been undone: on a full disk, for one.
    const half = await leftHalfMade(jobKind, context);
    if (half !== null) return half;
    const error = errorShapeOf(jobKind.explain?.(thrown, evidence) ?? thrown);
    // What refuses without the node's own words came before the call.
    return { state: 'failed', error, ...(thrown.node === undefined ? { neverSent: true } : {}) };
  }
  if (jobKind.checkpoint.kind === 'backup') watch.reached('verifying');
  return jobKind.conclude(session(), answer, signal);
}

/** Whether a call that the node refused left the wallet half-made. Null also where that cannot be told. */
async function leftHalfMade(jobKind: ResumedJob, context: RunContext): Promise<Outcome | null> {
  if (jobKind.method !== 'migratewallet') return null;
  try {
    const { outcome } = await lookOnce(jobKind, context);
    return outcome?.state === 'interrupted' ? outcome : null;
  } catch (thrown) {
    if (context.signal.aborted) throw thrown;
    return null;
  }
}

/** The passphrase is kept for the one call only. */
async function answerOf(jobKind: JobKind<unknown>, secret: Secret, client: NodeClient, signal: AbortSignal) {
  const once = { ...secret };
  secret.passphrase = undefined;
  const calls = jobKind.calls();
  // What the app has done itself needs none.
  return jobKind.parse(client, calls.length === 0 ? null : await sendPlanned(client, calls, once, signal));
}

/** That it is done is known by now; a comparison that fails is told within the proof, or not there. */
async function proved(jobKind: ResumedJob, outcome: Outcome, context: RunContext): Promise<void> {
  const { tracked, watch, session, signal } = context;
  if (!jobKind.prove || outcome.state !== 'done') return;
  watch.reached('proving');
  try {
    tracked.change({ result: outcome.result, warnings: [...outcome.warnings] });
    tracked.change({ proof: await jobKind.prove(session(), outcome.result, signal) });
  } catch (thrown) {
    if (signal.aborted || !(thrown instanceof AppError)) throw thrown;
  }
}

/** Once nobody waits any more, neither a node that does not answer nor a disk that hangs keeps it from ending. */
async function takeBack(
  { checkpoint }: ResumedJob,
  outcome: Exclude<Outcome, { state: 'done' }>,
  context: RunContext,
): Promise<LeftCopy | null> {
  const { state } = outcome;
  const neverSent = 'neverSent' in outcome && outcome.neverSent;
  const call = neverSent ? 'never' : state === 'failed' ? 'refused' : 'open';
  const { signal, known, session } = context;
  if (!signal.aborted) return takeBackPlaced(checkpoint, sessionOf(known, session), call);
  const slow = pause(LONGEST_STOPPING_MS, null, { ref: false }).then(() => remainingCopy(checkpoint, call));
  return Promise.race([takeBackPlaced(checkpoint, null, call), slow]);
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
  // The app did not send it.
  'stopped_by_check',
]);

function isRefusal(error: AppError): boolean {
  return error.node !== undefined || REFUSALS.has(error.code);
}

function lastChange(outcome: Outcome, { tracked, watch }: RunContext, ended: number): Partial<Job> {
  const common = { state: outcome.state, ended, progress: null, silentSince: undefined };
  if (outcome.state !== 'done') {
    const interruption = outcome.state === 'interrupted' ? { interruption: outcome.interruption } : {};
    return { ...common, ...interruption, steps: stepsOf(watch.state()), error: outcome.error };
  }
  const { result, warnings } = outcome;
  const { measured, proof } = tracked.current();
  const separated = result.kind === 'migrate' && (result.watchonlyName ?? result.solvablesName) !== null;
  return {
    ...common,
    connection: 'ok',
    steps: completedSteps(watch.state(), {
      logRead: measured === 'log',
      separated,
      proved: proof !== null,
    }),
    result,
    warnings: [...warnings],
  };
}

function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return Promise.race([aborted(signal).then(() => Promise.reject(signal.reason)), work]);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** The share of the rescan, on nodes that tell it while the call runs, until `ended`. Never throws. */
async function askForScanning(
  { checkpoint }: ResumedJob,
  context: RunContext,
  ended: AbortSignal,
): Promise<void> {
  const { watch, session, signal, askEveryMs } = context;
  const stop = AbortSignal.any([signal, ended]);
  while (!stop.aborted) {
    try {
      await pause(askEveryMs, undefined, { signal: stop, ref: false });
      const { scanning } = await walletInfo(session().client, checkpoint.name, stop);
      if (scanning !== null && !stop.aborted) watch.sawScanning(scanning);
    } catch {
      // Not loaded yet, or no answer: the next turn may tell.
    }
  }
}

/** The kind of job that runs a plan with these facts. */
export function jobKindOf(facts: PlanFacts, deps: JobDeps): JobKind<unknown> {
  switch (facts.kind) {
    case 'restore':
      return restore(facts, deps);
    case 'migrate':
      return migrate(facts, deps);
    case 'restore-migrate':
      return restoreMigrate(facts, deps);
    case 'rescue':
      return rescue(facts, deps);
    case 'backup':
      return backUp(facts, deps);
    case 'rescan':
      return rescan(facts, deps);
  }
}

/** The resumable part of a job, from its checkpoint in the journal. */
export function resumedJobOf(checkpoint: Checkpoint, deps: ResumeDeps): ResumedJob {
  switch (checkpoint.kind) {
    case 'restore':
      return resumedRestore(checkpoint, deps);
    case 'migrate':
    case 'restore-migrate':
    case 'rescue':
      return resumedMigration(checkpoint, deps);
    case 'backup':
      return resumedBackup(checkpoint, deps);
    case 'rescan':
      return resumedRescan(checkpoint);
  }
}
