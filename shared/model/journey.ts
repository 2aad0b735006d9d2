/** The stops of a job, from the user's file to the new backup. The window shows them as a strip, the terminal as lines. */
import { isTemporaryPath } from './files.ts';
import { endOf, type Job, type JobResult, type Phase } from './job.ts';
import type { Plan } from './plan.ts';
import type { Proof } from './safety.ts';
import { type BackedUp, backedUpBy } from './walletBackups.ts';

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
 * left something behind, or the file was written meanwhile, or nothing shows that the backup has all keys. `unknown`: the outcome
 * is not known, nothing could be compared, or the app cannot see the backup. `skipped`: the app could not make the copy, and the
 * user said that there is one.
 */
type StopState = 'done' | 'active' | 'failed' | 'partly' | 'unknown' | 'waiting' | 'skipped';

export interface Stop {
  id: StopId;
  state: StopState;
  /** When it ended or failed, in Unix seconds. Null before that, or if unknown. */
  time: number | null;
  /** Its duration in seconds, if known. */
  seconds: number | null;
  /** The files that it concerns. */
  paths: readonly string[];
}

type Kind = Job['kind'];

const STOPS: Readonly<Record<Kind, readonly StopId[]>> = {
  restore: ['file', 'restore', 'rescan', 'proof', 'backup'],
  migrate: ['wallet', 'copy', 'migrate', 'proof', 'backup'],
  'restore-migrate': ['file', 'copy', 'migrate', 'proof', 'backup'],
  rescue: ['file', 'repair', 'migrate', 'proof', 'backup'],
  backup: ['wallet', 'backup'],
  rescan: ['wallet', 'rescan'],
};

interface Planned {
  kind: Kind;
  /** A rescue restores a descriptor wallet, and migrates a legacy one. Of two restored files, only a descriptor wallet is compared. */
  isDescriptor: boolean;
  offline: boolean;
}

export function plannedKind({ action, kind, node, facts }: Plan): Planned {
  return {
    kind: action === 'rescue' ? action : kind,
    isDescriptor: action === 'rescue' ? kind === 'restore' : facts.contents?.kind === 'descriptor',
    offline: node.offline,
  };
}

function stopsOf({ kind, isDescriptor, offline }: Planned): StopId[] {
  return STOPS[kind]
    .map((id) => (kind === 'rescue' && isDescriptor && id === 'migrate' ? 'restore' : id))
    .filter((id) => !(id === 'rescan' && kind === 'restore' && offline));
}

/**
 * The file that the user chose, if the job knows it: not the app's copy, which some nodes restore in its place, nor its file of a
 * text, which it removes when it closes. `sha256`: of the file, if a copy equals it; null for a copy that took a journal in.
 */
export function chosenFile(job: JobFile): ChosenFile | null {
  return startsFromText(job) ? null : fileOf(job);
}

/** Whether the app wrote the job's file, of a text with keys. */
export function startsFromText(job: JobFile): boolean {
  return isTemporaryPath(fileOf(job)?.path) || isTemporaryPath(job.safetyCopy?.files[0]?.source);
}

export type JobFile = Partial<Pick<Job, 'kind' | 'result' | 'safetyCopy'>>;
type ChosenFile = { path: string; sha256: string | null };

function fileOf({ kind, result, safetyCopy }: JobFile): ChosenFile | null {
  const [own] = safetyCopy?.files ?? [];
  const restored = result?.kind === 'restore' ? (result.backupFile ?? null) : null;
  if (kind !== 'restore-migrate' && restored !== own?.path)
    return restored === null ? null : { path: restored, sha256: null };
  return own?.source ? { path: own.source, sha256: own.withJournal ? null : own.sha256 } : null;
}

/** Whether a later job undid the migration with this result. */
export function isUndone(result: JobResult | null): boolean {
  return result?.kind === 'migrate' && result.undone === true;
}

/** Whether a restore made a legacy wallet, which is still to be migrated. */
export function isLegacyRestore(result: JobResult | null): boolean {
  return result?.kind === 'restore' && result.walletKind === 'legacy';
}

/** The stops before the job runs: the first is done, the second active. `path`: of the file. */
export function plannedJourney(planned: Planned, path: string | null): Stop[] {
  const ids = stopsOf(planned).filter(
    (id) => id !== 'proof' || planned.kind !== 'restore' || planned.isDescriptor,
  );
  return ids.map((id, at) => ({
    id,
    state: at === 0 ? 'done' : at === 1 ? 'active' : 'waiting',
    ...NOTHING,
    paths: at === 0 ? pathsOf(path) : [],
  }));
}

/** `path`: of the user's file, if known. `newBackups`: one of each new wallet; null if one is missing. `isBackedUp`: whether they are enough. */
export function journeyOf(
  job: Job,
  path: string | null,
  newBackups: readonly Job[] | null,
  isBackedUp: BackedUp | null = backedUpBy(newBackups),
): Stop[] {
  const { state, result } = job;
  const ids = stopsOfJob(job);
  const at = state === 'done' ? ids.length : ids.indexOf(currentStop(job, ids));
  return ids.map((id, index) => {
    const reached: StopState = index < at ? 'done' : index > at ? 'waiting' : STATE_OF_JOB[state];
    const stop: Stop = { id, state: reached, ...NOTHING };
    switch (id) {
      case 'file':
      case 'wallet': {
        const isChanged = result?.kind === 'restore' && result.backupAfter !== undefined;
        return { ...stop, state: isChanged ? 'partly' : reached, paths: pathsOf(path) };
      }
      case 'copy':
        return copyStop(stop, job);
      case 'migrate':
      case 'restore':
      case 'rescan': {
        if (reached === 'waiting') return stop;
        const times = reached === 'done' ? timesOf(job, id, ids) : { time: stoppedAt(job) };
        return { ...stop, ...times, paths: id === 'migrate' ? backupPathOf(job) : [] };
      }
      case 'proof':
        return reached === 'done' ? proofStop(stop, job) : stop;
      case 'backup':
        return backupStop(stop, job, newBackups, isBackedUp);
      default:
        return stop;
    }
  });
}

function stopsOfJob(job: Job): StopId[] {
  const kind = job.rescues ? 'rescue' : job.kind;
  const isDescriptor = job.kind === 'restore';
  return (
    stopsOf({ kind, isDescriptor, offline: job.node.offline === true })
      .filter((id) => id !== 'proof' || kind !== 'restore' || job.isCompared || job.proof !== null)
      .filter((id) => id !== 'backup' || !isUndone(job.result))
      // Not every migration rescans, so its rescan is a stop only while it runs.
      .flatMap((id): StopId[] => (id === 'migrate' && rescans(job) ? [id, 'rescan'] : [id]))
  );
}

function copyStop(stop: Stop, { safetyCopy }: Job): Stop {
  const own = safetyCopy?.files[0];
  const copied = { ...stop, time: safetyCopy?.made ?? null };
  if (own) return { ...copied, paths: own.sha256 === null ? [] : [own.path] };
  return stop.state === 'done' ? { ...copied, state: 'skipped' } : copied;
}

function proofStop(stop: Stop, { proof, ended }: Job): Stop {
  if (proof === null) return { ...stop, state: 'unknown' };
  return { ...stop, time: ended, state: STATE_OF_VERDICT[proof.verdict] };
}

/** A backup is the work of its own job, and the last step after any other. */
function backupStop(
  stop: Stop,
  job: Job,
  newBackups: readonly Job[] | null,
  isBackedUp: BackedUp | null,
): Stop {
  const { kind, state, result } = job;
  if (kind === 'backup')
    return {
      ...stop,
      state: backedUpBy([job]) === 'unseen' ? 'unknown' : stop.state,
      time: state === 'done' ? endOf(job) : stoppedAt(job),
      paths: newBackupPaths(result),
    };
  if (state !== 'done') return { ...stop, state: 'waiting' };
  if (newBackups === null) return { ...stop, state: 'active' };
  return {
    ...stop,
    state: typeof isBackedUp !== 'string' ? stop.state : isBackedUp === 'unchecked' ? 'partly' : 'unknown',
    time: Math.max(...newBackups.map((backup) => endOf(backup) ?? backup.started)),
    paths: newBackups.flatMap((backup) => newBackupPaths(backup.result)),
  };
}

/** The end and the duration of a finished stop, as far as the times of the job's steps are known. */
function timesOf(job: Job, id: StopId, ids: readonly StopId[]): Pick<Stop, 'time' | 'seconds'> {
  const at = job.steps.findLastIndex(
    ({ phase, state }) => state === 'done' && stopOf(phase, job, ids) === id,
  );
  const first = job.steps.findIndex(({ phase }) => stopOf(phase, job, ids) === id);
  const time = job.steps[at]?.ended;
  if (time === undefined) return { time: null, seconds: null };
  const before = job.steps.slice(0, first).findLast(({ state }) => state === 'done');
  const start = before === undefined ? job.started : before.ended;
  return { time, seconds: start === undefined ? null : time - start };
}

/** When a failed job stopped. Null if the app learned of it later, because the answer was lost or another session had started it. */
function stoppedAt(job: Job): number | null {
  return job.state !== 'failed' || job.error?.code === 'connection_lost' ? null : endOf(job);
}

function rescans({ steps }: Job): boolean {
  return steps.some(({ phase, state }) => phase === 'rescanning' && state === 'running');
}

const STATE_OF_JOB: Readonly<Record<Job['state'], StopState>> = {
  running: 'active',
  done: 'done',
  failed: 'failed',
  interrupted: 'failed',
  unknown: 'unknown',
};

const STATE_OF_VERDICT: Readonly<Record<Proof['verdict'], StopState>> = {
  same: 'done',
  partly: 'partly',
  different: 'failed',
};

const NOTHING = { time: null, seconds: null, paths: [] } as const;

function pathsOf(path: string | null): string[] {
  return path === null ? [] : [path];
}

function backupPathOf({ state, result, legacyBackup }: Job): string[] {
  // A node that fails may remove it.
  if (result?.kind !== 'migrate') return pathsOf((state === 'running' && legacyBackup) || null);
  return pathsOf(result.backupSeen === false ? null : result.backupPath);
}

function newBackupPaths(result: JobResult | null): string[] {
  return pathsOf(result?.kind === 'backup' ? result.proof.path : null);
}

/** The stop of the running phase, or of the phase at which the job ended. */
function currentStop(job: Job, ids: readonly StopId[]): StopId {
  const { rescues, steps, safetyCopy } = job;
  if (rescues && safetyCopy === null) return 'repair';
  const step =
    steps.find(({ state }) => state === 'running') ?? steps.find(({ state }) => state === 'waiting');
  return stopOf(step?.phase, job, ids);
}

/** The stop to which a phase belongs. */
function stopOf(phase: Phase | undefined, { kind }: Job, ids: readonly StopId[]): StopId {
  const id = phase && ((kind === 'rescue' && OF_RESCUE[phase]) || STOP_OF_PHASE[phase]);
  if (id !== undefined && ids.includes(id)) return id;
  return (
    ids.find((one) => one === 'migrate' || one === 'restore') ?? (kind === 'rescan' ? 'rescan' : 'backup')
  );
}

const STOP_OF_PHASE: Readonly<Partial<Record<Phase, StopId>>> = {
  'safety-copy': 'copy',
  placing: 'copy',
  rescanning: 'rescan',
  verifying: 'proof',
  proving: 'proof',
};

const OF_RESCUE: Readonly<Partial<Record<Phase, StopId>>> = { 'safety-copy': 'repair', placing: 'repair' };
