/** Finds out whether other users of a Windows computer may be able to read a new file. */
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { win32 } from 'node:path';
import { orNull } from '../walletfile/bytes/once.ts';
import { isNetworkPath } from './openFile.ts';

interface System {
  readonly platform?: NodeJS.Platform;
  /** The user's profile folder, such as `C:\Users\ana`. */
  readonly profile?: string;
}

/**
 * Whether a file in this folder has the rights of a folder outside the user's profile. Windows has no file modes: a file gets its
 * folder's rights, and only the profile is certainly closed to other users. Always false on other systems. Never throws.
 */
export function othersMayRead(
  folder: string,
  { platform = process.platform, profile = homedir() }: System = {},
): boolean {
  if (platform !== 'win32') return false;
  return !isBelowOnWindows(realPathOf(folder, platform), realPathOf(profile, platform));
}

/** A junction in the profile can lead out of it. Never contacts another machine, and keeps the path of a missing folder. */
function realPathOf(path: string, platform: NodeJS.Platform): string {
  return isNetworkPath(path, platform) ? path : (orNull(() => realpathSync(path)) ?? path);
}

/** Whether the path is that folder or lies in it. Compares the text by the rules of Windows. */
export function isBelowOnWindows(path: string, folder: string): boolean {
  const inside = win32.relative(folder, path);
  return !win32.isAbsolute(inside) && inside.split('\\')[0] !== '..';
}
