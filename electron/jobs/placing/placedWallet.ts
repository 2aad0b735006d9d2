/** Places a copy of a backup in a node's wallets folder, and removes exactly that copy again. */
import { type BigIntStats, constants } from 'node:fs';
import { link, lstat, mkdir, open, readdir, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '../../../shared/model/errors.ts';
import type { LeftCopyReason } from '../../../shared/model/safety.ts';
import { nothingChanged } from '../../../shared/wording/findings/hints.ts';
import { say } from '../../../shared/wording/say.ts';
import { copyError, fillCopy } from '../../files/copySafely.ts';
import { flushFolder, partPath } from '../../files/durableFile.ts';
import { systemCode, writeError } from '../../files/fileError.ts';
import { type FileMark, isSameFile, isSameInode, markOf, removeOwnFile } from '../../files/fileMark.ts';
import { digest } from '../../files/hash.ts';
import { isInUse } from '../../files/lock/fileInUse.ts';
import { fileChangedError, OPEN_TO_READ } from '../../files/openFile.ts';
import { type OpenFolder, openFolder } from '../../files/openFolder.ts';
import { LEGACY_BACKUP } from '../../walletfile/database/relatedFiles.ts';
import type { CreatedFile, PlacedWallet } from '../plan/checkpoint.ts';

interface PlaceRequest {
  /** The file to copy, and the SHA-256 that it must have, in lower-case hex. */
  readonly from: string;
  readonly sha256: string;
  /** A real path that nobody else can change: see `refuseSharedWalletsFolder`. */
  readonly walletsFolder: string;
  /** The new folder in it. */
  readonly name: string;
  readonly signal: AbortSignal;
  /**
   * Called before the folder is created, and again for each file while it is empty; with null if the folder could not be created.
   * May throw to stop the placing.
   */
  readonly save: (placed: PlacedWallet | null) => void;
}

/**
 * Creates the folder `name` with `wallet.dat`, both private to this user. Every name must be free, nothing is renamed over
 * another file, and a node never sees half of the file.
 *
 * @throws AppError `file_exists`, `no_space`, `file_unreadable`, `file_changed` if the backup changed or a folder was
 * swapped, `cancelled`, and what `save` throws. Created files stay, as `save` recorded them.
 */
export async function placeWallet(request: PlaceRequest): Promise<void> {
  const { walletsFolder, name } = request;
  try {
    await using wallets = await openFolder(walletsFolder);
    await placeIn(wallets, request);
  } catch (error) {
    throw placingError(error, join(walletsFolder, name));
  }
}

async function placeIn(wallets: OpenFolder, request: PlaceRequest): Promise<void> {
  const { walletsFolder, name, sha256, signal, save } = request;
  const path = join(walletsFolder, name);
  const placed: PlacedWallet = {
    folder: path,
    file: join(path, WALLET),
    sha256,
    part: basename(partPath('')),
    within: wallets.mark,
    created: null,
  };
  save(placed);
  try {
    await mkdir(await wallets.at(name), { mode: 0o700 });
  } catch (error) {
    save(null);
    throw error;
  }
  await using folder = await wallets.openInside(name);
  await writeCopy(folder, placed, { ...request, hasBirthTimes: await hasBirthTimes(wallets) });
  flushFolder(await wallets.at('.'));
  signal.throwIfAborted();
}

const WALLET = 'wallet.dat';

interface FillRequest extends PlaceRequest {
  /** Whether the system knows when a file was created. */
  readonly hasBirthTimes: boolean;
}

/** Some systems give the time of the last change instead. The two differ here, because a folder was just created inside. */
async function hasBirthTimes(wallets: OpenFolder): Promise<boolean> {
  const { birthtimeNs, ctimeNs } = await lstat(await wallets.at('.'), { bigint: true });
  return birthtimeNs !== ctimeNs;
}

async function writeCopy(folder: OpenFolder, placed: PlacedWallet, request: FillRequest): Promise<void> {
  const { part = WALLET } = placed;
  const { signal } = request;
  const created = { folder: folder.mark, files: [] };
  const mark = await createFile(folder, part, { ...placed, created }, request);
  signal.throwIfAborted();
  try {
    await link(await folder.at(part), await folder.at(WALLET));
  } catch (error) {
    if (error instanceof AppError || systemCode(error) === 'EEXIST') throw error;
    // A file system without hard links (FAT): the file is written once more, under its own name.
    await createFile(folder, WALLET, { ...placed, created: { ...created, files: [mark] } }, request);
  }
  await removeOwnFile(await folder.at(part), mark);
  flushFolder(await folder.at('.'));
}

/** Records the file while it is empty, so that the app knows it as its own before it holds keys. */
async function createFile(
  folder: OpenFolder,
  name: string,
  placed: PlacedWallet,
  { from, sha256, signal, save, hasBirthTimes }: FillRequest,
): Promise<CreatedFile> {
  await using file = await open(await folder.at(name), 'wx+', 0o600);
  try {
    const facts = await file.stat({ bigint: true });
    const mark = {
      ...markOf(facts),
      ...(hasBirthTimes && facts.birthtimeNs > 0n ? { born: String(facts.birthtimeNs) } : {}),
    };
    const files = [...(placed.created?.files ?? []), mark];
    save({ ...placed, created: { folder: folder.mark, files } });
    const copied = await fillCopy(file, from, placed.file, signal);
    if (copied.sha256 !== sha256) throw fileChangedError();
    return mark;
  } catch (error) {
    throw copyError(error, placed.file);
  }
}

/**
 * Removes what `placeWallet` created, complete or not, and a killed migration's equal backup of it. Recognises the folder and the
 * files by inode, the files also by their time of creation, and the whole file also by its SHA-256. Removes nothing else, follows
 * no link, and removes the folder only if it is empty. Null once no copy is left. Never throws.
 */
export async function removePlacedWallet(placed: PlacedWallet): Promise<LeftCopyReason | null> {
  try {
    return await withPlacedFolder(placed, (found) => removeFound(found, placed));
  } catch (error) {
    return error instanceof AppError ? 'replaced' : 'not-removable';
  }
}

/** Whether the whole copy is still there, unchanged. False if unknown. */
export async function isUnchanged(placed: PlacedWallet): Promise<boolean> {
  try {
    const what = await withPlacedFolder(placed, ({ folder }) => identifyEntry(folder, WALLET, placed));
    return what === 'own' || what === 'in-use';
  } catch {
    return false;
  }
}

interface PlacedEntry {
  readonly wallets: OpenFolder;
  readonly folder: OpenFolder;
  /** The name of the folder in the wallets folder. */
  readonly name: string;
}

/** Null if nothing is there. Compares inodes on one device, because a device may have another number after a restart. */
async function withPlacedFolder<T>(
  placed: PlacedWallet,
  work: (found: PlacedEntry) => Promise<T>,
): Promise<T | LeftCopyReason | null> {
  const name = basename(placed.folder);
  await using wallets = await openFolder(dirname(placed.folder)).catch(() => null);
  if (wallets === null) return 'out-of-reach';
  const facts = await factsAt(wallets, name);
  if (placed.within === undefined) return facts === null ? null : 'not-recorded';
  if (!isSameInode(wallets.mark, placed.within)) return 'out-of-reach';
  if (facts === null) return null;
  const isOwn =
    facts.isDirectory() && (!placed.created || isSame(placed.created.folder, markOf(facts), wallets.mark));
  if (!isOwn) return 'replaced';
  await using folder = await wallets.openInside(name);
  return await work({ wallets, folder, name });
}

function isSame(written: FileMark, found: FileMark, { dev }: FileMark): boolean {
  return isSameInode(written, found) && found.dev === dev;
}

function hasSameBirth({ born }: CreatedFile, { birthtimeNs }: BigIntStats): boolean {
  return born === undefined || born === String(birthtimeNs);
}

async function removeFound(
  { wallets, folder, name }: PlacedEntry,
  placed: PlacedWallet,
): Promise<LeftCopyReason | null> {
  for (const file of [placed.part ?? WALLET, WALLET]) {
    const what = await identifyEntry(folder, file, placed);
    if (what === 'own') await unlink(await folder.at(file));
    // The app recorded no file here, so it wrote no copy, and the folder may be somebody else's.
    else if (what !== null) return placed.created ? what : null;
  }
  await removeBackups(folder, placed);
  await rmdir(await wallets.at(name)).catch((error) => {
    // Somebody else keeps a file in the folder. The copy is gone.
    if (!NOT_EMPTY.has(systemCode(error) ?? '')) throw error;
  });
  return null;
}

/**
 * A migration that was killed leaves its backup of the placed copy, which would keep the folder, and with it the wallet's name.
 * Removes it if it is equal and nothing else is in the folder.
 */
async function removeBackups(folder: OpenFolder, { created, sha256 }: PlacedWallet): Promise<void> {
  const names = await readdir(await folder.at('.'));
  if (created === null || !names.every((name) => LEGACY_BACKUP.test(name))) return;
  for (const name of names) {
    const facts = await factsAt(folder, name);
    const path = await folder.at(name);
    if (!facts?.isFile() || isInUse(path) || (await hashAt(path, markOf(facts))) !== sha256) return;
    await unlink(path);
  }
}

const NOT_EMPTY: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST']);

/** Null if there is no file. */
async function identifyEntry(
  folder: OpenFolder,
  name: string,
  { created, part, sha256 }: PlacedWallet,
): Promise<'own' | LeftCopyReason | null> {
  const facts = await factsAt(folder, name);
  if (facts === null) return null;
  const isOwn = created
    ? created.files.some((file) => isSame(file, markOf(facts), folder.mark) && hasSameBirth(file, facts))
    : // The file was created but not recorded yet.
      name === part && facts.size === 0n;
  if (!facts.isFile() || !isOwn) return 'replaced';
  const path = await folder.at(name);
  if (isInUse(path)) return 'in-use';
  // The random name of an unfinished copy identifies it. No node opens it, and its content may be incomplete.
  return name !== WALLET || (await hashAt(path, markOf(facts))) === sha256 ? 'own' : 'changed';
}

async function factsAt(folder: OpenFolder, name: string) {
  try {
    return await lstat(await folder.at(name), { bigint: true });
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The hash of the file with this mark; null if another file is there now. */
async function hashAt(path: string, mark: FileMark): Promise<string | null> {
  await using file = await open(path, OPEN_TO_READ | (constants.O_NOFOLLOW ?? 0));
  const facts = await file.stat({ bigint: true });
  return isSameFile(markOf(facts), mark) ? await digest(file, Number(facts.size)) : null;
}

/** The node's folder cannot be exchanged for another one, so the usual advice would not help. */
function placingError(error: unknown, folder: string): AppError {
  const known = writeError(error, folder);
  if (known.finding?.code !== 'folder_not_writable') return known;
  return new AppError(
    known.code,
    say('You are not allowed to write to {path}.', { path: folder }),
    nothingChanged(say('Run the app as the node’s user, or work without a node.')),
  );
}
