/** The outcomes that several kinds of jobs share, and the errors of jobs that end before their call or without an answer. */
import { join } from 'node:path';
import { AppError } from '../../shared/model/errors.ts';
import type { Job } from '../../shared/model/job.ts';
import { visibleText } from '../../shared/model/names/visibleText.ts';
import type { NodeStatus } from '../../shared/model/node.ts';
import type { Interruption } from '../../shared/model/safety.ts';
import { errorShapeOf } from '../../shared/wording/findings/findingWords.ts';
import { asSentence, lookForBackup, notSent } from '../../shared/wording/findings/hints.ts';
import { nameInSentence } from '../../shared/wording/format/names.ts';
import {
  COINS_SAFE,
  furtherHints,
  hasCopyOfThisWallet,
  interruptedText,
  interruptionWords,
} from '../../shared/wording/interruptionWords.ts';
import { MAY_BE_ANOTHER } from '../../shared/wording/jobWords.ts';
import { say } from '../../shared/wording/say.ts';
import { listWallets } from '../bitcoind/calls/walletCalls.ts';
import { changeOfFile, isOpenInOther } from '../bitcoind/calls/walletsFolder.ts';
import { completedSteps, type LogState, stepsOf } from '../bitcoind/log/progress.ts';
import { isInUse } from '../files/lock/fileInUse.ts';
import { findUnwritable } from '../files/sharedFolder.ts';
import type { Evidence, Outcome, ResumeDeps } from './jobKind.ts';
import type { Checkpoint, MigrationCheckpoint } from './plan/checkpoint.ts';
import type { Candidate, IncompleteWallet } from './safetyCopies/interruptions.ts';
import type { CopyCleanup } from './safetyCopies/safetyCopies.ts';

/** The job of an app that closed before the call. `copies`: what happened to its unfinished safety copies. */
export function stoppedJob(job: Job, ended: number, copies: CopyCleanup): Job {
  const isThisWallet = ({ wallet }: { wallet: string | null }) => wallet === job.wallet;
  const finished = copies.listed.find((copy) => isThisWallet(copy) && copy.made >= job.started);
  const stopped = stoppedBeforeCallError(job);
  const isRemoved = copies.removed.some(isThisWallet);
  const addRemoved = (hint: string) => `${hint} ${say('Incomplete safety copy removed.')}`;
  return {
    ...job,
    state: 'failed',
    connection: 'ok',
    progress: null,
    ended,
    resumed: true,
    safetyCopy: job.safetyCopy ?? finished ?? null,
    error: errorShapeOf(isRemoved ? withHint(stopped, addRemoved) : stopped),
  };
}

/** The job with its outcome. `log`: what the node's log has shown of it. */
export function endedJob(job: Job, outcome: Outcome, log: LogState): Job {
  const isOnNode = job.resumed && outcome.state !== 'unknown' && log.lastAt !== null;
  const ended = {
    ...job,
    state: outcome.state,
    progress: null,
    silentSince: undefined,
    // The clock may have been set back meanwhile.
    ...(isOnNode && { endedOnNode: Math.max(log.lastAt, job.started) }),
  };
  if (outcome.state !== 'done') {
    // An incomplete wallet is no copy to remove.
    const interrupted =
      outcome.state === 'interrupted' ? { interruption: outcome.interruption, leftCopy: undefined } : {};
    return { ...ended, ...interrupted, steps: stepsOf(log), error: outcome.error };
  }
  const { result, warnings } = outcome;
  const separated = result.kind === 'migrate' && (result.watchonlyName ?? result.solvablesName) !== null;
  const logRead = job.measured === 'log';
  return {
    ...ended,
    connection: 'ok',
    steps: completedSteps(log, { logRead, separated, proved: job.proof !== null }),
    result,
    error: null,
    // The node migrated the copy.
    leftCopy: undefined,
    // A job that was resumed no longer has the answer with its warnings.
    warnings: warnings.length > 0 ? [...warnings] : job.warnings,
  };
}

export function notConnectedError({ node }: Job): AppError {
  return new AppError(
    'not_connected',
    say('Not connected to {host}:{port}.', { host: node.address.host, port: node.address.port }),
    `${say('The node continues.')} ${say('Connect to it to see the result.')}`,
  );
}

/** The same error with a changed hint. */
export function withHint(error: AppError, change: (hint: string) => string): AppError {
  const shape = errorShapeOf(error);
  return AppError.fromShape({ ...shape, hint: change(shape.hint) });
}

/** Names the folder that seems read-only for the node: a likely cause of its refusal, which its message may not mention. */
export function explainUnwritable(error: AppError, name: string, status: NodeStatus): AppError {
  const { walletsFolder } = status;
  if (error.node?.code !== RPC_WALLET_ERROR || walletsFolder === null) return error;
  const folder = findUnwritable(status, [walletsFolder, join(walletsFolder, name)]);
  if (folder === null) return error;
  const cause = asSentence(say('May be read-only: {folder}', { folder: visibleText(folder) }));
  return withHint(error, (hint) => `${hint} ${cause}`);
}

/** `RPC_WALLET_ERROR` of `src/rpc/protocol.h`. */
export const RPC_WALLET_ERROR = -4;

export function stoppedBeforeCallError({ kind }: Pick<Job, 'kind'>): AppError {
  return new AppError('cancelled', say('Stopped before anything was sent.'), nothingDoneHint(kind));
}

/** A migration may have loaded the wallet for the safety copy, but only read its file. */
function nothingDoneHint(kind: Job['kind']): string {
  return kind === 'migrate'
    ? `${say('Not migrated.')} ${say('The wallet may be loaded now.')}`
    : notSent(say('Your wallet is unchanged.'));
}

/** Neither the node nor the files show the outcome. `hint`: why, or what to do. */
export function unknownOutcome(
  hint: string,
  message = asSentence(say('Outcome not known')),
): Exclude<Outcome, { state: 'done' }> {
  return { state: 'unknown', error: { code: 'outcome_unknown', message, hint } };
}

/** The same if another wallet may have taken the name. `facts`: sentences with what the app knows. */
export function mayBeAnotherOutcome(facts: string): Outcome {
  const { error } = unknownOutcome(`${facts} ${MAY_BE_ANOTHER}`);
  return { state: 'unknown', error: { ...error, finding: { code: 'may_be_another' } } };
}

export function backupMissingOutcome(name: string, backupPath: string) {
  const wallet = nameInSentence(name);
  const hints = [
    say('The connection was lost.'),
    say('No backup at {path}.', { path: backupPath }),
    say('{wallet} is a descriptor wallet now. Find and compare the old backup first.', { wallet }),
  ];
  return unknownOutcome(hints.join(' '));
}

/** The job failed because the connection was lost. The evidence shows that nothing was changed. */
export function connectionLostOutcome(message: string, hint: string): Outcome {
  return { state: 'failed', error: { code: 'connection_lost', message, hint } };
}

/** The warning of a job that unlocked the wallet and could not lock it again. */
export const STILL_UNLOCKED = say('The wallet is still unlocked. Lock it: walletlock');

/**
 * Whether a node that no longer answers may still write to the file, because it flushes before it ends: the file is in use, or it or
 * its journal changed in the last three seconds. A time in the future says nothing.
 */
export async function isInUseOrRecent(file: string): Promise<boolean> {
  if (isInUse(file)) return true;
  const newest = await changeOfFile(file);
  const age = Date.now() - newest;
  return age >= 0 && age < QUIET_MS;
}

const QUIET_MS = 3000;

/** Whether a program has the wallet open, so that its file is not closed cleanly. */
export async function isOpen(
  name: string,
  file: string,
  { session, walletsFolder }: Pick<Evidence, 'session' | 'walletsFolder'>,
): Promise<boolean> {
  const loaded = session === null ? [] : await listWallets(session.client);
  return loaded.includes(name) || isOpenInOther(file, walletsFolder, loaded);
}

/** The outcome for a wallet that was left incomplete; null if its file is whole or cannot be read. */
export async function findInterruptionOutcome(
  checkpoint: Exclude<Checkpoint, { kind: 'backup' | 'rescan' }>,
  { session, walletsFolder, log, file, signal }: Evidence & Pick<IncompleteWallet, 'file'>,
  { interruptions }: ResumeDeps,
  interruptedWork: IncompleteWallet['interruptedWork'] = checkpoint.kind === 'restore'
    ? 'copying'
    : 'migrating',
): Promise<Outcome | null> {
  const found = await interruptions.find(
    {
      file,
      name: checkpoint.name,
      walletsFolder,
      network: session?.status.network ?? null,
      known: knownCopies(checkpoint, log.backupPath),
      interruptedWork,
    },
    signal,
  );
  return found && interruptedOutcome(found, log.backupPath);
}

/**
 * The outcome for a legacy wallet that is damaged while its safety copy is whole; null if it is not. A node up to release 29 writes to the
 * legacy wallet that it loads, so a crash may damage it.
 */
export async function findDamageOutcome(
  checkpoint: MigrationCheckpoint,
  evidence: Evidence & Pick<IncompleteWallet, 'file'>,
  deps: ResumeDeps,
): Promise<Outcome | null> {
  const { kind, name, fileForProof } = checkpoint;
  const { file, signal } = evidence;
  if (kind !== 'migrate' || file === null || fileForProof === null) return null;
  if (!(await deps.interruptions.isWhole(fileForProof, signal)) || (await isOpen(name, file, evidence)))
    return null;
  return findInterruptionOutcome(checkpoint, evidence, deps, 'copying');
}

function knownCopies(
  checkpoint: Exclude<Checkpoint, { kind: 'backup' | 'rescan' }>,
  backupPath: string | null,
): readonly Candidate[] {
  const legacyBackup = backupPath === null ? [] : [{ path: backupPath, from: 'legacy-backup' } as const];
  if (checkpoint.kind === 'restore')
    return [{ path: checkpoint.backupFile, from: 'backup', sha256: checkpoint.sha256 }];
  const copy = checkpoint.fileForProof;
  return [
    ...legacyBackup,
    ...(copy === null ? [] : [{ path: copy, from: 'safety-copy' } as const]),
    ...(checkpoint.kind === 'migrate' ? [] : [{ path: checkpoint.backupFile, from: 'backup' } as const]),
  ];
}

/** The outcome for an incomplete wallet. `backupPath`: of the old wallet's backup, if the node's log names one. */
export function interruptedOutcome(found: Interruption, backupPath: string | null): Outcome {
  return {
    state: 'interrupted',
    interruption: found,
    error: {
      code: 'interrupted',
      message: interruptedText(found.cause),
      hint: hasCopyOfThisWallet(found.copies)
        ? [COINS_SAFE, ...interruptionWords(found).hint].join(' ')
        : [
            say('Incomplete. Keep it, but do not use it.'),
            whereBackupIs(backupPath),
            ...furtherHints(found),
          ].join(' '),
    },
  };
}

/** Where the old wallet's backup is, in a sentence. `backupPath`: null if the node's log does not name it. */
export function whereBackupIs(backupPath: string | null): string {
  return backupPath === null
    ? lookForBackup()
    : say('The old wallet’s backup is at {path}.', { path: backupPath });
}
