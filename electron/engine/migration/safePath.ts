/** Refuses paths that leave the wallets folder, or that other users could redirect. */
import { lstatSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { sharedFolder, sharedWay } from '../../files/owned/sharedFolder.ts';
import { RpcError } from '../rpc/rpcError.ts';
import type { EngineState } from '../wallets/engineState.ts';

/**
 * Checks the wallets folder and the folders above it: a user who can rename one of them can replace the wallets folder.
 * Then checks every folder from there down to each of `paths`: a link leads out of the wallets folder, and a folder that
 * others can write to can become a link at any time. Folders that do not exist yet pass. Throws RpcError -4 with what to
 * do.
 */
export function refuseUnsafePath(state: EngineState, walletsFolder: string, ...paths: string[]): void {
  if (!state.isItsFolder(walletsFolder)) {
    throw unsafe(
      `${walletsFolder} is not the folder any more on which the engine was started. Look who may write to the folders above it, and start the engine again.`,
    );
  }
  const shared = sharedWay(walletsFolder);
  if (shared !== null) throw openToOthers(shared.folder);
  for (const path of paths) refuseBelow(walletsFolder, path);
}

function refuseBelow(walletsFolder: string, path: string): void {
  const names = relative(walletsFolder, dirname(path)).split(sep);
  let folder = walletsFolder;
  for (const name of names.filter((each) => each !== '')) {
    folder = join(folder, name);
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (!stats) return;
    if (name === '..' || !stats.isDirectory()) {
      throw unsafe(
        `${folder} is a link, and leads out of the wallets folder. Start the engine on the folder to which it leads.`,
      );
    }
    if (sharedFolder(folder) !== null) throw openToOthers(folder);
  }
}

function openToOthers(folder: string): RpcError {
  return unsafe(
    `Other users of this computer can change the folder ${folder}. Make it yours alone (chmod go-w), or copy the wallet to a folder of yours.`,
  );
}

function unsafe(words: string): RpcError {
  return new RpcError('wallet', `Error: ${words} Nothing was changed.`);
}
