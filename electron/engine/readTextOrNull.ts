/** The text of a file; null where there is none, or none that can be read. */
import { readFileSync } from 'node:fs';

export function readTextOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
