/** Identifies a file or folder by device and inode, whatever its path. */
import type { BigIntStats, Stats } from 'node:fs';
import { lstat, stat, unlink } from 'node:fs/promises';
import type { FolderMark } from '../../shared/model/node.ts';
import type { FileMark } from '../../shared/model/shapes.ts';

export type { FileMark };

export function markOf({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): FileMark {
  return { dev: String(dev), ino: String(ino) };
}

/** The numbers by which a system identifies a file, as marks and `stat` give them. */
type FileNumbers = Readonly<Record<'dev' | 'ino', string | bigint | number>>;

/** Whether two marks or stats are of one file or folder. */
export function isSameFile(one: FileNumbers, other: FileNumbers): boolean {
  return deviceOf(one) === deviceOf(other) && isSameInode(one, other);
}

/** On Windows some releases of Node give 64 bits for a path, and their lower half for a handle. */
function deviceOf({ dev }: FileNumbers): string {
  return process.platform === 'win32' ? String(BigInt.asUintN(32, BigInt(dev))) : String(dev);
}

/** The same without the device, whose number can change with a restart. */
export function isSameInode({ ino }: Pick<FileNumbers, 'ino'>, other: Pick<FileNumbers, 'ino'>): boolean {
  return String(ino) === String(other.ino);
}

/** Identifies a state of a file: it changes with the content and the facts, and if another file takes the place. */
export function stateMarkOf(facts: BigIntStats): string {
  return `${facts.dev}/${facts.ino}/${lastingMarkOf(facts)}`;
}

/** The same for a known path, without the numbers that may change when its disk is mounted again. */
export function lastingMarkOf({ size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [size, mtimeNs, ctimeNs].join('/');
}

/** The same where nothing but the name may change. Not of a file that is open for writing: Windows sets its time at the end. */
export function contentMarkOf({ ino, size, mtimeNs }: BigIntStats): string {
  return [ino, size, mtimeNs].join('/');
}

/** Whether two stats are of one file in one state: nobody has written to it, renamed it or replaced it in between. */
export function isUnchanged(before: BigIntStats, now: BigIntStats): boolean {
  return stateMarkOf(before) === stateMarkOf(now);
}

/**
 * When a file was created or last changed, whichever is earlier, in Unix seconds. Not every system records the
 * creation.
 */
export function earliestTime({ birthtimeMs, mtimeMs }: Pick<Stats, 'birthtimeMs' | 'mtimeMs'>): number {
  return Math.ceil((birthtimeMs > 0 ? Math.min(birthtimeMs, mtimeMs) : mtimeMs) / 1000);
}

/** Removes the file at `path` only if it has this mark. Never throws. */
export async function removeOwnFile(path: string, mark: FileMark): Promise<void> {
  try {
    if (isSameFile(markOf(await lstat(path, { bigint: true })), mark)) await unlink(path);
  } catch {
    // The file is gone or cannot be removed: the earlier error is the one to report.
  }
}

/** Follows links. Null if there is nothing, or this user cannot look. Never throws. */
export async function folderMarkAt(path: string): Promise<FolderMark | null> {
  try {
    const facts = await stat(path, { bigint: true });
    const born = KEEPS_BIRTH && facts.birthtimeNs > 0n ? String(facts.birthtimeNs) : null;
    return { ...markOf(facts), born };
  } catch {
    return null;
  }
}

/** Windows gives a new file the creation time of the previous one of its name ("tunneling"). */
const KEEPS_BIRTH = process.platform !== 'win32';
