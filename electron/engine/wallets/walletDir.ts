/** Every wallet in the wallets folder, found the way a node finds them. */
import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Network } from '../../../shared/network.ts';
import { isKeptName, isPartName } from '../../disk/durableFile.ts';
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
  const add = (name: string, file: string) => {
    const kind = kindQuietly(file, network);
    if (kind === 'bdb' || kind === 'sqlite') found.push({ name, kind });
  };
  for (const { folder, entries } of foldersBelow(walletsFolder)) {
    for (const entry of entries) {
      if (isPartName(entry.name) || isKeptName(entry.name)) continue;
      const inTop = folder === '';
      if (entry.name === 'wallet.dat' && !entry.isDirectory())
        add(folder, join(walletsFolder, folder, entry.name));
      // A bare file is a wallet only in the top folder, and only a legacy one.
      else if (inTop && entry.isFile() && kindQuietly(join(walletsFolder, entry.name), network) === 'bdb') {
        if (!isBackupName(entry.name)) found.push({ name: entry.name, kind: 'bdb' });
      } else if (entry.isSymbolicLink()) {
        add(joined(folder, entry.name), join(walletsFolder, folder, entry.name, 'wallet.dat'));
      }
    }
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Paths of what has a name like those that an engine gives, in a wallets folder and beside it. */
interface Traces {
  /** What an engine writes before it gives it its name: half-made, unless something else was given that name. */
  readonly parts: readonly string[];
  /** What no engine removes for its name: wallets that made room, journals. */
  readonly kept: readonly string[];
}

/** `beside`: where the engine's own files lie. Links are not followed: behind one is another folder. */
export function tracesIn(walletsFolder: string, beside: string = walletsFolder): Traces {
  const parts: string[] = [];
  const kept: string[] = [];
  const look = (folder: string, entries: readonly Dirent[]) => {
    for (const { name } of entries) {
      if (isPartName(name)) parts.push(join(folder, name));
      else if (isKeptName(name)) kept.push(join(folder, name));
    }
  };
  for (const { folder, entries } of foldersBelow(walletsFolder)) look(join(walletsFolder, folder), entries);
  if (beside !== walletsFolder) look(beside, entriesOf(beside));
  return { parts, kept };
}

interface Folder {
  /** Relative, with slashes; empty for the top. */
  readonly folder: string;
  readonly entries: readonly Dirent[];
}

/** No name that a node gives a wallet is deeper; a tree made to be endless ends here. */
const DEEPEST = 32;

function* foldersBelow(top: string): Generator<Folder> {
  const waiting: { folder: string; depth: number }[] = [{ folder: '', depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { folder, depth } = next;
    const entries = entriesOf(join(top, folder));
    yield { folder, entries };
    if (depth === DEEPEST) continue;
    for (const entry of entries) {
      if (entry.isDirectory() && !isPartName(entry.name)) {
        waiting.push({ folder: joined(folder, entry.name), depth: depth + 1 });
      }
    }
  }
}

/** None of a folder that is not there or cannot be read. */
export function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}

function kindQuietly(path: string, network: Network) {
  try {
    return kindOfFile(path, network);
  } catch {
    return 'unknown';
  }
}

/** Release 30 puts these into the wallets folder, where a node lists them as wallets of their own. */
function isBackupName(name: string): boolean {
  return name.endsWith('.legacy.bak');
}

function joined(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
