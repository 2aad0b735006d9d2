/** The app's command line: what the app should show first, the terminal's arguments, and what the icon in the taskbar passes. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Task } from 'electron';

/** What the app was asked to show from outside its window: a wallet file, or the dialog that chooses one. */
export type OpenRequest = { readonly file: string } | { readonly route: 'open' };

/** The argument of the task that the taskbar, the dock and the menus of desktops offer. */
export const CHOOSE_FILE = '--choose-file';

/** Null if the command line asks for nothing. */
export function openRequestOf(argv: readonly string[], workingFolder: string): OpenRequest | null {
  const file = findWalletArgument(argv, workingFolder);
  if (file !== null) return { file };
  return argv.slice(1).includes(CHOOSE_FILE) ? { route: 'open' } : null;
}

/**
 * The full path of the last argument that ends in `.bak` or `.dat`; null if there is none. File managers pass a path or a
 * `file:` URL.
 */
export function findWalletArgument(argv: readonly string[], workingFolder: string): string | null {
  const file = argv.slice(1).findLast((each) => !each.startsWith('-') && /\.(bak|dat)$/i.test(each));
  if (file === undefined) return null;
  return /^file:/i.test(file) ? pathOfUrl(file) : resolve(workingFolder, file);
}

/** Null for a URL that names no file of this computer. */
function pathOfUrl(url: string): string | null {
  try {
    return fileURLToPath(url);
  } catch {
    return null;
  }
}

/**
 * The arguments after `ferry` if that is the first one that is no option; else null. Chromium and AppImages add options
 * before it. An unpackaged app has its folder as one more argument.
 */
export function ferryArguments(argv: readonly string[], packaged: boolean): readonly string[] | null {
  const args = argv.slice(1);
  const first = args.flatMap((arg, at) => (arg.startsWith('-') ? [] : [at])).at(packaged ? 0 : 1);
  return first !== undefined && args[first] === 'ferry' ? args.slice(first + 1) : null;
}

interface Program {
  readonly platform: NodeJS.Platform;
  readonly packaged: boolean;
  /** The portable app's own file, if this is it. */
  readonly portable: string | undefined;
  /** The path of the running program. */
  readonly path: string;
}

/**
 * The task to choose a wallet file; null where there is none. The portable app of Windows is unpacked to another place at each start,
 * where a task would find nothing later.
 */
export function iconTask(title: string, { platform, packaged, portable, path }: Program): Task | null {
  if (platform !== 'win32' || !packaged || portable) return null;
  return { program: path, arguments: CHOOSE_FILE, title, description: '', iconPath: path, iconIndex: 0 };
}
