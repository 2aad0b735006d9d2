/** Every wallet in the wallets folder, found the way a node finds them. */
import { type Dirent, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Network } from '../../../shared/model/network.ts';
import { isKeptName, isPartName } from '../../files/durableFile.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { LEGACY_BACKUP_ENDING } from '../../walletfile/database/besideWallet.ts';
import { kindOfFile } from './walletPlace.ts';

export interface ListedWallet {
  /** Relative to the folder, with slashes; empty for the unnamed wallet. */
  readonly name: string;
  readonly kind: 'bdb' | 'sqlite';
}

/**
 * Wallets of this network and legacy ones, which do not tell their network, sorted by name. Folders that cannot be
 * read are left out, as a node does, and links to folders are not followed down.
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
      // A bare file is a wallet only in the top folder, and only a legacy one. Release 30 puts backups there, which a node
      // lists as wallets of their own.
      else if (folder === '' && entry.isFile() && !entry.name.endsWith(LEGACY_BACKUP_ENDING))
        add(entry.name, kindOf(path) === 'bdb' ? 'bdb' : null);
    }
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Paths of what has a name like those that an engine gives, in a wallets folder and `beside` it, where the engine's own
 * files lie. `parts` is half-made, unless something else was given that name; `kept` no engine removes for its name:
 * wallets that made room, journals. Links are not followed: behind one is another folder.
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

/** No name that a node gives a wallet is deeper; a tree made to be endless ends here. */
const DEEPEST = 32;

/** The folder itself and all below it, near ones first: `folder` is relative, with slashes, and empty for the top. */
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

/** None of a folder that is not there or cannot be read. */
function entriesOf(path: string): Dirent[] {
  return orNull(() => readdirSync(path, { withFileTypes: true })) ?? [];
}
