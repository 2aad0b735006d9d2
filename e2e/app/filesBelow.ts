/** Every file below a folder with the SHA-256 of its bytes, to tell that nothing in it has changed. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** By its path within the folder; a folder that is empty counts too, as an empty text. */
export function filesBelow(folder: string, below = ''): Record<string, string> {
  const entries = readdirSync(join(folder, below), { withFileTypes: true });
  if (entries.length === 0 && below !== '') return { [below]: '' };
  return Object.assign(
    {},
    ...entries.map((entry) => {
      const path = join(below, entry.name);
      return entry.isDirectory() ? filesBelow(folder, path) : { [path]: sha256(join(folder, path)) };
    }),
  );
}

function sha256(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
