/** Finds the outcome of a job whose answer is lost: asks the node, or reads its files. */
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../../shared/model/errors.ts';
import type { Job } from '../../../shared/model/job.ts';
import type { NodeIdentity } from '../../../shared/model/node.ts';
import { isSameNode, isSameRun } from '../../../shared/model/node.ts';
import { rpcInfo } from '../../bitcoind/calls/call.ts';
import { readIdentity } from '../../bitcoind/calls/status.ts';
import type { NodeClient, Session } from '../../bitcoind/rpc/session.ts';
import type { Outcome, ResumedJob } from '../jobKind.ts';
import type { RunContext } from './watch.ts';

/**
 * Asks for the outcome until it is clear. Believes only the node on which the job began, even after a restart of it, and waits while
 * another one answers. If the node is gone, its files alone may show the outcome.
 */
export async function resolveUntilKnown(jobKind: ResumedJob, context: RunContext): Promise<Outcome> {
  const { signal, askEveryMs } = context;
  const onConnection = (connection: Job['connection']) => setConnection(context, connection);
  onConnection('lost');
  for (;;) {
    signal.throwIfAborted();
    try {
      const { outcome } = await findCertainOutcome(jobKind, context, { onConnection });
      if (outcome !== null) return outcome;
    } catch (thrown) {
      const isAnother = thrown instanceof AnotherNodeError;
      if (!isAnother && !(thrown instanceof AppError)) throw thrown;
      onConnection(isAnother ? 'another-node' : 'lost');
    }
    await pause(askEveryMs, undefined, { signal, ref: false });
  }
}

interface FindOptions {
  /** See `Evidence`. */
  readonly filesAlone?: boolean;
  /** Called with whether the node answers. */
  readonly onConnection?: (connection: 'ok' | 'lost') => void;
}

interface FoundOutcome {
  /** Null while it is unknown. */
  readonly outcome: Outcome | null;
  /** Null if the node is gone, so that only its files were read. */
  readonly session: Session | null;
}

type FindContext = Pick<RunContext, 'watch' | 'session' | 'node' | 'signal' | 'stoppedNodeFolder'>;

/**
 * Looks for the outcome, twice unless it is `done`: a call that waits in the node's queue is not running yet. Throws AppError if
 * neither the node nor its files show the outcome.
 */
export async function findCertainOutcome(
  jobKind: Pick<ResumedJob, 'method' | 'resolve'>,
  context: FindContext & Pick<RunContext, 'askEveryMs'>,
  options: FindOptions,
): Promise<FoundOutcome> {
  const { signal, askEveryMs } = context;
  const first = await findOutcome(jobKind, context, options);
  if (first.outcome === null || first.outcome.state === 'done') return first;
  await pause(askEveryMs, undefined, { signal, ref: false });
  const again = await findOutcome(jobKind, context, options);
  const isCertain = again.outcome?.state === 'done' || again.outcome?.state === first.outcome.state;
  return isCertain ? again : { ...again, outcome: null };
}

/** Looks once: asks the node, or reads its files if the node is gone. While the node is still at work, only `done` is an outcome. */
async function findOutcome(
  jobKind: Pick<ResumedJob, 'method' | 'resolve'>,
  context: FindContext,
  { filesAlone = false, onConnection = () => {} }: FindOptions,
): Promise<FoundOutcome> {
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
    return { outcome: stillRunning && outcome?.state !== 'done' ? null : outcome, session: now };
  } catch (thrown) {
    const walletsFolder = thrown instanceof AppError ? await context.stoppedNodeFolder(node) : null;
    if (walletsFolder === null) throw thrown;
    onConnection('lost');
    const evidence = { ...(await readLog()), session: null, walletsFolder, stillRunning: false, filesAlone };
    return { outcome: await jobKind.resolve(evidence), session: null };
  }
}

/** The outcome `interrupted` if a refused migration left the wallet incomplete; null if not, or if unknown. */
export async function resolveRefused(jobKind: ResumedJob, context: RunContext): Promise<Outcome | null> {
  if (jobKind.method !== 'migratewallet') return null;
  try {
    const { outcome } = await findOutcome(jobKind, context, {
      onConnection: (connection) => setConnection(context, connection),
    });
    return outcome?.state === 'interrupted' ? outcome : null;
  } catch (thrown) {
    if (context.signal.aborted) throw thrown;
    return null;
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
export async function isRunning(client: NodeClient, methods: readonly string[], signal: AbortSignal) {
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
function setConnection(
  { tracker, now }: Pick<RunContext, 'tracker' | 'now'>,
  connection: Job['connection'],
): void {
  const { connection: before, silentSince } = tracker.current();
  const since = connection === 'ok' ? undefined : (silentSince ?? now());
  if (before !== connection || silentSince !== since) tracker.change({ connection, silentSince: since });
}
