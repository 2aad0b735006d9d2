/** Waits for the answer to a call, and notices when the line stays up but the answer can come no more. */
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/wording/say.ts';
import type { NodeClient, Session } from '../../bitcoind/rpc/session.ts';
import type { ResumedJob } from '../jobKind.ts';
import { isRunning } from './askUntilKnown.ts';
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
