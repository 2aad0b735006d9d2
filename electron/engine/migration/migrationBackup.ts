/** The copy of a legacy wallet that a migration leaves: where the release puts it. */
import { basename, dirname, join } from 'node:path';
import { flushFolder, isThere, moveFile, partPath, removeQuietly } from '../../files/durableFile.ts';
import { LEGACY_BACKUP_ENDING } from '../../walletfile/database/relatedFiles.ts';
import { companionPrefix } from '../../walletfile/migrate/companionNames.ts';
import { RpcError } from '../rpc/rpcError.ts';
import type { Engine } from '../wallets/engineContext.ts';
import type { WalletPath } from '../wallets/walletPath.ts';
import { refuseUnsafePath } from './safePath.ts';

export interface MigrationBackup {
  readonly path: string;
  /** Lower-case hex. */
  readonly sha256: string;
}

/**
 * Writes the backup, whole on the disk when it returns. Throws RpcError -4. Nothing is overwritten:
 * where a node of the release would, the next second is used. Recorded names: `<name>-<time>` in 25, `<name>_<time>` in
 * 28, both in the wallet's folder, `<name>_<time>` in the wallets folder in 30.
 */
export async function writeMigrationBackup(
  { layout: { walletsFolder }, state, dialect: { migrationBackup }, work, now }: Engine,
  place: WalletPath,
  bytes: Uint8Array,
): Promise<MigrationBackup> {
  const folder = migrationBackup.place === 'above' ? walletsFolder : dirname(place.file);
  const part = partPath(folder);
  try {
    refuseUnsafePath(state, walletsFolder, join(folder, 'backup'));
    // Of a name with slashes its last part, as a node from 30 on does: the others are folders that may not be there.
    const name = basename(companionPrefix(place.name));
    const path = freePath(folder, `${name}${migrationBackup.before}`, now());
    const sha256 = await work.run('write', { path: part, bytes });
    moveFile(part, path);
    flushFolder(folder);
    return { path, sha256 };
  } catch (error) {
    removeQuietly(part);
    throw error instanceof RpcError
      ? error
      : new RpcError('wallet', 'Error: Unable to make a backup of your wallet');
  }
}

/** Removes the backup of a migration that did not come about, unless the wallet itself is no longer what it was. */
export async function dropMigrationBackup(
  { layout, state, work }: Engine,
  backup: string,
  { file }: WalletPath,
  bytes: Uint8Array,
): Promise<void> {
  if (!state.isItsFolder(layout.walletsFolder)) return;
  if (await work.run('holds', { path: file, bytes })) removeQuietly(backup);
}

function freePath(folder: string, before: string, now: number): string {
  const path = join(folder, `${before}${now}${LEGACY_BACKUP_ENDING}`);
  return isThere(path) ? freePath(folder, before, now + 1) : path;
}
