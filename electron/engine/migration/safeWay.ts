/** Whether the way to a file leads through the wallets folder alone. */
import { lstatSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { sharedFolder } from '../../disk/lock/sharedFolder.ts';
import { RpcError } from '../rpc/rpcError.ts';

/**
 * Looks at every folder from the wallets folder down to the one that `path` lies in. A link among them leads out of the
 * folder that the engine was given, and one that others can write to can become a link at any time. Folders that are
 * not there yet pass. Throws RpcError -4, with what to do.
 */
export function refuseUnsafeWay(walletsFolder: string, path: string): void {
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
    if (sharedFolder(folder) !== null) {
      throw unsafe(
        `Other users of this computer can change the folder ${folder}. Make it yours alone (chmod go-w), or copy the wallet to a folder of yours.`,
      );
    }
  }
}

function unsafe(words: string): RpcError {
  return new RpcError('wallet', `Error: ${words} Nothing was changed.`);
}
