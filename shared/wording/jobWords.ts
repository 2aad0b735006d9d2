/** Words for a job: its name, its state and its current step. */
import type { BackupAfter, Job, Phase, Progress, Step } from '../model/job.ts';
import { type LeftCopy, type LeftCopyReason, type Proof, watchesOnly } from '../model/safety.ts';
import { BALANCE_PARTS } from './balanceWords.ts';
import { formatTime } from './format/formatTime.ts';
import { hasCopyOfThisWallet } from './interruptionWords.ts';
import { partlyRescuedWords } from './rescueWords.ts';
import { say } from './say.ts';

type Kind = Job['kind'];
type State = Job['state'];

/** What follows if the app is closed while a job has unlocked the wallet. */
export const STAYS_UNLOCKED = say('The wallet stays unlocked.');

/** What follows for the wallets of a batch, and for queued backups. */
export const OTHERS_WAIT = say('Other wallets start only while the app is open.');

/** Kind and state: "Restoring", "Wallet restored". */
export function jobHeading({ kind, state, rescues }: Pick<Job, 'kind' | 'state' | 'rescues'>): string {
  if (state === 'interrupted') return INTERRUPTED;
  return state === 'unknown' ? UNKNOWN : HEADINGS[rescues ? 'rescue' : kind][state];
}

/** The current step of a running job, or why it is unknown. Null when all steps are done. */
export function whatNow({
  kind,
  steps,
  connection,
  silentSince,
}: Pick<Job, 'kind' | 'steps' | 'connection' | 'silentSince'>): string | null {
  if (connection === 'another-node') return say('Another node answers here');
  if (connection === 'lost') return say('Disconnected');
  if (silentSince !== undefined) return say('The node does not answer');
  const phase = currentPhase(steps);
  return phase && phaseName(phase, kind);
}

/** The running phase, else the next one; null after the last one. */
export function currentPhase(steps: readonly Step[]): Phase | null {
  const running =
    steps.find(({ state }) => state === 'running') ?? steps.find(({ state }) => state === 'waiting');
  return running?.phase ?? null;
}

/** For a list: "Backing up". */
export function phaseName(phase: Phase, kind: Kind): string {
  return kind === 'backup' ? (OF_BACKUP[phase] ?? PHASES[phase]) : PHASES[phase];
}

/** `5,000 of 12,000 blocks`, or only the height, if the log does not say how many. Null while both are unknown. */
export function blocksText({ block, blocks, fraction }: Progress): string | null {
  if (blocks !== null)
    return say('{seen, number} of {blocks, number} blocks', { seen: Math.round(blocks * fraction), blocks });
  return block === null ? null : say('At block {block, number}', { block });
}

/** Whether block filters speed up the rescan; null until the node's log shows it. */
export function scanSpeedText({ fast }: Progress): string | null {
  if (fast === null) return null;
  return fast ? say('Fast, with block filters.') : say('Slow: every block is read.');
}

/** The tone of a job's state, as far as its proof and the copies allow it. */
export function jobTone({ state, proof, interruption }: Pick<Job, 'state'> & Partial<Job>) {
  if (state === 'done' && proof) return PROOF_TONES[proof.verdict];
  if (state === 'interrupted' && hasCopyOfThisWallet(interruption?.copies ?? [])) return 'read';
  return STATE_TONES[state];
}

const PROOF_TONES = { same: 'good', partly: 'read', different: 'danger' } as const;

const STATE_TONES = {
  running: 'info',
  done: 'good',
  failed: 'danger',
  interrupted: 'danger',
  unknown: 'read',
} as const;

const UNKNOWN = say('Outcome not known');
const INTERRUPTED = say('Interrupted');

const HEADINGS: Readonly<Record<Kind, Readonly<Record<Exclude<State, 'interrupted' | 'unknown'>, string>>>> =
  {
    restore: { running: say('Restoring'), done: say('Wallet restored'), failed: say('Not restored') },
    migrate: { running: say('Migrating'), done: say('Wallet migrated'), failed: say('Not migrated') },
    'restore-migrate': {
      running: say('Restoring and migrating'),
      done: say('Wallet restored and migrated'),
      failed: say('Not migrated'),
    },
    rescue: { running: say('Rescuing'), done: say('Wallet rescued'), failed: say('Not rescued') },
    backup: { running: say('Backing up'), done: say('Backup made'), failed: say('Not backed up') },
    rescan: { running: say('Rescanning'), done: say('Rescan finished'), failed: say('Rescan not finished') },
  };

/** What the user chose to do, for a list. */
export function jobNoun({ action, kind, rescues }: Pick<Job, 'action' | 'kind' | 'rescues'>): string {
  return JOB_NOUNS[action ?? (rescues ? 'rescue' : kind)];
}

export const OLD_PUT_BACK = say('Old wallet put back');

const JOB_NOUNS: Readonly<Record<Kind | NonNullable<Job['action']>, string>> = {
  restore: say('Restore'),
  migrate: say('Migration'),
  'restore-migrate': say('Restore and migration'),
  rescue: say('Rescue'),
  backup: say('Backup'),
  rescan: say('Rescan'),
  undo: say('Undo'),
  'put-back': OLD_PUT_BACK,
};

/** The state of a job, in one to three words. */
export const STATE_WORDS: Readonly<Record<State, string>> = {
  running: say('Running'),
  done: say('Done'),
  failed: say('Failed'),
  interrupted: INTERRUPTED,
  unknown: UNKNOWN,
};

/** For a wallet or a file that another program may have replaced. */
export const MAY_BE_ANOTHER = say('It may be another wallet. Compare balance and addresses.');

export const NEWER_JOBS = say('A newer Wallet Ferry ran jobs. Update the app to see them.');

/** Of a backup on the node's machine, where the app cannot look. */
export const FILE_NOT_SEEN = say('File not seen');
/** Advice for every new backup. */
export const COPY_ELSEWHERE = say('Copy it to another disk.');

export const ARRIVED = say('Everything arrived');

/** The result of a job's proof; null without a proof. */
export function proofHeading({ proof, result }: Pick<Job, 'proof' | 'result'>): string | null {
  const rescued = partlyRescuedWords({ proof, result });
  switch (proof?.verdict) {
    case 'same':
      return withWatched(ARRIVED, proof);
    case 'partly':
      if (rescued !== null) return withWatched(rescued, proof);
      return proof.differences[0]?.title ?? say('Not everything could be compared');
    case 'different':
      return say('Something differs');
    default:
      return null;
  }
}

function withWatched(heading: string, proof: Proof): string {
  return watchesOnly(proof) ? `${heading}, ${BALANCE_PARTS.watched}` : heading;
}

/** Why a placed copy or a moved wallet is still there, and what to do. */
export function leftCopyText({ why, text = '' }: LeftCopy): string {
  return [...(why === undefined ? [] : [LEFT_COPIES[why]]), text].join(' ').trim();
}

const CHECK_IT = say('Check it, then remove the folder.');
const TRIES_AGAIN = say('The app will try again.');

const LEFT_COPIES: Readonly<Record<LeftCopyReason, string>> = {
  'may-be-used': say('If the node does not use it, remove the folder.'),
  slow: say('The disk is slow. The app removes it later.'),
  'not-asked': say('The app removes it when connected again.'),
  'in-use': say('Unload it; the app removes it later.'),
  'not-removable': say('Make the wallets folder writable; the app tries again later.'),
  'out-of-reach': say('Connect the wallets folder’s disk.'),
  replaced: say('Something else is there now. Find the copy.'),
  'from-node': say('The node restored it. It is in the list.'),
  changed: `${say('It has changed.')} ${CHECK_IT}`,
  'not-moved-back': `${say('Not moved back yet.')} ${TRIES_AGAIN}`,
  'not-loaded-again': `${say('Not loaded again yet.')} ${TRIES_AGAIN}`,
  'not-recorded': `${say('An earlier version placed it.')} ${CHECK_IT}`,
};

/** The state of the backup file after its restore. */
export const BACKUP_AFTER: Readonly<Record<BackupAfter, string>> = {
  changed: say('Backup file changed meanwhile'),
  touched: say('Backup file written meanwhile'),
  unreadable: say('Backup file unreadable now'),
};

const PHASES: Readonly<Record<Phase, string>> = {
  'safety-copy': say('Making a safety copy'),
  placing: say('Copying to the wallets folder'),
  sent: say('Waiting for the answer'),
  'backing-up': say('Backing up'),
  converting: say('Converting'),
  separating: say('Separating watched scripts'),
  loading: say('Loading'),
  rescanning: say('Rescanning'),
  verifying: say('Checking'),
  proving: say('Comparing'),
};

const OF_BACKUP: Partial<Readonly<Record<Phase, string>>> = {
  sent: say('Writing the backup'),
  verifying: say('Reading it again'),
};

/** For a wallet that the app loaded for its backup. */
export const STILL_LOADED = say('It is still loaded.');

/** `now`: Unix seconds. */
export function recordTitle(version: string, now: number): string {
  return say('Wallet Ferry {version}: record of {time}', { version, time: formatTime(now) });
}
