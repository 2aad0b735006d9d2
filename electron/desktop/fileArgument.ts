/** What the app was started with: a file, or the words of the terminal door. */
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

/**
 * What follows the word `ferry`, where that is the first one that is no option (Chromium and AppImages put theirs before
 * it); else null. The sources are run by an Electron that has their folder as a word of its own.
 */
export function ferryArguments(argv: readonly string[], packaged: boolean): readonly string[] | null {
  const words = argv.slice(1);
  const own = words.flatMap((word, at) => (word.startsWith('-') ? [] : [at])).at(packaged ? 0 : 1);
  return own !== undefined && words[own] === 'ferry' ? words.slice(own + 1) : null;
}
