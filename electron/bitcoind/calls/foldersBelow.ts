/** Walks down a wallets folder level by level, within limits, because it may be the node's whole data folder. */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';

const DEEPEST = 2;
const MOST_FOLDERS = 2000;

/**
 * The folder and the folders up to two levels below it, the nearest first, at most 2,000. `folder` is relative, with
 * slashes, and empty for the top. Does not follow links. A folder that cannot be read has no entries.
 */
export async function* foldersBelow(
  top: string,
): AsyncGenerator<{ folder: string; entries: readonly Dirent[] }> {
  let level = [''];
  let left = MOST_FOLDERS;
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth += 1) {
    const below: string[] = [];
    for (const folder of level.slice(0, left)) {
      const entries = await readdir(join(top, folder), { withFileTypes: true }).catch(() => []);
      yield { folder, entries };
      for (const entry of entries) if (entry.isDirectory()) below.push(posix.join(folder, entry.name));
    }
    left -= Math.min(left, level.length);
    level = below;
  }
}
