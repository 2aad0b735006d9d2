/** The list of the files in a packed app, which is published so that anyone who builds the app can compare it. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Every file of a folder with its SHA-256, sorted by path. Leaves out links, because their targets are listed already.
 * @param {string} folder
 * @param {string} [below] a path in it
 * @returns {{ path: string, sha256: string }[]} with paths from `folder`, with forward slashes
 */
export function contentsOf(folder, below = '') {
  return readdirSync(join(folder, below), { withFileTypes: true })
    .flatMap((entry) => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) return contentsOf(folder, path);
      return entry.isFile() ? [{ path, sha256: sha256(readFileSync(join(folder, path))) }] : [];
    })
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

/**
 * Writes the list in the format of `sha256sum --check`.
 * @param {string} folder
 * @param {string} file
 */
export function writeContents(folder, file) {
  const lines = contentsOf(folder).map(({ path, sha256 }) => `${sha256}  ${path}\n`);
  writeFileSync(file, lines.join(''));
}

/** @param {Buffer} bytes */
function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}
