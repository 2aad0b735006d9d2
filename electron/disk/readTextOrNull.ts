/** The text of a small file. */
import { orNull } from '../wallet/bytes/once.ts';
import { readWhole } from './openFile.ts';

/** Null where there is none, or none that can be read: a pipe is not waited for, and more than `most` bytes are not read. */
export function readTextOrNull(path: string, most: number = 64 * 1024): string | null {
  return orNull(() => readWhole(path, { most }).toString('utf8'));
}
