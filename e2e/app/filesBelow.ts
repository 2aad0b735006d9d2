/** The paths of all files below a folder; none where there is no such folder. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
