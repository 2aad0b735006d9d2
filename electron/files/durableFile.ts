/** Writes that are either complete on the disk or absent, whenever the machine stops, and the app's small JSON files. */
import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { z } from 'zod/mini';
import { FileError } from '../../shared/model/findings/fileError.ts';
import { findWindowsProblem } from '../../shared/model/names/walletName.ts';
import { parseJson } from '../../shared/model/shapes.ts';
import { type FileBytes, sourceOf } from '../walletfile/bytes/byteSource.ts';
import { orNull } from '../walletfile/bytes/once.ts';
import { systemCode, systemError, writeError } from './fileError.ts';
import { type FileMark, isSameFile, markOf } from './fileMark.ts';
import { OPEN_TO_READ, readTextOrNull } from './openFile.ts';
import { folderReplacedError } from './openFolder.ts';
import { removeFolder } from './temporaryFolders.ts';

/** For the owner only, like a node's files: they contain keys. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Names of unfinished files: a killed engine's are removed at the next start. */
const PART = /^\.wallet-ferry-[0-9a-f]{16}\.part$/;
/** Names of an original wallet that was moved away, and of an engine's journal of moves. */
const KEPT = /^\.wallet-ferry-[0-9a-f]{16}\.(?:old|moves)$/;

/** Prefix of the unfinished files of this process (or thread), random so that nobody could use it before. */
export const partPrefix = `.wallet-ferry-${randomBytes(4).toString('hex')}`;

/** A path for an unfinished file: hidden, never a wallet's name, and recognised by `isPartName`. */
export function partPath(folder: string): string {
  return join(folder, `${partPrefix}${randomBytes(4).toString('hex')}.part`);
}

/** A path for moving a wallet away in its folder: hidden, and never removed because of its name. */
export function oldWalletPath(folder: string): string {
  return join(folder, `.wallet-ferry-${randomBytes(8).toString('hex')}.old`);
}

/** Whether a name is one of the engine's that is never removed because of its name. */
export function isKeptName(name: string): boolean {
  return KEPT.test(name);
}

export function isPartName(name: string): boolean {
  return PART.test(name);
}

/**
 * Removes a killed process's unfinished files from a folder while its lock is held, or before anybody else writes to it. Leaves
 * everything that is not a regular file of this user, whatever its name.
 */
export function removeParts(folder: string): void {
  for (const name of orNull(() => readdirSync(folder)) ?? []) {
    const path = join(folder, name);
    if (isPartName(name) && isOwnFile(path)) removeQuietly(path);
  }
}

function isOwnFile(path: string): boolean {
  const facts = orNull(() => lstatSync(path));
  return facts?.isFile() === true && facts.uid === (process.getuid?.() ?? facts.uid);
}

/** A file that was written. Size in bytes, SHA-256 in lower-case hex. */
export interface WrittenFile {
  readonly size: number;
  readonly sha256: string;
}

/**
 * Writes and flushes a file that must not exist, and returns its SHA-256 in lower-case hex. Leaves nothing if it fails, or if `check`
 * throws after writing.
 */
export function writeWholeFile(path: string, content: FileBytes, check: () => void = () => {}): string {
  const file = openSync(path, 'wx', FILE_MODE);
  const ownFile = orNull(() => fstatSync(file, { bigint: true }));
  try {
    const { size, inMemory, read } = sourceOf(content);
    const most = inMemory === null ? MAX_FROM_DISK : MAX_AT_ONCE;
    const hash = createHash('sha256');
    for (let written = 0; written < size; ) {
      const bytes = read(written, most);
      const length = writeSync(file, bytes);
      hash.update(bytes.subarray(0, length));
      written += length;
    }
    fsyncSync(file);
    check();
    closeSync(file);
    return hash.digest('hex');
  } catch (error) {
    // It may be closed already; the first error is the one to report.
    orNull(() => closeSync(file));
    // In a folder that others can write to, the name may now belong to another file.
    const there = orNull(() => lstatSync(path, { bigint: true }));
    if (ownFile !== null && there !== null && isSameFile(ownFile, there)) removeQuietly(path);
    throw error;
  }
}

/** Creates an empty file that must not exist. Throws the system's error. */
export function createFile(path: string): void {
  closeSync(openSync(path, 'wx', FILE_MODE));
}

/** Writes a file atomically, replacing an older one. */
export function replaceFile(path: string, bytes: Uint8Array): void {
  putInPlace(path, bytes, renameSync);
}

/**
 * Writes a file atomically under a name that must not exist. Throws the system's error, EEXIST for a taken name, and
 * leaves nothing.
 */
export function placeFile(path: string, bytes: Uint8Array): void {
  putInPlace(path, bytes, moveFile);
}

function putInPlace(path: string, bytes: Uint8Array, move: (from: string, to: string) => void): void {
  const part = partPath(dirname(path));
  writeWholeFile(part, bytes);
  try {
    move(part, path);
  } catch (error) {
    removeQuietly(part);
    throw error;
  }
  flushFolder(dirname(path));
}

/**
 * Renames a file without ever replacing one. Throws the system's error, EEXIST for a taken name, and then the file
 * has only its old name.
 */
export function moveFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    // A network drive may report an error after it succeeded, and a crash may have left both names.
    if (!areSameFile(from, to)) {
      if (!NO_LINKS.has(systemCode(error) ?? '')) throw error;
      moveOverOwn(from, to);
      return;
    }
  }
  try {
    unlinkSync(from);
  } catch (error) {
    if (isGone(from)) return;
    // Removes the new name only while the old one exists.
    if (areSameFile(from, to)) removeQuietly(to);
    throw error;
  }
}

/**
 * Renames a folder. Throws the system's error, EEXIST for a taken name. If another program creates the name at the
 * same moment, the system replaces nothing but an empty folder.
 */
export function moveFolder(from: string, to: string): void {
  if (pathExists(to)) throw systemError('EEXIST');
  rename(from, to);
}

/**
 * Renames, replacing an existing file. Throws the system's error, unless a network drive reported one after it
 * succeeded.
 */
export function rename(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(isGone(from) && !isGone(to))) throw error;
  }
}

/**
 * Whether something exists at the path, even a dangling link; not below a file. Throws the system's error if it cannot
 * say.
 */
export function pathExists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // Unlike on Windows, Node throws here on Unix.
    if (systemCode(error) === 'ENOTDIR') return false;
    throw error;
  }
}

/** Whether nothing exists at the path, not even a link. False if the system cannot say. */
export function isGone(path: string): boolean {
  return orNull(() => !pathExists(path)) ?? false;
}

/** Errors of disks without hard links, such as sticks, or of programs that may not create any. */
const NO_LINKS = new Set([
  'EPERM',
  'EACCES',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EINVAL',
  'EISDIR',
  'EXDEV',
  'UNKNOWN',
]);

/** Replaces an empty file that it just created under a free name. */
function moveOverOwn(from: string, to: string): void {
  createFile(to);
  try {
    renameSync(from, to);
  } catch (error) {
    if (isGone(from)) return;
    const stats = orNull(() => lstatSync(to));
    if (stats?.isFile() && stats.size === 0) removeQuietly(to);
    throw error;
  }
}

/** Whether two paths are names of one regular file. */
export function areSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => orNull(() => lstatSync(path, { bigint: true })));
  return a?.isFile() === true && b !== null && b !== undefined && a.ino !== 0n && isSameFile(a, b);
}

/**
 * Removes one of the app's files, or a link itself, never a folder. Ignores failure: the earlier error is the one to
 * report, and the next start removes unfinished files.
 */
export function removeQuietly(path: string): void {
  orNull(() => unlinkSync(path));
}

/** Removes an unfinished file or folder under a name from `partPath`. */
export function removePart(path: string): void {
  if (orNull(() => lstatSync(path).isDirectory()) === true) removeFolder(path);
  else removeQuietly(path);
}

/** Creates a folder that must not exist, for its owner only. */
export function makeFolder(path: string): void {
  mkdirSync(path, { mode: FOLDER_MODE });
}

/** Windows gives the first folder that `mkdir` created as `\\?\C:\…`, which is equal to no path of the app. */
export function plainPath(path: string): string {
  return path.replace(/^\\\\\?\\(UNC\\)?/, (_, share) => (share ? '\\\\' : ''));
}

/** Flushes a file that another program wrote. Throws what opening and flushing throw. */
export async function flushFile(path: string): Promise<void> {
  // Windows flushes only files that are open for writing.
  await using file = await open(path, process.platform === 'win32' ? 'r+' : OPEN_TO_READ);
  await file.sync();
}

/** Flushes a folder, so that new and renamed entries last. Windows cannot flush a folder, and does not need to. */
export function flushFolder(path: string): void {
  const folder = orNull(() => openSync(path, OPEN_TO_READ));
  if (folder === null) return;
  orNull(() => fsyncSync(folder));
  orNull(() => closeSync(folder));
}

const MAX_AT_ONCE = 16 * 1024 * 1024;
/** Larger pieces would stay in memory until V8 looks for garbage. */
const MAX_FROM_DISK = 64 * 1024;

/**
 * Writes and flushes a new file that only this user can read. Never replaces a file. Works synchronously, so that a stopped thread
 * leaves no partial file. `before` is the result of `refuseTaken` from before the work for the file.
 *
 * @throws AppError, and leaves no file: `file_exists`, `folder_missing`, `no_space`, `file_unreadable` if this user may
 * not write to the folder, `bad_input` for a relative path, `file_changed` if another folder has replaced the one in
 * `before`, or replaces the folder during the call.
 */
export function writeNewFile(path: string, content: string | FileBytes, before?: FileMark): WrittenFile {
  if (typeof content === 'string') {
    const bytes = Buffer.from(content, 'utf8');
    try {
      return writeNewFile(path, bytes, before);
    } finally {
      // It may hold private keys.
      bytes.fill(0);
    }
  }
  const now = refuseTaken(path);
  const folder = dirname(path);
  const refuseAnother = (mark: FileMark) => {
    if (!isSameFile(mark, before ?? now)) throw folderReplacedError(folder);
  };
  refuseAnother(now);
  try {
    const sha256 = writeWholeFile(path, content, () => refuseAnother(markAt(folder)));
    flushFolder(folder);
    return { size: sourceOf(content).size, sha256 };
  } catch (error) {
    throw writeError(error, path);
  }
}

/** Checks a path before the work for its file, and throws what `writeNewFile` would. Returns the mark of the folder. */
export function refuseTaken(path: string): FileMark {
  if (!isAbsolute(path)) {
    throw new FileError('bad_input', { code: 'path_not_absolute' });
  }
  refuseWindowsName(path);
  try {
    if (pathExists(path)) throw systemError('EEXIST');
    if (!statSync(dirname(path)).isDirectory()) throw systemError('ENOTDIR');
    return markAt(dirname(path));
  } catch (error) {
    throw writeError(error, path);
  }
}

/**
 * Throws for a name that Windows takes for something else: for a device (`CON`), a stream within a file (`a:b`), or the name without
 * its last dot. It also calls the folder missing, not the name, if a name is too long.
 */
function refuseWindowsName(path: string): void {
  if (process.platform !== 'win32') return;
  const name = basename(path);
  const problem = findWindowsProblem(name);
  if (problem !== null) throw new FileError('bad_input', { code: 'name_not_for_windows', problem });
  if (name.length > MAX_NAME_LENGTH) throw writeError(systemError('ENAMETOOLONG'), path);
}

/** UTF-16 units of NTFS. */
const MAX_NAME_LENGTH = 255;

/** Follows links: the user may choose a folder through one. */
function markAt(folder: string): FileMark {
  return markOf(statSync(folder, { bigint: true }));
}

/** Null if the file is missing, unreadable, larger than `most` bytes, or of another shape. */
export function readJsonFile<T>(path: string, shape: z.ZodMiniType<T>, most?: number): T | null {
  return shape.safeParse(parseJson(readTextOrNull(path, most) ?? '')).data ?? null;
}

/** Writes the file atomically, and creates its folder if needed. Throws the system's error. */
export function writeJsonFile(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  replaceFile(path, Buffer.from(`${JSON.stringify(value)}\n`));
}

/** Writes a file whose loss does not matter. Never throws. */
export function tryToWriteJsonFile(path: string, value: unknown): void {
  orNull(() => writeJsonFile(path, value));
}
