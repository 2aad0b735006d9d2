/** Writes that are either whole on the disk or not there, whenever the machine stops. */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OPEN_TO_READ } from './openFile.ts';

/** For its owner only, as a node makes its files: they hold keys. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** What has this form is half-made and ours: it is removed at the next start. */
const PART = /^\.wallet-ferry-[0-9a-f]{16}\.part$/;

/** A name for something half-made in a folder: hidden, never a wallet's name, and found again by `isPartName`. */
export function partPath(folder: string): string {
  return join(folder, `.wallet-ferry-${randomBytes(8).toString('hex')}.part`);
}

export function isPartName(name: string): boolean {
  return PART.test(name);
}

/** Writes a file that must not exist yet, flushed to the disk. Leaves nothing when it fails. */
export function writeWholeFile(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'wx', FILE_MODE);
  try {
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(file, bytes, written, Math.min(bytes.length - written, MOST_AT_ONCE));
    }
    fsyncSync(file);
    closeSync(file);
  } catch (error) {
    closeQuietly(file);
    removeQuietly(path);
    throw error;
  }
}

/** Puts a file in its place at once, over an older one of that name. */
export function replaceFile(path: string, bytes: Uint8Array): void {
  const part = partPath(dirname(path));
  writeWholeFile(part, bytes);
  try {
    renameSync(part, path);
  } catch (error) {
    removeQuietly(part);
    throw error;
  }
  flushFolder(dirname(path));
}

/** Removes a file or a folder of ours. What cannot be removed stays: the error before it is the one to tell. */
export function removeQuietly(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The next start removes what is half-made.
  }
}

/** A new folder that must not exist yet, for its owner only. */
export function makeFolder(path: string): void {
  mkdirSync(path, { mode: FOLDER_MODE });
}

/** Makes what another program wrote into a file last. Throws what opening and flushing it throw. */
export async function flushFile(path: string): Promise<void> {
  // Windows flushes only what may be written to.
  const file = await open(path, process.platform === 'win32' ? 'r+' : OPEN_TO_READ);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes what was made or renamed in a folder last. Systems that cannot flush a folder (Windows) keep it by themselves. */
export function flushFolder(path: string): void {
  let folder: number;
  try {
    folder = openSync(path, 'r');
  } catch {
    return;
  }
  try {
    fsyncSync(folder);
  } catch {
    // See above.
  } finally {
    closeQuietly(folder);
  }
}

const MOST_AT_ONCE = 16 * 1024 * 1024;

function closeQuietly(file: number): void {
  try {
    closeSync(file);
  } catch {
    // It is closed already; the first error is the one to tell.
  }
}
