/**
 * A running job: its context, the watch on the node's work, by its log and by `getwalletinfo` for a rescan or without a log, and
 * the tracker that reports the job's state.
 */
import { randomUUID } from 'node:crypto';
import { type Job, MAX_LOG_LINES, type Progress, type Step } from '../../../shared/model/job.ts';
import type { NodeIdentity, NodeStatus } from '../../../shared/model/node.ts';
import { followLog, type LogPosition } from '../../bitcoind/log/logFollower.ts';
import { type LogOwner, readLogLine, splitLogLine } from '../../bitcoind/log/nodeLog.ts';
import {
  addSample,
  advance,
  foldLogLine,
  initialLogState,
  type LogState,
  progressOf,
  type Sample,
  secondsLeft,
  skip,
  stepsOf,
} from '../../bitcoind/log/progress.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import { orNullAfter } from '../../files/concurrency.ts';
import { concernedWallets } from '../../walletfile/migrate/companionNames.ts';
import type { PlanFacts } from '../plan/checkFacts.ts';
import { type Checkpoint, isCompared } from '../plan/checkpoint.ts';

export type Watch = Awaited<ReturnType<typeof startWatch>>;

/** The clock and the intervals of jobs. */
export interface JobTiming {
  /** Unix seconds, with fractions. */
  readonly now: () => number;
  /** Milliseconds between questions to a node whose connection is lost or whose log cannot be read. */
  readonly pollMs: number;
  /** Milliseconds between questions whether the node still works on a call that it has not answered. */
  readonly answerPollMs: number;
  /** Milliseconds between reads of the log, and between snapshots that only change progress. */
  readonly logPollMs: number;
}

interface WatchOptions extends Pick<JobTiming, 'now' | 'logPollMs'> {
  checkpoint: Checkpoint;
  /** The node's log; null if the app cannot read it. */
  logPath: string | null;
  /** The user who must own the log. */
  logOwner: LogOwner;
  /** For a resumed job: the end of the log when it started, and its start in Unix seconds. */
  from?: { mark: LogPosition | null; started: number };
}

/** Starts watching. Call it before the call is sent, so that it misses no line. Never throws. */
export async function startWatch(options: WatchOptions) {
  const { checkpoint, logPath, logOwner: owner, from, logPollMs: intervalMs, now } = options;
  const { kind, name: wallet } = checkpoint;
  let state = initialLogState(kind, wallet, checkpoint.kind === 'rescan' ? checkpoint.range : null);
  const names = concernedWallets(kind, wallet);
  let samples: readonly Sample[] = [];
  let sampled: string | null = null;
  let tracker: JobTracker | null = null;
  /** The rescan's progress by `getwalletinfo`. The log shows it at most once a minute. */
  let scan: Pick<Progress, 'fraction' | 'secondsLeft'> | null = null;
  let log: string[] = [];
  let logLength = 0;

  const estimate = (rescanned: string, done: number) => {
    if (rescanned !== sampled) samples = [];
    sampled = rescanned;
    samples = addSample(samples, { at: now(), done });
    return secondsLeft(samples, now());
  };

  const apply = (next: LogState) => {
    if (next === state) {
      tracker?.change({ log, logLength });
      return;
    }
    const done = rescannedFraction(next.rescan);
    const left = next.rescan === null || done === null || scan ? null : estimate(next.rescan.wallet, done);
    const moved = next.phase !== state.phase || next.phaseDone !== state.phaseDone;
    const backedUp = next.backupPath === state.backupPath ? null : next.backupPath;
    state = next;
    const progress = progressOf(state, left);
    const change = {
      log,
      logLength,
      progress: progress && scan ? { ...progress, ...scan } : progress,
      ...(backedUp !== null && { legacyBackup: backedUp }),
    };
    tracker?.change(moved ? { ...change, steps: stepsOf(state) } : change);
  };

  const setState = (next: LogState) => {
    if (next === state) return;
    state = next;
    tracker?.change({ steps: stepsOf(state) });
  };

  /** The start of the job, to skip older lines. Null once the mark is found in the log, because clocks may jump. */
  let started = from?.started ?? null;
  /** Whether the log may lack the job's first lines: its mark is gone, and so are older lines. Or it has no times. */
  let lacksStart = from !== undefined;
  let lacksTimes = false;
  /** Whether the node has been started since, so that later lines are of other work. */
  let isRestarted = false;
  let seenAt: number | null = null;

  const onLine = (line: string) => {
    const split = splitLogLine(line);
    if (split === null) lacksTimes = logLength === 0;
    else if (started !== null && isBefore(split.time, started)) lacksStart = false;
    else take(line, split);
  };
  const take = (line: string, { time, text }: { time: string; text: string }) => {
    lacksTimes = false;
    log = [
      ...log.slice(1 - MAX_LOG_LINES),
      line.length > MAX_SHOWN_LINE_LENGTH ? `${line.slice(0, MAX_SHOWN_LINE_LENGTH)}…` : line,
    ];
    logLength++;
    const read = readLogLine(text, names);
    isRestarted ||= read?.kind === 'node-started';
    const next = read === null ? state : foldLogLine(state, read);
    apply(next === state || isRestarted ? next : { ...next, lastAt: Date.parse(time) / 1000 });
  };
  const where = { intervalMs, owner, from: from?.mark ?? null };
  const follower = logPath === null ? null : await followLog(logPath, onLine, where).catch(() => null);
  if (follower?.found) {
    started = null;
    lacksStart = false;
  }

  return {
    /** Whether the log is being read. */
    readable: follower !== null,
    state: (): LogState => ({ ...state, lastAt: state.lastAt ?? seenAt }),
    /** Reports changes to `target` from now on. The first report includes the earlier ones. */
    reportTo(target: JobTracker): void {
      tracker = target;
    },
    /** Takes the rescanned share from `getwalletinfo`. */
    updateScanning(fraction: number): void {
      const secondsLeft = estimate(wallet, fraction);
      state = advance(state, 'rescanning');
      scan = { fraction, secondsLeft };
      const { block = null, blocks = null, fast = null } = progressOf(state, null) ?? {};
      tracker?.change({
        measured: 'scanning',
        steps: stepsOf(state),
        progress: { wallet, fraction, block, blocks, secondsLeft, fast },
      });
    },
    /** Notes that the node answers that it still works on the job. */
    seeWork(): void {
      seenAt = now();
    },
    /** Starts a phase that the log does not show. */
    startPhase(phase: LogState['phase']): void {
      setState(advance(state, phase));
    },
    /** Skips a phase that this job does not need. */
    skip(phase: LogState['phase']): void {
      setState(skip(state, phase));
    },
    /** Reads all lines that the node has written. See `LogEvidence.logWasRead`. */
    async drainLog(): Promise<boolean | null> {
      if (!follower) return false;
      // A log on a slow network drive must not keep the job from ending.
      const isRead = await orNullAfter(follower.drain(), DRAIN_TIMEOUT_MS);
      return isRead && !(lacksStart || lacksTimes);
    },
    stop: async () => follower?.stop(),
  };
}

/** Characters of one line. */
export const MAX_SHOWN_LINE_LENGTH = 4000;
const DRAIN_TIMEOUT_MS = 2000;

/** Whether a line is older than the job. Without its mark, the log is read from its start, and may hold older migrations. */
function isBefore(time: string, started: number): boolean {
  // `Date.parse` returns NaN for an impossible date, so this is false.
  return Date.parse(time) / 1000 < Math.floor(started);
}

/**
 * How much is rescanned: the node's own fraction, because early blocks are small; the fraction of the blocks where the node reports 0
 * or 1 (a fresh regtest). Null unless a rescan runs.
 */
function rescannedFraction(rescan: LogState['rescan']): number | null {
  if (rescan === null || rescan.share === null || rescan.fraction === 1) return null;
  return rescan.share > 0 && rescan.share < 1 ? rescan.share : rescan.fraction;
}

export type JobTracker = ReturnType<typeof trackJob>;

const NOT_URGENT: ReadonlySet<string> = new Set(['progress', 'log', 'logLength'] satisfies (keyof Job)[]);

/** The steps with the times of `before`, and with `now` for each that is done now. Without `now`, the app did not see when. */
export function withTimes(before: readonly Step[], steps: readonly Step[], now?: number): Step[] {
  return steps.map((step) => {
    const known = before.find(({ phase }) => phase === step.phase);
    const ended = known?.ended ?? (step.state !== 'done' || known?.state === 'done' ? undefined : now);
    return ended === undefined ? step : { ...step, ended };
  });
}

/**
 * Keeps the current state of one job, and calls `report` with it: at once for `first` and for each change, but at most every
 * `paceMs` for progress and log lines. `now`: Unix seconds.
 */
export function trackJob(
  first: Job,
  report: (job: Job) => void,
  { paceMs, now }: { paceMs: number; now: () => number },
) {
  let job = first;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const reportNow = () => {
    clearTimeout(timer);
    timer = undefined;
    reportedAt = performance.now();
    report(job);
  };
  const reportSoon = () => {
    const wait = reportedAt + paceMs - performance.now();
    if (wait <= 0) reportNow();
    else timer ??= setTimeout(reportNow, wait).unref();
  };
  const change = (patch: Partial<Job>) => {
    if (closed) return;
    // A resumed job reads its log again at once, so new times would be wrong.
    const at = job.resumed ? undefined : now();
    const steps = patch.steps && { steps: withTimes(job.steps, patch.steps, at) };
    job = { ...job, ...patch, ...steps };
    if (Object.keys(patch).every((key) => NOT_URGENT.has(key))) reportSoon();
    else reportNow();
  };
  const close = () => {
    closed = true;
    clearTimeout(timer);
  };

  reportNow();
  return {
    current: () => job,
    change,
    /** The last change. Reports nothing after it. */
    end(patch: Partial<Job>): void {
      change(patch);
      close();
    },
    /** Reports nothing from now on. */
    mute: close,
  };
}

export interface RunContext extends JobTiming {
  tracker: JobTracker;
  watch: Watch;
  /** The current session of the job's node. Throws AppError `not_connected` if the app is connected to none or another one. */
  session: () => Session;
  /** The node on which the job started. Answers of other nodes are ignored. */
  node: NodeIdentity;
  /** Aborted when nobody waits for the job any more. */
  signal: AbortSignal;
  /** The wallets folder of a node that no longer runs, on this machine; null while it may. */
  stoppedNodeFolder: (known: NodeIdentity, anotherAnswers: boolean) => Promise<string | null>;
  /** Writes the journal entry. `sent`: whether the call may reach the node from now on. Throws AppError `journal_unwritable`. */
  writeEntry: (sent: boolean) => void;
}

/** `started` in Unix seconds. */
export function firstSnapshot(
  checkpoint: Checkpoint,
  status: NodeStatus,
  watch: Watch,
  started: number,
  facts: PlanFacts,
): Job {
  const { kind, name: wallet } = checkpoint;
  return {
    id: randomUUID(),
    kind,
    wallet,
    ...fileOf(facts),
    ...('renamedWallets' in checkpoint && { action: 'undo' as const }),
    ...('movedWallets' in checkpoint && { action: 'put-back' as const }),
    ...(checkpoint.kind === 'restore' && checkpoint.repaired !== undefined && { rescues: true }),
    ...(checkpoint.kind === 'restore' && isCompared(checkpoint) && { isCompared: true }),
    ...('unlocked' in checkpoint && { unlocks: true }),
    node: {
      label: status.label,
      address: status.address,
      network: status.network,
      release: status.release.text,
      offline: status.offline,
      walletsFolder: status.walletsFolder,
      walletsFolderMark: status.walletsFolderMark,
    },
    state: 'running',
    connection: 'ok',
    steps: stepsOf(watch.state()),
    measured: watch.readable ? 'log' : 'time',
    progress: null,
    started,
    ended: null,
    warnings: [],
    result: null,
    error: null,
    safetyCopy: null,
    proof: null,
    resumed: false,
    log: [],
    logLength: 0,
  };
}

function fileOf(facts: PlanFacts): Pick<Job, 'file' | 'oldPassphraseId'> {
  if (!('fileInspection' in facts) || facts.kind === 'backup' || facts.fileInspection.state !== 'read')
    return {};
  const { sha256, inspection } = facts.fileInspection;
  return {
    ...('backupFile' in facts && sha256 !== null && { file: { path: facts.backupFile, sha256 } }),
    oldPassphraseId: inspection.encryption === null ? null : inspection.passphraseId,
  };
}
