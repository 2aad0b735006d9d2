/** The text of a file; null where there is none, or none that can be read: a pipe is not waited for. */
import { readWhole } from './openFile.ts';

export function readTextOrNull(path: string): string | null {
  try {
    return readWhole(path).toString('utf8');
  } catch {
    return null;
  }
}
