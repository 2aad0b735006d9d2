/** Finds the outcome of a job whose answer was lost: done, unchanged, or interrupted with a way back. */
import { stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { NodeStatus } from '../../shared/model/node.ts';
import type { Interruption } from '../../shared/model/safety.ts';
import { nameInSentence } from '../../shared/wording/format/walletLabel.ts';
import {
  interruptionHint,
  interruptionTitle,
  isSafe,
  unreadWords,
} from '../../shared/wording/interruptionWords.ts';
import { say } from '../../shared/wording/say.ts';
import { hasDescriptors, listWalletDir, listWallets, walletInfo } from '../bitcoind/calls/walletCalls.ts';
import { walletFilePath } from '../bitcoind/calls/walletsFolder.ts';
import type { Session } from '../bitcoind/rpc/session.ts';
import { isGone } from '../files/durableFile.ts';
import { isInUse } from '../files/lock/fileInUse.ts';
import { backupOutcome, withLoading } from './backUp.ts';
import { connectionLost, type LogEvidence, type Outcome, unknownOutcome } from './jobKind.ts';
import { concludeMigration, concludeOn, type FoundMigration } from './migrate.ts';
import { repairedFile } from './placing/takeBackPlaced.ts';
import {
  type Checkpoint,
  type CheckpointOf,
  findNewCompanions,
  type MigrationCheckpoint,
} from './plan/checkpoint.ts';
import type { Prover } from './proof/proof.ts';
import { findMigratedFiles } from './proof/proof.ts';
import { resolveRescan } from './rescan.ts';
import { concludeRestore, undoHint } from './restore.ts';
import type { Candidate, Interruptions, WalletPlace } from './safetyCopies/interruptions.ts';

/** The evidence for an outcome. */
export interface Evidence extends LogEvidence {
  /** Null while the node is down: then only its files are evidence. */
  readonly session: Session | null;
  /** The node's, where it lies on this machine. */
  readonly walletsFolder: string | null;
  /** Whether the method is still among the running calls, ours or another's. */
  readonly stillRunning: boolean;
  readonly signal: AbortSignal;
}

export interface ResolveDeps {
  readonly prover: Prover;
  readonly interruptions: Interruptions;
}

/**
 * The outcome of the job, from the node, the wallet's file with its journal, the backups and the app's journal.
 * Null while it is unknown: the node is still at work, or only the node can say what the finished wallet holds.
 * `unknown` only if the files cannot be read. May throw what the node's calls throw; the caller then asks again.
 */
export function resolve(
  checkpoint: Checkpoint,
  evidence: Evidence,
  deps: ResolveDeps,
): Promise<Outcome | null> {
  switch (checkpoint.kind) {
    case 'migrate':
    case 'restore-migrate':
    case 'rescue':
      return resolveMigration(checkpoint, evidence, deps);
    case 'restore':
      return resolveRestore(checkpoint, evidence, deps);
    case 'backup':
      return resolveBackup(checkpoint, evidence, deps);
    case 'rescan':
      return resolveRescan(checkpoint, evidence.session, evidence);
  }
}

async function resolveMigration(
  checkpoint: MigrationCheckpoint,
  evidence: Evidence,
  deps: ResolveDeps,
): Promise<Outcome | null> {
  const { name } = checkpoint;
  const { session, signal, log, walletsFolder } = evidence;
  if (evidence.stillRunning) return null;
  const { loaded, onDisk } = await namesOf(session);
  const file = walletsFolder === null ? null : await walletFilePath(walletsFolder, name);
  if (session === null && file !== null && (await isBusy(file))) return null;
  const found = file === null ? null : await deps.interruptions.examine(file, signal);
  const isLegacy =
    found?.standing === 'legacy' ||
    found?.standing === 'legacy-with-log' ||
    (found?.standing === 'damaged' && found.format !== 'sqlite');
  if (isLegacy) return NOT_MIGRATED;
  if (found !== null && found.standing !== 'descriptor') {
    const half = await interrupted(checkpoint, { ...evidence, file }, deps);
    if (half !== null) return half;
  }
  if (session === null)
    return walletsFolder === null || file !== null ? null : missing(checkpoint, evidence, deps);
  const info = loaded.includes(name) ? await walletInfo(session.client, name) : null;
  // A release before 30 loads a half-made file as a legacy wallet.
  if (info !== null && !info.descriptors && info.format !== 'sqlite') return NOT_MIGRATED;
  if (info?.descriptors && found === null && (await isEmpty(session, name, info)))
    return interruptedBy({ wallet: name, file: null, cause: 'no-descriptors', copies: [] }, log.backupPath);
  const made = findMigrated(checkpoint, evidence, { loaded, onDisk });
  if (made !== null) {
    const lost = lostBackup(session.status, made.backupPath);
    if (lost === null) return concludeOn(session, checkpoint, made);
    const proved = await findMigratedFiles(session, checkpoint, deps.prover, signal);
    return proved === null ? backupMissing(name, lost) : concludeOn(session, checkpoint, made);
  }
  const compared = await findMigratedFiles(session, checkpoint, deps.prover, signal);
  const unloaded = { backupPath: log.backupPath, leftUnloaded: true } as const;
  if (compared !== null)
    return concludeMigration(checkpoint, { ...compared, ...unloaded }, session.status.local);
  if (found?.standing === 'descriptor') {
    // A node writes the descriptor flag, the descriptors and the removal of legacy records in one transaction.
    const beside = findNewCompanions(checkpoint, (other) => onDisk.includes(other));
    return concludeMigration(checkpoint, { walletName: name, ...beside, ...unloaded }, session.status.local);
  }
  if (walletsFolder !== null && file === null && !onDisk.includes(name)) {
    const gone = await missing(checkpoint, evidence, deps);
    if (gone !== null) return gone;
  }
  return unknownMigration(name, evidence);
}

/** For a wallet without a file: a migration replaces the file. A placed copy may not exist yet. */
async function missing(
  checkpoint: MigrationCheckpoint,
  evidence: Evidence,
  deps: ResolveDeps,
): Promise<Outcome | null> {
  if (checkpoint.kind !== 'migrate') return NOT_MIGRATED;
  return interrupted(checkpoint, { ...evidence, file: null }, deps);
}

async function resolveRestore(
  checkpoint: CheckpointOf<'restore'>,
  evidence: Evidence,
  deps: ResolveDeps,
): Promise<Outcome | null> {
  const { name, renamedWallets = [] } = checkpoint;
  const { session, stillRunning, walletsFolder, signal } = evidence;
  const { loaded, onDisk } = await namesOf(session);
  const file = walletsFolder === null ? null : await walletFilePath(walletsFolder, name);
  const names = new Set([...loaded, ...onDisk, ...(session === null && file !== null ? [name] : [])]);
  const moved = renamedWallets.filter(({ newName }) => names.has(newName));
  // Until all of them are renamed, a wallet of this name is the migrated one.
  const hasRoom = session === null || moved.length === renamedWallets.length;
  // The node lists a wallet only once it has loaded and rescanned it.
  if (session !== null && hasRoom && loaded.includes(name))
    return concludeRestore(session, checkpoint, { warnings: [] });
  if (stillRunning) return null;
  if (session === null && walletsFolder === null) return null;
  if (session === null && file !== null && (await isBusy(file))) return null;
  if (!hasRoom || !names.has(name)) {
    const hint =
      moved.length > 0 ? undoHint(moved) : say('The connection was lost. Nothing was changed. Try again.');
    return connectionLost(say('“{name}” was not restored.', { name }), hint);
  }
  const found = file === null ? null : await deps.interruptions.examine(file, signal);
  const standing = found?.standing === 'legacy-with-log' ? 'legacy' : found?.standing;
  if (standing === 'legacy' || standing === 'descriptor') {
    if (session === null) return null;
    return concludeRestore(session, checkpoint, { warnings: [], found: standing });
  }
  // The node lists it but the app does not see its file: the app sees another folder.
  const half = file === null ? null : await interrupted(checkpoint, { ...evidence, file }, deps);
  return (
    half ??
    unknownOutcome(
      say('The node has “{name}” now, but not loaded.', { name }),
      say('The backup is as it was. Load the wallet and check it, or restore under another name.'),
    )
  );
}

async function resolveBackup(
  checkpoint: CheckpointOf<'backup'>,
  { session, walletsFolder, stillRunning, signal }: Evidence,
  { interruptions }: ResolveDeps,
): Promise<Outcome | null> {
  const { name, backupFile } = checkpoint;
  if (stillRunning) return null;
  if (session?.status.local || walletsFolder !== null) {
    const isWhole = async (path: string) => {
      const found = await interruptions.examine(path, signal);
      return found === null || found.standing === 'legacy' || found.standing === 'descriptor';
    };
    const outcome = await backupOutcome(name, backupFile, { local: true, signal, isWhole });
    return session === null ? outcome : withLoading(session.client, checkpoint, outcome);
  }
  if (session === null) return null;
  return unknownOutcome(
    say('The app cannot tell whether the backup was made.'),
    say(
      'The wallet is as it was. Look for {destination} on the node’s machine, or back up under another name.',
      { destination: backupFile },
    ),
  );
}

/** The outcome of a wallet that was left half-made; null where its file is whole, or cannot be read. */
async function interrupted(
  checkpoint: Exclude<Checkpoint, { kind: 'backup' | 'rescan' }>,
  { session, walletsFolder, log, file, signal }: Evidence & Pick<WalletPlace, 'file'>,
  { interruptions }: ResolveDeps,
): Promise<Outcome | null> {
  const found = await interruptions.find(
    {
      file,
      name: checkpoint.name,
      walletsFolder,
      network: session?.status.network ?? null,
      known: knownCopies(checkpoint, log.backupPath),
      wasAtWork: checkpoint.kind === 'restore' ? 'copying' : 'migrating',
    },
    signal,
  );
  return found && interruptedBy(found, log.backupPath);
}

function knownCopies(
  checkpoint: Exclude<Checkpoint, { kind: 'backup' | 'rescan' }>,
  backupPath: string | null,
): readonly Candidate[] {
  const ofNode = backupPath === null ? [] : [{ path: backupPath, from: 'legacy-backup' } as const];
  if (checkpoint.kind === 'restore')
    return [{ path: checkpoint.backupFile, from: 'backup', sha256: checkpoint.sha256 }];
  if (checkpoint.kind === 'migrate') return ofNode;
  const repaired = repairedFile(checkpoint);
  return [
    ...ofNode,
    ...(repaired === null ? [] : [{ path: repaired, from: 'safety-copy' } as const]),
    { path: checkpoint.backupFile, from: 'backup' },
  ];
}

/** The outcome for a half-made wallet. `backupPath`: the node's backup, if its log names one. */
export function interruptedBy(found: Interruption, backupPath: string | null): Outcome {
  return {
    state: 'interrupted',
    interruption: found,
    error: {
      code: 'interrupted',
      message: interruptionTitle({ copies: found.copies }),
      hint: isSafe(found.copies)
        ? interruptionHint(found).join(' ')
        : [
            say('The wallet is incomplete. Do not use it, but keep it.'),
            whereBackupIs(backupPath),
            ...unreadWords(found.unread),
          ].join(' '),
    },
  };
}

/** `path`: of the node's backup, if its log names one. */
function whereBackupIs(path: string | null): string {
  return path === null
    ? say('Look for the node’s backup (….legacy.bak) in its folder or next to it.')
    : say('The node’s backup is at {path}.', { path });
}

async function namesOf(session: Session | null): Promise<{ loaded: string[]; onDisk: string[] }> {
  if (session === null) return { loaded: [], onDisk: [] };
  const { client } = session;
  const [loaded, inFolder] = await Promise.all([listWallets(client), listWalletDir(client)]);
  return { loaded, onDisk: inFolder.map((wallet) => wallet.name) };
}

/** Whether a node that no longer answers may still write to the file: it flushes what it has before it ends. */
async function isBusy(file: string): Promise<boolean> {
  if (isInUse(file)) return true;
  const facts = await Promise.all(['', '-journal'].map((end) => stat(`${file}${end}`).catch(() => null)));
  const newest = Math.max(...facts.map((each) => each?.mtimeMs ?? 0));
  const age = Date.now() - newest;
  return age >= 0 && age < QUIET_MS;
}

const QUIET_MS = 3000;

/** Whether a loaded wallet has no descriptors, although it was not created blank. */
async function isEmpty(
  { client }: Session,
  name: string,
  { privateKeys, blank }: Awaited<ReturnType<typeof walletInfo>>,
): Promise<boolean> {
  return privateKeys && blank !== true && (await hasDescriptors(client, name)) === false;
}

/** The wallets that the migration made, if the node shows them loaded. One of the old name is a descriptor wallet. */
function findMigrated(
  checkpoint: MigrationCheckpoint,
  { log }: LogEvidence,
  { loaded, onDisk }: { loaded: readonly string[]; onDisk: readonly string[] },
): FoundMigration | null {
  const { name } = checkpoint;
  const present = new Set([...loaded, ...onDisk]);
  const beside = findNewCompanions(
    checkpoint,
    (other, part) => loaded.includes(other) || (log.separated.includes(part) && present.has(other)),
  );
  const parts = { ...beside, backupPath: log.backupPath };
  if (loaded.includes(name)) return { walletName: name, ...parts };
  // A wallet that only watched leaves no spendable one: the watch-only wallet is then the main result.
  const walletName = parts.watchonlyName;
  const onlyWatches = !present.has(name) && walletName !== null && loaded.includes(walletName);
  return onlyWatches ? { walletName, ...parts } : null;
}

/** Path of a vanished backup, else null. A node deletes no backup, so the app may see another data folder. */
function lostBackup({ local, walletsFolder }: NodeStatus, backupPath: string | null): string | null {
  if (!local || walletsFolder === null || backupPath === null) return null;
  // The node of a container may name a path of its own.
  return backupPath.startsWith(join(walletsFolder, sep)) && isGone(backupPath) ? backupPath : null;
}

/** After this outcome, a placed copy is removed or reported as left. */
const NOT_MIGRATED = connectionLost(
  say('The wallet was not migrated.'),
  say('The connection was lost. Nothing was changed. Try again.'),
);

function backupMissing(name: string, path: string): Outcome {
  return unknownOutcome(
    UNKNOWN_OUTCOME,
    say(
      'The connection was lost. {wallet} is a descriptor wallet now, but the node’s backup is not at {path}. Find and compare it before you use the wallet.',
      { wallet: nameInSentence(name), path },
    ),
  );
}

function unknownMigration(name: string, { log }: LogEvidence): Outcome {
  return unknownOutcome(
    UNKNOWN_OUTCOME,
    say(
      'The node stopped working on it, and the wallet is not loaded. {backup} Load {wallet} and check it.',
      { wallet: nameInSentence(name), backup: whereBackupIs(log.backupPath) },
    ),
  );
}

const UNKNOWN_OUTCOME = say('The app cannot tell whether the wallet was migrated.');
