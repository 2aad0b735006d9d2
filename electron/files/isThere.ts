/** Whether there is a file or a folder at a path, links followed. False also where this user cannot look. */
import { stat } from 'node:fs/promises';

export async function isThere(path: string, kind: 'file' | 'folder'): Promise<boolean> {
  return stat(path).then(
    (facts) => (kind === 'file' ? facts.isFile() : facts.isDirectory()),
    () => false,
  );
}
