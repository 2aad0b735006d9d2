/** Where the engine keeps its files beside a folder of wallets: as a node lays them out. */
import { basename, dirname, join, resolve } from 'node:path';

export interface FolderLayout {
  readonly walletsFolder: string;
  /** `wallets` lies in the chain's folder; a wallets folder of another name is the chain's folder itself. */
  readonly chainFolder: string;
  readonly log: string;
  readonly settings: string;
  /** Not a node's `.cookie`: a node that starts later writes its own there. */
  readonly cookie: string;
}

export function folderLayout(wallets: string): FolderLayout {
  const walletsFolder = resolve(wallets);
  const chainFolder = basename(walletsFolder) === 'wallets' ? dirname(walletsFolder) : walletsFolder;
  return {
    walletsFolder,
    chainFolder,
    log: join(chainFolder, 'debug.log'),
    settings: join(chainFolder, 'settings.json'),
    cookie: join(chainFolder, '.engine.cookie'),
  };
}
