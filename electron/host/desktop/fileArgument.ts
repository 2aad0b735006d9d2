/** Which file the app was started with. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The backup among a command line's words: the last one that ends in `.bak` or `.dat`, made absolute; null when there
 * is none. File managers give a path or a `file:` address.
 */
export function fileArgument(argv: readonly string[], workingFolder: string): string | null {
  const word = argv.slice(1).findLast((one) => !one.startsWith('-') && /\.(bak|dat)$/i.test(one));
  if (word === undefined) return null;
  return /^file:/i.test(word) ? pathOfAddress(word) : resolve(workingFolder, word);
}

/** Null for an address that names no file of this computer. */
function pathOfAddress(address: string): string | null {
  try {
    return fileURLToPath(address);
  } catch {
    return null;
  }
}
