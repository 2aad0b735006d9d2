/** Finds the wallets in the wallets folder as a node does. */
import { type Dirent, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Network } from '../../../shared/model/network.ts';
import { isKeptName, isPartName } from '../../files/durableFile.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { LEGACY_BACKUP_ENDING } from '../../walletfile/database/relatedFiles.ts';
import { kindOfFile } from './walletPath.ts';

export interface ListedWallet {
  /** Relative to the folder, with slashes; empty for the unnamed wallet. */
  readonly name: string;
  readonly kind: 'bdb' | 'sqlite';
}

/**
 * The wallets of this network, and all legacy wallets, whose files do not name a network; sorted by name. Skips folders
 * that it cannot read, as a node does, and does not follow links to folders.
 */
export function listWalletDir(walletsFolder: string, network: Network): ListedWallet[] {
  const found: ListedWallet[] = [];
  const kindOf = (file: string) => orNull(() => kindOfFile(file, network));
  const add = (name: string, kind: ReturnType<typeof kindOf>) => {
    if (kind === 'bdb' || kind === 'sqlite') found.push({ name, kind });
  };
  for (const { folder, entries } of foldersBelow(walletsFolder, DEEPEST)) {
    for (const entry of entries) {
      if (isPartName(entry.name) || isKeptName(entry.name)) continue;
      const path = join(walletsFolder, folder, entry.name);
      if (entry.name === 'wallet.dat' && !entry.isDirectory()) add(folder, kindOf(path));
      else if (entry.isSymbolicLink()) add(posix.join(folder, entry.name), kindOf(join(path, 'wallet.dat')));
      // A bare file is a wallet only in the top folder, and only if it is legacy. Release 30 puts backups there, which a
      // node lists as wallets.
      else if (folder === '' && entry.isFile() && !entry.name.endsWith(LEGACY_BACKUP_ENDING))
        add(entry.name, kindOf(path) === 'bdb' ? 'bdb' : null);
    }
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Paths with names like those that an engine gives, in a wallets folder and in the folder `beside` it, where the engine
 * keeps its own files. `parts` are unfinished files, unless somebody else chose that name. `kept` are replaced wallets and
 * journals, which no engine removes by name alone. Does not follow links.
 */
export function tracesIn(walletsFolder: string, beside: string) {
  const parts: string[] = [];
  const kept: string[] = [];
  const look = (folder: string, entries: readonly Dirent[]) => {
    for (const { name } of entries) {
      if (isPartName(name)) parts.push(join(folder, name));
      else if (isKeptName(name)) kept.push(join(folder, name));
    }
  };
  for (const { folder, entries } of foldersBelow(walletsFolder, DEEPEST))
    look(join(walletsFolder, folder), entries);
  if (beside !== walletsFolder) look(beside, entriesOf(beside));
  return { parts, kept };
}

/** No node names a wallet deeper than this. Stops in a tree that is made to be endless. */
const DEEPEST = 32;

/** The folder and all folders below it, level by level. `folder` is relative, with slashes, and empty for the top. */
export function* foldersBelow(top: string, deepest = Number.POSITIVE_INFINITY) {
  let level = [''];
  for (let depth = 0; level.length > 0 && depth <= deepest; depth += 1) {
    const next: string[] = [];
    for (const folder of level) {
      const entries = entriesOf(join(top, folder));
      yield { folder, entries };
      for (const entry of entries)
        if (entry.isDirectory() && !isPartName(entry.name)) next.push(posix.join(folder, entry.name));
    }
    level = next;
  }
}

/** Empty for a folder that does not exist or cannot be read. */
function entriesOf(path: string): Dirent[] {
  return orNull(() => readdirSync(path, { withFileTypes: true })) ?? [];
}
