/** Waits for the answer to a call. If the answer is lost, asks the node and its files for the outcome. */
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../../shared/model/errors.ts';
import type { Job } from '../../../shared/model/job.ts';
import type { NodeIdentity } from '../../../shared/model/node.ts';
import { isSameNode, isSameRun } from '../../../shared/model/nodeIdentity.ts';
import { say } from '../../../shared/wording/say.ts';
import { rpcInfo } from '../../bitcoind/calls/nodeCalls.ts';
import { readIdentity } from '../../bitcoind/calls/status.ts';
import type { NodeClient, Session } from '../../bitcoind/rpc/session.ts';
import type { Outcome, ResumedJob } from '../jobKind.ts';
import type { RunContext } from './runContext.ts';

/**
 * The answer of `call`. While it is out, the node is asked on another connection whether it still works on it: an answer
 * that takes hours is nothing unusual. Once the node has said twice that it does not, what it answered is lost on the
 * line, and the call is given up: throws AppError `connection_lost`. For how long nothing was heard is told meanwhile.
 */
export async function awaitAnswer<Answer>(
  call: (signal: AbortSignal) => Promise<Answer>,
  work: Pick<ResumedJob, 'method'>,
  context: RunContext,
): Promise<Answer> {
  const answered = new AbortController();
  const given = new AbortController();
  const signal = AbortSignal.any([context.signal, given.signal]);
  void askMeanwhile(work, context, answered.signal, () => given.abort());
  try {
    return await call(signal);
  } catch (thrown) {
    if (!given.signal.aborted || context.signal.aborted) throw thrown;
    throw new AppError(
      'connection_lost',
      say('The node’s answer was lost while this was prepared.'),
      say('The job was not sent. Check the connection, then try again.'),
    );
  } finally {
    answered.abort();
    if (context.tracked.current().silentSince !== undefined)
      context.tracked.change({ silentSince: undefined });
  }
}

async function askMeanwhile(
  { method }: Pick<ResumedJob, 'method'>,
  context: RunContext,
  ended: AbortSignal,
  giveUp: () => void,
): Promise<void> {
  const { tracked, silenceMs, now, signal } = context;
  const stop = AbortSignal.any([signal, ended]);
  let heard = now();
  let idle = 0;
  while (!stop.aborted) {
    try {
      await pause(silenceMs, undefined, { signal: stop, ref: false });
      const work = await isAtWork(method, context, stop);
      if (stop.aborted) return;
      if (work !== 'no-answer') heard = now();
      idle = work === 'no' ? idle + 1 : 0;
    } catch {
      return;
    }
    if (idle >= IDLE_LOOKS) return giveUp();
    const silent = (now() - heard) * 1000 >= LOOKS_UNTIL_TOLD * silenceMs;
    const since = silent ? heard : undefined;
    if (tracked.current().silentSince !== since) tracked.change({ silentSince: since });
  }
}

/** An answer that is on its way for all of this time is lost. */
const IDLE_LOOKS = 2;
/** With the usual pause, two minutes. */
const LOOKS_UNTIL_TOLD = 4;

/** A node takes calls in their order: once it answers this, an earlier one is at work, done, or never came there. */
async function isAtWork(
  method: string,
  { session }: RunContext,
  signal: AbortSignal,
): Promise<'yes' | 'no' | 'no-answer'> {
  try {
    return (await isRunning(session().client, [method, ...BEFORE_IT], signal)) ? 'yes' : 'no';
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    // A refusal is an answer too, though it tells nothing of the call.
    return thrown.node !== undefined || thrown.code === 'busy' ? 'yes' : 'no-answer';
  }
}

/** What release 24.0 is asked for before it migrates, and the engine before it brings a wallet back. */
const BEFORE_IT = ['loadwallet', 'walletpassphrase', 'renamewallet'];

/** Its calls are awaited as the long one is. */
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
 * One look at the node or, if that is gone, at its files: then the session is null. Throws AppError if neither
 * shows the outcome. `filesAlone`: see `Evidence`.
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
    // Another node that took its place meanwhile may have given some of the answers.
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

/** The identity of what answers. Throws unless it is the node of this job. */
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

function setConnection(
  { tracked, now }: Pick<RunContext, 'tracked' | 'now'>,
  connection: Job['connection'],
): void {
  const { connection: before, silentSince } = tracked.current();
  const since = connection === 'ok' ? undefined : (silentSince ?? now());
  if (before !== connection || silentSince !== since) tracked.change({ connection, silentSince: since });
}
