/** What the app must know of a node, asked for in two short rounds. */
import { open, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import type { NodeStatus } from '../../shared/node.ts';
import { isNetworkPath } from './isNetworkPath.ts';
import { blockchainInfo, indexInfo, networkInfo, rpcInfo } from './nodeCalls.ts';
import { releaseOf } from './release.ts';
import type { NodeClient } from './session.ts';
import { proveWalletsFolder } from './walletsFolder.ts';

interface StatusOptions {
  /** Whether the node runs on this machine: see `isLoopback`. */
  readonly local: boolean;
  readonly label: string;
  /** A status of the same node whose wallets folder is still believed; saves a look into every wallet. */
  readonly known?: NodeStatus | undefined;
  /** Where the app itself started the node on it: no proof is needed. */
  readonly walletsFolder?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the node's status. Throws AppError; `starting_up` carries in `node.message` what the node is doing.
 * Calls that only add to the picture (log path, block filters, wallets folder) may be refused or unknown.
 */
export async function readNodeStatus(client: NodeClient, options: StatusOptions): Promise<NodeStatus> {
  const { local, label, known, signal } = options;
  // Alone first: a wrong login is then refused once and not four times.
  const network = await networkInfo(client, signal);
  const [chain, blockFilters, logPath] = await Promise.all([
    blockchainInfo(client, signal),
    readBlockFilters(client, signal),
    local ? readLogPath(client, signal) : null,
  ]);
  const release = releaseOf(network.version);
  const believed = known?.logPath === logPath && known.release.number === release.number;
  return {
    label,
    address: client.address,
    local,
    offline: network.subversion.startsWith(ENGINE_SUBVERSION),
    network: chain.network,
    release,
    subversion: network.subversion,
    blocks: chain.blocks,
    headers: chain.headers,
    syncProgress: chain.verificationProgress,
    initialBlockDownload: chain.initialBlockDownload,
    pruned: chain.pruned,
    pruneHeight: chain.pruned ? chain.pruneHeight : null,
    blockFilters,
    logPath,
    walletsFolder:
      options.walletsFolder ??
      (believed ? known.walletsFolder : await readWalletsFolder(client, logPath, signal)),
    warnings: network.warnings,
  };
}

/** What the offline engine calls itself, whichever release's calls it speaks. */
const ENGINE_SUBVERSION = '/Wallet Ferry engine:';

async function readBlockFilters(
  client: NodeClient,
  signal: AbortSignal | undefined,
): Promise<NodeStatus['blockFilters']> {
  const indexes = await indexInfo(client, signal).catch(unlessRefused);
  if (indexes === null) return 'unknown';
  const filters = indexes.find((index) => index.name === 'basic block filter index');
  if (filters === undefined) return 'off';
  return filters.synced ? 'on' : 'building';
}

/** The log's path, only if it can really be opened here. */
async function readLogPath(client: NodeClient, signal: AbortSignal | undefined): Promise<string | null> {
  const info = await rpcInfo(client, signal).catch(unlessRefused);
  const path = info?.logPath ?? null;
  if (path === null || !isAbsolute(path) || isNetworkPath(path)) return null;
  try {
    if (!(await stat(path)).isFile()) return null;
    await (await open(path, 'r')).close();
    return path;
  } catch {
    return null;
  }
}

async function readWalletsFolder(
  client: NodeClient,
  logPath: string | null,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  if (logPath === null) return null;
  return proveWalletsFolder(client, logPath, signal).catch(unlessRefused);
}

/** Null for a call that this node or login does not have; the rest of the status is worth having without it. */
function unlessRefused(thrown: unknown): null {
  const refusals = ['unknown_method', 'no_wallet_support', 'forbidden'];
  if (thrown instanceof AppError && refusals.includes(thrown.code)) return null;
  throw thrown;
}
