/** Gathers the facts that the checks before a migration or a restore need. Changes no wallet; a node may write a copy for it. */
import { lstat, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, isAbsolute, join, posix, relative, win32 } from 'node:path';
import { AppError, nullFor } from '../../../shared/model/errors.ts';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import { nameAsLoaded } from '../../../shared/model/names/walletName.ts';
import { type NodeStatus, ROOT_USER, UNIDENTIFIED_USER } from '../../../shared/model/node.ts';
import type { WalletSource } from '../../../shared/model/plan.ts';
import { errorShapeOf } from '../../../shared/wording/findings/findingWords.ts';
import { notSent } from '../../../shared/wording/findings/hints.ts';
import { say } from '../../../shared/wording/say.ts';
import { blockAt, blockFacts, type Call, snapshotBase } from '../../bitcoind/calls/call.ts';
import { type WalletInfo, walletInfo } from '../../bitcoind/calls/walletInfo.ts';
import { listNames } from '../../bitcoind/calls/wallets.ts';
import { findWritingMethod, isOpenInOther, walletFilePath } from '../../bitcoind/calls/walletsFolder.ts';
import type { NodeClient, Session } from '../../bitcoind/rpc/session.ts';
import { inspectFile } from '../../files/inspect.ts';
import { isOpenElsewhere, mayBeOpen, mayHideLocks, seesLocksOf } from '../../files/lock/fileInUse.ts';
import { othersMayRead } from '../../files/lock/refuseSharedFolder.ts';
import { realPath } from '../../files/openFile.ts';
import { findSharedFolder, findUnwritable, isUnreadableBy } from '../../files/sharedFolder.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { companionNames } from '../../walletfile/migrate/companionNames.ts';
import type { WalletTaskResults } from '../../workers/walletTask.ts';
import type { WalletWork } from '../../workers/walletWork.ts';
import { findOldPassphrase } from '../safetyCopies/interruptedSource.ts';
import type { Interruptions } from '../safetyCopies/interruptions.ts';
import type { SafetyCopies } from '../safetyCopies/safetyCopies.ts';
import {
  type ChainFacts,
  contentsOf,
  type FileInspection,
  type MigratedFacts,
  type MigrationFacts,
  OUT_OF_REACH,
  type RestoreFacts,
  type Space,
} from './checkFacts.ts';
import type { InspectOptions } from './walletFiles.ts';
import { findPutBackRenames, findUndoRenames, pathAfterRenames } from './walletRenames.ts';

export interface FactsDeps {
  /** Inspects a wallet's file in another thread, and tries the passphrase if there is one. Throws AppError. */
  inspect(source: WalletSource, options: InspectOptions): Promise<InspectResult>;
  work: WalletWork;
  copies: SafetyCopies;
  interruptions: Interruptions;
  /** The folder of the app's copies, or one above it that exists. */
  copiesFolder: string;
  /** Unix seconds. */
  now(): number;
  /** When the plan was first made, in Unix seconds. Names of its copies contain this time. */
  created: number;
  /** The wallet of a job in another folder at the path of the node's wallets folder, if no wallet there has its name. */
  walletElsewhere?: ((status: NodeStatus, onDisk: readonly string[]) => Promise<string | null>) | undefined;
  /** Throws AppError if the caller may not write there. Absent: the user may choose any path. */
  refuseBackup?: ((destination: string, node: Pick<NodeStatus, 'local'>) => Promise<void>) | undefined;
  /** Aborts the inspection of a file, which then throws the signal's reason. */
  signal: AbortSignal;
}

export type InspectResult = WalletTaskResults['inspect'];

interface RestoreInput extends Pick<RestoreFacts, 'name' | 'backupFile' | 'undoes' | 'rescue' | 'putsBack'> {
  /** An inspection of the file that was made before, and the names of the wallets then. */
  readonly known?: Pick<MigrationFacts, 'fileInspection' | 'onDisk' | 'loaded'> | undefined;
}

/** Throws what the node's calls throw. Facts that cannot be gathered are null. */
export async function gatherMigration(
  session: Session,
  asked: string,
  deps: FactsDeps,
): Promise<MigrationFacts> {
  const { client, status } = session;
  const { onDisk, loaded } = await namesOf(session);
  const name = nameAsLoaded(asked, loaded, status.walletsFolder);
  const copy = await deps.copies.planFor(status, { name, onDisk, loaded }, deps.created);
  const isLoaded = loaded.includes(name);
  const isThere = isLoaded || onDisk.includes(name);
  const sent: Call[] = [];
  const when = say('Sent on every check, to read the file.');
  const onSent = (call: Call) => void sent.push({ ...call, when });
  const fileInspection: FileInspection =
    copy.file === null || !isThere
      ? OUT_OF_REACH
      : await inspectSource({ by: 'wallet', name }, { isLoaded, onSent }, deps);
  if (copy.file !== null && contentsOf(fileInspection)?.incomplete)
    await refuseWhileMigrating(session, copy.file, deps.signal);
  return {
    status,
    name,
    onDisk,
    loaded,
    blockedCompanions: await blockedCompanions(status, name),
    unwritable: findUnwritable(status, [status.walletsFolder, copy.file && dirname(copy.file)]),
    mayHideUse: mayHideUse(status),
    info: isLoaded ? await walletInfoIfLoaded(client, name) : null,
    // The node wrote a copy of a loaded wallet, and the bytes of each such copy differ from the file.
    fileInspection:
      isLoaded && fileInspection.state === 'read' ? { ...fileInspection, sha256: null } : fileInspection,
    space:
      copy.file === null
        ? null
        : await spaceFor(copy.file, copy.otherWalletsSize, status.walletsFolder, deps),
    chain: await chainOf(session, fileInspection, deps),
    sent,
    copy,
    // This node itself has a loaded wallet open.
    openElsewhere:
      copy.file === null || isLoaded
        ? null
        : (await isOpenInOther(copy.file, status.walletsFolder, loaded)) ||
          (mayBeOpen(copy.file) ? 'perhaps' : seesLocksOf(copy.file) ? false : null),
    isLinked:
      copy.file !== null &&
      status.walletsFolder !== null &&
      (await isBehindLink(status.walletsFolder, copy.file)),
  };
}

function mayHideUse({ offline, walletsFolder }: NodeStatus): boolean {
  return offline && (walletsFolder === null || mayHideLocks(walletsFolder));
}

/** `path`: below the folder. A link above the folder does not count. */
async function isBehindLink(folder: string, path: string): Promise<boolean> {
  const [realFolder, real] = await Promise.all([folder, path].map((one) => realPath(one).catch(() => null)));
  return !!realFolder && !!real && relative(realFolder, real) !== relative(folder, path);
}

export async function gatherRestore(
  session: Session,
  { name, backupFile: chosen, undoes, rescue, putsBack, known }: RestoreInput,
  deps: FactsDeps,
): Promise<RestoreFacts> {
  const { status } = session;
  const folder = status.walletsFolder;
  const names = known ? { onDisk: known.onDisk, loaded: known.loaded } : await namesOf(session);
  const here = await openBackupFacts(chosen, status);
  // Show the target of a link, and send it to the node.
  const backupFile = here.file?.path ?? chosen;
  const isWallet = here.file !== null && (here.file.kind !== 'other' || rescue !== null);
  const stats = isWallet ? await stat(backupFile, { bigint: true }).catch(() => null) : null;
  const fileInspection: FileInspection = isWallet
    ? (known?.fileInspection ??
      (await inspectSource({ by: 'file', path: backupFile }, { rescue: rescue ?? undefined }, deps)))
    : OUT_OF_REACH;
  return {
    status,
    name,
    backupFile,
    undoes,
    putsBack,
    rescue,
    stats,
    ...names,
    ...here,
    isOpen:
      (isOpenElsewhere(backupFile) && (await isOpenInOther(backupFile, folder, names.loaded))) ||
      (here.file !== null && mayBeOpen(backupFile) && 'perhaps'),
    ...(await factsOfName({ status, undoes, putsBack, backupFile, ...names }, name, deps)),
    unreadableByNode: findUnreadableByNode(status, backupFile),
    unwritable: findUnwritable(status, [folder]),
    mayHideUse: mayHideUse(status),
    sharedFolder: folder === null ? null : orNull(() => findSharedFolder(folder)),
    othersMayRead: folder !== null && othersMayRead(folder),
    walletElsewhere: (await deps.walletElsewhere?.(status, names.onDisk)) ?? null,
    fileInspection,
    space: isWallet ? await spaceFor(backupFile, 0, folder, deps) : null,
    chain: await chainOf(session, fileInspection, deps),
  };
}

/** The same facts for another name. Gathers only what depends on the name. */
export async function withName<F extends RestoreFacts>(facts: F, name: string, deps: FactsDeps): Promise<F> {
  return { ...facts, name, ...(await factsOfName(facts, name, deps)) };
}

async function factsOfName(
  facts: Pick<RestoreFacts, 'status' | 'undoes' | 'putsBack' | 'onDisk' | 'loaded' | 'backupFile'>,
  name: string,
  deps: FactsDeps,
) {
  const { copies, created } = deps;
  const { status, backupFile, putsBack } = facts;
  const { local, walletsFolder } = status;
  // A node does not list a wallet whose file it only started to write.
  const unlisted = putsBack ? await blockedCompanions(status, putsBack.wallet ?? name) : [];
  const renames = putsBack
    ? await findPutBackRenames({ ...facts, onDisk: [...facts.onDisk, ...unlisted] }, name, created)
    : await findUndoRenames(facts, name);
  const files = putsBack ? [] : await filesOf(walletsFolder, renames);
  return {
    renames,
    backupAfterRenames: await pathAfterRenames(backupFile, { renames, status }),
    migrated: putsBack || renames.length === 0 ? null : await migratedFacts(facts, files, deps),
    oldPassphrase: await findOldPassphrase(backupFile, putsBack?.file ?? files[0]?.path ?? null, deps),
    blockedCompanions: await blockedCompanions(status, name),
    blockingPath: await findEntry(walletsFolder, name),
    copyFolder: local ? await copies.folderFor(name, created) : null,
  };
}

/** The files of the wallets that an undo renames, the main one first. */
async function filesOf(walletsFolder: string | null, renames: RestoreFacts['renames']) {
  const files: { part: 'primary'; name: string; path: string }[] = [];
  for (const { name } of renames) {
    const path = walletsFolder === null ? null : await walletFilePath(walletsFolder, name);
    if (path !== null) files.push({ part: 'primary', name, path });
  }
  return files;
}

async function migratedFacts(
  { status, loaded, backupFile }: Pick<RestoreFacts, 'status' | 'loaded' | 'backupFile'>,
  migrated: Awaited<ReturnType<typeof filesOf>>,
  { work, signal }: FactsDeps,
): Promise<MigratedFacts> {
  const { walletsFolder, network } = status;
  const task = { path: backupFile, network, migrated };
  const compared = await work({ kind: 'compare', task }, signal).catch(() => null);
  signal.throwIfAborted();
  const closed = migrated.filter(({ name }) => !loaded.includes(name));
  const open = await Promise.all(closed.map(({ path }) => isOpenInOther(path, walletsFolder, loaded)));
  const linked = walletsFolder === null ? [] : migrated.map(({ path }) => isBehindLink(walletsFolder, path));
  const isLinked = (await Promise.all(linked)).includes(true);
  const mayBe = closed.some(({ path }) => mayBeOpen(path)) && 'perhaps';
  return {
    newCoins: compared?.newCoins ?? null,
    openElsewhere: open.includes(true) || mayBe,
    isLinked,
  };
}

/** The names of the wallets in the node's wallets folder, and of the loaded ones; none without a node. Throws what the node's calls throw. */
export async function namesOf(session: Session | null): Promise<{ onDisk: string[]; loaded: string[] }> {
  if (session === null) return { onDisk: [], loaded: [] };
  const { inFolder, loaded } = await listNames(session);
  return { onDisk: inFolder.map(({ name }) => name), loaded };
}

/** The content of a wallet's file, or why it cannot be read. */
export async function inspectSource(
  source: WalletSource,
  options: InspectOptions,
  { inspect, signal }: FactsDeps,
): Promise<FileInspection> {
  try {
    return { state: 'read', ...(await inspect(source, options)) };
  } catch (thrown) {
    signal.throwIfAborted();
    return { state: 'unreadable', error: errorShapeOf(thrown) };
  }
}

/** See `CommonFacts`. Unlike the engine, a node makes wallets also in empty folders, and in those with only an empty wallet file. */
async function blockedCompanions(
  { walletsFolder, offline }: NodeStatus,
  name: string,
): Promise<readonly string[]> {
  if (walletsFolder === null) return [];
  const needed = companionNames(name);
  const blocked = await Promise.all(
    needed.map(async (each) => {
      const entry = await findEntry(walletsFolder, each);
      return entry !== null && (offline || !(await canHoldNewWallet(entry)));
    }),
  );
  return needed.filter((_, at) => blocked[at]);
}

/**
 * Whether a node can make a wallet there, and remove it with its folder if the migration fails (Bitcoin Core:
 * `MigrateLegacyToDescriptor`). It writes to an empty file too.
 */
async function canHoldNewWallet(path: string): Promise<boolean> {
  const names = await readdir(path).catch(() => null);
  if (names === null || names.some((name) => name !== 'wallet.dat')) return false;
  const file = await stat(join(path, 'wallet.dat')).catch(() => null);
  return names.length === 0 || (file?.isFile() === true && file.size === 0);
}

/** The path of the entry of this name, also of a link that leads nowhere. Null if there is none, or for a name that no file can have. */
async function findEntry(walletsFolder: string | null, name: string): Promise<string | null> {
  if (walletsFolder === null || name === '') return null;
  const path = join(walletsFolder, name);
  return lstat(path).then(
    () => path,
    () => null,
  );
}

async function openBackupFacts(
  path: string,
  { local }: NodeStatus,
): Promise<Pick<RestoreFacts, 'file' | 'fileError'>> {
  try {
    requireFullPath(path, local);
    return { file: local ? await inspectFile(path) : null, fileError: null };
  } catch (thrown) {
    return { file: null, fileError: errorShapeOf(thrown) };
  }
}

/** Throws AppError unless the path is a full one on this machine, or for a node on another machine on any system. */
export function requireFullPath(path: string, local: boolean): void {
  const isFull = local ? isAbsolute(path) : posix.isAbsolute(path) || win32.isAbsolute(path);
  if (!isFull) throw new FileError('bad_input', { code: 'path_not_absolute' });
}

/** Only Linux shows who runs the node. The app's copies are readable by its own user only. */
function findUnreadableByNode(
  { local, offline, listener }: NodeStatus,
  path: string,
): RestoreFacts['unreadableByNode'] {
  const user = listener?.user ?? UNIDENTIFIED_USER;
  const isAnother = local && !offline && ![UNIDENTIFIED_USER, ROOT_USER, process.getuid?.()].includes(user);
  return { copies: isAnother, file: isAnother && isUnreadableBy(user, path) };
}

/** The node's `getwalletinfo`; null if the wallet is not loaded. Throws what the node's calls throw. */
export function walletInfoIfLoaded(client: NodeClient, name: string): Promise<WalletInfo | null> {
  return walletInfo(client, name).catch(nullFor('wallet_not_found'));
}

async function spaceFor(
  file: string,
  otherWalletsSize: number,
  walletsFolder: string | null,
  { copiesFolder }: FactsDeps,
): Promise<Space | null> {
  try {
    const { size } = await stat(file);
    const [wallets, copies] = await Promise.all([
      walletsFolder === null ? null : readDiskFacts(walletsFolder),
      readDiskFacts(copiesFolder),
    ]);
    return {
      size,
      otherWalletsSize,
      free: wallets?.free ?? null,
      freeForCopies: copies?.free ?? null,
      oneDisk: wallets !== null && copies !== null && wallets.device === copies.device,
    };
  } catch {
    return null;
  }
}

/** The free bytes for this user and the device of the nearest existing folder. Null: the system does not say. */
export async function readDiskFacts(folder: string): Promise<{ free: number; device: number } | null> {
  try {
    const [{ bavail, bsize }, { dev }] = await Promise.all([statfs(folder), stat(folder)]);
    return { free: bavail * bsize, device: dev };
  } catch {
    const above = dirname(folder);
    return above === folder ? null : readDiskFacts(above);
  }
}

/** Asks the node only for what a check needs. */
async function chainOf(
  session: Session,
  fileInspection: FileInspection,
  { now }: FactsDeps,
): Promise<ChainFacts> {
  const { client, status } = session;
  const nothing = { lastBlock: null, pruneTime: null, snapshot: null, now: now() };
  if (status.offline || fileInspection.state !== 'read') return nothing;
  const hash = fileInspection.inspection.balance.lastBlock;
  const { pruneHeight } = status;
  const [lastBlock, lowest, snapshot] = await Promise.all([
    hash === null ? null : blockFacts(client, hash),
    pruneHeight === null ? null : blockAt(client, pruneHeight),
    snapshotBase(session),
  ]);
  return { ...nothing, lastBlock, pruneTime: lowest?.time ?? null, snapshot };
}

/**
 * Throws AppError `bad_input` while the node may be migrating or restoring this wallet for any client: it is incomplete only until
 * that ends. `path`: see `findWritingMethod`.
 */
export async function refuseWhileMigrating(
  { client }: Session,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const method = await findWritingMethod(client, path, signal);
  if (method !== null)
    throw new AppError(
      'bad_input',
      say('The node may continue with {method}. Wait for the outcome.', { method }),
      notSent(say('Wait until it ends.')),
    );
}
