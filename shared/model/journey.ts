/** The stops of a job, from the user's file to the new backup. The window shows them as a strip, the terminal as lines. */
import type { Job, JobResult, Phase } from './job.ts';
import type { Plan } from './plan.ts';
import type { Proof } from './safety.ts';

export type StopId =
  | 'file'
  | 'wallet'
  | 'copy'
  | 'repair'
  | 'restore'
  | 'migrate'
  | 'rescan'
  | 'proof'
  | 'backup';

/**
 * `failed`: the job ended here, or its proof found a difference. `partly`: its proof could not compare everything, or a rescue
 * left something behind. `unknown`: how the job ended is not known, or nothing could be compared. `skipped`: not needed.
 */
type StopState = 'done' | 'active' | 'failed' | 'partly' | 'unknown' | 'waiting' | 'skipped';

export interface Stop {
  id: StopId;
  state: StopState;
  /** Its end in Unix seconds; null before it, or if unknown. */
  time: number | null;
  /** Its duration in seconds, if known. */
  seconds: number | null;
  /** The files that it concerns. */
  paths: readonly string[];
}

type Kind = Job['kind'];

const STOPS: Readonly<Record<Kind, readonly StopId[]>> = {
  // Only a wallet that is put back has an old wallet to compare with.
  restore: ['file', 'restore', 'rescan', 'proof', 'backup'],
  migrate: ['wallet', 'copy', 'migrate', 'proof', 'backup'],
  'restore-migrate': ['file', 'copy', 'migrate', 'proof', 'backup'],
  rescue: ['file', 'repair', 'migrate', 'proof', 'backup'],
  backup: ['wallet', 'backup'],
  rescan: ['wallet', 'rescan'],
};

interface Planned {
  kind: Kind;
  /** A rescue restores a descriptor wallet, and migrates a legacy one. */
  isDescriptor: boolean;
  offline: boolean;
}

export function plannedKind({ action, kind, node }: Plan): Planned {
  return {
    kind: action === 'rescue' ? action : kind,
    isDescriptor: kind === 'restore',
    offline: node.offline,
  };
}

function stopsOf({ kind, isDescriptor, offline }: Planned): StopId[] {
  return STOPS[kind]
    .map((id) => (kind === 'rescue' && isDescriptor && id === 'migrate' ? 'restore' : id))
    .filter((id) => !(id === 'rescan' && kind === 'restore' && offline));
}

/** The stops before the job runs: the first is done, the second active. `path`: of the file. */
export function plannedJourney(planned: Planned, path: string | null): Stop[] {
  const ids = stopsOf(planned).filter((id) => id !== 'proof' || planned.kind !== 'restore');
  return ids.map((id, at) => ({
    id,
    state: at === 0 ? 'done' : at === 1 ? 'active' : 'waiting',
    ...NOTHING,
    paths: at === 0 ? pathsOf(path) : [],
  }));
}

/** `path`: of the user's file, if known. `newBackups`: one of each new wallet; null if one is missing. */
export function journeyOf(job: Job, path: string | null, newBackups: readonly Job[] | null): Stop[] {
  const { state, result, started, ended, safetyCopy } = job;
  const kind = job.rescues ? 'rescue' : job.kind;
  const ids = stopsOf({
    kind,
    isDescriptor: job.kind === 'restore',
    offline: job.node.offline === true,
  })
    .filter((id) => id !== 'proof' || kind !== 'restore' || job.proof !== null)
    // Not every migration rescans, so its rescan is a stop only while it runs.
    .flatMap((id): StopId[] => (id === 'migrate' && rescans(job) ? [id, 'rescan'] : [id]));
  const at = state === 'done' ? ids.length : ids.indexOf(currentStop(job, ids));
  return ids.map((id, index) => {
    const reached: StopState = index < at ? 'done' : index > at ? 'waiting' : CURRENT[state];
    const stop: Stop = { id, state: reached, ...NOTHING };
    switch (id) {
      case 'file':
      case 'wallet':
        return { ...stop, paths: pathsOf(path) };
      case 'copy': {
        const own = safetyCopy?.files[0];
        const copied = { ...stop, time: safetyCopy?.made ?? null };
        if (own) return { ...copied, paths: own.sha256 === null ? [] : [own.path] };
        return reached === 'done' ? { ...copied, state: 'skipped' } : copied;
      }
      case 'migrate':
      case 'restore':
      case 'rescan': {
        if (reached !== 'done') return { ...stop, time: reached === 'waiting' ? null : started };
        const isScan = id === 'rescan' && kind === 'restore';
        return {
          ...stop,
          time: started,
          seconds: isScan || ended === null ? null : ended - started,
          paths: id === 'migrate' ? backupPathOf(result) : [],
        };
      }
      case 'proof':
        if (reached !== 'done') return stop;
        if (job.proof === null) return { ...stop, state: 'unknown' };
        return { ...stop, time: ended, state: PROVED[job.proof.verdict] };
      case 'backup': {
        if (kind === 'backup') return { ...stop, time: ended, paths: newBackupOf(result) };
        if (state !== 'done') return { ...stop, state: 'waiting' };
        if (newBackups === null) return { ...stop, state: 'active' };
        return {
          ...stop,
          state: 'done',
          time: Math.max(...newBackups.map((backup) => backup.ended ?? backup.started)),
          paths: newBackups.flatMap((backup) => newBackupOf(backup.result)),
        };
      }
      default:
        return stop;
    }
  });
}

function rescans({ steps }: Job): boolean {
  return steps.some(({ phase, state }) => phase === 'rescanning' && state === 'running');
}

/** The state of the current stop, by the state of the job. */
const CURRENT: Readonly<Record<Job['state'], StopState>> = {
  running: 'active',
  done: 'done',
  failed: 'failed',
  interrupted: 'failed',
  unknown: 'unknown',
};

const PROVED: Readonly<Record<Proof['verdict'], StopState>> = {
  same: 'done',
  partly: 'partly',
  different: 'failed',
};

const NOTHING = { time: null, seconds: null, paths: [] } as const;

function pathsOf(path: string | null): string[] {
  return path === null ? [] : [path];
}

function backupPathOf(result: JobResult | null): string[] {
  return pathsOf(result?.kind === 'migrate' && result.backupSeen !== false ? result.backupPath : null);
}

function newBackupOf(result: JobResult | null): string[] {
  return pathsOf(result?.kind === 'backup' ? result.proof.path : null);
}

/** The stop of the running phase, or of the phase at which the job ended. */
function currentStop({ kind, rescues, steps, safetyCopy }: Job, ids: readonly StopId[]): StopId {
  if (rescues && safetyCopy === null) return 'repair';
  const step =
    steps.find(({ state }) => state === 'running') ?? steps.find(({ state }) => state === 'waiting');
  const main =
    ids.find((id) => id === 'migrate' || id === 'restore') ?? (kind === 'rescan' ? 'rescan' : 'backup');
  if (step === undefined) return main;
  const id = kind === 'rescue' ? (OF_RESCUE[step.phase] ?? OF_PHASE[step.phase]) : OF_PHASE[step.phase];
  return id !== undefined && ids.includes(id) ? id : main;
}

const OF_PHASE: Readonly<Partial<Record<Phase, StopId>>> = {
  'safety-copy': 'copy',
  placing: 'copy',
  rescanning: 'rescan',
  verifying: 'proof',
  proving: 'proof',
};

const OF_RESCUE: Readonly<Partial<Record<Phase, StopId>>> = { 'safety-copy': 'repair', placing: 'repair' };
