/** Watches the node work on one job, by its log or else by `getwalletinfo`, and reports the job's state. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Job, MOST_LOG_LINES, type Progress } from '../../../shared/model/job.ts';
import { followLog, type LogMark } from '../../bitcoind/log/logFollower.ts';
import { readLogLine } from '../../bitcoind/log/logLines.ts';
import { isNodeLine, type LogOwner } from '../../bitcoind/log/nodeLog.ts';
import {
  addSample,
  advance,
  type BlockRange,
  foldLogLine,
  initialLogState,
  type LogState,
  progressOf,
  type Sample,
  secondsLeft,
  skip,
  stepsOf,
} from '../../bitcoind/log/progress.ts';
import { concernedWallets } from '../../walletfile/migrate/companionNames.ts';

export type Watch = Awaited<ReturnType<typeof startWatch>>;

interface WatchOptions {
  kind: Job['kind'];
  wallet: string;
  /** The node's log; null when it cannot be read here. */
  logPath: string | null;
  /** Whose file it has to be. */
  logOwner: LogOwner;
  /** The blocks to look at, of a rescan that was asked for. */
  range?: BlockRange | null;
  /** Where the log stood when the job began, for one that was begun before the app was away. */
  from?: { mark: LogMark | null; started: number };
  logEveryMs: number;
  /** Unix seconds. */
  now: () => number;
}

/** Starts watching before the call is sent, so that no line of it is missed. Never throws. */
export async function startWatch(options: WatchOptions) {
  const { kind, wallet, logPath, logOwner: owner, from, range = null, logEveryMs: intervalMs, now } = options;
  let state = initialLogState(kind, wallet, range);
  const names = concernedWallets(kind, wallet);
  let samples: readonly Sample[] = [];
  let sampled: string | null = null;
  let tracked: Tracked | null = null;
  /** What the node itself says of the rescan, which its log tells once a minute at most. */
  let scan: Pick<Progress, 'fraction' | 'secondsLeft'> | null = null;
  let log: string[] = [];
  let logLength = 0;

  const estimate = (rescanned: string, done: number) => {
    if (rescanned !== sampled) samples = [];
    sampled = rescanned;
    samples = addSample(samples, { at: now(), done });
    return secondsLeft(samples, now());
  };

  const take = (next: LogState) => {
    if (next === state) {
      tracked?.change({ log, logLength });
      return;
    }
    const done = doneOf(next.rescan);
    const left = next.rescan === null || done === null || scan ? null : estimate(next.rescan.wallet, done);
    const moved = next.phase !== state.phase || next.phaseDone !== state.phaseDone;
    state = next;
    const progress = progressOf(state, left);
    const told = { log, logLength, progress: progress && scan ? { ...progress, ...scan } : progress };
    tracked?.change(moved ? { ...told, steps: stepsOf(state) } : told);
  };

  const moveTo = (next: LogState) => {
    if (next === state) return;
    state = next;
    tracked?.change({ steps: stepsOf(state) });
  };

  /** For lines that may be older than the job: when it began. Clocks may jump, so a known place is trusted more. */
  let begun = from?.started ?? null;

  const onLine = (line: string) => {
    if (!isNodeLine(line) || (begun !== null && isFromBefore(line, begun))) return;
    log = [
      ...log.slice(1 - MOST_LOG_LINES),
      line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line,
    ];
    logLength++;
    const read = readLogLine(line, names);
    take(read === null ? state : foldLogLine(state, read));
  };
  const where = { intervalMs, owner, from: from?.mark ?? null };
  const follower = logPath === null ? null : await followLog(logPath, onLine, where).catch(() => null);
  if (follower?.found) begun = null;

  return {
    /** Whether the log is being read. */
    readable: follower !== null,
    state: () => state,
    /** Tells every change to `tracked` from now on. Nothing before is lost. */
    tellTo(target: Tracked): void {
      tracked = target;
    },
    /** What `getwalletinfo` says: the share done of the wallet's rescan. */
    sawScanning(fraction: number): void {
      const secondsLeft = estimate(wallet, fraction);
      state = advance(state, 'rescanning');
      scan = { fraction, secondsLeft };
      const { block = null, blocks = null, fast = null } = progressOf(state, null) ?? {};
      tracked?.change({
        measured: 'scanning',
        steps: stepsOf(state),
        progress: { wallet, fraction, block, blocks, secondsLeft, fast },
      });
    },
    /** The phase is known to be reached without the log. */
    reached(phase: LogState['phase']): void {
      moveTo(advance(state, phase));
    },
    /** The phase is not needed this time. */
    skip(phase: LogState['phase']): void {
      moveTo(skip(state, phase));
    },
    /** Resolves when every line that the node wrote until now is taken in. */
    async settle(): Promise<void> {
      // A log on a share that hangs must not keep the job from ending.
      if (follower)
        await Promise.race([follower.drain(), pause(LONGEST_SETTLING_MS, undefined, { ref: false })]);
    },
    stop: async () => follower?.stop(),
  };
}

/** Characters of one line as the page gets it. */
export const LONGEST_LINE = 4000;
const LONGEST_SETTLING_MS = 2000;

/** Where the place was not found again, the log is read from its start: an older migration is not this one. */
function isFromBefore(line: string, started: number): boolean {
  const time = Date.parse(line.slice(0, line.indexOf('Z') + 1));
  return Number.isFinite(time) && time / 1000 < Math.floor(started);
}

/** The node's own share, as early blocks hold little; else the blocks (a fresh regtest). Null before and after. */
function doneOf(rescan: LogState['rescan']): number | null {
  if (rescan === null || rescan.share === null || rescan.fraction === 1) return null;
  return rescan.share > 0 && rescan.share < 1 ? rescan.share : rescan.fraction;
}

export type Tracked = ReturnType<typeof track>;

const NOT_URGENT: ReadonlySet<string> = new Set(['progress', 'log', 'logLength'] satisfies (keyof Job)[]);

/**
 * One job as it stands. Tells `first` at once, then each change, but progress and log lines not more often than is of
 * use. `tell` gets the whole job each time.
 */
export function track(first: Job, tell: (job: Job) => void, paceMs: number) {
  let job = first;
  let toldAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const tellNow = () => {
    clearTimeout(timer);
    timer = undefined;
    toldAt = performance.now();
    tell(job);
  };
  const tellSoon = () => {
    const wait = toldAt + paceMs - performance.now();
    if (wait <= 0) tellNow();
    else if (timer === undefined) {
      timer = setTimeout(tellNow, wait);
      timer.unref();
    }
  };
  const change = (patch: Partial<Job>) => {
    if (closed) return;
    job = { ...job, ...patch };
    if (Object.keys(patch).every((key) => NOT_URGENT.has(key))) tellSoon();
    else tellNow();
  };
  const close = () => {
    closed = true;
    clearTimeout(timer);
  };

  tellNow();
  return {
    current: () => job,
    /** Progress and log lines are told at most every `paceMs`; every other change at once. */
    change,
    /** The last change. Nothing is told after it. */
    end(patch: Partial<Job>): void {
      change(patch);
      close();
    },
    /** Nothing is told from now on. */
    mute: close,
  };
}
