/** Where on this machine a node may listen, and how one would log in there: from its folders and `bitcoin.conf`. */
import { createHash } from 'node:crypto';
import { isAbsolute, join, normalize } from 'node:path';
import { type Network, networks } from '../../../shared/model/network.ts';
import type { NodeAddress } from '../../../shared/model/node.ts';
import { isThere } from '../../files/isThere.ts';
import { isLoopback } from '../../http/loopback.ts';
import type { Credentials } from '../rpc/credentials.ts';
import { type BitcoinConf, readBitcoinConf } from './bitcoinConf.ts';
import { chainFolder, type RpcPorts } from './dataFolders.ts';

export interface NodeCandidate {
  /** Stable for one data folder and network. */
  readonly id: string;
  readonly dataFolder: string;
  readonly network: Network;
  /** Always of this machine's loopback: a cookie never travels to another host. */
  readonly address: NodeAddress;
  readonly login: Credentials;
  /** True when a cookie or `bitcoin.conf` speaks for a node here, so that its silence is worth telling. */
  readonly expected: boolean;
  /** Whether that `bitcoin.conf` was read only in part. */
  readonly partlyRead: boolean;
}

/** Every network of every data folder that has a folder, a cookie or a word in `bitcoin.conf`, which may name no port. */
export async function findCandidates(
  dataFolders: readonly string[],
  rpcPorts: RpcPorts,
): Promise<NodeCandidate[]> {
  const ofFolders = await Promise.all(dataFolders.map((folder) => placesOf(folder, rpcPorts)));
  const byId = new Map<string, NodeCandidate>();
  // Another folder's bitcoin.conf may name the data folder of an earlier one, and does not speak for its node.
  for (const place of ofFolders.flat()) if (!byId.has(place.id)) byId.set(place.id, place);
  return [...byId.values()];
}

async function placesOf(folder: string, rpcPorts: RpcPorts): Promise<NodeCandidate[]> {
  if (!(await isThere(folder, 'folder'))) return [];
  const conf = await readBitcoinConf(folder);
  const places = await Promise.all(
    networks.map((network) => placeOf(folder, conf, network, rpcPorts[network])),
  );
  return places.filter((place) => place !== null);
}

async function placeOf(
  folder: string,
  conf: BitcoinConf | null,
  network: Network,
  rpcPort: number,
): Promise<NodeCandidate | null> {
  const moved = conf?.value(network, 'datadir');
  const dataFolder = normalize(moved && isAbsolute(moved) ? moved : folder);
  const ofChain = chainFolder(dataFolder, network);
  const cookieFile = cookiePath(conf, network, ofChain);
  const hasCookie = cookieFile !== null && (await isThere(cookieFile, 'file'));
  const named = conf?.names(network) ?? false;
  if (!hasCookie && !named && !(await isThere(ofChain, 'folder'))) return null;
  return {
    id: createHash('sha256').update(`${network}\n${dataFolder}`).digest('hex').slice(0, 32),
    dataFolder,
    network,
    address: endpointOf(conf, network, rpcPort),
    login: passwordOf(conf, network) ?? (hasCookie ? { by: 'cookie', cookieFile } : { by: 'none' }),
    expected: hasCookie || named,
    partlyRead: conf?.partly ?? false,
  };
}

/** With a password set, the node makes no cookie: `InitRPCAuthentication` of `src/httprpc.cpp`. */
function passwordOf(conf: BitcoinConf | null, network: Network): Credentials | null {
  const password = conf?.value(network, 'rpcpassword');
  if (!conf || !password) return null;
  // Not also the owners of the folders that it names: these may be another user's.
  return { by: 'password', user: conf.value(network, 'rpcuser') ?? '', password, owners: [conf.owner] };
}

/** Null where `norpccookiefile=1` turns the cookie off. A relative path starts at the chain's folder. */
function cookiePath(conf: BitcoinConf | null, network: Network, ofChain: string): string | null {
  const set = conf?.value(network, 'rpccookiefile');
  if (set === null) return null;
  const file = set || '.cookie';
  return isAbsolute(file) ? file : join(ofChain, file);
}

/**
 * Where on loopback the node listens. `rpcbind` counts only beside `rpcallowip`: `HTTPBindAddresses` of
 * `src/httpserver.cpp`.
 */
function endpointOf(conf: BitcoinConf | null, network: Network, rpcPort: number): NodeAddress {
  const port = portOf(conf?.value(network, 'rpcport')) ?? rpcPort;
  const bound = conf?.values(network, 'rpcallowip').length ? conf.values(network, 'rpcbind') : [];
  for (const each of bound) {
    const { host, port: ownPort } = splitHostPort(each);
    const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
    if (isLoopback(reached)) return { host: reached, port: ownPort ?? port, tls: false };
  }
  return { host: '127.0.0.1', port, tls: false };
}

function splitHostPort(text: string): { host: string; port: number | undefined } {
  const bracketed = /^\[(.*)\](?::(\d+))?$/.exec(text) ?? /^([^:]*)(?::(\d+))?$/.exec(text);
  return { host: bracketed?.[1] ?? text, port: portOf(bracketed?.[2]) };
}

function portOf(text: string | null | undefined): number | undefined {
  const port = Number.parseInt(text ?? '', 10);
  return port >= 1 && port <= 65535 ? port : undefined;
}
