/** Writes that are either whole on the disk or not there, whenever the machine stops. */
import { randomBytes } from 'node:crypto';
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
  unlinkSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { orNull } from '../walletfile/bytes/once.ts';
import { OPEN_TO_READ } from './openFile.ts';
import { removeFolder } from './owned/removeFolder.ts';
import { systemCode, systemError } from './systemCode.ts';

/** For its owner only, as a node makes its files: they hold keys. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** What has this form is half-made: what an engine that was killed left of it is removed at the next start. */
const PART = /^\.wallet-ferry-[0-9a-f]{16}\.part$/;
/** A wallet that made room for what came of it, and the form of what an engine wrote down to be finished. */
const KEPT = /^\.wallet-ferry-[0-9a-f]{16}\.(?:old|moves)$/;

/** Begins the names of all that this process (this thread of it) makes half: nobody could have given them before. */
export const partsBegin = `.wallet-ferry-${randomBytes(4).toString('hex')}`;

/** A name for something half-made in a folder: hidden, never a wallet's name, and found again by `isPartName`. */
export function partPath(folder: string): string {
  return join(folder, `${partsBegin}${randomBytes(4).toString('hex')}.part`);
}

/** A name for a wallet that makes room in its folder: hidden as that of a part, and never removed for its name. */
export function asidePath(folder: string): string {
  return join(folder, `.wallet-ferry-${randomBytes(8).toString('hex')}.old`);
}

/** Whether a name looks like one of the engine's and is never removed because it does. */
export function isKeptName(name: string): boolean {
  return KEPT.test(name);
}

export function isPartName(name: string): boolean {
  return PART.test(name);
}

/**
 * Removes half-made files in a folder that nobody writes to just now: a process that was killed left them. What is not
 * a regular file of this user is not the app's, whatever its name, and stays.
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

/**
 * Writes a file that must not exist yet, flushed to the disk. Leaves nothing when it fails, nor when `check`, which is asked
 * once all is written, throws.
 */
export function writeWholeFile(path: string, bytes: Uint8Array, check: () => void = () => {}): void {
  const file = openSync(path, 'wx', FILE_MODE);
  const made = orNull(() => fstatSync(file, { bigint: true }));
  try {
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(file, bytes, written, Math.min(bytes.length - written, MOST_AT_ONCE));
    }
    fsyncSync(file);
    check();
    closeSync(file);
  } catch (error) {
    // Should it be closed already, the first error is the one to tell.
    orNull(() => closeSync(file));
    // In a folder that others can write to, another file may have its name by now.
    const there = orNull(() => lstatSync(path, { bigint: true }));
    if (made !== null && made.ino === there?.ino && made.dev === there.dev) removeQuietly(path);
    throw error;
  }
}

/** Puts a file in its place at once, over an older one of that name. */
export function replaceFile(path: string, bytes: Uint8Array): void {
  putInPlace(path, bytes, partPath(dirname(path)), renameSync);
}

/**
 * Puts a file in its place at once, whole under a name that must not exist. Throws the system's error, EEXIST for a name
 * that is taken, and leaves nothing.
 */
export function placeFile(path: string, bytes: Uint8Array, part = partPath(dirname(path))): void {
  putInPlace(path, bytes, part, moveFile);
}

function putInPlace(
  path: string,
  bytes: Uint8Array,
  part: string,
  move: (from: string, to: string) => void,
): void {
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
 * Gives a file another name, which must not exist: nothing is ever replaced. Throws the system's error, EEXIST for a
 * name that is taken, with the file under its old name alone.
 */
export function moveFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    // A drive of the network can answer with an error and have done it; a crash can have left both names.
    if (!isSameFile(from, to)) {
      if (!NO_LINKS.has(systemCode(error) ?? '')) throw error;
      moveOverOwn(from, to);
      return;
    }
  }
  try {
    unlinkSync(from);
  } catch (error) {
    if (isGone(from)) return;
    // The new name goes only while the old one is known to be there.
    if (isSameFile(from, to)) removeQuietly(to);
    throw error;
  }
}

/**
 * Gives a folder another name, which must not exist. Throws the system's error, EEXIST for a name that is taken. Should
 * something come there in that very moment, no system lets a folder replace it, unless it is an empty folder.
 */
export function moveFolder(from: string, to: string): void {
  if (isThere(to)) throw systemError('EEXIST');
  rename(from, to);
}

/** Replaces a file of that name. Throws the system's error; a drive of the network can tell one and have done it. */
export function rename(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(isGone(from) && !isGone(to))) throw error;
  }
}

/** Whether something is there, be it a link to nothing. Throws the system's error where it cannot tell. */
export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Whether nothing is there, not even a link. False where the system cannot tell. */
export function isGone(path: string): boolean {
  return orNull(() => !isThere(path)) ?? false;
}

/** How systems say that a disk knows no second names, as those of sticks, or that this program may make none. */
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

/** What is replaced is an empty file that was made here for it, under a name that nobody had. */
function moveOverOwn(from: string, to: string): void {
  closeSync(openSync(to, 'wx', FILE_MODE));
  try {
    renameSync(from, to);
  } catch (error) {
    if (isGone(from)) return;
    const stats = orNull(() => lstatSync(to));
    if (stats?.isFile() && stats.size === 0) removeQuietly(to);
    throw error;
  }
}

/** Whether both are one regular file. */
export function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => orNull(() => lstatSync(path, { bigint: true })));
  return a?.isFile() === true && a.ino !== 0n && a.dev === b?.dev && a.ino === b.ino;
}

/**
 * Removes a file of ours, or the name of a link, and never a folder. What cannot be removed stays: the error before it
 * is the one to tell, and the next start removes what is half-made.
 */
export function removeQuietly(path: string): void {
  orNull(() => unlinkSync(path));
}

/** The same for what was half-made under a name that `partPath` gave: a file, or a folder with what lies in it. */
export function removePart(path: string): void {
  if (orNull(() => lstatSync(path).isDirectory()) === true) removeFolder(path);
  else removeQuietly(path);
}

/** A new folder that must not exist yet, for its owner only. */
export function makeFolder(path: string): void {
  mkdirSync(path, { mode: FOLDER_MODE });
}

/** Makes what another program wrote into a file last. Throws what opening and flushing it throw. */
export async function flushFile(path: string): Promise<void> {
  // Windows flushes only what may be written to.
  await using file = await open(path, process.platform === 'win32' ? 'r+' : OPEN_TO_READ);
  await file.sync();
}

/** Makes what was made or renamed in a folder last. Systems that cannot flush a folder (Windows) keep it by themselves. */
export function flushFolder(path: string): void {
  const folder = orNull(() => openSync(path, OPEN_TO_READ));
  if (folder === null) return;
  orNull(() => fsyncSync(folder));
  orNull(() => closeSync(folder));
}

const MOST_AT_ONCE = 16 * 1024 * 1024;
