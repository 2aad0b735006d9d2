/** Makes a new backup with `backupwallet`, never over another file, and checks what was written. */
import { chmod, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../../shared/model/errors.ts';
import type { BackupProof, BackupResult } from '../../shared/model/job.ts';
import { walletIdsOf } from '../../shared/model/wallet.ts';
import { fileKindText } from '../../shared/wording/findings/fileKindWords.ts';
import { errorShapeOf } from '../../shared/wording/findings/findingWords.ts';
import { walletUnchanged } from '../../shared/wording/findings/hints.ts';
import { say } from '../../shared/wording/say.ts';
import { tryClosing } from '../bitcoind/calls/call.ts';
import { listWallets, unloadCall } from '../bitcoind/calls/walletCalls.ts';
import { descriptorsIdOf, walletInfo } from '../bitcoind/calls/walletInfo.ts';
import { walletFilePath } from '../bitcoind/calls/walletsFolder.ts';
import { CHECK_FOLDER } from '../bitcoind/rpc/rpcErrors.ts';
import type { NodeClient } from '../bitcoind/rpc/session.ts';
import { copyError, OWNER_ONLY } from '../files/copySafely.ts';
import { flushFile, flushFolder, isGone, moveFile, partPath, removeQuietly } from '../files/durableFile.ts';
import { fileError, isDiskFull, systemCode, systemError, writeError } from '../files/fileError.ts';
import { folderMarkAt, lastingMarkOf } from '../files/fileMark.ts';
import { hashFile } from '../files/hash.ts';
import { inspectFile } from '../files/inspect.ts';
import { othersMayRead } from '../files/lock/refuseSharedFolder.ts';
import { existsAs } from '../files/openFile.ts';
import type { FileExamination } from '../workers/examineFile.ts';
import type { WalletWork } from '../workers/walletWork.ts';
import type { Evidence, JobDeps, JobKind, Outcome, Preparation, ResumeDeps, ResumedJob } from './jobKind.ts';
import { isOpen, unknownOutcome, withHint } from './outcomes.ts';
import type { BackupFacts } from './plan/checkFacts.ts';
import type { CheckpointOf } from './plan/checkpoint.ts';
import { copyUnlessSaved } from './safetyCopies/copyWallet.ts';

/** The job of the planned backup: a copy of the closed file, or by the node. */
export function createBackupJob(facts: BackupFacts, deps: JobDeps): JobKind<void> {
  const { work } = deps;
  const { name, destination, status, loaded, file } = facts;
  const newBackup = facts.newBackup ?? destination;
  const unloads = file === null && !loaded.includes(name) ? { unloads: true as const } : {};
  const checkpoint: CheckpointOf<'backup'> = { kind: 'backup', name, newBackup, ...unloads };
  const warnings: string[] = [];
  // The node may see other folders than the app, as in a container or behind a tunnel.
  const isProved = file !== null || status.offline || status.walletsFolder !== null;
  let freeSince: number | null = null;
  return {
    ...createResumedBackup(checkpoint, deps),
    async prepare(preparation) {
      if (file !== null) warnings.push(...(await copyWhole(file, checkpoint, work, preparation)));
    },
    // The node may have loaded the wallet for hours before. It overwrites files.
    beforeWork() {
      if (facts.newBackup === null) return;
      if (!isGone(newBackup)) throw writeError(systemError('EEXIST'), newBackup);
      freeSince = Date.now();
    },
    // A node leaves a partial file if the disk is full (`SQLiteDatabase::Backup`, `BerkeleyDatabase::Backup`).
    async explain(error) {
      if (error.node === undefined || !status.local || !isProved || facts.newBackup === null) return error;
      if (freeSince === null) return error;
      if (await removePartialBackup(newBackup, freeSince))
        return withHint(error, () => walletUnchanged(CHECK_FOLDER));
      return withHint(error, (hint) => `${hint} ${say('Unchecked: {path}', { path: newBackup })}`);
    },
    parse: () => undefined,
    async conclude(session, _, signal) {
      const { client } = session;
      const local = status.local && (isProved || (await existsAs(newBackup, 'file')));
      const { walletsFolder } = status;
      const outcome = await backupOutcome(checkpoint, { session, local, walletsFolder, signal }, deps);
      if (outcome.state !== 'done') return outcome;
      const saved = outcome.result.saved ?? (await kindOnNode(client, name, signal));
      const result = { ...outcome.result, ...(saved && { saved }) };
      return withLeftLoaded(client, checkpoint, {
        ...outcome,
        result,
        warnings: [...outcome.warnings, ...warnings],
      });
    },
  };
}

/**
 * Removes the partial file of a node that could not finish the backup. The path was free at `since` (Unix milliseconds). Keeps a file
 * that looks like a whole wallet, and an older file that somebody moved there. False if a file stays.
 */
async function removePartialBackup(path: string, since: number): Promise<boolean> {
  const found = await inspectFile(path).catch(() => null);
  const isPartial = found === null || found.kind === 'other' || found.truncated;
  const facts = await stat(path).catch(() => null);
  // File systems round their times.
  if (isPartial && facts !== null && (facts.birthtimeMs || facts.ctimeMs) > since - 2000) removeQuietly(path);
  return isGone(path);
}

/**
 * Copies a wallet together with its journal or log. The copy gets its name once it is whole, so that no crash leaves a partial
 * file that looks like a backup. Returns warnings about the file. Throws AppError: what `copySafely` and `saveWhole` throw, and
 * `journal_unwritable`.
 */
async function copyWhole(
  file: string,
  checkpoint: CheckpointOf<'backup'>,
  work: WalletWork,
  { signal, save }: Preparation,
): Promise<readonly string[]> {
  const { newBackup } = checkpoint;
  const part = partPath(dirname(newBackup));
  checkpoint.part = part;
  save();
  try {
    const { saved, state } = await work(
      { kind: 'saveWhole', task: { path: file, destination: part } },
      signal,
    );
    await copyUnlessSaved(saved, file, part, signal);
    signal.throwIfAborted();
    moveFile(part, newBackup);
    flushFolder(dirname(newBackup));
    return state === 'not-closed' || state === 'damaged' ? [NOT_WHOLE[state]] : [];
  } catch (error) {
    throw copyError(error, newBackup);
  } finally {
    removeQuietly(part);
  }
}

const NOT_WHOLE = {
  'not-closed': say('Not closed: the last changes may be missing.'),
  damaged: say('Wallet and backup are damaged.'),
} as const;

async function kindOnNode(
  client: NodeClient,
  name: string,
  signal: AbortSignal,
): Promise<BackupResult['saved']> {
  const info = await walletInfo(client, name, signal).catch(() => null);
  if (info === null) return undefined;
  const { descriptors, encrypted, birthTime } = info;
  return {
    kind: descriptors ? 'descriptor' : 'legacy',
    encrypted,
    ...(birthTime !== null && { birthTime }),
    ...(descriptors && { descriptorsId: await descriptorsIdOf(client, name, { signal, isFresh: true }) }),
  };
}

/** By the backup itself, because the wallet may have changed since. Undefined if it cannot be read. */
function savedIn(found: FileExamination | null): BackupResult['saved'] {
  if (!found?.format) return undefined;
  const { format, encrypted } = found;
  return { kind: format === 'sqlite' ? 'descriptor' : 'legacy', encrypted, ...walletIdsOf(found) };
}

/** Sets `leftLoaded` if the node still has the wallet loaded, although the app loaded it only for the backup. */
async function withLeftLoaded(
  client: NodeClient,
  { name, unloads }: CheckpointOf<'backup'>,
  outcome: Outcome,
): Promise<Outcome> {
  if (!unloads || outcome.state !== 'done' || outcome.result.kind !== 'backup') return outcome;
  const loaded = await listWallets(client).catch((): string[] => []);
  return loaded.includes(name) ? { ...outcome, result: { ...outcome.result, leftLoaded: true } } : outcome;
}

/** A backup whose answer may be lost. */
export function createResumedBackup(checkpoint: CheckpointOf<'backup'>, deps: ResumeDeps): ResumedJob {
  return {
    checkpoint,
    method: 'backupwallet',
    resolve: (evidence) => resolveBackup(checkpoint, evidence, deps),
  };
}

type DoneBackup = Extract<Outcome, { state: 'done' }> & { result: BackupResult };

/**
 * The outcome, by the file that was written, which is flushed and made private. `local`: whether the app can see it. `isLost`: without
 * an answer, the node may have written only a part.
 */
async function backupOutcome(
  { name, newBackup: path, part }: CheckpointOf<'backup'>,
  where: WhereBackupIs,
  { interruptions }: ResumeDeps,
): Promise<DoneBackup | Exclude<Outcome, { state: 'done' }>> {
  const done = (proof: BackupProof, saved?: BackupResult['saved'], warnings: string[] = []): DoneBackup => ({
    state: 'done',
    result: { kind: 'backup', walletName: name, proof, ...(saved && { saved }) },
    warnings,
  });
  const { local, isLost = false, signal } = where;
  if (!local) return done({ seen: false, path });
  try {
    await flushBackup(path);
    const { size, kind, fileKind, truncated } = await inspectFile(path);
    const found = kind === 'other' ? null : await interruptions.examine(path, signal);
    const isCut =
      truncated || (isLost && found !== null && found.state !== 'legacy' && found.state !== 'descriptor');
    // The app compared its own copy with the wallet's file.
    const isDamaged = part === undefined && found?.state === 'damaged';
    const isWalletDamaged = isDamaged && (await isFileDamaged(name, where, interruptions));
    if (kind === 'other' || isCut || (isDamaged && !isWalletDamaged)) {
      const reason = isCut ? say('it is cut short') : isDamaged ? say('damaged') : fileKindText(fileKind);
      throw new AppError(
        'not_a_wallet',
        say('Not a whole wallet ({reason}): {path}', { path, reason }),
        walletUnchanged(`${say('The disk may be full.')} ${say('Choose another folder.')}`),
      );
    }
    const isPrivate = await makePrivate(path);
    const permissions = isPrivate && !othersMayRead(dirname(path)) ? {} : { othersMayRead: true as const };
    const folder = await folderMarkAt(dirname(path));
    const mark = lastingMarkOf(await stat(path, { bigint: true }));
    const sha256 = await hashFile(path, signal);
    const proof = {
      seen: true,
      path,
      size,
      sha256,
      mark,
      ...(folder && { folder }),
      ...permissions,
    } as const;
    return done(proof, savedIn(found), isWalletDamaged ? [NOT_WHOLE.damaged] : []);
  } catch (thrown) {
    const error = errorShapeOf(thrown);
    if (error.code === 'file_unreadable' && isLost) return unseenBackupOutcome(path);
    // A node that runs as another user may write files that this user cannot read.
    if (error.finding?.code === 'file_not_allowed') return done({ seen: false, path });
    if (error.code !== 'file_missing') return { state: 'failed', error };
    const message = say('No backup at {path}.', { path });
    const again = say('Try again.');
    const hint = walletUnchanged(isLost ? `${say('The connection was lost.')} ${again}` : again);
    return { state: 'failed', error: { ...error, message, hint } };
  }
}

interface WhereBackupIs extends Pick<Evidence, 'session' | 'walletsFolder' | 'signal'> {
  readonly local: boolean;
  readonly isLost?: boolean;
}

/** Throws AppError if the disk fails or is full. Some network drives cannot flush. */
async function flushBackup(path: string): Promise<void> {
  await flushFile(path).catch((error) => {
    const code = systemCode(error);
    if (code === 'EIO' || isDiskFull(code)) throw fileError(error, path);
  });
  flushFolder(dirname(path));
}

/** False if this user may not change who can read it. A node's copy of a legacy wallet has the permissions of the wallet's file. */
function makePrivate(path: string): Promise<boolean> {
  return chmod(path, OWNER_ONLY).then(
    () => true,
    () => false,
  );
}

/** Whether the wallet's own file is damaged. False if that is unknown: an open legacy wallet is not closed cleanly. */
async function isFileDamaged(
  name: string,
  where: WhereBackupIs,
  { examine }: ResumeDeps['interruptions'],
): Promise<boolean> {
  const { walletsFolder, signal } = where;
  const path = walletsFolder && (await walletFilePath(walletsFolder, name));
  const found = path ? await examine(path, signal) : null;
  if (!path || found?.state !== 'damaged') return false;
  return found.format === 'sqlite' || !(await isOpen(name, path, where).catch(() => true));
}

function unseenBackupOutcome(path: string) {
  return unknownOutcome(
    walletUnchanged(
      say('Look for {destination} on the node’s machine, or choose another name.', { destination: path }),
    ),
  );
}

/** Another program wrote a backup to the path. */
function otherWalletOutcome(path: string): Outcome {
  const message = `${say('Another wallet’s copy')}: ${path}`;
  return {
    state: 'failed',
    error: { code: 'not_a_wallet', message, hint: walletUnchanged(say('Choose another folder.')) },
  };
}

async function resolveBackup(
  checkpoint: CheckpointOf<'backup'>,
  { session, walletsFolder, stillRunning, sameRun, signal }: Evidence,
  deps: ResumeDeps,
): Promise<Outcome | null> {
  const { interruptions } = deps;
  const { name, newBackup, unloads } = checkpoint;
  if (stillRunning) return null;
  // The lost answer would have been followed by this call. The user may load the wallet again later, so send it only once.
  if (session !== null && unloads && sameRun) {
    if ((await tryClosing(session.client, unloadCall(name))) === null) return null;
    delete checkpoint.unloads;
  }
  // The disk of a container may be another one.
  const isProved = walletsFolder !== null || session?.status.offline === true;
  if (isProved || (session?.status.local && (await existsAs(newBackup, 'file')))) {
    const own = walletsFolder === null ? null : await walletFilePath(walletsFolder, name);
    // The wallet may have other keys since, but it keeps some of those that it had.
    const network = session?.status.network ?? null;
    if (own !== null && (await interruptions.canBeSameWallet([newBackup, own], network, signal)) === false)
      return otherWalletOutcome(newBackup);
    const outcome = await backupOutcome(
      checkpoint,
      { session, local: true, walletsFolder, isLost: true, signal },
      deps,
    );
    return session === null ? outcome : withLeftLoaded(session.client, { ...checkpoint, unloads }, outcome);
  }
  return session === null ? null : unseenBackupOutcome(newBackup);
}
