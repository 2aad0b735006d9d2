/** The list of what is in a packed app, which lies beside its packages: whoever builds the app again compares the two. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Every file of a folder with its SHA-256, ordered by its path. Links are left out, because what they lead to is listed.
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
 * In the form that `sha256sum --check` reads.
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
