/** The copy of a legacy wallet that a migration leaves: where the release puts it. */
import { basename, dirname, join } from 'node:path';
import { furtherPrefix } from '../wallet/furtherPrefix.ts';
import type { Dialect } from './dialect.ts';
import { flushFolder, isThere, moveFile, partPath, removeQuietly, writeWholeFile } from './durableFile.ts';
import { readWhole } from './openFile.ts';
import type { WalletPlace } from './walletPlace.ts';

/**
 * Writes the backup, whole on the disk when it returns, and gives its path. Throws the system's error. Nothing is
 * overwritten: where a node of the release would, the next second is used. Recorded names: `<name>-<time>` in 25,
 * `<name>_<time>` in 28, both in the wallet's folder, `<name>_<time>` in the wallets folder in 30. `now` in Unix seconds.
 */
export function writeMigrationBackup(
  walletsFolder: string,
  place: WalletPlace,
  bytes: Uint8Array,
  { migrationBackup }: Dialect,
  now: number,
): string {
  const folder = migrationBackup.place === 'above' ? walletsFolder : dirname(place.file);
  const path = freePath(folder, `${nameOf(place)}${migrationBackup.before}`, now);
  const part = partPath(folder);
  try {
    writeWholeFile(part, bytes);
    moveFile(part, path);
  } catch (error) {
    removeQuietly(part);
    throw error;
  }
  flushFolder(folder);
  return path;
}

/** Removes the backup of a migration that did not come about, unless the wallet itself is no longer what it was. */
export function dropMigrationBackup(backup: string, { file }: WalletPlace, bytes: Uint8Array): void {
  if (holds(file, bytes)) removeQuietly(backup);
}

/** Whether a file can be read and is these bytes. */
export function holds(file: string, bytes: Uint8Array): boolean {
  try {
    return readWhole(file).equals(bytes);
  } catch {
    return false;
  }
}

/** Of a name with slashes its last part, as a node from 30 on does: the others are folders that may not be there. */
function nameOf({ name }: WalletPlace): string {
  return basename(furtherPrefix(name));
}

function freePath(folder: string, before: string, now: number): string {
  const path = join(folder, `${before}${now}.legacy.bak`);
  return isThere(path) ? freePath(folder, before, now + 1) : path;
}
