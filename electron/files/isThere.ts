/** Whether a file or folder exists at a path, following links. False also if this user cannot look. */
import { stat } from 'node:fs/promises';

export async function isThere(path: string, kind: 'file' | 'folder'): Promise<boolean> {
  return stat(path).then(
    (facts) => (kind === 'file' ? facts.isFile() : facts.isDirectory()),
    () => false,
  );
}
