/** How far a job is, told by the node's log: every line folded into one state, without clock or I/O. */
import type { Job, Phase, Progress, Step } from '../../../shared/model/job.ts';
import { type CompanionPart, concernedWallets } from '../../walletfile/migrate/companionNames.ts';
import type { LogLine } from './logLines.ts';

/** What the log has told so far of one job. */
export interface LogState {
  readonly kind: Job['kind'];
  /** The wallet the job was started for. */
  readonly wallet: string;
  /** The furthest phase that has begun. */
  readonly phase: Phase;
  readonly phaseDone: boolean;
  /** What turned out not to be needed. */
  readonly skipped: readonly Phase[];
  /** Which wallets a migration splits off. */
  readonly separated: readonly CompanionPart[];
  /** Where the node put the backup that precedes a migration. */
  readonly backupPath: string | null;
  /** Whether the wallet's keys are encrypted; null until the log says. */
  readonly encrypted: boolean | null;
  /** The rescan that runs now or ran last. */
  readonly rescan: Rescan | null;
  /** What was asked for, where that is a rescan. */
  readonly asked: BlockRange | null;
}

/** One wallet's rescan. `from` and `blocks` are null where the log was not seen from its start. */
interface Rescan extends Readonly<Omit<Progress, 'secondsLeft'>> {
  readonly from: number | null;
  /** The node's own measure, by transactions of the whole chain: see `still-rescanning`. */
  readonly share: number | null;
  /** Of this rescan's blocks where their number is known, else `share`. */
  readonly fraction: number;
  /** How it ended; null while it runs. */
  readonly end: 'completed' | 'aborted' | null;
}

/** Heights of the first and the last block of a rescan that was asked for: a node does not log them. */
export type BlockRange = { readonly from: number; readonly to: number };

/** The state before the first line. */
export function initialLogState(
  kind: Job['kind'],
  wallet: string,
  asked: BlockRange | null = null,
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
    asked,
  };
}

/** The state after one more line; the same object when the line is about something else. */
export function foldLogLine(state: LogState, line: LogLine): LogState {
  if (state.kind === 'backup') return state;
  if ('wallet' in line && !concernedWallets(state.kind, state.wallet).includes(line.wallet)) return state;
  switch (line.kind) {
    case 'keys':
      return foldKeys(state, line.encrypted > 0);
    case 'copied':
      if (state.backupPath !== null || !isBackupOf(line.to, state)) return state;
      return advance({ ...state, backupPath: line.to }, 'backing-up', true);
    case 'converting':
      return advance(state, 'converting');
    case 'separating':
      return advance({ ...state, separated: [...state.separated, line.into] }, 'separating');
    case 'converted':
      return advance(state, 'loading');
    case 'loading':
      // The line names no wallet: before its own conversion a migration loads nothing in this way.
      return state.kind === 'restore' || hasBegun(state, 'converting') ? advance(state, 'loading') : state;
    case 'rescan-range': {
      const { wallet, from, blocks } = line;
      return rescanning(state, { ...freshRescan(wallet), from, blocks });
    }
    case 'rescan-started':
      return rescanning(state, { ...rescanOf(state, line.wallet), fast: line.variant === 'fast' });
    case 'still-rescanning': {
      const { block, share } = line;
      const rescan = rescanOf(state, line.wallet);
      return rescanning(state, {
        ...rescan,
        block,
        share,
        fraction: fractionAt(rescan, block, state.asked) ?? share,
      });
    }
    case 'rescan-completed': {
      const rescan = rescanOf(state, line.wallet);
      const { from, blocks } = rescan;
      const block = from === null || blocks === null ? rescan.block : from + blocks;
      return rescanning(state, { ...rescan, block, fraction: 1, end: 'completed' });
    }
    case 'rescan-aborted':
      return rescanning(state, {
        ...rescanOf(state, line.wallet),
        block: line.block,
        end: 'aborted',
      });
  }
}

/** The steps of a job under way. The one that runs when it ends badly is the one it stopped at. */
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
 * The steps of a job that ended well. Without the log (`seen` false) a rescan is taken for done, because
 * the node ends with the wallet caught up.
 */
export function completedSteps(
  state: LogState,
  { seen, separated, proved }: { seen: boolean; separated: boolean; proved: boolean },
): Step[] {
  return phasesOf[state.kind].map((phase) => {
    const skipped =
      (phase === 'proving' && !proved) ||
      (isSkipped(state, phase) && !(phase === 'separating' && separated)) ||
      (phase === 'rescanning' && seen && state.rescan === null);
    return { phase, state: skipped ? 'skipped' : 'done' };
  });
}

function isSkipped({ skipped, separated }: LogState, phase: Phase): boolean {
  return skipped.includes(phase) || (phase === 'separating' && separated.length === 0);
}

/** The rescan as the page shows it; null while there is none. */
export function progressOf({ rescan, asked }: LogState, secondsLeft: number | null): Progress | null {
  if (rescan === null) return null;
  const { wallet, fraction, block, fast } = rescan;
  const blocks = rescan.blocks ?? (asked && asked.to - asked.from);
  return { wallet, fraction, block, blocks, secondsLeft, fast };
}

/** The state with a phase that turned out not to be needed; the same where it has no such phase. */
export function skip(state: LogState, phase: Phase): LogState {
  if (!phasesOf[state.kind].includes(phase)) return state;
  return { ...state, skipped: [...state.skipped, phase] };
}

/** The state with a phase that was reached, never back to an earlier one. */
export function advance(state: LogState, phase: Phase, done = false): LogState {
  const order = phasesOf[state.kind];
  const ahead = order.indexOf(phase) - order.indexOf(state.phase);
  if (ahead < 0 || (ahead === 0 && (state.phaseDone || !done))) return state;
  return { ...state, phase, phaseDone: ahead === 0 ? state.phaseDone || done : done };
}

const MIGRATING = ['backing-up', 'converting', 'separating', 'loading', 'rescanning', 'proving'] as const;

const phasesOf: Readonly<Record<Job['kind'], readonly Phase[]>> = {
  restore: ['sent', 'loading', 'rescanning'],
  migrate: ['safety-copy', 'sent', ...MIGRATING],
  'restore-migrate': ['safety-copy', 'placing', 'sent', ...MIGRATING],
  rescue: ['safety-copy', 'placing', 'sent', ...MIGRATING],
  backup: ['sent', 'verifying'],
  rescan: ['sent', 'rescanning'],
};

function hasBegun({ kind, phase }: LogState, wanted: Phase): boolean {
  return phasesOf[kind].indexOf(phase) >= phasesOf[kind].indexOf(wanted);
}

/** A migration first opens the legacy wallet, then backs it up: its keys are told in between. */
function foldKeys(state: LogState, encrypted: boolean): LogState {
  if (state.kind === 'restore') return advance(state, 'loading');
  if (hasBegun(state, 'converting')) return state;
  return advance({ ...state, encrypted: state.encrypted === true || encrypted }, 'backing-up');
}

/** Releases name it after the last part of the wallet's name; for the unnamed one they differ. */
function isBackupOf(path: string, { wallet }: LogState): boolean {
  const match = /(?:^|[\\/])([^\\/]*)[-_]\d+\.legacy\.bak$/.exec(path);
  return match !== null && (wallet === '' || match[1] === wallet.split(/[\\/]/).at(-1));
}

/** Release 24 may have to load, and rescan, the legacy wallet before it migrates it: that is no phase of its own. */
function rescanning(state: LogState, rescan: Rescan): LogState {
  const early = state.kind !== 'restore' && !hasBegun(state, 'converting');
  return { ...(early ? state : advance(state, 'rescanning')), rescan };
}

function rescanOf({ rescan }: LogState, wallet: string): Rescan {
  // The one before it may be that of the loading.
  return rescan !== null && rescan.wallet === wallet && rescan.end === null ? rescan : freshRescan(wallet);
}

function freshRescan(wallet: string): Rescan {
  return { wallet, from: null, blocks: null, block: null, share: null, fraction: 0, fast: null, end: null };
}

function fractionAt(rescan: Rescan, block: number, asked: BlockRange | null): number | null {
  const from = rescan.from ?? asked?.from ?? null;
  const blocks = rescan.blocks ?? (asked && asked.to - asked.from);
  if (from === null || blocks === null || blocks === 0) return null;
  return Math.min(1, Math.max(0, (block - from) / blocks));
}
