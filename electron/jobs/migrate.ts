/** Migrates a legacy wallet with `migratewallet` as planned, and finds the outcome. */
import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import { AppError } from '../../shared/model/errors.ts';
import { isDamaged } from '../../shared/model/inspection.ts';
import { type MigrationResult, migratedWallets } from '../../shared/model/job.ts';
import type { NodeIdentity, NodeStatus } from '../../shared/model/node.ts';
import { nothingChanged } from '../../shared/wording/findings/hints.ts';
import { nameInSentence } from '../../shared/wording/format/names.ts';
import { say } from '../../shared/wording/say.ts';
import { send } from '../bitcoind/calls/call.ts';
import {
  leavesUnloaded,
  loadCall,
  type MigrateResult,
  parseMigrateResult,
} from '../bitcoind/calls/walletCalls.ts';
import { hasDescriptors, paymentsFound, walletInfo } from '../bitcoind/calls/walletInfo.ts';
import { listNames, loadStateOf } from '../bitcoind/calls/wallets.ts';
import { walletFilePath } from '../bitcoind/calls/walletsFolder.ts';
import type { Session } from '../bitcoind/rpc/session.ts';
import { isGone } from '../files/durableFile.ts';
import { existsAs, isNetworkPath } from '../files/openFile.ts';
import { type CompanionPart, companionNames } from '../walletfile/migrate/companionNames.ts';
import type { FileExamination } from '../workers/examineFile.ts';
import type { Evidence, JobDeps, JobKind, LogEvidence, Outcome, ResumeDeps, ResumedJob } from './jobKind.ts';
import {
  backupMissingOutcome,
  connectionLostOutcome,
  findDamageOutcome,
  findInterruptionOutcome,
  interruptedOutcome,
  isInUseOrRecent,
  mayBeAnotherOutcome,
  RPC_WALLET_ERROR,
  unknownOutcome,
  whereBackupIs,
  withHint,
} from './outcomes.ts';
import { type CommonFacts, contentsOf, encryptionOf, type MigrationFacts } from './plan/checkFacts.ts';
import {
  type CheckpointOf,
  findMigratedWallets,
  findNewCompanions,
  type MigrationCheckpoint,
} from './plan/checkpoint.ts';
import { namesOf } from './plan/gatherFacts.ts';
import { findMigratedFiles } from './proof/proof.ts';
import { wholeBalance } from './proof/proveBalance.ts';
import { incompleteCopyError } from './safetyCopies/copyWallet.ts';
import { findLegacyBackup } from './safetyCopies/interruptedSource.ts';

export function createMigrationJob(facts: MigrationFacts, deps: JobDeps): JobKind<MigrateResult> {
  const { name, status, copy, info, fileInspection } = facts;
  const checkpoint: CheckpointOf<'migrate'> = {
    kind: 'migrate',
    ...migrationBaseline(facts, deps),
    encrypted: info?.encrypted ?? encryptionOf(fileInspection),
    fileForProof: null,
  };
  const base = createMigrationBase(checkpoint, deps);
  return {
    ...base,
    async prepare({ session, signal, show, save }) {
      // A missing balance must not block the migration.
      if (info !== null) checkpoint.balanceBefore = await wholeBalance(session.client, name, signal);
      if (copy.how === 'cannot') return;
      const copied = await deps.copies.copyWallet(session, name, copy, signal, () => {
        checkpoint.unloaded = [name];
        save();
      });
      // The other files belong to the watch-only and solvables wallets.
      const [mainCopy] = copied.files;
      const contents = contentsOf(fileInspection);
      const isWhole = contents !== null && !isDamaged(contents.problems);
      if (isWhole && mainCopy?.source === null && mainCopy.state === 'damaged') throw incompleteCopyError();
      checkpoint.fileForProof = mainCopy && mainCopy.sha256 !== null ? mainCopy.path : null;
      show({ safetyCopy: copied });
      if (checkpoint.unloaded && status.release.migrates === 'unlock-first')
        await send(session.client, loadCall(name), { timeoutMs: null, signal });
    },
  };
}

/** The shared part of every kind of job that ends in a migration. */
export function createMigrationBase(checkpoint: MigrationCheckpoint, deps: JobDeps): JobKind<MigrateResult> {
  const unloaded = leavesUnloaded(deps.calls) ? { leftUnloaded: true as const } : {};
  return {
    ...createResumedMigration(checkpoint, deps),
    parse: parseMigrateResult,
    conclude: (session, answer) => concludeOn(session, checkpoint, { ...answer, ...unloaded }),
  };
}

/** What the checkpoint keeps of the wallet before its migration, by the facts of the plan. */
export function migrationBaseline(
  { name, loaded, onDisk, fileInspection }: CommonFacts,
  { gavePassphrase }: JobDeps,
) {
  return {
    name,
    loadedBefore: [...loaded],
    onDiskBefore: [...onDisk],
    gavePassphrase,
    ...(contentsOf(fileInspection)?.passphrase === 'right' && { isPassphraseRight: true as const }),
    encrypted: encryptionOf(fileInspection),
    balanceBefore: null,
  };
}

/** A migration whose answer may be lost. The node and the files then show its outcome. */
export function createResumedMigration(checkpoint: MigrationCheckpoint, deps: ResumeDeps): ResumedJob {
  return {
    checkpoint,
    method: 'migratewallet',
    explain: (error, evidence) => explainMigration(error, evidence, checkpoint),
    resolve: (evidence) => resolveMigration(checkpoint, evidence, deps),
    async prove(session, result, signal) {
      return result.kind === 'migrate' ? deps.prover(session, checkpoint, result, signal) : null;
    },
  };
}

/** Concludes with a connected node, and adds the payments that it found for the main wallet. */
async function concludeOn(
  session: Session,
  checkpoint: MigrationCheckpoint,
  answer: MigrationAnswer,
): Promise<Outcome> {
  const { status } = session;
  const [outcome, info] = await Promise.all([
    concludeMigration(checkpoint, answer, status),
    status.offline ? null : walletInfo(session.client, answer.walletName).catch(() => null),
  ]);
  const payments = await paymentsFound(session, answer.walletName, info);
  return outcome.state === 'done' ? { ...outcome, result: { ...outcome.result, ...payments } } : outcome;
}

/**
 * If no spendable wallet is left, the answer names a companion as the main wallet. The result then names it as both. Looks for the
 * legacy backup if neither the answer nor the log names it.
 */
export async function concludeMigration(
  checkpoint: MigrationCheckpoint,
  answer: MigrationAnswer,
  status: Pick<NodeStatus, 'local' | 'walletsFolder'>,
): Promise<Outcome> {
  const { walletName } = answer;
  const backupPath = answer.backupPath ?? (await findLegacyBackup(checkpoint, status.walletsFolder));
  const isMain = (part: CompanionPart) => companionNames(checkpoint.name, [part]).includes(walletName);
  const watchonlyName = answer.watchonlyName ?? (isMain('watchonly') ? walletName : null);
  const solvablesName = answer.solvablesName ?? (isMain('solvables') ? walletName : null);
  const mayBeSeen = status.local && backupPath !== null && !isNetworkPath(backupPath);
  const isSeen = mayBeSeen && (await existsAs(backupPath, 'file'));
  const backupSeen = isSeen || (mayBeSeen && isBackupMissing(status, backupPath) ? false : null);
  return {
    state: 'done',
    result: {
      ...answer,
      backupPath,
      kind: 'migrate',
      watchonlyName,
      solvablesName,
      backupSeen,
      ...('movedWallets' in checkpoint && { movedWallets: checkpoint.movedWallets }),
      ...(checkpoint.kind === 'rescue' && checkpoint.rescue && { rescue: checkpoint.rescue }),
    },
    warnings: [],
  };
}

type MigrationAnswer = Omit<MigrateResult, 'backupPath'> &
  Pick<MigrationResult, 'backupPath' | 'leftUnloaded'>;

/**
 * Adds the likely cause to the node's refusal. The node answers -4 to everything, so facts identify the cause, never its text. An
 * encrypted wallet that was backed up but not converted was not unlocked: recordings of releases 25 to 31, with a wrong passphrase
 * and with none. Without the log, the hint only names that as a possible cause. A passphrase that the file proved right is no cause.
 */
function explainMigration(
  error: AppError,
  { log, logWasRead, offline }: LogEvidence & Pick<NodeIdentity, 'offline'>,
  { gavePassphrase, isPassphraseRight, encrypted: knownBefore }: MigrationCheckpoint,
): AppError {
  if (error.node?.code !== RPC_WALLET_ERROR) return error;
  if (!logWasRead && log.backupPath === null) {
    const cause = gavePassphrase
      ? say('The passphrase may be wrong.')
      : say('The passphrase may be missing.');
    return knownBefore === false || isPassphraseRight ? error : withHint(error, (hint) => `${hint} ${cause}`);
  }
  if (log.backupPath === null) return error;
  const backup = backupHint(log.backupPath, offline);
  const isEncrypted = log.encrypted === true || knownBefore === true;
  if (!isEncrypted || isPassphraseRight || log.phase !== 'backing-up')
    return backup === undefined ? error : withHint(error, (hint) => `${hint} ${backup}`);
  const nothing = nothingChanged(backup);
  return gavePassphrase
    ? new AppError(
        'wrong_passphrase',
        say('Wrong passphrase.'),
        `${nothing} ${say('Check capitals, spaces and keyboard layout.')}`,
        error.node,
      )
    : new AppError(
        'wallet_unlock_needed',
        say('Encrypted and locked.'),
        `${nothing} ${say('Type the passphrase.')}`,
        error.node,
      );
}

/** Where the legacy backup is; undefined if it is removed: a node keeps it, the offline engine removes it after a failure. */
function backupHint(path: string, offline: boolean): string | undefined {
  if (existsSync(path)) return say('The old wallet’s backup is at {path}.', { path });
  return offline && isGone(path) ? undefined : say('The old wallet’s backup may be at {path}.', { path });
}

async function resolveMigration(
  checkpoint: MigrationCheckpoint,
  evidence: Evidence,
  deps: ResumeDeps,
): Promise<Outcome | null> {
  const { session, signal, walletsFolder, stillRunning } = evidence;
  if (stillRunning) return null;
  const names = await namesOf(session);
  const file = walletsFolder === null ? null : await walletFilePath(walletsFolder, checkpoint.name);
  if (session === null && file !== null && (await isInUseOrRecent(file))) return null;
  const found = file === null ? null : await deps.interruptions.examine(file, signal);
  const known = { ...evidence, checkpoint, deps, file, found };
  const byFile = await resolveByFile(known);
  if (byFile !== null) return byFile;
  if (await mayBeAnother(known)) return ANOTHER_IN_PLACE;
  if (session === null) return resolveWithoutNode(known);
  const all = { ...known, ...names, session };
  return (
    (await resolveByLoadedWallet(all)) ??
    (await resolveByComparison(all)) ??
    (await resolveByNames(all)) ??
    // The node still lists the legacy file, which it can neither have migrated nor loaded.
    ((await loadStateOf(session.status, checkpoint.name, await listNames(session))) === 'legacy'
      ? NOT_MIGRATED
      : null) ??
    unknownMigrationOutcome(checkpoint.name, evidence)
  );
}

interface KnownFile extends Evidence {
  readonly checkpoint: MigrationCheckpoint;
  readonly deps: ResumeDeps;
  /** The wallet's own file, and what it holds; null if it is missing, or if the app does not see it. */
  readonly file: string | null;
  readonly found: FileExamination | null;
}

interface KnownOnNode extends KnownFile {
  readonly session: Session;
  readonly loaded: readonly string[];
  readonly onDisk: readonly string[];
}

/** Not migrated or interrupted, by the wallet's own file. Null for a descriptor wallet, and if the file does not show it. */
async function resolveByFile({ checkpoint, deps, found, ...evidence }: KnownFile): Promise<Outcome | null> {
  if (found === null || found.state === 'descriptor') return null;
  const isDamaged = found.state === 'damaged' && found.format !== 'sqlite';
  if (isDamaged) return (await findDamageOutcome(checkpoint, evidence, deps)) ?? NOT_MIGRATED;
  const isLegacy = found.state === 'legacy' || found.state === 'legacy-with-log';
  return isLegacy ? NOT_MIGRATED : findInterruptionOutcome(checkpoint, evidence, deps);
}

/** Whether no descriptor wallet under its name and its companions' is known to be of the old wallet: another program may have put it there. */
async function mayBeAnother({ checkpoint, deps, walletsFolder, session, found, ...known }: KnownFile) {
  const { name, fileForProof } = checkpoint;
  if (found?.state !== 'descriptor' || fileForProof === null || walletsFolder === null) return false;
  for (const each of [name, ...companionNames(name, ['watchonly', 'solvables'])]) {
    const path = await walletFilePath(walletsFolder, each);
    if (path === null) continue;
    const pair = [fileForProof, path] as const;
    const network = session?.status.network ?? null;
    if (await deps.interruptions.canBeSameWallet(pair, network, known.signal)) return false;
  }
  return true;
}

/** The outcome while the node is down, for a wallet that is no longer legacy. */
async function resolveWithoutNode(known: KnownFile): Promise<Outcome | null> {
  const { checkpoint, deps, file, walletsFolder, filesSuffice, log, signal } = known;
  if (walletsFolder === null) return null;
  const { name } = checkpoint;
  const files = new Map<string, string>(file === null ? [] : [[name, file]]);
  for (const each of companionNames(name, ['watchonly', 'solvables'])) {
    const path = await walletFilePath(walletsFolder, each);
    if (path !== null) files.set(each, path);
  }
  const wallets = findMigratedWallets(checkpoint, (each) => files.has(each));
  if (wallets === null) return resolveMissing(known);
  for (const each of migratedWallets(wallets)) {
    const path = files.get(each.name);
    if (path !== undefined && (await deps.interruptions.examine(path, signal))?.state !== 'descriptor')
      return null;
  }
  if (!filesSuffice) return null;
  const migrated = { ...wallets, backupPath: log.backupPath, leftUnloaded: true } as const;
  return concludeMigration(checkpoint, migrated, { local: true, walletsFolder });
}

/**
 * The outcome for a missing wallet file. A migration that lost the file was interrupted. Any other job may not have placed its copy
 * yet: nothing was migrated.
 */
async function resolveMissing({ checkpoint, deps, ...evidence }: KnownFile): Promise<Outcome | null> {
  if (checkpoint.kind !== 'migrate') return NOT_MIGRATED;
  return findInterruptionOutcome(checkpoint, { ...evidence, file: null }, deps);
}

/** By what the node has loaded. Null if that is neither the wallet nor, for one that only watched, its companion. */
async function resolveByLoadedWallet(known: KnownOnNode): Promise<Outcome | null> {
  const { checkpoint, deps, found, session, loaded, log, signal } = known;
  const { name } = checkpoint;
  const info = loaded.includes(name) ? await walletInfo(session.client, name) : null;
  // A release before 30 loads an incomplete file as a legacy wallet.
  if (info !== null && !info.descriptors && info.format !== 'sqlite') return NOT_MIGRATED;
  // A wallet may be meant to have no descriptors.
  const isMeantEmpty = info?.privateKeys === false || info?.blank === true;
  const isEmpty = async () => !isMeantEmpty && (await hasDescriptors(session.client, name)) === false;
  if (info !== null && found === null && (!info.descriptors || (await isEmpty()))) {
    const cause = info.descriptors ? 'no-descriptors' : 'legacy-records';
    return interruptedOutcome({ wallet: name, file: null, cause, copies: [] }, log.backupPath);
  }
  const migrated = findMigrated(known);
  if (migrated === null) return null;
  const { backupPath } = migrated;
  const isProved =
    backupPath === null ||
    !isBackupMissing(session.status, backupPath) ||
    (await findMigratedFiles(session, checkpoint, deps.prover, signal)) !== null;
  return isProved ? concludeOn(session, checkpoint, migrated) : backupMissingOutcome(name, backupPath);
}

/** Done if the new wallets' files hold what the old one held, or if the wallet's own file is a descriptor wallet's. */
async function resolveByComparison(known: KnownOnNode): Promise<Outcome | null> {
  const { checkpoint, deps, found, session, onDisk, log, signal } = known;
  const compared = await findMigratedFiles(session, checkpoint, deps.prover, signal);
  // A node writes the descriptor flag, the descriptors and the removal of legacy records in one transaction.
  if (compared === null && found?.state !== 'descriptor') return null;
  const companions = findNewCompanions(checkpoint, (other) => onDisk.includes(other));
  const wallets = compared ?? { walletName: checkpoint.name, ...companions };
  const migrated = { ...wallets, backupPath: log.backupPath, leftUnloaded: true } as const;
  return concludeMigration(checkpoint, migrated, session.status);
}

/** Interrupted if the node undid its migration only in part, or if the wallet is gone. */
async function resolveByNames(known: KnownOnNode): Promise<Outcome | null> {
  const { checkpoint, file, walletsFolder, onDisk, failedMidway, log } = known;
  const { name } = checkpoint;
  if (walletsFolder !== null) return file === null && !onDisk.includes(name) ? resolveMissing(known) : null;
  // On another machine: a node that undoes a migration removes the companions that it made.
  const { watchonlyName, solvablesName } = findNewCompanions(checkpoint, (other) => onDisk.includes(other));
  if (!failedMidway || !(watchonlyName ?? solvablesName)) return null;
  return interruptedOutcome(
    { wallet: name, file: null, cause: 'legacy-records', copies: [] },
    log.backupPath,
  );
}

/** The wallets that the migration made, if the node has loaded the main one. Call it only if that one is no legacy wallet. */
function findMigrated({ checkpoint, log, loaded, onDisk }: KnownOnNode): MigrationAnswer | null {
  const { name } = checkpoint;
  const present = new Set([...loaded, ...onDisk]);
  const companions = findNewCompanions(
    checkpoint,
    (other, part) => loaded.includes(other) || (log.separated.includes(part) && present.has(other)),
  );
  const parts = { ...companions, backupPath: log.backupPath };
  if (loaded.includes(name)) return { walletName: name, ...parts };
  // A wallet that only watched leaves no spendable one: the watch-only wallet is then the main result.
  const walletName = parts.watchonlyName;
  const onlyWatches = !present.has(name) && walletName !== null && loaded.includes(walletName);
  return onlyWatches ? { walletName, ...parts } : null;
}

/** Whether the legacy backup is not where it should be. A node deletes no backup, so the app may see another data folder. */
function isBackupMissing({ walletsFolder }: Pick<NodeStatus, 'walletsFolder'>, backupPath: string): boolean {
  // The node of a container may name a path of its own.
  return walletsFolder !== null && backupPath.startsWith(join(walletsFolder, sep)) && isGone(backupPath);
}

/** The file is still the legacy wallet. */
const NOT_MIGRATED = connectionLostOutcome(
  say('Not migrated.'),
  `${say('The connection was lost.')} ${nothingChanged(say('Try again.'))}`,
);

/** Another program may have put another wallet in its place. */
const ANOTHER_IN_PLACE = mayBeAnotherOutcome(say('The connection was lost.'));

function unknownMigrationOutcome(name: string, { log }: LogEvidence): Outcome {
  const names = { wallet: nameInSentence(name), backup: whereBackupIs(log.backupPath) };
  return unknownOutcome(say('Not loaded. {backup} Load {wallet} and check it.', names));
}
