/** How the app and its engine open files: regular files only, and without waiting. */
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpath as realpathByParts,
  type Stats,
  statSync,
} from 'node:fs';
import { type FileHandle, lstat, open, realpath, stat } from 'node:fs/promises';
import systemPaths, { basename, dirname, join, type PlatformPath } from 'node:path';
import { promisify } from 'node:util';
import { FileError } from '../../shared/model/findings/fileError.ts';
import type { NameRules } from '../../shared/model/names/walletName.ts';
import { orNull } from '../walletfile/bytes/once.ts';
import { systemCode, systemError } from './fileError.ts';
import { isSameFile } from './fileMark.ts';

/** Does not wait until somebody writes to a pipe. Windows has no pipes in folders. */
export const OPEN_TO_READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const OPEN_TO_ADD = constants.O_WRONLY | constants.O_APPEND | (constants.O_NONBLOCK ?? 0);
/** Null on Windows, which has no such flag: there the file is compared before and after. */
const NOT_BEHIND_A_LINK = constants.O_NOFOLLOW ?? null;

/** What is at a path instead of a file. `special`: a pipe, a socket or a device. */
export type NoFile = 'folder' | 'special' | 'link' | 'of-another-user' | 'of-several-names';

/** Something else than the wanted file is at the path. It was not opened. */
export class NoFileError extends Error {
  /** The system's code for it. */
  readonly code: string;

  constructor(readonly reason: NoFile) {
    super(`not opened: ${reason}`);
    this.name = 'NoFileError';
    this.code = reason === 'folder' ? 'EISDIR' : reason === 'link' ? 'ELOOP' : 'EINVAL';
  }
}

/**
 * Opens a file to read it, and follows links unless it is one of the app's `own`. The caller closes the handle. Throws NoFileError
 * for anything but a regular file, else the system's error.
 */
export function openToRead(path: string, { own = false }: { readonly own?: boolean } = {}): number {
  if (own) return openOwn(path, lstatSync(path, { bigint: true }), OPEN_TO_READ);
  // Check first, because opening a device can have effects.
  refuseIrregular(statSync(path));
  return checkOpened(openSync(path, OPEN_TO_READ), (file) => refuseIrregular(fstatSync(file)));
}

/**
 * Opens a file of the engine to append to it, or creates it for this user only. The caller closes the handle. Throws NoFileError for
 * a link, for anything but a regular file, and for a file of another user or with a second name; else the system's error.
 */
export function openToAdd(path: string): number {
  const before = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  // O_EXCL never creates a file behind a link.
  if (!before) return openSync(path, OPEN_TO_ADD | constants.O_CREAT | constants.O_EXCL, 0o600);
  return checkOpened(openOwn(path, before, OPEN_TO_ADD), (file) => {
    refuseOtherOwner(file);
    if (fstatSync(file).nlink !== 1) throw new NoFileError('of-several-names');
  });
}

/**
 * Opens a file of this process to write it. The caller closes the handle. Throws NoFileError for a link, for anything but a regular
 * file, and for a file of another user; else the system's error.
 */
export function openToFill(path: string): number {
  const before = lstatSync(path, { bigint: true });
  return checkOpened(openOwn(path, before, constants.O_WRONLY), refuseOtherOwner);
}

/** The bytes of a whole file. Throws as `openToRead` does, and an error of code EFBIG for more than `most` bytes. */
export function readWhole(
  path: string,
  { most, ...options }: { readonly own?: boolean; readonly most?: number } = {},
): Buffer {
  return readAndClose(openToRead(path, options), most);
}

/** The text of a small file. Null if it is missing, unreadable, no file, or larger than `most` bytes. */
export function readTextOrNull(path: string, most = 64 * 1024): string | null {
  return orNull(() => readWhole(path, { most }).toString('utf8'));
}

/**
 * The bytes of a file that only the app itself writes. Throws NoFileError for a link, for anything but a regular file, and for a
 * file of another user; else the system's error.
 */
export function readOwnFile(path: string): Buffer {
  return readAndClose(checkOpened(openToRead(path, { own: true }), refuseOtherOwner));
}

function readAndClose(file: number, most = Number.POSITIVE_INFINITY): Buffer {
  try {
    // Node reads no more than the file has now, so a growing file cannot exceed this.
    if (fstatSync(file).size > most) throw systemError('EFBIG');
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function refuseOtherOwner(file: number): void {
  const user = process.getuid?.();
  if (user !== undefined && fstatSync(file).uid !== user) throw new NoFileError('of-another-user');
}

/** Throws NoFileError for anything but a regular file. */
function refuseIrregular(stats: Stats | BigIntStats): void {
  if (stats.isSymbolicLink()) throw new NoFileError('link');
  if (stats.isDirectory()) throw new NoFileError('folder');
  if (!stats.isFile()) throw new NoFileError('special');
}

function openOwn(path: string, before: BigIntStats, flags: number): number {
  refuseIrregular(before);
  return checkOpened(openNoLink(path, flags), (file) => {
    const after = fstatSync(file, { bigint: true });
    refuseIrregular(after);
    if (NOT_BEHIND_A_LINK === null && !isSameFile(after, before)) throw new NoFileError('link');
  });
}

function openNoLink(path: string, flags: number): number {
  try {
    return openSync(path, flags | (NOT_BEHIND_A_LINK ?? 0));
  } catch (error) {
    // FreeBSD reports EMLINK.
    throw ['ELOOP', 'EMLINK'].includes(systemCode(error) ?? '') ? new NoFileError('link') : error;
  }
}

/** Checks the opened file, because it may have been replaced since the first check. Closes it if `check` throws. */
function checkOpened(file: number, check: (file: number) => void): number {
  try {
    check(file);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/**
 * The path without links. Throws the system's error. Windows refuses to resolve paths on RAM disks and on other virtual drives, and
 * some long paths: this function then resolves each part of the path.
 */
export async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!['UNKNOWN', 'EISDIR', 'EINVAL'].includes(systemCode(error) ?? '')) throw error;
    return await promisify(realpathByParts)(path);
  }
}

/** The path without links; the end that does not exist yet stays as it is. Never throws. */
export async function realPathSoFar(path: string): Promise<string> {
  try {
    return await realPath(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(await realPathSoFar(above), basename(path));
  }
}

/** Whether a path is that folder or lies in it, by the text of both: resolve links first. `rules`: of the system that has them. */
export function isWithin(path: string, folder: string, rules: PlatformPath = systemPaths): boolean {
  const inside = rules.relative(folder, path);
  // On Windows the relative path to another drive is absolute.
  return !rules.isAbsolute(inside) && inside.split(rules.sep)[0] !== '..';
}

/** Whether a file or folder exists at a path, following links. False if this user may not look there. */
export async function existsAs(path: string, kind: 'file' | 'folder'): Promise<boolean> {
  return stat(path).then(
    (facts) => (kind === 'file' ? facts.isFile() : facts.isDirectory()),
    () => false,
  );
}

/** Throws AppError `not_a_file` for folders, devices, pipes and sockets, and else the system's error. */
export async function openRegularFile(path: string): Promise<FileHandle> {
  try {
    return await openChecked(path, stat, OPEN_TO_READ);
  } catch (error) {
    throw error instanceof NoFileError ? notAFileError(error) : error;
  }
}

/** The same for a file that is no link, and that belongs to `owner` unless null. Throws NoFileError, and else the system's error. */
export function openUnlinked(path: string, owner: number | null = null): Promise<FileHandle> {
  return openChecked(path, lstat, OPEN_TO_READ | (NOT_BEHIND_A_LINK ?? 0), owner);
}

async function openChecked(
  path: string,
  look: typeof stat | typeof lstat,
  flags: number,
  owner: number | null = null,
): Promise<FileHandle> {
  // This finds a link on systems that cannot refuse one when they open.
  refuseIrregular(await look(path));
  // The flags keep this from waiting if the file has become a pipe.
  const handle = await open(path, flags);
  try {
    const stats = await handle.stat();
    refuseIrregular(stats);
    if (owner !== null && stats.uid !== owner) throw new NoFileError('of-another-user');
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function notAFileError({ reason }: NoFileError): FileError {
  return new FileError('not_a_file', { code: reason === 'folder' ? 'folder_not_file' : 'not_regular_file' });
}

/** The first bytes of an open file, at most `count`. */
export async function firstBytes(file: FileHandle, count: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(count), 0, count, 0);
  return buffer.subarray(0, bytesRead);
}

/**
 * Calls `work` with an open file and its size in bytes. Throws what `work` throws, AppError `file_changed` if the size, a
 * time of a change or the file itself differ afterwards, and else as `openRegularFile` does.
 */
export async function whileUnchanged<T>(
  path: string,
  work: (handle: FileHandle, size: number) => Promise<T>,
): Promise<T> {
  await using handle = await openRegularFile(path);
  const before = await handle.stat({ bigint: true });
  const done = await work(handle, Number(before.size));
  const after = await stat(path, { bigint: true });
  const isOfOneState = before.size === after.size && before.ctimeNs === after.ctimeNs;
  if (!isOfOneState || before.mtimeNs !== after.mtimeNs || !isSameFile(before, after))
    throw fileChangedError();
  return done;
}

export function fileChangedError(): FileError {
  return new FileError('file_changed', { code: 'file_changed' });
}

/**
 * On Windows a path with two leading slashes is a device, or a share of another machine, to which Windows at once
 * sends proof of the user's identity. A node could name one as its log, so the app never opens such a path.
 */
export function isNetworkPath(path: string, platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'win32' && /^[\\/](?:[\\/]|\?\?[\\/])/.test(path);
}

/** The platform whose rules for file names apply. */
export function thisPlatform(): NameRules['platform'] {
  const { platform } = process;
  return platform === 'linux' || platform === 'darwin' || platform === 'win32' ? platform : 'other';
}
