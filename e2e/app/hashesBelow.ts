/** Every file below a folder with the SHA-256 of its bytes, to tell that nothing in it has changed. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../testNode/walletFixture.ts';

/**
 * By its path within the folder; a folder that is empty counts too, as an empty text. Nothing where there is no such
 * folder.
 */
export function hashesBelow(folder: string): Record<string, string> {
  return existsSync(folder) ? hashesIn(folder, '') : {};
}

function hashesIn(folder: string, below: string): Record<string, string> {
  const entries = readdirSync(join(folder, below), { withFileTypes: true });
  if (entries.length === 0 && below !== '') return { [below]: '' };
  return Object.assign(
    {},
    ...entries.map((entry) => {
      const path = join(below, entry.name);
      return entry.isDirectory()
        ? hashesIn(folder, path)
        : { [path]: sha256(readFileSync(join(folder, path))) };
    }),
  );
}
