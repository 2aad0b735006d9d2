/** The answer to a call is lost, the work is not: finds out what came of it. */
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../../shared/model/errors.ts';
import type { Job } from '../../../shared/model/job.ts';
import type { NodeIdentity } from '../../../shared/model/node.ts';
import { isSameNode, isSameRun } from '../../../shared/model/nodeIdentity.ts';
import { rpcInfo } from '../../bitcoind/calls/nodeCalls.ts';
import { readIdentity } from '../../bitcoind/calls/readIdentity.ts';
import type { NodeClient, Session } from '../../bitcoind/rpc/session.ts';
import type { Continuation, Ending } from '../course.ts';
import type { RunContext } from './runContext.ts';

/**
 * Asks until it is clear. Only the node that it began on is believed, also restarted; another one is waited out. Where the
 * node is gone, its files alone may tell.
 */
export async function askUntilKnown(plan: Continuation, context: RunContext): Promise<Ending> {
  const { signal, askEveryMs } = context;
  setLine(context, 'lost');
  let bad: Ending['state'] | null = null;
  let looks = 0;
  for (;;) {
    signal.throwIfAborted();
    try {
      const { ending, stillRunning } = await lookOnce(plan, context);
      if (ending?.state === 'done') return ending;
      const state = ending === null || stillRunning ? null : ending.state;
      looks = state === bad ? looks + 1 : 1;
      bad = state;
      if (ending !== null && bad !== null && looks >= SAME_LOOKS) return ending;
    } catch (thrown) {
      const isAnother = thrown instanceof AnotherNodeError;
      if (!isAnother && !(thrown instanceof AppError)) throw thrown;
      bad = null;
      setLine(context, isAnother ? 'another-node' : 'lost');
    }
    await pause(askEveryMs, undefined, { signal, ref: false });
  }
}

/** Asked this often, a bad end must look the same: a call may wait in the node's queue and not be running yet. */
const SAME_LOOKS = 2;

/** One look at the node or, where that is gone, at its files. Throws AppError where neither tells. */
export async function lookOnce(
  plan: Pick<Continuation, 'method' | 'memory'>,
  context: Pick<
    RunContext,
    'tracked' | 'watch' | 'session' | 'known' | 'signal' | 'resolve' | 'stoppedNodeFolder' | 'now'
  >,
): Promise<{ ending: Ending | null; stillRunning: boolean }> {
  const { watch, session, signal, known, resolve } = context;
  const evidence = async () => {
    await watch.settle();
    return { log: watch.state(), readable: watch.readable, signal };
  };
  try {
    const now = session();
    const asked = await askKnown(now, context);
    const stillRunning = await isRunning(now.client, [plan.method], signal);
    setLine(context, 'ok');
    const { local, walletsFolder } = now.status;
    const look = {
      ...(await evidence()),
      session: now,
      walletsFolder: local ? walletsFolder : null,
      stillRunning,
    };
    const ending = await resolve(plan.memory, look);
    // Whoever took its place in between would have answered a part of it.
    if (ending !== null && !isSameRun(asked, await askKnown(now, context))) throw new AnotherNodeError();
    return { ending, stillRunning };
  } catch (thrown) {
    const walletsFolder = thrown instanceof AppError ? await context.stoppedNodeFolder(known) : null;
    if (walletsFolder === null) throw thrown;
    setLine(context, 'lost');
    const look = { ...(await evidence()), session: null, walletsFolder, stillRunning: false };
    return { ending: await resolve(plan.memory, look), stillRunning: false };
  }
}

/** What answers, where it is the node of this job. */
async function askKnown(
  { client }: Session,
  { known, signal }: Pick<RunContext, 'known' | 'signal'>,
): Promise<NodeIdentity> {
  const asked = await readIdentity(client, known, signal);
  if (!isSameNode(known, asked)) throw new AnotherNodeError();
  return asked;
}

class AnotherNodeError extends Error {}

/** Whether one of these runs. A login that may not ask gets a refusal, so the line is good: it then counts as running. */
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

function setLine({ tracked, now }: Pick<RunContext, 'tracked' | 'now'>, line: Job['line']): void {
  const { line: before, silentSince } = tracked.current();
  const since = line === 'ok' ? undefined : (silentSince ?? now());
  if (before !== line || silentSince !== since) tracked.change({ line, silentSince: since });
}
