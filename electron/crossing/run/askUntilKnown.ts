/** The answer to a call is lost, the work is not: finds out what came of it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Crossing } from '../../../shared/crossing.ts';
import { AppError } from '../../../shared/errors.ts';
import type { NodeIdentity } from '../../../shared/node.ts';
import { isSameNode, isSameRun } from '../../../shared/nodeIdentity.ts';
import { askIdentity } from '../../node/calls/askIdentity.ts';
import { rpcInfo } from '../../node/calls/nodeCalls.ts';
import type { NodeClient, Session } from '../../node/rpc/session.ts';
import type { Continuation, Ending } from '../kinds/course.ts';
import type { RunContext } from './runContext.ts';

/** Asks until it is clear. Only the node that it began on is believed, also restarted; another one is waited out. */
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

async function lookOnce(plan: Continuation, context: RunContext) {
  const { watch, session, signal } = context;
  const now = session();
  const asked = await askKnown(now, context);
  const stillRunning = await isRunning(now.client, [plan.method], signal);
  setLine(context, 'ok');
  await watch.settle();
  const look = { stillRunning, log: watch.state(), readable: watch.readable, signal };
  const ending = await plan.decide(now, look);
  // Whoever took its place in between would have answered a part of it.
  if (ending !== null && !isSameRun(asked, await askKnown(now, context))) throw new AnotherNodeError();
  return { ending, stillRunning };
}

/** What answers, where it is the node of this crossing. */
async function askKnown({ client }: Session, { known, signal }: RunContext): Promise<NodeIdentity> {
  const asked = await askIdentity(client, known, signal);
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

function setLine({ tracked, now }: RunContext, line: Crossing['line']): void {
  const { line: before, silentSince } = tracked.current();
  const since = line === 'ok' ? undefined : (silentSince ?? now());
  if (before !== line || silentSince !== since) tracked.change({ line, silentSince: since });
}
