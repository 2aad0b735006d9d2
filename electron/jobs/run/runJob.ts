/** Runs one job: prepares it, sends its calls, waits for the answer through silence, and reports the outcome. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError, type AppErrorShape } from '../../../shared/model/errors.ts';
import type { LeftCopy } from '../../../shared/model/safety.ts';
import { errorShapeOf } from '../../../shared/wording/findings/findingWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { type Call, isRefusal, type Secret, sendPlanned } from '../../bitcoind/calls/call.ts';
import { walletInfo } from '../../bitcoind/calls/walletInfo.ts';
import { isReadOnly } from '../../bitcoind/rpc/client.ts';
import type { NodeClient, Session } from '../../bitcoind/rpc/session.ts';
import { createBackupJob, createResumedBackup } from '../backUp.ts';
import type { JobDeps, JobKind, Outcome, ResumeDeps, ResumedJob } from '../jobKind.ts';
import { createMigrationJob, createResumedMigration } from '../migrate.ts';
import { endedJob, explainUnwritable, STILL_UNLOCKED, stoppedBeforeCallError } from '../outcomes.ts';
import { remainingCopy, removeJobFiles, removePlacedCopy } from '../placing/removePlacedCopy.ts';
import type { PlanFacts } from '../plan/checkFacts.ts';
import type { Checkpoint } from '../plan/checkpoint.ts';
import { createRescanJob, createResumedRescan } from '../rescan.ts';
import { createRescueJob } from '../rescue.ts';
import { createRestoreJob, createResumedRestore } from '../restore.ts';
import { createRestoreMigrateJob } from '../restoreMigrate.ts';
import { isRunning, methodsOf, resolveRefused, resolveUntilKnown } from './findOutcome.ts';
import { proveResult, sessionOf } from './unsettledJobs.ts';
import type { RunContext } from './watch.ts';

/** Runs the job and reports it through `tracker`. Clears the passphrase in `secret` at the latest when the job ends. Never throws. */
export async function runJob(
  jobKind: JobKind<unknown>,
  calls: readonly Call[],
  secret: Secret,
  context: RunContext,
): Promise<void> {
  const work = async () =>
    (await prepareAndJournal(jobKind, secret, context)) ??
    untilAborted(context.signal, sendCalls(jobKind, calls, secret, context));
  await runToEnd(jobKind, context, work);
  // A job that ended before its call still has it.
  secret.passphrase = undefined;
}

/** Finds the outcome of a job that an earlier session of the app started, and reports it. Never throws. */
export async function resumeJob(jobKind: ResumedJob, context: RunContext): Promise<void> {
  await runToEnd(jobKind, context, () => untilAborted(context.signal, resolveUntilKnown(jobKind, context)));
}

async function runToEnd(
  jobKind: ResumedJob,
  context: RunContext,
  work: () => Promise<Outcome>,
): Promise<void> {
  const { tracker, watch, signal, now } = context;
  const asking = new AbortController();
  const { kind } = jobKind.checkpoint;
  // The log shows a rescan's progress at most once a minute. The loaded wallet can be asked more often.
  if (kind === 'rescan' || (!watch.readable && kind !== 'backup'))
    void pollScanning(jobKind, context, asking.signal);
  let outcome: Outcome;
  try {
    outcome = await work();
  } catch (thrown) {
    outcome = { state: 'unknown', error: signal.aborted ? STOPPED_WAITING : errorShapeOf(thrown) };
  }
  // The job is done without the comparison, so the user can stop waiting for it.
  if (outcome.state === 'done') await Promise.race([aborted(signal), prove(jobKind, outcome, context)]);
  asking.abort();
  const leftCopy = outcome.state === 'done' ? null : await removeCopyAfter(jobKind, outcome, context);
  await watch.drainLog();
  const last = endedJob(tracker.current(), outcome, watch.state());
  // The clock may have been set back meanwhile.
  const ended = Math.max(now(), last.started);
  tracker.end({ ...last, ended, ...(leftCopy && { leftCopy }) });
  await watch.stop();
}

const STOPPED_WAITING: AppErrorShape = {
  code: 'outcome_unknown',
  message: say('No longer waiting for the node.'),
  hint: say('The app keeps checking. Wait for its result.'),
};

/** Prepares the job. The outcome if it ends before its call; null once the journal says that the call is sent. */
async function prepareAndJournal(
  jobKind: JobKind<unknown>,
  secret: Secret,
  context: RunContext,
): Promise<Outcome | null> {
  const { tracker, watch, signal, writeEntry } = context;
  try {
    await prepare(jobKind, secret, context);
    signal.throwIfAborted();
    if (tracker.current().safetyCopy === null) watch.skip('safety-copy');
    if (!jobKind.prove) watch.skip('proving');
    watch.startPhase('sent');
    // From here on the journal says that the call may have reached the node.
    writeEntry(true);
    return null;
  } catch (thrown) {
    const cause = signal.aborted ? stoppedBeforeCallError(jobKind.checkpoint) : thrown;
    return { state: 'failed', error: errorShapeOf(cause), neverSent: true };
  }
}

/** Ends soon after the signal, even if a disk or the node blocks the work. */
async function prepare(jobKind: JobKind<unknown>, secret: Secret, context: RunContext): Promise<void> {
  const { tracker, watch, signal, writeEntry, node, session } = context;
  const work = jobKind.prepare?.({
    session: preparingSession(secret, context),
    passphrase: secret.passphrase,
    signal,
    show: (patch) => tracker.change(patch),
    startPlacing: () => watch.startPhase('placing'),
    save: () => writeEntry(false),
  });
  if (work === undefined) return;
  const late = aborted(signal).then(() => pause(STOP_TIMEOUT_MS, 'late', { ref: false }));
  if ((await Promise.race([work, late])) !== 'late') return;
  // Remove what the late work still creates.
  void work
    .catch(() => undefined)
    .then(() => removeJobFiles(jobKind.checkpoint, 'failed'))
    .then(() => removePlacedCopy(jobKind.checkpoint, sessionOf(node, session), 'not-sent'));
}

const STOP_TIMEOUT_MS = 1000;

async function sendCalls(
  jobKind: JobKind<unknown>,
  calls: readonly Call[],
  secret: Secret,
  context: RunContext,
): Promise<Outcome> {
  const { watch, session, signal } = context;
  let answer: unknown;
  try {
    const { client } = session();
    // A job that the app did alone has no calls.
    const result =
      calls.length === 0
        ? null
        : await awaitAnswer(
            (silence) => sendOnce(jobKind, client, calls, secret, silence, context),
            methodsOf(jobKind),
            context,
          );
    answer = jobKind.parse(client, result);
  } catch (thrown) {
    signal.throwIfAborted();
    if (!(thrown instanceof AppError && isRefusal(thrown)))
      return resolveUntilKnown(jobKind, context, { isSender: true });
    // The node logs the reason before it answers, but the app may not have read it yet.
    const logWasRead = await watch.drainLog();
    const { offline } = context.node;
    const evidence = { log: watch.state(), logWasRead, offline };
    // An error without the node's own words happened before the call.
    const neverSent = thrown.node === undefined;
    // The node may fail to undo a failed migration, for example on a full disk. Another client may have migrated the wallet.
    const changed = neverSent ? null : await resolveRefused(jobKind, context, thrown);
    if (changed !== null) return changed;
    const explained = (await jobKind.explain?.(thrown, { ...evidence, session: session() })) ?? thrown;
    const { kind, name } = jobKind.checkpoint;
    const error = errorShapeOf(
      kind === 'backup' ? explained : explainUnwritable(explained, name, session().status),
    );
    return { state: 'failed', error, ...(neverSent ? { neverSent } : {}) };
  }
  if (jobKind.checkpoint.kind === 'backup') watch.startPhase('verifying');
  return jobKind.conclude(session(), answer, signal);
}

/** Clears the passphrase in `secret`. Only this call keeps it, until it is answered: for hours during a long rescan. */
function sendOnce(
  jobKind: JobKind<unknown>,
  client: NodeClient,
  calls: readonly Call[],
  secret: Secret,
  signal: AbortSignal,
  { tracker, pollMs }: RunContext,
) {
  const sent = { ...secret };
  secret.passphrase = undefined;
  return sendPlanned(client, calls, sent, signal, {
    beforeWork: () => jobKind.beforeWork?.(),
    pauseMs: pollMs,
    onFailure({ method }) {
      if (method !== 'walletlock') return;
      tracker.change({ warnings: [...tracker.current().warnings, STILL_UNLOCKED] });
    },
  });
}

/**
 * Waits for the answer of `call`, which may take hours. Meanwhile asks the node on another connection whether it still works on
 * it, and shows since when the node has been silent. Throws AppError `connection_lost` once the node has said twice that the call
 * does not run, because its answer is then lost.
 */
async function awaitAnswer<Answer>(
  call: (signal: AbortSignal) => Promise<Answer>,
  methods: readonly string[],
  context: RunContext,
): Promise<Answer> {
  const answered = new AbortController();
  const gaveUp = new AbortController();
  const signal = AbortSignal.any([context.signal, gaveUp.signal]);
  void pollNode(methods, context, answered.signal, () => gaveUp.abort());
  try {
    return await call(signal);
  } catch (thrown) {
    if (!gaveUp.signal.aborted || context.signal.aborted) throw thrown;
    throw new AppError(
      'connection_lost',
      say('The connection was lost.'),
      say('The job was not sent. Try again.'),
    );
  } finally {
    answered.abort();
    if (context.tracker.current().silentSince !== undefined)
      context.tracker.change({ silentSince: undefined });
  }
}

async function pollNode(
  methods: readonly string[],
  context: RunContext,
  ended: AbortSignal,
  giveUp: () => void,
): Promise<void> {
  const { tracker, answerPollMs, now, signal } = context;
  const stop = AbortSignal.any([signal, ended]);
  let lastAnswer = now();
  let idle = 0;
  while (!stop.aborted) {
    try {
      await pause(answerPollMs, undefined, { signal: stop, ref: false });
      const call = await findCallState(methods, context, stop);
      if (stop.aborted) return;
      if (call !== 'no-answer') lastAnswer = now();
      idle = call === 'ended' ? idle + 1 : 0;
    } catch {
      return;
    }
    if (idle >= MAX_IDLE_POLLS) return giveUp();
    const isSilent = (now() - lastAnswer) * 1000 >= SILENT_POLLS * answerPollMs;
    const since = isSilent ? lastAnswer : undefined;
    if (tracker.current().silentSince !== since) tracker.change({ silentSince: since });
  }
}

/** Polls without the call before its answer counts as lost. After one poll, the answer may still be on its way. */
const MAX_IDLE_POLLS = 2;
/** Polls before the page shows the silence: two minutes with the usual pause. */
const SILENT_POLLS = 4;

/**
 * Asks the node whether a call of these methods still runs. A node takes calls in order: once it answers this question, an earlier
 * call runs, has ended, or never arrived.
 */
async function findCallState(
  methods: readonly string[],
  { session }: RunContext,
  signal: AbortSignal,
): Promise<'running' | 'ended' | 'no-answer'> {
  try {
    // A login that may not ask does not show that the call is over.
    return (await isRunning(session().client, methods, signal)) === false ? 'ended' : 'running';
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    // A refusal is an answer too, but says nothing about the call.
    return thrown.node !== undefined || thrown.code === 'busy' ? 'running' : 'no-answer';
  }
}

/** The job's node, verified before each call that changes something. Each call is awaited as in `awaitAnswer`. */
function preparingSession({ verifyNode }: Secret, context: RunContext): Session {
  const { client, status } = context.session();
  const call: NodeClient['call'] = (method, params, options = {}) =>
    awaitAnswer(
      (silence) => {
        const signal = options.signal ? AbortSignal.any([options.signal, silence]) : silence;
        if (isReadOnly(method)) return client.call(method, params, { ...options, signal });
        // Another node at the address may have a wallet of the same name.
        return client.overOneConnection(async (connection) => {
          await verifyNode(connection, signal);
          return connection.call(method, params, { ...options, signal });
        });
      },
      [method],
      context,
    );
  return { status, client: { ...client, call } };
}

/** Never throws, because the job is done in any case. */
async function prove(
  jobKind: ResumedJob,
  { result, warnings }: Extract<Outcome, { state: 'done' }>,
  { tracker, watch, session, signal }: RunContext,
): Promise<void> {
  if (!jobKind.prove) return;
  watch.startPhase('proving');
  tracker.change({ result, warnings: [...warnings] });
  tracker.change(await proveResult(jobKind, session, result, signal));
}

/** After the signal, a silent node or a slow disk must not keep the job from ending. */
async function removeCopyAfter(
  { checkpoint }: ResumedJob,
  outcome: Exclude<Outcome, { state: 'done' }>,
  context: RunContext,
): Promise<LeftCopy | null> {
  const { state } = outcome;
  const neverSent = 'neverSent' in outcome && outcome.neverSent;
  const call = neverSent ? 'not-sent' : state === 'failed' ? 'refused' : 'unknown';
  const { signal, node, session } = context;
  if (!signal.aborted) return removePlacedCopy(checkpoint, sessionOf(node, session), call);
  const slow = pause(STOP_TIMEOUT_MS, null, { ref: false }).then(() => remainingCopy(checkpoint, call));
  return Promise.race([removePlacedCopy(checkpoint, null, call), slow]);
}

function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return Promise.race([aborted(signal).then(() => Promise.reject(signal.reason)), work]);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Asks for the rescan's progress until `ended`, on nodes that answer during the call. Never throws. */
async function pollScanning(
  { checkpoint }: ResumedJob,
  context: RunContext,
  ended: AbortSignal,
): Promise<void> {
  const { watch, session, signal, pollMs } = context;
  const stop = AbortSignal.any([signal, ended]);
  while (!stop.aborted) {
    try {
      await pause(pollMs, undefined, { signal: stop, ref: false });
      const { scanning } = await walletInfo(session().client, checkpoint.name, stop);
      if (scanning !== null && !stop.aborted) watch.updateScanning(scanning);
    } catch {
      // The wallet is not loaded yet, or the node did not answer. Ask again.
    }
  }
}

/** The kind of job that runs a plan with these facts. */
export function createJobKind(facts: PlanFacts, deps: JobDeps): JobKind<unknown> {
  const jobKind = createKind(facts, deps);
  const methods = deps.calls.map(({ method }) => method);
  jobKind.checkpoint.precedingMethods = methods.slice(0, Math.max(0, methods.indexOf(jobKind.method)));
  return jobKind;
}

function createKind(facts: PlanFacts, deps: JobDeps): JobKind<unknown> {
  switch (facts.kind) {
    case 'restore':
      return createRestoreJob(facts, deps);
    case 'migrate':
      return createMigrationJob(facts, deps);
    case 'restore-migrate':
      return createRestoreMigrateJob(facts, deps);
    case 'rescue':
      return createRescueJob(facts, deps);
    case 'backup':
      return createBackupJob(facts, deps);
    case 'rescan':
      return createRescanJob(facts, deps);
  }
}

/** The resumable part of a job, from its checkpoint in the journal. */
export function createResumedJob(checkpoint: Checkpoint, deps: ResumeDeps): ResumedJob {
  switch (checkpoint.kind) {
    case 'restore':
      return createResumedRestore(checkpoint, deps);
    case 'migrate':
    case 'restore-migrate':
    case 'rescue':
      return createResumedMigration(checkpoint, deps);
    case 'backup':
      return createResumedBackup(checkpoint, deps);
    case 'rescan':
      return createResumedRescan(checkpoint);
  }
}
