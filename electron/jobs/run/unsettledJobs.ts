/** Jobs that ended with a copy to remove, or with an unknown outcome. */
import { AppError } from '../../../shared/model/errors.ts';
import { comparisonError, type Job, type JobResult } from '../../../shared/model/job.ts';
import { identityOf, isSameNode, type NodeIdentity } from '../../../shared/model/node.ts';
import { errorShapeOf } from '../../../shared/wording/findings/findingWords.ts';
import { notSent } from '../../../shared/wording/findings/hints.ts';
import { say } from '../../../shared/wording/say.ts';
import { logOwner } from '../../bitcoind/log/nodeLog.ts';
import { stepsOf } from '../../bitcoind/log/progress.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import type { ResumedJob } from '../jobKind.ts';
import { type CallOutcome, removeLeftovers, removePlacedCopy } from '../placing/removePlacedCopy.ts';
import { findCertainOutcome } from './findOutcome.ts';
import { type Journal, type JournalEntry, writeIfPossible } from './journal.ts';
import { type RunContext, startWatch, type Watch, type WatchOptions } from './watch.ts';

interface LeftCopiesOptions {
  journal: Journal;
  /** The node in use. Throws AppError `not_connected`. */
  session: () => Session;
  /** Called with each job that changes. */
  emit: (job: Job) => void;
}

/** Tries to remove the copies that the app made for jobs that have ended, until they are gone. */
export function createLeftCopies({ journal, session, emit }: LeftCopiesOptions) {
  const left = new Map<string, JournalEntry>();
  const changed = new Map<string, Job>();
  let trying: Promise<void> = Promise.resolve();

  async function tryAll(): Promise<void> {
    for (const [id, entry] of [...left]) {
      const { job, sent } = entry;
      const call: CallOutcome = !sent ? 'not-sent' : job.state === 'failed' ? 'refused' : 'unknown';
      const copy = await removePlacedCopy(entry.checkpoint, sessionOf(entry.node, session), call);
      // Its outcome became known meanwhile.
      if (left.get(id) !== entry) continue;
      if (copy === null) left.delete(id);
      const { leftCopy, ...rest } = job;
      if (copy?.path === leftCopy?.path && copy?.text === leftCopy?.text) continue;
      const next = { ...entry, job: copy === null ? rest : { ...rest, leftCopy: copy } };
      writeIfPossible(journal, next);
      changed.set(id, next.job);
      if (copy !== null) left.set(id, next);
      emit(next.job);
    }
  }

  return {
    /** Remembers an ended job that may have left something in the wallets folder. */
    add(entry: JournalEntry): void {
      const { id, state } = entry.job;
      removeUnneeded(entry);
      if (state === 'failed' || state === 'unknown') left.set(id, entry);
    },
    /** Takes a job whose outcome is known now, and emits it. */
    settle(entry: JournalEntry): void {
      const { id, state } = entry.job;
      removeUnneeded(entry);
      if (state === 'failed') left.set(id, entry);
      else left.delete(id);
      writeIfPossible(journal, entry);
      changed.set(id, entry.job);
      emit(entry.job);
    },
    /** Tries again to remove all of them, one after the other. Never throws. */
    removeAll(): Promise<void> {
      trying = trying.then(tryAll);
      return trying;
    },
    /** Throws AppError `name_taken` if the node in use still has a copy with the name of the new wallet. */
    refuseNameOfCopy(name: string): void {
      for (const entry of left.values()) {
        const { wallet, leftCopy } = entry.job;
        if (wallet !== name || !leftCopy || sessionOf(entry.node, session) === null) continue;
        throw new AppError(
          'name_taken',
          say('An earlier copy is still at {path}', { path: leftCopy.path }),
          notSent(`${say('Choose another name.')} ${leftCopy.text}`),
        );
      }
    },
    latest: (job: Job) => changed.get(job.id) ?? job,
  };
}

/** Keeps the repaired file of a rescue until it is compared with the wallet. */
function removeUnneeded({ checkpoint, job }: JournalEntry): void {
  if (!job.withoutNode && comparisonError(job) === null) removeLeftovers(checkpoint, job.state);
}

/**
 * The proof of a finished job, or the error for which there is none. Without both if `signal` is aborted, because nobody
 * waits for it. Never throws.
 */
export async function proveResult(
  { prove }: ResumedJob,
  session: () => Session,
  result: JobResult,
  signal: AbortSignal,
): Promise<Pick<Job, 'proof' | 'proofError'>> {
  try {
    return { proof: (await prove?.(session(), result, signal)) ?? null, proofError: undefined };
  } catch (thrown) {
    return { proof: null, proofError: signal.aborted ? undefined : errorShapeOf(thrown) };
  }
}

/** Null while the app is connected to no node or to another one. */
export function sessionOf(known: NodeIdentity, session: () => Session): Session | null {
  const current = orNull(session);
  return current !== null && isSameNode(known, identityOf(current.status)) ? current : null;
}

/** Watches a job of the journal again, from the mark that its log had when it started. */
export function watchAgain(
  entry: JournalEntry,
  { logEveryMs, now }: Pick<WatchOptions, 'logEveryMs' | 'now'>,
): Promise<Watch> {
  const { job, checkpoint, logMark, node } = entry;
  return startWatch({
    checkpoint,
    logEveryMs,
    now,
    logPath: logMark?.path ?? null,
    logOwner: logOwner(node.listener),
    from: { mark: logMark, started: job.started },
  });
}

interface UnknownJobsOptions extends Pick<RunContext, 'stoppedNodeFolder' | 'askEveryMs' | 'now'> {
  readonly logEveryMs: number;
  readonly signal: AbortSignal;
  /** The node of an entry. Throws AppError `not_connected`. */
  readonly sessionFor: (entry: JournalEntry) => Session;
  readonly resumedJobOf: (entry: JournalEntry) => ResumedJob;
  /** Takes the entry once its outcome is known. */
  readonly settle: (entry: JournalEntry) => void;
}

/** Asks again about jobs with an unknown outcome, until the app knows it, and tries failed comparisons again. */
export function createUnknownJobs(options: UnknownJobsOptions) {
  const { askEveryMs, signal } = options;
  const unknown = new Map<string, JournalEntry>();
  let asking: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  /** The job with its outcome; null while that is unknown. */
  async function findJob(entry: JournalEntry): Promise<Job | null> {
    const { job } = entry;
    const jobKind = options.resumedJobOf(entry);
    const watch = await watchAgain(entry, options);
    const session = () => options.sessionFor(entry);
    const context = { ...options, session, node: entry.node, watch };
    try {
      const found = await findCertainOutcome(jobKind, context, { filesAlone: true });
      const { outcome } = found;
      if (outcome === null) return null;
      if (job.state === 'done') {
        // The files were enough for the outcome. Since then, the user may have changed the wallet.
        if (found.session === null) return null;
        if (!job.withoutNode) return outcome.state === 'done' ? compareAgain(job, jobKind, session) : null;
        if (outcome.state !== 'done') return { ...job, withoutNode: undefined };
      }
      const common = { ...job, steps: stepsOf(watch.state()), connection: 'ok' as const, resumed: true };
      // A wallet that the node migrated or left incomplete is no copy to remove.
      const withoutCopy = { ...common, leftCopy: undefined };
      if (outcome.state === 'interrupted') return { ...withoutCopy, ...outcome };
      if (outcome.state !== 'done')
        return outcome.state === 'unknown' ? null : { ...common, state: 'failed', error: outcome.error };
      const { result, warnings } = outcome;
      const itsSession = found.session;
      const proved = itsSession
        ? await proveResult(jobKind, () => itsSession, result, signal)
        : { proof: null, withoutNode: true as const };
      signal.throwIfAborted();
      const facts = { result, warnings: [...warnings], withoutNode: undefined, ...proved };
      return { ...withoutCopy, state: 'done', error: null, ...facts };
    } finally {
      await watch.stop();
    }
  }

  /** Null if the comparison fails again. */
  async function compareAgain(job: Job, jobKind: ResumedJob, session: () => Session): Promise<Job | null> {
    if (job.result === null) return null;
    const proved = { ...job, ...(await proveResult(jobKind, session, job.result, signal)) };
    if (proved.proof === null || comparisonError(proved) !== null) return null;
    const steps = job.steps.map((step) =>
      step.phase === 'proving' ? { ...step, state: 'done' as const } : step,
    );
    return { ...proved, steps };
  }

  async function resolveEach(compares: boolean): Promise<void> {
    for (const [id, entry] of [...unknown]) {
      if (signal.aborted) return;
      if (!compares && comparisonError(entry.job) !== null) continue;
      // If this fails, the next turn asks again.
      const job = await findJob(entry).catch(() => null);
      if (job === null) continue;
      const resolved = { ...entry, job };
      unknown.delete(id);
      add(resolved);
      options.settle(resolved);
    }
  }

  function resolveAll({ compares = false } = {}): Promise<void> {
    asking = asking.then(() => resolveEach(compares));
    return asking;
  }

  function add(entry: JournalEntry): void {
    if (!entry.sent || !isOpen(entry.job)) return;
    unknown.set(entry.job.id, entry);
    timer ??= setInterval(() => void (unknown.size > 0 && resolveAll()), askEveryMs * TURNS_BETWEEN).unref();
  }

  return {
    /** Adds a job that ended as unknown, without its node or without a comparison that failed. Ignores others. */
    add,
    /** Looks for the outcome of each of them, one after the other. `compares`: tries failed comparisons again. Never throws. */
    resolveAll,
    close(): void {
      clearInterval(timer);
    },
  };
}

function isOpen(job: Job): boolean {
  const { state, withoutNode } = job;
  return state === 'unknown' || (state === 'done' && withoutNode === true) || comparisonError(job) !== null;
}

/** With the usual pause, every 10 seconds. */
const TURNS_BETWEEN = 5;
