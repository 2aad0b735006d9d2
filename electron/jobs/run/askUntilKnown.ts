/** The answer to a call is lost, the work is not: finds out what came of it. */
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../../shared/model/errors.ts';
import type { Job } from '../../../shared/model/job.ts';
import type { NodeIdentity } from '../../../shared/model/node.ts';
import { isSameNode, isSameRun } from '../../../shared/model/nodeIdentity.ts';
import { rpcInfo } from '../../bitcoind/calls/nodeCalls.ts';
import { readIdentity } from '../../bitcoind/calls/readIdentity.ts';
import type { NodeClient, Session } from '../../bitcoind/rpc/session.ts';
import type { Outcome, ResumedJob } from '../jobKind.ts';
import type { RunContext } from './runContext.ts';

/**
 * Asks until it is clear. Only the node that it began on is believed, also restarted; another one is waited out. Where the
 * node is gone, its files alone may tell.
 */
export async function askUntilKnown(jobKind: ResumedJob, context: RunContext): Promise<Outcome> {
  const { signal, askEveryMs } = context;
  setConnection(context, 'lost');
  let bad: Outcome['state'] | null = null;
  let looks = 0;
  for (;;) {
    signal.throwIfAborted();
    try {
      const { outcome, stillRunning } = await lookOnce(jobKind, context);
      if (outcome?.state === 'done') return outcome;
      const state = outcome === null || stillRunning ? null : outcome.state;
      looks = state === bad ? looks + 1 : 1;
      bad = state;
      if (outcome !== null && bad !== null && looks >= SAME_LOOKS) return outcome;
    } catch (thrown) {
      const isAnother = thrown instanceof AnotherNodeError;
      if (!isAnother && !(thrown instanceof AppError)) throw thrown;
      bad = null;
      setConnection(context, isAnother ? 'another-node' : 'lost');
    }
    await pause(askEveryMs, undefined, { signal, ref: false });
  }
}

/** Asked this often, a bad end must look the same: a call may wait in the node's queue and not be running yet. */
const SAME_LOOKS = 2;

/**
 * One look at the node or, where that is gone, at its files: then the session is null. Throws AppError where neither
 * tells. `filesAlone`: see `Evidence`.
 */
export async function lookOnce(
  jobKind: Pick<ResumedJob, 'method' | 'resolve'>,
  context: Pick<
    RunContext,
    'tracked' | 'watch' | 'session' | 'known' | 'signal' | 'stoppedNodeFolder' | 'now'
  >,
  { filesAlone = false } = {},
): Promise<{ outcome: Outcome | null; stillRunning: boolean; session: Session | null }> {
  const { watch, session, signal, known } = context;
  const evidence = async () => {
    await watch.settle();
    return { log: watch.state(), readable: watch.readable, signal };
  };
  try {
    const now = session();
    const asked = await askKnown(now, context);
    const stillRunning = await isRunning(now.client, [jobKind.method], signal);
    setConnection(context, 'ok');
    const { local, walletsFolder } = now.status;
    const look = {
      ...(await evidence()),
      session: now,
      walletsFolder: local ? walletsFolder : null,
      stillRunning,
    };
    const outcome = await jobKind.resolve(look);
    // Whoever took its place in between would have answered a part of it.
    if (outcome !== null && !isSameRun(asked, await askKnown(now, context))) throw new AnotherNodeError();
    return { outcome, stillRunning, session: now };
  } catch (thrown) {
    const walletsFolder = thrown instanceof AppError ? await context.stoppedNodeFolder(known) : null;
    if (walletsFolder === null) throw thrown;
    setConnection(context, 'lost');
    const look = { ...(await evidence()), session: null, walletsFolder, stillRunning: false, filesAlone };
    return { outcome: await jobKind.resolve(look), stillRunning: false, session: null };
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

function setConnection(
  { tracked, now }: Pick<RunContext, 'tracked' | 'now'>,
  connection: Job['connection'],
): void {
  const { connection: before, silentSince } = tracked.current();
  const since = connection === 'ok' ? undefined : (silentSince ?? now());
  if (before !== connection || silentSince !== since) tracked.change({ connection, silentSince: since });
}
