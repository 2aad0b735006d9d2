/** Waits for the answer to a call. If the answer is lost, asks the node and its files for the outcome. */
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../../shared/model/errors.ts';
import type { Job } from '../../../shared/model/job.ts';
import type { NodeIdentity } from '../../../shared/model/node.ts';
import { isSameNode, isSameRun } from '../../../shared/model/node.ts';
import { say } from '../../../shared/wording/say.ts';
import { rpcInfo } from '../../bitcoind/calls/call.ts';
import { readIdentity } from '../../bitcoind/calls/status.ts';
import type { NodeClient, Session } from '../../bitcoind/rpc/session.ts';
import type { Outcome, ResumedJob } from '../jobKind.ts';
import type { RunContext } from './runContext.ts';

/**
 * Waits for the answer of `call`, which may take hours. Meanwhile asks the node on another connection whether it still works on
 * it, and shows since when the node has been silent. Throws AppError `connection_lost` once the node has said twice that the call
 * does not run, because its answer is then lost.
 */
export async function awaitAnswer<Answer>(
  call: (signal: AbortSignal) => Promise<Answer>,
  work: Pick<ResumedJob, 'method'>,
  context: RunContext,
): Promise<Answer> {
  const answered = new AbortController();
  const gaveUp = new AbortController();
  const signal = AbortSignal.any([context.signal, gaveUp.signal]);
  void pollNode(work, context, answered.signal, () => gaveUp.abort());
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
  { method }: Pick<ResumedJob, 'method'>,
  context: RunContext,
  ended: AbortSignal,
  giveUp: () => void,
): Promise<void> {
  const { tracker, silenceMs, now, signal } = context;
  const stop = AbortSignal.any([signal, ended]);
  let lastAnswer = now();
  let idle = 0;
  while (!stop.aborted) {
    try {
      await pause(silenceMs, undefined, { signal: stop, ref: false });
      const work = await isAtWork(method, context, stop);
      if (stop.aborted) return;
      if (work !== 'no-answer') lastAnswer = now();
      idle = work === 'no' ? idle + 1 : 0;
    } catch {
      return;
    }
    if (idle >= MOST_IDLE_POLLS) return giveUp();
    const isSilent = (now() - lastAnswer) * 1000 >= SILENT_POLLS * silenceMs;
    const since = isSilent ? lastAnswer : undefined;
    if (tracker.current().silentSince !== since) tracker.change({ silentSince: since });
  }
}

/** Polls without the call before its answer counts as lost. After one poll, the answer may still be on its way. */
const MOST_IDLE_POLLS = 2;
/** Polls before the page shows the silence: two minutes with the usual pause. */
const SILENT_POLLS = 4;

/** A node takes calls in order: once it answers this one, an earlier call is running, done, or never arrived. */
async function isAtWork(
  method: string,
  { session }: RunContext,
  signal: AbortSignal,
): Promise<'yes' | 'no' | 'no-answer'> {
  try {
    return (await isRunning(session().client, [method, ...PRECEDING], signal)) ? 'yes' : 'no';
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    // A refusal is an answer too, but says nothing about the call.
    return thrown.node !== undefined || thrown.code === 'busy' ? 'yes' : 'no-answer';
  }
}

/** Calls that precede the long one: before a migration on release 24.0, and before an undo in the engine. */
const PRECEDING = ['loadwallet', 'walletpassphrase', 'renamewallet'];

/** The job's node. Each call is awaited as in `awaitAnswer`. */
export function awaitingSession(context: RunContext): Session {
  const { client, status } = context.session();
  return { status, client: awaiting(client, context) };
}

function awaiting(client: NodeClient, context: RunContext): NodeClient {
  return {
    ...client,
    call: (method, params, options = {}) =>
      awaitAnswer(
        (silence) => {
          const signal = options.signal ? AbortSignal.any([options.signal, silence]) : silence;
          return client.call(method, params, { ...options, signal });
        },
        { method },
        context,
      ),
    overOneConnection: (work) => client.overOneConnection((single) => work(awaiting(single, context))),
  };
}

/**
 * Asks for the outcome until it is clear. Believes only the node on which the job began, even after a restart of it, and waits while
 * another one answers. If the node is gone, its files alone may show the outcome.
 */
export async function resolveUntilKnown(jobKind: ResumedJob, context: RunContext): Promise<Outcome> {
  const { signal, askEveryMs } = context;
  const onConnection = (connection: Job['connection']) => setConnection(context, connection);
  onConnection('lost');
  let last: Outcome['state'] | null = null;
  let repeats = 0;
  for (;;) {
    signal.throwIfAborted();
    try {
      const { outcome, stillRunning } = await findOutcome(jobKind, context, { onConnection });
      if (outcome?.state === 'done') return outcome;
      const state = outcome === null || stillRunning ? null : outcome.state;
      repeats = state === last ? repeats + 1 : 1;
      last = state;
      if (outcome !== null && state !== null && repeats >= MOST_REPEATS) return outcome;
    } catch (thrown) {
      const isAnother = thrown instanceof AnotherNodeError;
      if (!isAnother && !(thrown instanceof AppError)) throw thrown;
      last = null;
      onConnection(isAnother ? 'another-node' : 'lost');
    }
    await pause(askEveryMs, undefined, { signal, ref: false });
  }
}

/** How often a bad outcome must repeat: a call that waits in the node's queue is not running yet. */
const MOST_REPEATS = 2;

interface FindOptions {
  /** See `Evidence`. */
  readonly filesAlone?: boolean;
  /** Called with whether the node answers. */
  readonly onConnection?: (connection: 'ok' | 'lost') => void;
}

/**
 * Looks for the outcome once: asks the node, or reads its files if the node is gone (the session is then null). Throws AppError if
 * neither shows the outcome.
 */
export async function findOutcome(
  jobKind: Pick<ResumedJob, 'method' | 'resolve'>,
  context: Pick<RunContext, 'watch' | 'session' | 'node' | 'signal' | 'stoppedNodeFolder'>,
  { filesAlone = false, onConnection = () => {} }: FindOptions,
): Promise<{ outcome: Outcome | null; stillRunning: boolean; session: Session | null }> {
  const { watch, session, signal, node } = context;
  const readLog = async () => {
    await watch.settle();
    return { log: watch.state(), readable: watch.readable, signal };
  };
  try {
    const now = session();
    const identity = await readJobNode(now, context);
    const stillRunning = await isRunning(now.client, [jobKind.method], signal);
    onConnection('ok');
    const { local, walletsFolder } = now.status;
    const outcome = await jobKind.resolve({
      ...(await readLog()),
      session: now,
      walletsFolder: local ? walletsFolder : null,
      stillRunning,
    });
    // Another node may have taken its place between these calls.
    if (outcome !== null && !isSameRun(identity, await readJobNode(now, context)))
      throw new AnotherNodeError();
    return { outcome, stillRunning, session: now };
  } catch (thrown) {
    const walletsFolder = thrown instanceof AppError ? await context.stoppedNodeFolder(node) : null;
    if (walletsFolder === null) throw thrown;
    onConnection('lost');
    const outcome = await jobKind.resolve({
      ...(await readLog()),
      session: null,
      walletsFolder,
      stillRunning: false,
      filesAlone,
    });
    return { outcome, stillRunning: false, session: null };
  }
}

/** Reads the identity of the node that answers. Throws AnotherNodeError unless it is the job's node. */
async function readJobNode(
  { client }: Session,
  { node, signal }: Pick<RunContext, 'node' | 'signal'>,
): Promise<NodeIdentity> {
  const identity = await readIdentity(client, node, signal);
  if (!isSameNode(node, identity)) throw new AnotherNodeError();
  return identity;
}

class AnotherNodeError extends Error {}

/** Whether one of these calls runs. If the login may not ask that, the call counts as running. */
async function isRunning(client: NodeClient, methods: readonly string[], signal: AbortSignal) {
  try {
    const { activeCommands } = await rpcInfo(client, signal);
    return activeCommands.some(({ method }) => methods.includes(method));
  } catch (thrown) {
    if (thrown instanceof AppError && (thrown.code === 'forbidden' || thrown.code === 'unknown_method'))
      return true;
    throw thrown;
  }
}

/** Shows since when the node does not answer. */
export function setConnection(
  { tracker, now }: Pick<RunContext, 'tracker' | 'now'>,
  connection: Job['connection'],
): void {
  const { connection: before, silentSince } = tracker.current();
  const since = connection === 'ok' ? undefined : (silentSince ?? now());
  if (before !== connection || silentSince !== since) tracker.change({ connection, silentSince: since });
}
