/** Migrates a legacy wallet with `migratewallet`, as it was planned, and tells what came of it. */
import { existsSync } from 'node:fs';
import { AppError } from '../../shared/model/errors.ts';
import type { MigrationResult } from '../../shared/model/job.ts';
import { say } from '../../shared/wording/say.ts';
import {
  leavesUnloaded,
  loadCall,
  type MigrateResult,
  parseMigrateResult,
} from '../bitcoind/calls/walletCalls.ts';
import type { Session } from '../bitcoind/rpc/session.ts';
import { isNetworkPath } from '../files/isNetworkPath.ts';
import { isThere } from '../files/isThere.ts';
import { type CompanionPart, companionNames } from '../walletfile/migrate/companionNames.ts';
import type { JobDeps, JobKind, LogEvidence, Outcome, ResumedJob } from './jobKind.ts';
import { paymentsFound } from './paymentsFound.ts';
import { type CommonFacts, encryptionOf, type MigrationFacts } from './plan/checkFacts.ts';
import type { CheckpointOf, MigrationCheckpoint } from './plan/checkpoint.ts';
import { withHint } from './plan/jobErrors.ts';
import type { Prover } from './proof/proof.ts';
import { wholeBalance } from './proof/proveBalance.ts';

export function migrate(facts: MigrationFacts, deps: JobDeps): JobKind<MigrateResult> {
  const { name, status, copy, info, fileInspection } = facts;
  const calls = deps.calls.slice(copy.calls.length);
  let wasUnloaded = false;
  const checkpoint: CheckpointOf<'migrate'> = {
    kind: 'migrate',
    ...beforeMigration(facts, deps),
    encrypted: info?.encrypted ?? encryptionOf(fileInspection),
    before: null,
  };
  return {
    ...migrationJob(checkpoint, { ...deps, calls }),
    async prepare({ session, signal, show }) {
      // A missing balance must not block the migration.
      if (info !== null) checkpoint.balanceBefore = await wholeBalance(session.client, name, signal);
      if (copy.way === 'cannot') return;
      const made = await deps.copies.ofWallet(session, name, copy, signal);
      wasUnloaded = copy.way === 'backupwallet' && made.how === 'copied';
      // The other files belong to the watch-only and solvables wallets.
      const [own] = made.files;
      checkpoint.before = own && own.sha256 !== null ? own.path : null;
      show({ safetyCopy: made });
    },
    calls: () =>
      wasUnloaded && status.release.migrates === 'unlock-first' ? [loadCall(name), ...calls] : calls,
  };
}

/** The shared part of every kind of job that ends in a migration. */
export function migrationJob(
  checkpoint: MigrationCheckpoint,
  { prover, calls }: JobDeps,
): JobKind<MigrateResult> {
  const unloaded = leavesUnloaded(calls) ? { leftUnloaded: true as const } : {};
  return {
    ...resumedMigration(checkpoint, prover),
    calls: () => calls,
    parse: parseMigrateResult,
    conclude: (session, answer) => concludeOn(session, checkpoint, { ...answer, ...unloaded }),
  };
}

/** What is remembered of the wallet that is migrated, as far as the plan tells it. */
export function beforeMigration(
  { name, loaded, onDisk, fileInspection }: CommonFacts,
  { gavePassphrase }: JobDeps,
) {
  return {
    name,
    loadedBefore: [...loaded],
    onDiskBefore: [...onDisk],
    gavePassphrase,
    encrypted: encryptionOf(fileInspection),
    balanceBefore: null,
  };
}

/** A migration whose answer is not known: what came of it is told by what the node and the disk show. */
export function resumedMigration(checkpoint: MigrationCheckpoint, prover: Prover): ResumedJob {
  return {
    checkpoint,
    method: 'migratewallet',
    explain: (error, evidence) => explainMigration(error, evidence, checkpoint),
    async prove(session, result, signal) {
      return result.kind === 'migrate' ? prover(session, checkpoint, result, signal) : null;
    },
  };
}

/** The same of wallets that the node has loaded, with the payments that it found for the main one. */
export async function concludeOn(
  session: Session,
  checkpoint: MigrationCheckpoint,
  answer: FoundMigration,
): Promise<Outcome> {
  const [outcome, payments] = await Promise.all([
    concludeMigration(checkpoint, answer, session.status.local),
    paymentsFound(session, answer.walletName),
  ]);
  return outcome.state === 'done' ? { ...outcome, result: { ...outcome.result, ...payments } } : outcome;
}

/** An answer may name a further wallet as the main one, where none is left to spend with: it is named as both. */
export async function concludeMigration(
  checkpoint: MigrationCheckpoint,
  answer: FoundMigration,
  local: boolean,
): Promise<Outcome> {
  const { walletName, backupPath } = answer;
  const rescue = checkpoint.kind === 'rescue' ? checkpoint.rescue : null;
  const isMain = (part: CompanionPart) => companionNames(checkpoint.name, [part]).includes(walletName);
  const watchonlyName = answer.watchonlyName ?? (isMain('watchonly') ? walletName : null);
  const solvablesName = answer.solvablesName ?? (isMain('solvables') ? walletName : null);
  const backupSeen =
    local && backupPath !== null && !isNetworkPath(backupPath) ? await isThere(backupPath, 'file') : null;
  return {
    state: 'done',
    result: {
      ...answer,
      kind: 'migrate',
      watchonlyName,
      solvablesName,
      backupSeen,
      ...('movedWallets' in checkpoint && checkpoint.movedWallets
        ? { movedWallets: checkpoint.movedWallets }
        : {}),
      ...(rescue === null ? {} : { rescue }),
    },
    warnings: [],
  };
}

export type FoundMigration = Omit<MigrateResult, 'backupPath'> &
  Pick<MigrationResult, 'backupPath' | 'leftUnloaded'>;

/**
 * The node's refusal with what is known beside it. An encrypted wallet that was backed up and then not
 * converted was not unlocked: so every release from 25 to 31 was recorded with a wrong passphrase and with none.
 * Where the log cannot be read, that is only named as a possible cause.
 * The node answers -4 for everything: facts tell the cases apart, never its text.
 */
function explainMigration(
  error: AppError,
  { log, readable }: LogEvidence,
  { gavePassphrase, encrypted: knownBefore }: MigrationCheckpoint,
): AppError {
  if (error.node?.code !== WALLET_ERROR) return error;
  if (!readable) {
    const cause = gavePassphrase
      ? say('The passphrase may be wrong.')
      : say('The passphrase may be missing.');
    return knownBefore === false ? error : withHint(error, (hint) => `${hint} ${cause}`);
  }
  if (log.backupPath === null) return error;
  // A node leaves the backup; the offline engine takes it back with all else.
  const backup = existsSync(log.backupPath)
    ? say('The node’s backup is at {path}.', { path: log.backupPath })
    : say('The node’s backup may still be there: {path}.', { path: log.backupPath });
  const isEncrypted = log.encrypted === true || knownBefore === true;
  if (!isEncrypted || log.phase !== 'backing-up') return withHint(error, (hint) => `${hint} ${backup}`);
  const nothing = `${say('Nothing was changed.')} ${backup}`;
  return gavePassphrase
    ? new AppError(
        'wrong_passphrase',
        say('The passphrase is wrong.'),
        `${nothing} ${say('Check capitals, spaces and keyboard layout. Tries are not limited.')}`,
        error.node,
      )
    : new AppError(
        'wallet_unlock_needed',
        say('The wallet is encrypted, and no passphrase was given.'),
        `${nothing} ${say('Try again with the passphrase.')}`,
        error.node,
      );
}

/** `RPC_WALLET_ERROR` of `src/rpc/protocol.h`. */
const WALLET_ERROR = -4;
