/** By what a folder is known again: see `FolderMark`. */
import { stat } from 'node:fs/promises';
import type { FolderMark } from '../../shared/node.ts';

/** Links are followed. Null where there is nothing, or this user cannot look. Never throws. */
export async function folderMarkAt(path: string): Promise<FolderMark | null> {
  try {
    const { dev, ino, birthtimeNs } = await stat(path, { bigint: true });
    return {
      dev: String(dev),
      ino: String(ino),
      born: KEEPS_BIRTH && birthtimeNs > 0n ? String(birthtimeNs) : null,
    };
  } catch {
    return null;
  }
}

/** Windows gives what comes to a name that was just left the birth of what was there ("tunneling"). */
const KEEPS_BIRTH = process.platform !== 'win32';
