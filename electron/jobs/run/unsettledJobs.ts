/** Jobs that ended with a copy to remove, with an unknown outcome, or without their comparison. */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../shared/model/errors.ts';
import {
  canCompareAgain,
  haveSameWallets,
  type Job,
  type JobNode,
  type JobResult,
} from '../../../shared/model/job.ts';
import { isSameWalletName } from '../../../shared/model/names/walletName.ts';
import { identityOf, isSameNode, type NodeIdentity } from '../../../shared/model/node.ts';
import { createdWallets } from '../../../shared/model/walletBackups.ts';
import { errorShapeOf } from '../../../shared/wording/findings/findingWords.ts';
import { notSent } from '../../../shared/wording/findings/hints.ts';
import { leftCopyText } from '../../../shared/wording/jobWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { readIdentity } from '../../bitcoind/calls/status.ts';
import { logOwner } from '../../bitcoind/log/nodeLog.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { concernedWallets } from '../../walletfile/migrate/companionNames.ts';
import type { ResumedJob } from '../jobKind.ts';
import { endedJob, notConnectedError } from '../outcomes.ts';
import {
  type CallOutcome,
  removeJobFiles,
  removePlacedCopy,
  slowLoadOf,
} from '../placing/removePlacedCopy.ts';
import { verifyBackup } from '../restore.ts';
import type { BusyWallets } from './busyWallets.ts';
import { findCertainOutcome } from './findOutcome.ts';
import { type Journal, type JournalEntry, writeIfPossible } from './journal.ts';
import { type JobTiming, type RunContext, startWatch, type Watch, withTimes } from './watch.ts';

interface LeftCopiesOptions {
  journal: Journal;
  /** The node in use. Throws AppError `not_connected`. */
  session: () => Session;
  emit: (job: Job) => void;
  reserve: BusyWallets['reserve'];
}

/** Retries until everything that failed jobs changed before their calls is undone: placed copies, moved and unloaded wallets. */
export function createLeftCopies({ journal, session, emit, reserve }: LeftCopiesOptions) {
  const left = new Map<string, JournalEntry>();
  let trying: Promise<void> = Promise.resolve();

  async function tryAll(): Promise<void> {
    for (const [id, entry] of [...left]) {
      const { job, sent, node } = entry;
      const call: CallOutcome = !sent ? 'not-sent' : job.state === 'failed' ? 'refused' : 'unknown';
      const release = orNull(() => reserve(concernedWallets(job.kind, job.wallet), job.node));
      // A later job works on the wallet.
      if (release === null) continue;
      const before = structuredClone(entry.checkpoint);
      const copy = await removePlacedCopy(entry.checkpoint, sessionOf(node, session), call);
      const load = slowLoadOf(entry.checkpoint);
      if (load === undefined) release();
      else
        void load.then(() => {
          release();
          return removeAll();
        }, release);
      // Its outcome became known meanwhile.
      if (left.get(id) !== entry) continue;
      if (copy === null) left.delete(id);
      const { leftCopy, ...rest } = job;
      const isSameCopy = copy?.path === leftCopy?.path && copy?.why === leftCopy?.why;
      if (isSameCopy && isDeepStrictEqual(before, entry.checkpoint)) continue;
      const next = { ...entry, job: copy === null ? rest : { ...rest, leftCopy: copy } };
      writeIfPossible(journal, next);
      if (copy !== null) left.set(id, next);
      emit(next.job);
    }
  }

  function removeOrKeep(entry: JournalEntry): void {
    const { checkpoint, job } = entry;
    // The comparison of a rescue needs the repaired file and the node. It has plain private keys.
    if (!job.withoutNode) removeJobFiles(checkpoint, job.state);
    if (job.state === 'failed' || job.state === 'unknown') left.set(job.id, entry);
    else left.delete(job.id);
    const mayLoad = job.kind !== 'backup' && job.kind !== 'rescan';
    if (job.state === 'done' && mayLoad) leaveAsIs(concernedWallets(job.kind, job.wallet), job.node);
  }

  /** Does not load these wallets again: the user or a later job has loaded or unloaded them since. */
  function leaveAsIs(names: readonly string[], node: JobNode): void {
    for (const entry of left.values()) {
      const { checkpoint, job } = entry;
      const others = checkpoint.unloaded?.filter((name) => !names.includes(name)) ?? [];
      if (others.length === (checkpoint.unloaded?.length ?? 0) || !haveSameWallets(job.node, node)) continue;
      checkpoint.unloaded = others.length > 0 ? others : undefined;
      writeIfPossible(journal, entry);
    }
  }

  function removeAll(): Promise<void> {
    trying = trying.then(tryAll);
    return trying;
  }

  return {
    /** Removes the files that an ended job no longer needs, and remembers the job if it may have left a copy. */
    add: removeOrKeep,
    /** The same for a job whose outcome has become known; also journals and emits it. */
    recordOutcome(entry: JournalEntry): void {
      removeOrKeep(entry);
      writeIfPossible(journal, entry);
      emit(entry.job);
    },
    /** Tries again to remove all of them, one after the other. Never throws. */
    removeAll,
    leaveAsIs,
    /**
     * Throws AppError `name_taken` if the node in use still has a copy with the name of the new wallet. What did not move back to that name
     * can move once the name is free again.
     */
    refuseNameOfCopy(name: string): void {
      for (const { job, node, checkpoint } of left.values()) {
        const { wallet, leftCopy } = job;
        const hasCopy = 'placed' in checkpoint && checkpoint.placed !== null;
        if (wallet !== name || !leftCopy || !hasCopy || sessionOf(node, session) === null) continue;
        throw new AppError(
          'name_taken',
          say('An earlier copy is still at {path}', { path: leftCopy.path }),
          notSent(`${say('Choose another name.')} ${leftCopyText(leftCopy)}`),
        );
      }
    },
  };
}

/**
 * The proof of a finished job, or why its files could not be compared. Neither if `signal` is aborted, because nobody waits for it.
 * Never throws.
 */
export async function proveResult(
  { prove }: Pick<ResumedJob, 'prove'>,
  session: () => Session,
  result: JobResult,
  signal: AbortSignal,
): Promise<Pick<Job, 'proof' | 'proofError'>> {
  try {
    return (await prove?.(session(), result, signal)) ?? { proof: null, proofError: undefined };
  } catch (thrown) {
    return { proof: null, proofError: signal.aborted ? undefined : errorShapeOf(thrown) };
  }
}

/** Null while the app is connected to no node or to another one. */
export function sessionOf(known: NodeIdentity, session: () => Session): Session | null {
  const current = orNull(session);
  return current !== null && isSameNode(known, identityOf(current.status)) ? current : null;
}

/** Watches a sent job of the journal again, from the mark that its log had when it started. */
export async function watchAgain(
  entry: JournalEntry,
  { now, logPollMs }: Pick<JobTiming, 'now' | 'logPollMs'>,
): Promise<Watch> {
  const { job, checkpoint, logMark, node } = entry;
  const watch = await startWatch({
    now,
    logPollMs,
    checkpoint,
    logPath: logMark?.path ?? null,
    logOwner: logOwner(node.listener),
    from: { mark: logMark, started: job.started },
  });
  // The node's log does not show the app's own work.
  if (job.steps.some(({ phase, state }) => phase === 'safety-copy' && state === 'skipped'))
    watch.skip('safety-copy');
  watch.startPhase('sent');
  return watch;
}

interface ResolveOptions {
  readonly signal: AbortSignal;
  /** The node of an entry. Throws AppError `not_connected`. */
  readonly sessionFor: (entry: JournalEntry) => Session;
  readonly resumedJobOf: (entry: JournalEntry) => ResumedJob;
  /** Called once the outcome of the job, or of its comparison, is known. */
  readonly onResolved: (entry: JournalEntry) => void;
  readonly reserve: BusyWallets['reserve'];
  /** All jobs, newest first. */
  readonly list: () => Promise<readonly Job[]>;
}

/** Whether later jobs have replaced the wallets of a job. Null: a later job is still open, so it may have. */
async function wasReplaced({ job }: JournalEntry, { list }: ResolveOptions): Promise<boolean | null> {
  const jobs = await list();
  const at = jobs.findIndex(({ id }) => id === job.id);
  const later = jobs.slice(0, at).filter((each) => mayHaveReplaced(each, job));
  const isUnsettled = later.some(
    (each) => each.state === 'running' || (each.state === 'unknown' && isOpen(each)),
  );
  return isUnsettled ? null : later.length > 0;
}

/**
 * Compares the wallets of an ended job while nothing else works on them. Null if a later job may have replaced them.
 * Throws AppError `job_running` during other work, and `not_connected` if another node answers by now.
 */
async function compareAlone<T>(
  entry: JournalEntry,
  { client, status }: Session,
  options: ResolveOptions,
  compare: () => Promise<T>,
): Promise<T | null> {
  const { job, node } = entry;
  const release = options.reserve(concernedWallets(job.kind, job.wallet), status);
  try {
    if ((await wasReplaced(entry, options)) !== false) return null;
    if (!isSameNode(node, await readIdentity(client, node, options.signal))) throw notConnectedError(job);
    return await compare();
  } finally {
    release();
  }
}

/** Why nothing more can be found out about a job. */
const REPLACED = {
  code: 'bad_input',
  message: say('A later job changed this wallet.'),
  hint: say('Check balances and addresses. Keep the old backup.'),
} as const;

/** An ended job whose wallets a later one may have replaced. */
function markReplaced(job: Job): Job {
  if (job.state === 'unknown') return { ...job, replaced: true, error: REPLACED };
  return { ...job, replaced: true, withoutNode: undefined, proofError: REPLACED };
}

type UnknownJobsOptions = ResolveOptions & JobTiming & Pick<RunContext, 'stoppedNodeFolder'>;

/** Asks again about jobs with an unknown outcome, until the app knows it. */
export function createUnknownJobs(options: UnknownJobsOptions) {
  const { pollMs, signal } = options;
  const unknown = new Map<string, JournalEntry>();
  /** Kept between turns, because reading a long log again takes time. */
  const watches = new Map<string, Watch>();
  let asking: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  /** The job with its outcome; null while that is unknown. */
  async function findJob(entry: JournalEntry): Promise<Job | null> {
    const { job } = entry;
    const jobKind = options.resumedJobOf(entry);
    // Finding a migration's outcome may itself compare wallets, so first make sure that they are this job's.
    const replaced = jobKind.prove ? await wasReplaced(entry, options) : false;
    if (replaced !== false) return replaced ? markReplaced(job) : null;
    const logPollMs = pollMs * TURNS_BETWEEN;
    const watch = watches.get(job.id) ?? (await watchAgain(entry, { ...options, logPollMs }));
    if (watch.readable) watches.set(job.id, watch);
    const session = () => options.sessionFor(entry);
    const context = { ...options, session, node: entry.node, watch };
    const found = await findCertainOutcome(jobKind, context, { filesSuffice: true });
    const { outcome } = found;
    if (outcome === null) return null;
    if (job.state === 'done') {
      // The files were enough for the outcome. Since then, the user may have changed the wallet.
      if (found.session === null) return null;
      if (outcome.state !== 'done') return { ...job, withoutNode: undefined };
    }
    if (outcome.state === 'unknown') return null;
    let proved: Partial<Job> | null = {};
    if (outcome.state === 'done') {
      proved = found.session
        ? await prove(entry, jobKind, found.session, outcome.result)
        : { proof: null, withoutNode: true };
      signal.throwIfAborted();
      if (proved === null) return null;
    }
    const known = { ...job, connection: 'ok' as const, resumed: true, withoutNode: undefined, ...proved };
    const measured = watch.readable ? 'log' : 'time';
    const ended = endedJob({ ...known, measured }, outcome, watch.state());
    return { ...ended, steps: withTimes(job.steps, ended.steps) };
  }

  /** The proof of its result. Null if the next turn has to ask again, because other wallets may be in its place by now. */
  async function prove(entry: JournalEntry, jobKind: ResumedJob, session: Session, result: JobResult) {
    const compare = () => proveResult(jobKind, () => session, result, signal);
    return jobKind.prove ? compareAlone(entry, session, options, compare) : compare();
  }

  async function resolveEach(): Promise<void> {
    for (const [id, entry] of [...unknown]) {
      if (signal.aborted) return;
      // If this fails, the next turn asks again.
      const job = await findJob(entry).catch(() => null);
      if (job === null) continue;
      const resolved = { ...entry, job };
      unknown.delete(id);
      void watches.get(id)?.stop();
      watches.delete(id);
      add(resolved);
      options.onResolved(resolved);
    }
  }

  function resolveAll(): Promise<void> {
    asking = asking.then(resolveEach);
    return asking;
  }

  function add(entry: JournalEntry): void {
    if (!entry.sent || !isOpen(entry.job)) return;
    unknown.set(entry.job.id, entry);
    timer ??= setInterval(() => void (unknown.size > 0 && resolveAll()), pollMs * TURNS_BETWEEN).unref();
  }

  return {
    /** Adds a job that ended as unknown or without its node. Ignores others. */
    add,
    /** Looks for the outcome of each of them, one after the other. Never throws. */
    resolveAll,
    close(): void {
      clearInterval(timer);
      for (const watch of watches.values()) void watch.stop();
    },
  };
}

function isOpen({ state, replaced, withoutNode }: Job): boolean {
  return !replaced && (state === 'unknown' || (state === 'done' && withoutNode === true));
}

/** With the usual pause, every 10 seconds. */
const TURNS_BETWEEN = 5;

/** Repeats comparisons that failed. Only the user starts one, because the node then writes a copy of each wallet. */
export function createComparisons(options: ResolveOptions) {
  const { signal, resumedJobOf } = options;
  const failed = new Map<string, JournalEntry>();

  /** The job with its new proof. If the comparison fails again, the job with the new error and its earlier proof. */
  async function compare(entry: JournalEntry, result: JobResult, session: Session): Promise<Job> {
    const { job, checkpoint } = entry;
    const prove: ResumedJob['prove'] = async (...input) => {
      // The user may have written another file there since.
      if (checkpoint.kind === 'restore' && checkpoint.sha256 !== undefined) {
        const { backupFile, sha256 } = checkpoint;
        await verifyBackup({ backupFile, sha256, stats: null });
      }
      return (await resumedJobOf(entry).prove?.(...input)) ?? null;
    };
    const { proof, proofError } = await proveResult({ prove }, () => session, result, signal);
    if (proofError !== undefined) return { ...job, proofError };
    const steps = job.steps.map((step) =>
      step.phase === 'proving' ? { ...step, state: 'done' as const } : step,
    );
    return { ...job, steps, proof, proofError };
  }

  return {
    /** Adds a job whose comparison can be repeated. Ignores others. */
    add(entry: JournalEntry): void {
      if (canCompareAgain(entry.job)) failed.set(entry.job.id, entry);
    },
    /**
     * Compares again what this job could not compare, and settles it with the outcome. Throws AppError `bad_input` for a job without
     * such a comparison or whose wallet may be another one now, `not_connected` unless its node is in use, and `job_running`.
     */
    async again(id: string): Promise<void> {
      const entry = failed.get(id);
      const result = entry?.job.result;
      if (!entry || !result) throw new AppError('bad_input', say('Unknown job.'), say('See History.'));
      const session = options.sessionFor(entry);
      const job = await compareAlone(entry, session, options, () => compare(entry, result, session));
      if (job === null) throw new AppError(REPLACED.code, REPLACED.message, REPLACED.hint);
      if (signal.aborted) return;
      failed.delete(id);
      options.onResolved({ ...entry, job });
    },
  };
}

/** Whether a later job may have replaced or renamed one of the job's wallets. */
function mayHaveReplaced(later: Job, job: Job): boolean {
  if (later.state === 'failed' || later.kind === 'backup' || later.kind === 'rescan') return false;
  const names = walletsOf(job);
  return (
    haveSameWallets(later.node, job.node) &&
    walletsOf(later).some((one) => names.some((name) => isSameWalletName(one, name, job.node.walletsFolder)))
  );
}

/** Every wallet that a job made, renamed or may have touched. */
function walletsOf({ kind, wallet, result }: Job): string[] {
  const renamed = result?.kind === 'restore' ? (result.renamedWallets ?? []) : [];
  return [...concernedWallets(kind, wallet), ...createdWallets(result), ...renamed.map(({ name }) => name)];
}
