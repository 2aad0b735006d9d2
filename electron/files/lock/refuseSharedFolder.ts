/** Refuses to use folders that other users of this computer can change, and finds out whether they may read a new file. */
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, win32 } from 'node:path';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { fileError, writeError } from '../fileError.ts';
import { isNetworkPath, isWithin } from '../openFile.ts';
import { findSharedDataFolder, findSharedFolder, type SharedFolder } from '../sharedFolder.ts';

/**
 * Checks the app's data folder. A user who can write to it could change the journal, or replace a copy by a link. A user
 * who can write to a folder above it could replace it by another folder, into which a node would then write whole wallets.
 *
 * @throws FileError `not_available_here` if the folder or one above it belongs to another user, or others may write to it.
 * The data folder need not exist.
 */
export function refuseSharedFolder(folder: string): void {
  const shared = findSharedDataFolder(folder);
  if (shared === null) return;
  const isAbove =
    !existsSync(folder) || ![folder, realpathSync(folder)].some((own) => isWithin(shared.folder, own));
  throw sharedError(isAbove ? 'folder_above_data_shared' : 'data_folder_shared', shared);
}

/**
 * The real path of a data folder that this process has locked. Use this path from now on: another user may have made the
 * folder since the first check, and a link in its path may lead elsewhere later. Throws as `refuseSharedFolder` does.
 */
export function realOwnFolder(folder: string): string {
  const real = existsSync(folder) ? realpathSync(folder) : folder;
  refuseSharedFolder(real);
  return real;
}

/**
 * Checks a folder that the user chose for new files. Call it before each file is written.
 *
 * @throws FileError `not_available_here` if another user can change the folder or replace it, and errors of reading it.
 */
export function refuseSharedOutput(folder: string): void {
  const shared = findSharedOrThrow(folder, (error) => writeError(error, join(folder, 'new')));
  if (shared !== null) throw sharedError('folder_shared', shared);
}

/**
 * Checks the folder of a safety copy right before the copy is written, because permissions can change while the app runs.
 * Throws as `refuseSharedOutput` does.
 */
export function refuseSharedCopies(folder: string): void {
  const shared = findSharedOrThrow(folder, (error) => fileError(error, folder));
  if (shared !== null) throw sharedError('copies_folder_shared', shared);
}

function findSharedOrThrow(folder: string, explain: (error: unknown) => Error): SharedFolder | null {
  if (process.getuid === undefined) return null;
  try {
    return findSharedFolder(folder);
  } catch (error) {
    throw explain(error);
  }
}

function sharedError(
  code: 'folder_shared' | 'data_folder_shared' | 'folder_above_data_shared' | 'copies_folder_shared',
  shared: SharedFolder,
): FileError {
  return new FileError('not_available_here', { code, ...shared });
}

interface System {
  readonly platform?: NodeJS.Platform;
  /** The user's profile folder, such as `C:\Users\ana`. */
  readonly profile?: string;
}

/**
 * Whether a file in this folder has the permissions of a folder outside the user's profile. Windows has no file modes: a file gets its
 * folder's permissions, and only the profile is certainly closed to other users. Always false on other systems. Never throws.
 */
export function othersMayRead(
  folder: string,
  { platform = process.platform, profile = homedir() }: System = {},
): boolean {
  if (platform !== 'win32') return false;
  return !isWithin(realPathOf(folder, platform), realPathOf(profile, platform), win32);
}

/** A junction in the profile can lead out of it. Never contacts another machine, and keeps the path of a missing folder. */
function realPathOf(path: string, platform: NodeJS.Platform): string {
  return isNetworkPath(path, platform) ? path : (orNull(() => realpathSync(path)) ?? path);
}
