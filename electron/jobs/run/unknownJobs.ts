/** Jobs that ended without the app being able to tell what came of them: it asks again until it knows. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Job } from '../../../shared/model/job.ts';
import { logOwner } from '../../bitcoind/log/nodeLog.ts';
import { stepsOf } from '../../bitcoind/log/progress.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import type { Outcome, ResumedJob } from '../jobKind.ts';
import { lookOnce } from './askUntilKnown.ts';
import { type JournalEntry, knownNodeOf } from './journal.ts';
import type { RunContext } from './runContext.ts';
import { startWatch } from './watch.ts';

interface UnknownJobsOptions extends Pick<RunContext, 'stoppedNodeFolder' | 'askEveryMs' | 'now'> {
  readonly logEveryMs: number;
  readonly signal: AbortSignal;
  /** The node of an entry, where the app is connected to it. Throws AppError. */
  readonly sessionFor: (entry: JournalEntry) => Session;
  readonly resumedJobOf: (entry: JournalEntry) => ResumedJob;
  /** Takes the entry once it is known what came of it. */
  readonly settle: (entry: JournalEntry) => void;
}

export function createUnknownJobs(options: UnknownJobsOptions) {
  const { askEveryMs, now, signal } = options;
  const unknown = new Map<string, JournalEntry>();
  let asking: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  /** Null while it cannot be told. A bad end must look the same twice: a call may wait in the node's queue. */
  async function known(entry: JournalEntry): Promise<Job | null> {
    const { job, logMark } = entry;
    const node = knownNodeOf(entry);
    const jobKind = options.resumedJobOf(entry);
    const watch = await startWatch({
      ...{ kind: job.kind, wallet: job.wallet, logPath: logMark?.path ?? null },
      ...{ logOwner: logOwner(node.listener), from: { mark: logMark, started: job.started } },
      ...{ logEveryMs: options.logEveryMs, now },
    });
    const session = () => options.sessionFor(entry);
    const tracked = { current: () => job, change: () => {}, end: () => {}, mute: () => {} };
    const context = { ...options, session, known: node, watch, tracked };
    try {
      const first = await lookOnce(jobKind, context);
      let outcome: Outcome | null = first.stillRunning ? null : first.outcome;
      if (outcome !== null && outcome.state !== 'done') {
        await pause(askEveryMs, undefined, { signal, ref: false });
        const again = await lookOnce(jobKind, context);
        outcome = again.stillRunning || again.outcome?.state !== outcome.state ? null : again.outcome;
      }
      if (outcome === null) return null;
      const common = { ...job, steps: stepsOf(watch.state()), connection: 'ok' as const, resumed: true };
      if (outcome.state === 'interrupted') return { ...common, ...outcome };
      if (outcome.state !== 'done')
        return outcome.state === 'unknown' ? null : { ...common, state: 'failed', error: outcome.error };
      const { result, warnings } = outcome;
      const proof = (await jobKind.prove?.(session(), result, signal)) ?? null;
      return { ...common, state: 'done', error: null, result, proof, warnings: [...warnings] };
    } finally {
      await watch.stop();
    }
  }

  async function askAll(): Promise<void> {
    for (const [id, entry] of [...unknown]) {
      if (signal.aborted) return;
      // What cannot be asked now is asked at the next turn.
      const job = await known(entry).catch(() => null);
      if (job === null) continue;
      unknown.delete(id);
      options.settle({ ...entry, job });
    }
  }

  function askAgain(): Promise<void> {
    asking = asking.then(askAll);
    return asking;
  }

  return {
    /** Keeps in mind one that ended as unknown; another is let go. */
    keep(entry: JournalEntry): void {
      const { id, state } = entry.job;
      if (state !== 'unknown' || !entry.sent) return;
      unknown.set(id, entry);
      timer ??= setInterval(() => void (unknown.size > 0 && askAgain()), askEveryMs * TURNS_BETWEEN).unref();
    },
    /** Asks once more about all of them, one after the other. Never throws. */
    askAgain,
    close(): void {
      clearInterval(timer);
    },
  };
}

/** With the usual pause, every 20 seconds. */
const TURNS_BETWEEN = 10;
