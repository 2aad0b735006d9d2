/** Computes a job's progress from the node's log, a pure fold of lines into a state, and the time left in a rescan. */
import type { Job, Phase, Progress, Step } from '../../../shared/model/job.ts';
import { type CompanionPart, concernedWallets } from '../../walletfile/migrate/companionNames.ts';
import type { LogLine } from './nodeLog.ts';

/** Everything that the log has shown about one job. */
export interface LogState {
  readonly kind: Job['kind'];
  readonly wallet: string;
  readonly phase: Phase;
  readonly phaseDone: boolean;
  readonly skipped: readonly Phase[];
  /** The wallets that a migration splits off. */
  readonly separated: readonly CompanionPart[];
  /** Path of the legacy backup, which the node writes before it migrates. */
  readonly backupPath: string | null;
  /** Whether the wallet's keys are encrypted; null until the log shows it. */
  readonly encrypted: boolean | null;
  /** The current or the last rescan; of a rescan job, its own as soon as that has ended. */
  readonly rescan: Rescan | null;
  /** The range of a rescan job. */
  readonly requested: BlockRange | null;
  /** Unix seconds of the last line that changed this, or when the node was last seen at work. Null if neither is known. */
  readonly lastAt: number | null;
}

/** One wallet's rescan. `from` and `blocks` are null if the log's start was missed. */
interface Rescan extends Readonly<Omit<Progress, 'secondsLeft'>> {
  readonly from: number | null;
  /** The hash of its first block; null if the log's start was missed. */
  readonly start: string | null;
  /** The node's own progress, by transactions of the whole chain: see `still-rescanning`. */
  readonly share: number | null;
  /** The fraction of this rescan's blocks if their number is known, else `share`. */
  readonly fraction: number;
  /** How it ended; null while it is running. */
  readonly end: 'completed' | 'aborted' | null;
}

/** First and last height of a requested rescan, which the node does not log. */
type BlockRange = { readonly from: number; readonly to: number };

/** The state before the first line. */
export function initialLogState(
  kind: Job['kind'],
  wallet: string,
  requested: BlockRange | null = null,
): LogState {
  return {
    kind,
    wallet,
    phase: phasesOf[kind][0] ?? 'sent',
    phaseDone: false,
    skipped: [],
    separated: [],
    backupPath: null,
    encrypted: null,
    rescan: null,
    requested,
    lastAt: null,
  };
}

/** The state after one more line; the same object if the line is irrelevant. */
export function foldLogLine(state: LogState, line: LogLine): LogState {
  if (state.kind === 'backup' || hasEndedScanning(state)) return state;
  if ('wallet' in line && !concernedWallets(state.kind, state.wallet).includes(line.wallet)) return state;
  switch (line.kind) {
    case 'node-started':
      if (state.kind !== 'rescan') return state;
      return {
        ...state,
        rescan: { ...(state.rescan ?? freshRescan(state.wallet)), from: null, end: 'aborted' },
      };
    case 'keys':
      return foldKeys(state, line.encrypted > 0);
    case 'copied':
      if (state.backupPath !== null || !isBackupOf(line, state.wallet)) return state;
      return advance({ ...state, backupPath: line.to }, 'backing-up', true);
    case 'converting':
      return advance(state, 'converting');
    case 'separating':
      return advance({ ...state, separated: [...state.separated, line.into] }, 'separating');
    case 'converted':
      return advance(state, 'loading');
    case 'loading':
      // The line names no wallet. A migration loads nothing in this way before it converts.
      return state.kind === 'restore' || hasStartedConverting(state) ? advance(state, 'loading') : state;
    case 'rescan-range': {
      const { wallet, from, blocks } = line;
      return rescanning(state, { ...freshRescan(wallet), from, blocks });
    }
    case 'rescan-started':
      return rescanning(state, {
        ...rescanOf(state, line.wallet),
        start: line.start,
        fast: line.variant === 'fast',
      });
    case 'still-rescanning': {
      const { block, share } = line;
      const rescan = rescanOf(state, line.wallet);
      return rescanning(state, {
        ...rescan,
        block,
        share,
        fraction: fractionAt(rescan, block, state.requested) ?? share,
      });
    }
    case 'rescan-completed': {
      const rescan = rescanOf(state, line.wallet);
      const { from, blocks } = rescan;
      const block = from === null || blocks === null ? rescan.block : from + blocks;
      return rescanning(state, { ...rescan, block, fraction: 1, end: 'completed' });
    }
    case 'rescan-aborted':
      return rescanning(state, { ...rescanOf(state, line.wallet), block: line.block, end: 'aborted' });
  }
}

/**
 * Whether the rescan of a restore or a rescan job has ended: later ones are of other clients. One with a range belongs to the wallet's
 * load, which a rescan job may begin with.
 */
function hasEndedScanning({ kind, rescan }: LogState): boolean {
  if (rescan === null || rescan.end === null) return false;
  return kind === 'restore' ? rescan.end === 'completed' : kind === 'rescan' && rescan.from === null;
}

/** The steps of a running or failed job. A failed job stopped at the running step. */
export function stepsOf(state: LogState): Step[] {
  const order = phasesOf[state.kind];
  const reached = order.indexOf(state.phase);
  return order.map((phase, at) => {
    if (at > reached) return { phase, state: 'waiting' };
    if (at === reached) return { phase, state: state.phaseDone ? 'done' : 'running' };
    return { phase, state: isSkipped(state, phase) ? 'skipped' : 'done' };
  });
}

/**
 * The steps of a successful job. Without the log (`logRead` false) the rescan counts as done, because the node
 * finishes with the wallet up to date.
 */
export function completedSteps(
  state: LogState,
  { logRead, separated, proved }: { logRead: boolean; separated: boolean; proved: boolean },
): Step[] {
  return phasesOf[state.kind].map((phase) => {
    const skipped =
      (phase === 'proving' && !proved) ||
      (isSkipped(state, phase) && !(phase === 'separating' && separated)) ||
      (phase === 'rescanning' && logRead && state.rescan === null);
    return { phase, state: skipped ? 'skipped' : 'done' };
  });
}

function isSkipped({ skipped, separated }: LogState, phase: Phase): boolean {
  return skipped.includes(phase) || (phase === 'separating' && separated.length === 0);
}

/** The rescan's progress for the page; null if there is no rescan. */
export function progressOf({ rescan, requested }: LogState, secondsLeft: number | null): Progress | null {
  if (rescan === null) return null;
  const { wallet, fraction, block, fast } = rescan;
  const blocks = rescan.blocks ?? (requested && requested.to - requested.from);
  return { wallet, fraction, block, blocks, secondsLeft, fast };
}

/** Marks a phase as not needed; returns the same state if the job has no such phase. */
export function skip(state: LogState, phase: Phase): LogState {
  if (!phasesOf[state.kind].includes(phase)) return state;
  return { ...state, skipped: [...state.skipped, phase] };
}

/** Moves to a phase, never back to an earlier one. */
export function advance(state: LogState, phase: Phase, done = false): LogState {
  const order = phasesOf[state.kind];
  const ahead = order.indexOf(phase) - order.indexOf(state.phase);
  if (ahead < 0 || (ahead === 0 && (state.phaseDone || !done))) return state;
  return { ...state, phase, phaseDone: ahead === 0 ? state.phaseDone || done : done };
}

const MIGRATING = ['backing-up', 'converting', 'separating', 'loading', 'rescanning', 'proving'] as const;

const phasesOf: Readonly<Record<Job['kind'], readonly Phase[]>> = {
  restore: ['sent', 'loading', 'rescanning', 'proving'],
  migrate: ['safety-copy', 'sent', ...MIGRATING],
  'restore-migrate': ['safety-copy', 'placing', 'sent', ...MIGRATING],
  rescue: ['safety-copy', 'placing', 'sent', ...MIGRATING],
  backup: ['sent', 'verifying'],
  rescan: ['sent', 'rescanning'],
};

function hasStartedConverting({ kind, phase }: LogState): boolean {
  return phasesOf[kind].indexOf(phase) >= phasesOf[kind].indexOf('converting');
}

/** A migration opens the legacy wallet, which logs its keys, and then backs it up. */
function foldKeys(state: LogState, encrypted: boolean): LogState {
  if (state.kind === 'restore') return advance(state, 'loading');
  if (hasStartedConverting(state)) return state;
  return advance({ ...state, encrypted: state.encrypted === true || encrypted }, 'backing-up');
}

/**
 * Whether the copied file is the wallet's own: another wallet may be migrated meanwhile. Up to release 25, the line names a file in the
 * backup's folder. The backup of the unnamed wallet is not named after its folder.
 */
function isBackupOf({ from, to }: { from: string; to: string }, wallet: string): boolean {
  const [folder, stem] = /^(.*[\\/])?([^\\/]*)[-_]\d+\.legacy\.bak$/.exec(to)?.slice(1) ?? [];
  if (stem === undefined) return false;
  // A wallet's name may be a full path, of Windows too.
  const file = `/${/[\\/]/.test(from) ? from : `${folder}${from}`}`.replaceAll('\\', '/');
  const own = wallet.replace(/^[\\/]+/, '').replaceAll('\\', '/');
  if (own !== '') return file.endsWith(`/${own}/wallet.dat`) || file.endsWith(`/${own}`);
  return ['', 'default_wallet'].includes(stem) && !file.endsWith(`/${stem}/wallet.dat`);
}

/** Release 24 may load and rescan the legacy wallet before migrating it: that is not the phase of the rescan. */
function rescanning(state: LogState, rescan: Rescan): LogState {
  const early = state.kind !== 'restore' && !hasStartedConverting(state);
  return { ...(early ? state : advance(state, 'rescanning')), rescan };
}

function rescanOf({ rescan }: LogState, wallet: string): Rescan {
  // The previous rescan may belong to the load before.
  return rescan !== null && rescan.wallet === wallet && rescan.end === null ? rescan : freshRescan(wallet);
}

function freshRescan(wallet: string): Rescan {
  return {
    wallet,
    from: null,
    start: null,
    blocks: null,
    block: null,
    share: null,
    fraction: 0,
    fast: null,
    end: null,
  };
}

function fractionAt(rescan: Rescan, block: number, requested: BlockRange | null): number | null {
  const from = rescan.from ?? requested?.from ?? null;
  const blocks = rescan.blocks ?? (requested && requested.to - requested.from);
  if (from === null || blocks === null || blocks === 0) return null;
  return Math.min(1, Math.max(0, (block - from) / blocks));
}

/** Progress at a time: `at` in seconds, `done` a fraction from 0 to 1. */
export interface Sample {
  readonly at: number;
  readonly done: number;
}

/**
 * Adds a sample. Skips samples less than five seconds after the last one; a sample that goes back starts over, as
 * another rescan does. Keeps the newest twelve: recent speed predicts better than the first blocks, which are small.
 */
export function addSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1);
  if (last === undefined || sample.done < last.done) return [sample];
  if (sample.at - last.at < CLOSEST_SECONDS) return samples;
  return [...samples, sample].slice(-MAX_SAMPLES);
}

/**
 * Seconds left at the time `now`, or null while it would be a guess: it needs three samples over twenty seconds, and
 * an estimated end within a fifth of the remaining time (or ten seconds) of the estimate without the last sample.
 */
export function secondsLeft(samples: readonly Sample[], now: number): number | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined || samples.length < MIN_SAMPLES) return null;
  if (last.at - first.at < MIN_SPAN_SECONDS) return null;
  const end = endOf(first, last);
  const before = endOf(first, samples.at(-2));
  if (end === null || before === null) return null;
  const remaining = Math.max(end - last.at, before - last.at);
  if (Math.abs(end - before) > Math.max(STEADY_SHARE * remaining, STEADY_SECONDS)) return null;
  return Math.max(0, end - now);
}

const CLOSEST_SECONDS = 5;
const MAX_SAMPLES = 12;
const MIN_SAMPLES = 3;
const MIN_SPAN_SECONDS = 20;
const STEADY_SHARE = 0.2;
const STEADY_SECONDS = 10;

/** The estimated end, assuming constant speed between two samples. */
function endOf(first: Sample, last: Sample | undefined): number | null {
  if (last === undefined || last.at <= first.at || last.done <= first.done) return null;
  return last.at + ((1 - last.done) * (last.at - first.at)) / (last.done - first.done);
}
