/** The text of a small file. */
import { readWhole } from './openFile.ts';

/** Null where there is none, or none that can be read: a pipe is not waited for, and more than `most` bytes are not read. */
export function readTextOrNull(path: string, most: number = 64 * 1024): string | null {
  try {
    return readWhole(path, { most }).toString('utf8');
  } catch {
    return null;
  }
}
