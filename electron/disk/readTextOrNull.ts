/** The text of a small file. */
import { orNull } from '../wallet/bytes/once.ts';
import { readWhole } from './openFile.ts';

/** Null where there is none, or none that can be read: a pipe is not waited for, and more than 64 KiB are not read. */
export function readTextOrNull(path: string): string | null {
  return orNull(() => readWhole(path, { most: 64 * 1024 }).toString('utf8'));
}
