/** What the app must know of a node, asked for in two short rounds. */
import { dirname } from 'node:path';
import type { Listener, NodeStatus } from '../../../shared/model/node.ts';
import { isSameStart } from '../../../shared/model/nodeIdentity.ts';
import { folderMarkAt } from '../../files/fileMark.ts';
import { isReadableLog, logOwner, looksLikeNodeFolder } from '../log/nodeLog.ts';
import { releaseOf } from '../rpc/release.ts';
import type { NodeClient } from '../rpc/session.ts';
import { unlessRefused } from './call.ts';
import { blockchainInfo, indexInfo, networkInfo, rpcInfo, startTime } from './nodeCalls.ts';
import { isOfflineEngine } from './readIdentity.ts';
import { proveWalletsFolder } from './walletsFolder.ts';

interface StatusOptions {
  /** Whether the node runs on this machine: see `isLoopback`. */
  readonly local: boolean;
  readonly label: string;
  /** A status of the same node whose wallets folder is still believed; saves a look into every wallet. */
  readonly known?: NodeStatus | undefined;
  /** When it had started by the status before, in Unix seconds. */
  readonly startedBefore?: number | null | undefined;
  /** A wallets folder that the user named and the node proved. */
  readonly chosen?: string | null | undefined;
  /** Where the app itself started the node on it: no proof is needed. */
  readonly walletsFolder?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the node's status. Throws AppError; `starting_up` carries in `node.message` what the node is doing.
 * Calls that only add to the picture (log path, block filters, wallets folder) may be refused or unknown.
 */
export async function readNodeStatus(client: NodeClient, options: StatusOptions): Promise<NodeStatus> {
  const { local, label, known, startedBefore = null, chosen = null, signal } = options;
  // Alone first: a wrong login is then refused once and not four times.
  const network = await networkInfo(client, signal);
  const [chain, blockFilters, logTold, start] = await Promise.all([
    blockchainInfo(client, signal),
    readBlockFilters(client, signal),
    rpcInfo(client, signal).then(({ logPath }) => logPath, unlessRefused),
    startTime(client, signal).catch(unlessRefused),
  ]);
  const listener = client.listener();
  const isOwn = options.walletsFolder !== undefined;
  const logPath =
    local && logTold !== null && (await canBeFollowed(logTold, listener, isOwn)) ? logTold : null;
  const release = releaseOf(network.version);
  const believed = known?.logPath === logPath && known.release.number === release.number;
  const walletsFolder =
    options.walletsFolder ??
    (believed
      ? known.walletsFolder
      : await proveWalletsFolder(client, local ? logPath : null, { chosen, signal }).catch(unlessRefused));
  return {
    label,
    address: client.address,
    local,
    offline: isOfflineEngine(network.subversion),
    ...chain,
    release,
    blockFilters,
    logPath,
    logTold,
    // Whole seconds and the time that an answer takes must not make another node of it at each look.
    started: isSameStart(startedBefore, start) ? startedBefore : start,
    listener,
    walletsFolder,
    walletsFolderMark: walletsFolder === null ? null : await folderMarkAt(walletsFolder),
    warnings: network.warnings,
  };
}

async function readBlockFilters(
  client: NodeClient,
  signal: AbortSignal | undefined,
): Promise<NodeStatus['blockFilters']> {
  const indexes = await indexInfo(client, signal).catch(unlessRefused);
  if (indexes === null) return 'unknown';
  const filters = indexes['basic block filter index'];
  if (filters === undefined) return 'off';
  return filters.synced ? 'on' : 'building';
}

/** A node could name any file as its log. What the app has started itself it believes. */
async function canBeFollowed(path: string, listener: Listener | null, isOwn: boolean): Promise<boolean> {
  if (!isOwn && !(await looksLikeNodeFolder(dirname(path)))) return false;
  return isReadableLog(path, logOwner(listener));
}
