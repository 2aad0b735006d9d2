/** Restores a backup with `restorewallet`, and reports the outcome. */
import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { AppError } from '../../shared/model/errors.ts';
import type { BackupAfter, RestoreResult, WalletRename } from '../../shared/model/job.ts';
import { mainAmount } from '../../shared/model/money.ts';
import type { Plan } from '../../shared/model/plan.ts';
import { backupUnchanged, nothingChanged, notSent } from '../../shared/wording/findings/hints.ts';
import { say } from '../../shared/wording/say.ts';
import { tryClosing } from '../bitcoind/calls/call.ts';
import { type LoadResult, parseRestoreResult, renameCall } from '../bitcoind/calls/walletCalls.ts';
import { balanceOnNode, paymentsFound, walletBalances, walletInfo } from '../bitcoind/calls/walletInfo.ts';
import { walletFilePath } from '../bitcoind/calls/walletsFolder.ts';
import type { NodeClient, Session } from '../bitcoind/rpc/session.ts';
import { isUnchanged } from '../files/fileMark.ts';
import { hashFile } from '../files/hash.ts';
import { fileChangedError } from '../files/openFile.ts';
import type { Evidence, JobDeps, JobKind, Outcome, ResumeDeps, ResumedJob } from './jobKind.ts';
import {
  connectionLostOutcome,
  findInterruptionOutcome,
  isInUseOrRecent,
  mayBeAnotherOutcome,
  unknownOutcome,
  withHint,
} from './outcomes.ts';
import { contentsOf, copyForNode, type FileInspection, type RestoreFacts } from './plan/checkFacts.ts';
import { type CheckpointOf, isCompared } from './plan/checkpoint.ts';
import { plannedRepair } from './plan/checkRescue.ts';
import { BY_REPAIRED, checkSpace } from './plan/checkRestore.ts';
import { namesOf } from './plan/gatherFacts.ts';
import { repairDescriptors } from './rescue.ts';
import {
  copyChosenFile,
  moveInterruptedWallets,
  plannedMoves,
  requireWalletsFolder,
} from './restoreMigrate.ts';

/** The job that restores the planned backup; for a rescue, the file that it first repairs from it. */
export function createRestoreJob(facts: RestoreFacts, deps: JobDeps): JobKind<LoadResult> {
  const { name, fileInspection, stats, undoes, renames, migrated } = facts;
  const repaired = plannedRepair(facts);
  const copy = copyForNode(facts);
  const backupFile = copy ?? facts.backupAfterRenames;
  const identity: BackupIdentity | null =
    fileInspection.state === 'read' && fileInspection.sha256 !== null
      ? { backupFile, sha256: fileInspection.sha256, stats: copy === null ? stats : null }
      : null;
  const checkpoint: CheckpointOf<'restore'> = {
    kind: 'restore',
    name,
    backupFile,
    ...(identity ? { sha256: identity.sha256, keysId: contentsOf(fileInspection)?.keysId } : {}),
    ...(undoes ? { renamedWallets: [...renames] } : {}),
    ...(migrated?.newCoins ? { newCoins: migrated.newCoins } : {}),
    ...plannedMoves(facts),
    ...(repaired === null ? {} : { repaired: { path: repaired, rescue: null } }),
    ...(repaired === null && comparesBackup(facts) ? { compares: true } : {}),
    ...birthOf(fileInspection),
  };
  return {
    ...createResumedRestore(checkpoint, deps),
    // The node opens the file itself, so the app can only check it right before and after.
    async prepare(preparation) {
      if (repaired !== null) await repairDescriptors(facts, checkpoint, deps, preparation);
      else if (copy !== null) {
        const { path } = await copyChosenFile(facts, deps.copies, preparation);
        // The plan promised to send the planned path.
        if (path !== copy) throw fileChangedError();
      } else if (identity !== null) await verifyBackup({ ...identity, backupFile: facts.backupFile });
      if (facts.putsBack !== null && renames.length > 0) {
        const walletsFolder = await requireWalletsFolder(preparation.session);
        await moveInterruptedWallets(facts, checkpoint, walletsFolder, preparation);
      }
    },
    parse: parseRestoreResult,
    conclude: (session, answer) =>
      concludeRestore(session, { ...checkpoint, name: answer.name }, { warnings: answer.warnings, identity }),
  };
}

/** A restore whose answer may be lost. */
export function createResumedRestore(checkpoint: CheckpointOf<'restore'>, deps: ResumeDeps): ResumedJob {
  const { renamedWallets = [] } = checkpoint;
  return {
    checkpoint,
    method: 'restorewallet',
    // It is unknown which call was refused, and whether the wallets have their names back.
    async explain(error, { session }) {
      if (renamedWallets.length === 0) return error;
      const names = await namesOf(session).catch(() => null);
      const known = names === null ? null : [...names.loaded, ...names.onDisk];
      const renamed = renamedWallets.filter(({ newName }) => known?.includes(newName) ?? true);
      return renamed.length === 0 ? error : withHint(error, () => renamedHint(renamed));
    },
    resolve: (evidence) => resolveRestore(checkpoint, evidence, deps),
    ...(isCompared(checkpoint) && {
      async prove(session, result, signal) {
        if (result.kind !== 'restore') return null;
        const fileForProof = fileToCompare(checkpoint, result);
        if (fileForProof === null) return null;
        const rescue = checkpoint.repaired?.rescue ?? null;
        const wallets = { walletName: result.walletName, watchonlyName: null, solvablesName: null };
        const before = { fileForProof, balanceBefore: null, rescue, restored: true } as const;
        return deps.prover(session, before, wallets, signal);
      },
    }),
  };
}

/** A legacy wallet is compared by its migration. The comparison needs room for a copy of the new wallet. */
function comparesBackup({ fileInspection, space }: RestoreFacts): boolean {
  const isRead = fileInspection.state === 'read' && fileInspection.sha256 !== null;
  const hasRoom = checkSpace(space, BY_REPAIRED).verdict !== 'blocker';
  return isRead && hasRoom && contentsOf(fileInspection)?.kind === 'descriptor';
}

/** The file that the restored wallet must agree with: the backup unless it changed, or for a rescue the repaired file. */
function fileToCompare(
  { backupFile, repaired }: CheckpointOf<'restore'>,
  { backupAfter }: RestoreResult,
): string | null {
  if (repaired !== undefined) return repaired.rescue === null ? null : repaired.path;
  return backupAfter === undefined || backupAfter === 'touched' ? backupFile : null;
}

function birthOf(fileInspection: FileInspection): { birth?: number } {
  const birth = contentsOf(fileInspection)?.birth;
  return birth?.known === 'exactly' ? { birth: birth.time } : {};
}

interface RestoreEvidence {
  readonly warnings: readonly string[];
  readonly identity?: BackupIdentity | null;
  /** The kind of its file, where the node has not loaded it. */
  readonly found?: 'legacy' | 'descriptor';
}

/** `session`: null if the node is down, and its files show that it is done. */
async function concludeRestore(
  session: Session | null,
  checkpoint: CheckpointOf<'restore'>,
  { warnings, identity: known, found }: RestoreEvidence,
): Promise<Outcome> {
  const {
    name: walletName,
    backupFile,
    sha256,
    renamedWallets,
    newCoins,
    movedWallets,
    repaired,
    birth,
  } = checkpoint;
  const recorded = sha256 === undefined ? null : { backupFile, sha256, stats: null };
  const identity = known === undefined ? recorded : known;
  // The restore is certain. The wallet's kind and balance are extras that may stay unknown.
  const [info, balances, after] = await Promise.all([
    session && walletInfo(session.client, walletName).catch(() => null),
    session && walletBalances(session.client, walletName).catch(() => null),
    identity === null ? undefined : backupAfter(identity),
  ]);
  const payments = session && (await paymentsFound(session, walletName, info, birth));
  const watchOnly = info?.privateKeys === false;
  const result: RestoreResult = {
    kind: 'restore',
    walletName,
    walletKind: info === null ? (found ?? 'unknown') : info.descriptors ? 'descriptor' : 'legacy',
    ...(watchOnly ? { watches: true as const } : {}),
    ...(found === undefined ? {} : { leftUnloaded: true as const }),
    balance: balances === null ? null : mainAmount(balanceOnNode(balances, watchOnly), watchOnly),
    ...(after === undefined ? {} : { backupAfter: after }),
    ...(identity !== null && (after === undefined || after === 'touched') ? { backupSeen: true } : {}),
    backupFile,
    ...(sha256 === undefined ? {} : { backupSha256: sha256 }),
    ...(renamedWallets === undefined ? {} : { renamedWallets }),
    ...(newCoins === undefined ? {} : { newCoins }),
    ...(movedWallets === undefined ? {} : { movedWallets }),
    ...(repaired?.rescue ? { rescue: repaired.rescue } : {}),
    ...payments,
  };
  return { state: 'done', result, warnings };
}

/** Sends the calls that would have followed the lost answer. Returns the wallets with new names; null if the node may still rename some. */
async function renameBack(
  client: NodeClient,
  moved: readonly WalletRename[],
): Promise<WalletRename[] | null> {
  const stay: WalletRename[] = [];
  for (const one of moved.toReversed()) {
    const isBack = await tryClosing(client, renameCall({ name: one.newName, newName: one.name }));
    if (isBack === null) return null;
    if (!isBack) stay.unshift(one);
  }
  return stay;
}

function renamedHint(wallets: readonly WalletRename[]): string {
  const hints = wallets.map((one) => say('“{name}” may be “{newName}” now.', { ...one }));
  return [say('Nothing is lost.'), ...hints, say('Try again.')].join(' ');
}

async function resolveRestore(
  checkpoint: CheckpointOf<'restore'>,
  evidence: Evidence,
  deps: ResumeDeps,
): Promise<Outcome | null> {
  const { name, renamedWallets = [] } = checkpoint;
  const { session, stillRunning, isSender = false, walletsFolder, signal } = evidence;
  const network = session?.status.network ?? null;
  const { loaded, onDisk } = await namesOf(session);
  const file = walletsFolder === null ? null : await walletFilePath(walletsFolder, name);
  const names = new Set([...loaded, ...onDisk, ...(session === null && file !== null ? [name] : [])]);
  const moved = renamedWallets.filter(({ newName }) => names.has(newName));
  // Until all of them are renamed, a wallet of this name is the migrated one.
  const areRenamed = session === null || moved.length === renamedWallets.length;
  // A node still writes the file while it rescans.
  if (stillRunning && !loaded.includes(name)) return null;
  // Another program may have put a wallet there.
  const found = file === null ? null : await deps.interruptions.examine(file, signal);
  const state = found?.state === 'legacy-with-log' ? 'legacy' : found?.state;
  const isWhole = state === 'legacy' || state === 'descriptor';
  const source = checkpoint.repaired?.path ?? checkpoint.backupFile;
  // The backup may be out of reach now.
  const hasSameKeys = !checkpoint.repaired && !!found?.keysId && found.keysId === checkpoint.keysId;
  const canBeSame =
    !areRenamed || file === null || !isWhole || hasSameKeys
      ? true
      : await deps.interruptions.canBeSameWallet([source, file], network, signal);
  const isOther = canBeSame === false;
  // The node lists a wallet only once it has loaded and rescanned it.
  if (session !== null && areRenamed && canBeSame && loaded.includes(name))
    return concludeRestore(session, checkpoint, { warnings: [] });
  if (stillRunning) return null;
  if (session === null && walletsFolder === null) return null;
  if (session === null && file !== null && (await isInUseOrRecent(file))) return null;
  if (!areRenamed || isOther || !names.has(name)) {
    // Later, the user may work with the renamed wallets.
    const stay = session === null || !isSender ? moved : await renameBack(session.client, moved);
    if (stay === null) return null;
    const hint =
      stay.length > 0
        ? renamedHint(stay)
        : `${say('The connection was lost.')} ${nothingChanged(say('Try again.'))}`;
    return connectionLostOutcome(say('“{name}” was not restored.', { name }), hint);
  }
  if (canBeSame === null) return mayBeAnotherOutcome(backupUnchanged());
  if (isWhole) {
    if (session === null && !evidence.filesSuffice) return null;
    return concludeRestore(session, checkpoint, { warnings: [], found: state });
  }
  // The node lists it but the app does not see its file: the app sees another folder.
  const outcome =
    file === null ? null : await findInterruptionOutcome(checkpoint, { ...evidence, file }, deps);
  return (
    outcome ??
    unknownOutcome(
      backupUnchanged(say('Load and check the wallet, or restore under another name.')),
      say('The node has “{name}” now, but not loaded.', { name }),
    )
  );
}

/** Identifies the backup that the plan showed. */
interface BackupIdentity {
  readonly backupFile: string;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Null if the app was restarted since it read the file. */
  readonly stats: BigIntStats | null;
}

/** Compares the content of the backup, or the keys of a node's wallet, in two versions of a plan. Throws AppError `file_changed` if they differ. */
export function refuseChangedBackup(planBefore: Plan, now: Plan): void {
  const [before, after] = [planBefore.facts.sha256, now.facts.sha256];
  const [keys, keysNow] = [planBefore.facts.contents?.keysId, now.facts.contents?.keysId];
  if (planBefore.source.by === 'wallet' && keys && keysNow && keys !== keysNow)
    throw new AppError('file_changed', CHANGED, notSent(say('Find out why.')));
  // The file of a node's own wallet may change at any time.
  const isBackup = planBefore.source.by === 'file' || planBefore.action === 'put-back';
  if (!isBackup || before === null || after === null || before === after) return;
  throw backupChangedError(before, after);
}

/** Throws AppError `file_changed` if the file has other content now, and what `hashFile` throws. */
export async function verifyBackup({ backupFile, sha256, stats }: BackupIdentity): Promise<void> {
  if (isUntouched(stats, await stat(backupFile, { bigint: true }).catch(() => null))) return;
  const now = await hashFile(backupFile);
  if (now !== sha256) throw backupChangedError(sha256, now);
}

/** How the file changed while the node read it. The time of change reveals a file that replaced it only for a moment. */
async function backupAfter({ backupFile, sha256, stats }: BackupIdentity): Promise<BackupAfter | undefined> {
  const now = await stat(backupFile, { bigint: true }).catch(() => null);
  if (isUntouched(stats, now)) return undefined;
  const hashed = await hashFile(backupFile).catch(() => null);
  if (hashed === null) return 'unreadable';
  if (hashed !== sha256) return 'changed';
  return stats === null ? undefined : 'touched';
}

function isUntouched(before: BigIntStats | null, now: BigIntStats | null): boolean {
  return before !== null && now !== null && isUnchanged(before, now);
}

const CHANGED = say('The file changed after the check.');

function backupChangedError(before: string, now: string): AppError {
  return new AppError(
    'file_changed',
    CHANGED,
    notSent(say('SHA-256 shown: {shown}; now: {now}. Find out why.', { shown: before, now })),
  );
}
