/** Compares paths by where they lead, because the folder or the path may lie behind links. */
import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';

/** The path relative to the folder; null if it is not below the folder, or if either is gone. */
export async function pathBelow(folder: string, path: string): Promise<string | null> {
  const [from, to] = await Promise.all([realpath(folder), realpath(path)]).catch(() => []);
  if (from === undefined || to === undefined) return null;
  const below = relative(from, to);
  // On Windows the relative path to another drive is absolute.
  return below === '' || isAbsolute(below) || below.split(sep)[0] === '..' ? null : below;
}
