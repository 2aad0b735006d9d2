/** Jobs whose outcome the app does not know, or has only from the files of a stopped node: it asks again until it knows. */
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
    const look = () => lookOnce(jobKind, context, { filesAlone: true });
    try {
      const first = await look();
      let outcome: Outcome | null = first.stillRunning ? null : first.outcome;
      if (outcome !== null && outcome.state !== 'done') {
        await pause(askEveryMs, undefined, { signal, ref: false });
        const again = await look();
        outcome = again.stillRunning || again.outcome?.state !== outcome.state ? null : again.outcome;
      }
      if (outcome === null) return null;
      if (job.state === 'done') {
        // The files were enough for the outcome. Since then, the user may have changed the wallet.
        if (first.session === null) return null;
        if (outcome.state !== 'done') return { ...job, withoutNode: undefined };
      }
      const common = { ...job, steps: stepsOf(watch.state()), connection: 'ok' as const, resumed: true };
      if (outcome.state === 'interrupted') return { ...common, ...outcome };
      if (outcome.state !== 'done')
        return outcome.state === 'unknown' ? null : { ...common, state: 'failed', error: outcome.error };
      const { result, warnings } = outcome;
      const proof = (first.session && (await jobKind.prove?.(first.session, result, signal))) ?? null;
      const withoutNode = first.session === null ? true : undefined;
      return { ...common, state: 'done', error: null, result, proof, warnings: [...warnings], withoutNode };
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
      const settled = { ...entry, job };
      unknown.delete(id);
      keep(settled);
      options.settle(settled);
    }
  }

  function askAgain(): Promise<void> {
    asking = asking.then(askAll);
    return asking;
  }

  function keep(entry: JournalEntry): void {
    if (!entry.sent || !isOpen(entry.job)) return;
    unknown.set(entry.job.id, entry);
    timer ??= setInterval(() => void (unknown.size > 0 && askAgain()), askEveryMs * TURNS_BETWEEN).unref();
  }

  return {
    /** Keeps one that ended as unknown, or without the node; another is let go. */
    keep,
    /** Asks once more about all of them, one after the other. Never throws. */
    askAgain,
    close(): void {
      clearInterval(timer);
    },
  };
}

function isOpen({ state, withoutNode }: Job): boolean {
  return state === 'unknown' || (state === 'done' && withoutNode === true);
}

/** With the usual pause, every 10 seconds. */
const TURNS_BETWEEN = 5;
