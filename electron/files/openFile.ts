/** The one way in which the app and its engine open files: nothing but a regular file, and none is waited for. */
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
} from 'node:fs';
import { type FileHandle, lstat, open, stat } from 'node:fs/promises';
import { FileError } from '../../shared/model/findings/fileError.ts';
import type { NameRules } from '../../shared/model/names/walletName.ts';
import { orNull } from '../walletfile/bytes/once.ts';
import { systemCode, systemError } from './fileError.ts';
import { isSameInode } from './fileMark.ts';

/** Without waiting until somebody writes to a pipe. Windows has no such pipes in its folders. */
export const OPEN_TO_READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const OPEN_TO_ADD = constants.O_WRONLY | constants.O_APPEND | (constants.O_NONBLOCK ?? 0);
/** Null on Windows, which knows no such flag: there the file is compared before and after. */
export const NOT_BEHIND_A_LINK = constants.O_NOFOLLOW ?? null;

/** What lies at a path where a file was looked for. `special`: a pipe, a socket or a device. */
export type NoFile = 'folder' | 'special' | 'link' | 'of-another-user' | 'of-several-names';

/** Something lies at the path, and it is not opened. */
export class NoFileError extends Error {
  /** As the system would name it. */
  readonly code: string;

  constructor(readonly reason: NoFile) {
    super(`not opened: ${reason}`);
    this.name = 'NoFileError';
    this.code = reason === 'folder' ? 'EISDIR' : reason === 'link' ? 'ELOOP' : 'EINVAL';
  }
}

/**
 * Opens a file to read it. Links are followed, but for a file of the engine's `own`, which it writes under this name.
 * The handle is the caller's to close. Throws NoFileError for what is no regular file, else the system's error.
 */
export function openToRead(path: string, { own = false }: { readonly own?: boolean } = {}): number {
  if (own) return openOwn(path, lstatSync(path, { bigint: true }), OPEN_TO_READ);
  // Looked at first because opening a device can be more than to look.
  refuse(statSync(path));
  return checked(openSync(path, OPEN_TO_READ), (file) => refuse(fstatSync(file)));
}

/**
 * Opens a file of the engine's own to add to it, and makes it, for this user only, where there is none. The handle is
 * the caller's to close. Throws NoFileError for a link, for what is no regular file, and for a file that belongs to
 * another user or has a second name elsewhere; else the system's error.
 */
export function openToAdd(path: string): number {
  const before = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  // A name that is made is never one that a link has.
  if (!before) return openSync(path, OPEN_TO_ADD | constants.O_CREAT | constants.O_EXCL, 0o600);
  return checked(openOwn(path, before, OPEN_TO_ADD), (file) => {
    refuseOfAnother(file);
    if (fstatSync(file).nlink !== 1) throw new NoFileError('of-several-names');
  });
}

/** The bytes of a whole file. Throws as `openToRead` does, and with the code EFBIG for one of more than `most` bytes. */
export function readWhole(
  path: string,
  { most, ...options }: { readonly own?: boolean; readonly most?: number } = {},
): Buffer {
  return readAndClose(openToRead(path, options), most);
}

/** The text of a small file. Null where there is none, or none that can be read: a pipe, or one of more than `most` bytes. */
export function readTextOrNull(path: string, most = 64 * 1024): string | null {
  return orNull(() => readWhole(path, { most }).toString('utf8'));
}

/**
 * The bytes of a file that tells what the app itself did. Throws NoFileError for a link, for what is no regular file, and
 * for a file of another user: their words are not the app's. Else the system's error.
 */
export function readOwnFile(path: string): Buffer {
  return readAndClose(checked(openToRead(path, { own: true }), refuseOfAnother));
}

function readAndClose(file: number, most = Number.POSITIVE_INFINITY): Buffer {
  try {
    // No more is read than it has now, so that one that grows does not get past this.
    if (fstatSync(file).size > most) throw systemError('EFBIG');
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function refuseOfAnother(file: number): void {
  const user = process.getuid?.();
  if (user !== undefined && fstatSync(file).uid !== user) throw new NoFileError('of-another-user');
}

/** Throws NoFileError for what is no regular file. */
export function refuse(stats: Stats | BigIntStats): void {
  if (stats.isSymbolicLink()) throw new NoFileError('link');
  if (stats.isDirectory()) throw new NoFileError('folder');
  if (!stats.isFile()) throw new NoFileError('special');
}

function openOwn(path: string, before: BigIntStats, flags: number): number {
  refuse(before);
  return checked(openNoLink(path, flags), (file) => {
    const after = fstatSync(file, { bigint: true });
    refuse(after);
    // Not the device: some releases of Node on Windows tell another one for a handle than for a path.
    if (NOT_BEHIND_A_LINK === null && !isSameInode(after, before)) throw new NoFileError('link');
  });
}

function openNoLink(path: string, flags: number): number {
  try {
    return openSync(path, flags | (NOT_BEHIND_A_LINK ?? 0));
  } catch (error) {
    // FreeBSD's word is EMLINK.
    throw ['ELOOP', 'EMLINK'].includes(systemCode(error) ?? '') ? new NoFileError('link') : error;
  }
}

/** What was opened may be something else than what was looked at before. */
function checked(file: number, check: (file: number) => void): number {
  try {
    check(file);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Whether a file or folder exists at a path, following links. False also if this user cannot look. */
export async function isThere(path: string, kind: 'file' | 'folder'): Promise<boolean> {
  return stat(path).then(
    (facts) => (kind === 'file' ? facts.isFile() : facts.isDirectory()),
    () => false,
  );
}

/** Throws AppError `not_a_file` for folders, devices, pipes and sockets, and else the system's error. */
export async function openRegularFile(path: string): Promise<FileHandle> {
  try {
    return await openLookedAt(path, stat, OPEN_TO_READ);
  } catch (error) {
    throw error instanceof NoFileError ? notAFile(error) : error;
  }
}

/**
 * The same for a file and no link to one, of the user of this number where one is named. Throws NoFileError, and else the
 * system's error.
 */
export function openUnlinked(path: string, owner: number | null = null): Promise<FileHandle> {
  return openLookedAt(path, lstat, OPEN_TO_READ | (NOT_BEHIND_A_LINK ?? 0), owner);
}

async function openLookedAt(
  path: string,
  look: typeof stat | typeof lstat,
  flags: number,
  owner: number | null = null,
): Promise<FileHandle> {
  // Where the system cannot refuse a link when it opens, it is seen here.
  refuse(await look(path));
  // Should the file become a pipe just now, opening it must not wait for someone to write to it.
  const handle = await open(path, flags);
  try {
    const stats = await handle.stat();
    refuse(stats);
    if (owner !== null && stats.uid !== owner) throw new NoFileError('of-another-user');
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function notAFile({ reason }: NoFileError): FileError {
  return new FileError('not_a_file', { code: reason === 'folder' ? 'folder_not_file' : 'not_regular_file' });
}

/** What an open file begins with, of so many bytes at most. */
export async function firstBytes(file: FileHandle, count: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(count), 0, count, 0);
  return buffer.subarray(0, bytesRead);
}

/**
 * Gives the work an open file and its size in bytes. Throws what the work throws, AppError `file_changed` when size, time
 * of change or the file itself are others after it, and else as `openRegularFile` does.
 */
export async function whileUnchanged<T>(
  path: string,
  work: (handle: FileHandle, size: number) => Promise<T>,
): Promise<T> {
  await using handle = await openRegularFile(path);
  const before = await handle.stat({ bigint: true });
  const done = await work(handle, Number(before.size));
  const after = await stat(path, { bigint: true });
  if (SAME_FACTS.some((fact) => before[fact] !== after[fact])) throw fileChanged();
  return done;
}

const SAME_FACTS = ['size', 'mtimeNs', 'ino', 'dev'] as const;

export function fileChanged(): FileError {
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
