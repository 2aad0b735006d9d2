/** Default data folders, chain folders and RPC ports of nodes. */
import { join, posix, win32 } from 'node:path';
import type { Network } from '../../../shared/model/network.ts';

interface Surroundings {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/**
 * Default data folders of a system, the likeliest first; they need not exist. `GetDefaultDataDir` of
 * `src/common/args.cpp`, and on Linux also those of the snap package and of the service file in `contrib/init`.
 */
export function defaultDataFolders({ platform, env, home }: Surroundings): string[] {
  if (platform === 'win32') {
    // The node uses Roaming if it exists, and Local for a new folder.
    const roaming = env.APPDATA || win32.join(home, 'AppData', 'Roaming');
    const local = env.LOCALAPPDATA || win32.join(home, 'AppData', 'Local');
    return [win32.join(roaming, 'Bitcoin'), win32.join(local, 'Bitcoin')];
  }
  if (platform === 'darwin') return [posix.join(home, 'Library', 'Application Support', 'Bitcoin')];
  return [
    posix.join(home, '.bitcoin'),
    posix.join(home, 'snap', 'bitcoin-core', 'common', '.bitcoin'),
    '/var/lib/bitcoind',
  ];
}

/** `src/chainparamsbase.cpp`. */
export function chainFolder(dataFolder: string, network: Network): string {
  return join(dataFolder, network === 'main' ? '' : network);
}

export type RpcPorts = Readonly<Record<Network, number>>;

/** `src/chainparamsbase.cpp`. */
export const defaultRpcPorts: RpcPorts = {
  main: 8332,
  testnet3: 18332,
  testnet4: 48332,
  signet: 38332,
  regtest: 18443,
};
