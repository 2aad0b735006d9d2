/** By what a file or a folder is known again, whatever lies at its path by then. */
import type { BigIntStats, Stats } from 'node:fs';
import { lstat, stat, unlink } from 'node:fs/promises';
import { z } from 'zod';
import type { FolderMark } from '../../shared/model/node.ts';

/** Device and inode in decimal: both can be larger than a number of JavaScript keeps exactly. */
export const fileMark = z.object({ dev: z.string(), ino: z.string() });
export type FileMark = z.infer<typeof fileMark>;

export function markOf({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): FileMark {
  return { dev: String(dev), ino: String(ino) };
}

export function sameMark(a: FileMark, b: FileMark): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

/** When a file was there first, in Unix seconds. Not every system tells when a file was made. */
export function firstSeen({ birthtimeMs, mtimeMs }: Pick<Stats, 'birthtimeMs' | 'mtimeMs'>): number {
  return Math.ceil((birthtimeMs > 0 ? Math.min(birthtimeMs, mtimeMs) : mtimeMs) / 1000);
}

/** Removes the file at `path` where it is the one of this mark, and no other. Never throws. */
export async function removeOwnFile(path: string, mark: FileMark): Promise<void> {
  try {
    if (sameMark(markOf(await lstat(path, { bigint: true })), mark)) await unlink(path);
  } catch {
    // It is gone, or cannot be removed: the error before it is the one to tell.
  }
}

/** Links are followed. Null where there is nothing, or this user cannot look. Never throws. */
export async function folderMarkAt(path: string): Promise<FolderMark | null> {
  try {
    const facts = await stat(path, { bigint: true });
    const born = KEEPS_BIRTH && facts.birthtimeNs > 0n ? String(facts.birthtimeNs) : null;
    return { ...markOf(facts), born };
  } catch {
    return null;
  }
}

/** Windows gives what comes to a name that was just left the birth of what was there ("tunneling"). */
const KEEPS_BIRTH = process.platform !== 'win32';
