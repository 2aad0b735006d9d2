/** What the offline engine keeps around a wallets folder, and folders that the app creates for the user. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { orNull } from '../walletfile/bytes/once.ts';
import { foldersAbove } from './sharedFolder.ts';

/** The paths of the engine's files around a wallets folder, as on a node. */
export type FolderLayout = ReturnType<typeof folderLayout>;

export function folderLayout(wallets: string) {
  const walletsFolder = resolve(wallets);
  const chainFolder = basename(walletsFolder) === 'wallets' ? dirname(walletsFolder) : walletsFolder;
  return {
    walletsFolder,
    /** The parent of a folder called `wallets`; a wallets folder with another name is the chain folder itself. */
    chainFolder,
    ...filesIn(chainFolder),
  };
}

/** The engine's files in the chain folder, or in its own folder if it cannot write to that. */
export function filesIn(folder: string) {
  return {
    log: join(folder, 'debug.log'),
    settings: join(folder, 'settings.json'),
    /** Not a node's `.cookie`: a node that starts later writes its own there. */
    cookie: join(folder, '.engine.cookie'),
  };
}

/**
 * Returns a function that removes the wallets folder, the folders above it and the engine's log: those that do not exist now. A
 * folder with anything else stays, and so does the log of a node that starts meanwhile.
 */
export function newFolderRemover(wallets: string): () => void {
  const { walletsFolder, log } = folderLayout(wallets);
  const folders = [walletsFolder, ...foldersAbove(walletsFolder)].filter((each) => !existsSync(each));
  const isNew = !existsSync(log);
  return () => {
    const text = isNew ? orNull(() => readFileSync(log, 'latin1')) : null;
    if (text !== null && !/Bitcoin \S+ version v/.test(text)) orNull(() => rmSync(log));
    for (const each of folders) orNull(() => rmdirSync(each));
  };
}

/**
 * Creates the folder for the user's new files, readable by this user only, if its parent exists. Returns a function that removes it
 * if it is still empty. Creates nothing where that fails: whatever writes there reports why.
 */
export function makeOutputFolder(path: string): () => void {
  if (orNull(() => mkdirSync(path, { mode: 0o700 })) === null) return () => {};
  return () => void orNull(() => rmdirSync(path));
}
