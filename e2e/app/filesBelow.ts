/** Lists or hashes the files below a folder, so that a test can show that none has changed. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../testNode/walletFixture.ts';

/** The paths of all files below a folder; empty if the folder is missing. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/**
 * The SHA-256 of each file by its path within the folder. An empty folder counts too, as an empty text. Empty if the
 * folder is missing.
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
