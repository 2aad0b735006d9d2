/** Plans and makes the copy of a node's wallet in a folder of the app; for the unnamed wallet, of the other wallets in the folder too. */
import { chmod, rm, stat } from 'node:fs/promises';
import { join, posix, win32 } from 'node:path';
import { AppError } from '../../../shared/model/errors.ts';
import type { NodeStatus } from '../../../shared/model/node.ts';
import type { SafetyCopy } from '../../../shared/model/safety.ts';
import { nothingChanged } from '../../../shared/wording/findings/hints.ts';
import { say } from '../../../shared/wording/say.ts';
import { type Call, send } from '../../bitcoind/calls/call.ts';
import {
  backupCall,
  backupInto,
  loadCall,
  unloadCall,
  unloadWallet,
} from '../../bitcoind/calls/walletCalls.ts';
import { walletFilePath } from '../../bitcoind/calls/walletsFolder.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import { copySafely, OWNER_ONLY } from '../../files/copySafely.ts';
import { flushFile, type WrittenFile } from '../../files/durableFile.ts';
import { fileError } from '../../files/fileError.ts';
import { hashFile, sha256Of } from '../../files/hash.ts';
import { inspectFile } from '../../files/inspect.ts';
import { fileChangedError } from '../../files/openFile.ts';
import { findSharedFolder } from '../../files/sharedFolder.ts';
import { journalsBeside } from '../../files/walletJournals.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import type { WalletWork } from '../../workers/walletWork.ts';

type CopiedFile = SafetyCopy['files'][number];

export type CopiedFiles = Pick<SafetyCopy, 'how' | 'note' | 'files'>;

interface CopyOptions {
  signal: AbortSignal;
  work: WalletWork;
  /** Called before the wallet is unloaded, which happens only if the node refuses to write the copy. */
  onUnload: () => void;
}

/** Its own file first. Throws `stopped_by_check` and what `copySafely` and the node throw. An unloaded wallet stays unloaded. */
export async function copyWallet(
  session: Session,
  { file, copies: [mainCopy, ...beside], calls, notFound }: CopyPlan,
  options: CopyOptions,
): Promise<CopiedFiles> {
  const { signal, onUnload } = options;
  if (mainCopy === undefined) throw new Error('no copy was planned');
  const { name, from, destination } = mainCopy;
  if (file === null) return copyOnNode(session, mainCopy, calls, signal);
  const ownCopy = await copyOrFallBack(session, mainCopy, options, async () => {
    await rm(destination, { force: true });
    onUnload();
    await unloadWallet(session.client, name, signal);
    return copyFile(name, file, destination, options);
  });
  const files = [ownCopy];
  for (const one of beside) {
    const copied = await copyOrFallBack(session, one, options, (refusal) => {
      // It stays loaded: only the wallet that is migrated may be unloaded without being asked.
      throw new AppError(
        'stopped_by_check',
        say('The node could not copy “{name}”.', { name: one.name }),
        nothingChanged(say('Unload it, then try again.')),
        refusal.node,
      );
    });
    files.push(copied);
  }
  const how = ownCopy.source === null ? 'backupwallet' : 'copied';
  const notes = [
    how === 'copied' && typeof from !== 'string' ? say('The app copied the unloaded file instead.') : null,
    notFound.length > 0
      ? say('Not copied: {names}.', { names: notFound.map((each) => `“${each}”`).join(', ') })
      : null,
  ].filter((note) => note !== null);
  return { how, note: notes.length > 0 ? notes.join(' ') : null, files };
}

/** `ifRefused` runs if the node answers that it cannot write the copy. */
async function copyOrFallBack(
  session: Session,
  { name, from, destination }: PlannedCopy,
  options: Pick<CopyOptions, 'signal' | 'work'>,
  ifRefused: (refusal: AppError) => Promise<CopiedFile>,
): Promise<CopiedFile> {
  const { signal } = options;
  if (typeof from === 'string') return copyFile(name, from, destination, options);
  try {
    await backupInto(session, from, destination, signal);
  } catch (thrown) {
    if (signal.aborted || !(thrown instanceof AppError) || thrown.node === undefined) throw thrown;
    return ifRefused(thrown);
  }
  return verifyNodeCopy(name, destination, signal);
}

/** The node writes the copy on its machine, in the folder of its log. */
async function copyOnNode(
  { client }: Session,
  { name, destination }: PlannedCopy,
  calls: CopyPlan['calls'],
  signal: AbortSignal,
): Promise<CopiedFiles> {
  for (const call of calls) await send(client, call, { timeoutMs: null, signal });
  return {
    how: 'backupwallet',
    note: say('On the node’s machine, not seen by the app.'),
    files: [{ path: destination, source: null, size: null, sha256: null, wallet: name }],
  };
}

/**
 * Copies one file and checks that the copy equals it. Joins a file and its journal into one file, because the file alone may
 * lack keys. Throws AppError: what `copySafely` and `readWallet` throw.
 */
export async function copyFile(
  wallet: string,
  source: string,
  destination: string,
  { signal, work }: Pick<CopyOptions, 'signal' | 'work'>,
): Promise<CopiedFile> {
  const saved = journalsBeside(source)
    ? await work({ kind: 'saveRecovered', task: { path: source, destination } }, signal)
    : null;
  const copied = await copyUnlessSaved(saved, source, destination, signal);
  return { path: destination, source, ...copied, ...(saved === null ? {} : { withJournal: true }), wallet };
}

/**
 * Copies the file. If a worker has already `saved` it at `place`, together with its journal or log, checks that copy
 * instead. Size in bytes, SHA-256 in lower-case hex. Throws what `copySafely` throws, and AppError `file_changed`.
 */
export async function copyUnlessSaved(
  saved: WrittenFile | null,
  source: string,
  place: string,
  signal: AbortSignal,
): Promise<WrittenFile> {
  if (saved === null) return copySafely(source, place, signal);
  if ((await hashFile(place, signal)) !== saved.sha256) throw fileChangedError();
  return saved;
}

/** Checks that the node's copy is complete, flushes it and makes it private. It equals no file, because the node keeps writing. */
async function verifyNodeCopy(wallet: string, path: string, signal: AbortSignal): Promise<CopiedFile> {
  const { kind, truncated } = await inspectFile(path);
  if (kind === 'other' || truncated) throw incompleteCopyError();
  try {
    await flushFile(path);
    const sha256 = await hashFile(path, signal);
    await chmod(path, OWNER_ONLY);
    return { path, source: null, size: (await stat(path)).size, sha256, wallet };
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    throw fileError(thrown, path);
  }
}

/** The node's copy of a whole wallet is cut or damaged. */
export function incompleteCopyError(): AppError {
  return new AppError(
    'not_a_wallet',
    say('The node’s copy is not a whole wallet.'),
    nothingChanged(say('The disk may be full.')),
  );
}

export interface CopyPlan {
  /** `copied`: of the closed file. `backupwallet`: by the node. `cannot`: neither; the user must have a copy. */
  readonly how: 'copied' | 'backupwallet' | 'cannot';
  readonly text: string;
  /** The wallet's file on this machine; null if unknown. */
  readonly file: string | null;
  /** The app's new folder for the copy; null if it makes none. */
  readonly folder: string | null;
  /** The wallet's own copy first, then, for the unnamed wallet, copies of all other wallets in the folder. Empty for `cannot`. */
  readonly copies: readonly PlannedCopy[];
  readonly calls: readonly Call[];
  /** Bytes of the other wallets whose files were found. */
  readonly otherWalletsSize: number;
  /** Names of the other wallets whose files were not found. */
  readonly notFound: readonly string[];
}

interface PlannedCopy {
  readonly name: string;
  /** The closed file, or the call with which the node copies a wallet that it has open. */
  readonly from: string | Call;
  readonly destination: string;
}

/** The wallet to copy, and the destination. */
export interface CopyRequest {
  readonly name: string;
  /** Names of the wallets in the node's wallets folder, and of the loaded ones. */
  readonly onDisk: readonly string[];
  readonly loaded: readonly string[];
  readonly folder: string;
  /** Unix seconds, for the name of a copy that the node writes next to its log. */
  readonly at: number;
}

/** Reads no wallet and asks no node. */
export async function planCopy(
  status: NodeStatus,
  { name, onDisk, loaded, folder, at }: CopyRequest,
): Promise<CopyPlan> {
  const isLoaded = loaded.includes(name);
  const { walletsFolder } = status;
  const file = walletsFolder === null ? null : await walletFilePath(walletsFolder, name);
  if (file !== null && walletsFolder !== null) {
    const destination = join(folder, 'wallet.dat');
    const others = name === '' ? onDisk.filter((each) => each !== '') : [];
    const { copies: copiesBeside, ...rest } = await planOtherCopies(walletsFolder, others, {
      loaded,
      folder,
    });
    const common = { file, folder, ...rest };
    const callsBeside = copiesBeside.flatMap(({ from }) => (typeof from === 'string' ? [] : from));
    if (!isLoaded) {
      const text = say('The app copies the closed file.');
      const copies = [{ name, from: file, destination }, ...copiesBeside];
      return { ...common, how: 'copied', text, copies, calls: callsBeside };
    }
    const backup = backupCall(name, destination);
    return {
      ...common,
      how: 'backupwallet',
      text: say('The node writes the copy.'),
      copies: [{ name, from: backup, destination }, ...copiesBeside],
      // The node may run as a user that cannot write here. A closed file can be copied.
      calls: [
        backup,
        { ...unloadCall(name), when: say('If the node cannot write the copy.') },
        ...callsBeside,
        { ...loadCall(name), when: say('Only if the app unloaded it.') },
      ],
    };
  }
  const nothing = { file: null, folder: null, copies: [], calls: [], otherWalletsSize: 0, notFound: [] };
  if (!isLoaded && !status.release.loadsLegacy) {
    return {
      ...nothing,
      how: 'cannot',
      text: say('Out of reach, and this release cannot load it.'),
    };
  }
  const besideLog = destinationBesideLog(status, `wallet-ferry ${fileTime(at)} ${fileName(name)}.bak`);
  if (besideLog.path === null) return { ...nothing, how: 'cannot', text: besideLog.why };
  const destination = besideLog.path;
  const backup = backupCall(name, destination);
  return {
    ...nothing,
    how: 'backupwallet',
    text: say('The node writes the copy next to its log.'),
    copies: [{ name, from: backup, destination }],
    calls: [...(isLoaded ? [] : [loadCall(name)]), backup],
  };
}

/** A failed migration of the unnamed wallet can delete the other wallets in the folder, so they are copied too. */
async function planOtherCopies(
  walletsFolder: string,
  names: readonly string[],
  { loaded, folder }: Pick<CopyRequest, 'loaded' | 'folder'>,
): Promise<Pick<CopyPlan, 'copies' | 'otherWalletsSize' | 'notFound'>> {
  const copies: PlannedCopy[] = [];
  const notFound: string[] = [];
  let otherWalletsSize = 0;
  for (const name of names) {
    const file = await walletFilePath(walletsFolder, name);
    const destination = join(folder, `beside ${copies.length + 1} ${fileName(name)}.dat`);
    const from = loaded.includes(name) ? backupCall(name, destination) : file;
    if (from === null) notFound.push(name);
    else copies.push({ name, from, destination });
    const facts = file === null ? null : await stat(file).catch(() => null);
    otherWalletsSize += facts?.size ?? 0;
  }
  return { copies, otherWalletsSize, notFound };
}

/** The node can always write to the folder of its log. */
function destinationBesideLog(
  { local, reportedLogPath }: NodeStatus,
  name: string,
): { path: string } | { path: null; why: string } {
  if (reportedLogPath === null) return { path: null, why: say('The node names no folder.') };
  const { dirname, join: joined } = posix.isAbsolute(reportedLogPath) ? posix : win32;
  const folder = dirname(reportedLogPath);
  if (!local || !othersMayWrite(folder)) return { path: joined(folder, name) };
  return { path: null, why: say('Others can change files in {folder}.', { folder }) };
}

/** Another owner is fine, because the node is theirs too. A folder that the app cannot see counts as safe. */
function othersMayWrite(folder: string): boolean {
  return orNull(() => findSharedFolder(folder))?.how === 'writable-by-others';
}

/** `2026-11-21 04.55.12`, in UTC, fit for a file name on every system. */
export function fileTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.');
}

/** A name for the copy's file or folder, fit for every system, and not that of another wallet. */
export function fileName(wallet: string): string {
  const safe = [...wallet.replace(/[^\p{L}\p{N}._ -]+/gu, '_')].slice(0, MAX_NAME).join('');
  const isFit = safe === wallet && !/^[. ]*$|[. ]$/.test(safe);
  const stem = safe.replace(/[. ]+$/, '') || 'wallet';
  return isFit ? safe : `${stem} ${sha256Of(Buffer.from(wallet)).slice(0, 8)}`;
}

/** Characters of at most four bytes. File systems take 255 bytes, and the time stands before it. */
const MAX_NAME = 50;
