/** Finds the backups that migrations left next to the wallets. */
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FoundBackup } from '../../../shared/model/files.ts';
import { LEGACY_BACKUP_ENDING } from '../../walletfile/database/relatedFiles.ts';
import { foldersBelow } from '../calls/foldersBelow.ts';

/**
 * Every `*.legacy.bak` in the wallets folder and up to two folders below, where releases before 30 put them, also for
 * a nested wallet such as `family/alice`. Newest first, at most 500. Skips unreadable folders.
 */
export async function findBackups(walletsFolder: string): Promise<FoundBackup[]> {
  const paths: string[] = [];
  for await (const { folder, entries } of foldersBelow(walletsFolder)) {
    for (const entry of entries)
      if (!entry.isDirectory() && entry.name.endsWith(LEGACY_BACKUP_ENDING))
        paths.push(join(walletsFolder, folder, entry.name));
  }
  const found = await Promise.all(paths.slice(0, MOST_LOOKED_AT).map(backupAt));
  return found
    .filter((backup) => backup !== null)
    .sort((a, b) => b.modified - a.modified || (a.path < b.path ? -1 : 1))
    .slice(0, MOST_BACKUPS);
}

const MOST_LOOKED_AT = 5000;
const MOST_BACKUPS = 500;

async function backupAt(path: string): Promise<FoundBackup | null> {
  const stats = await stat(path).catch(() => null);
  if (!stats?.isFile()) return null;
  return { path, name: basename(path), size: stats.size, modified: Math.max(0, stats.mtimeMs / 1000) };
}
