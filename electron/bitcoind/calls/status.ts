/** Reads a node's status in two short rounds of calls. */
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
  /** A recent status of the same node: its wallets folder is reused, because proving it opens every wallet. */
  readonly known?: NodeStatus | undefined;
  /** Start time in the previous status, in Unix seconds. */
  readonly startedBefore?: number | null | undefined;
  /** A wallets folder that the user chose and the node proved. */
  readonly chosen?: string | null | undefined;
  /** Set if the app started the node with this wallets folder: it needs no proof. */
  readonly walletsFolder?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the node's status. Throws AppError; `starting_up` says in `node.message` what the node is doing. The node may
 * refuse the calls for the log path, the block filters and the wallets folder.
 */
export async function readNodeStatus(client: NodeClient, options: StatusOptions): Promise<NodeStatus> {
  const { local, label, known, startedBefore = null, chosen = null, signal } = options;
  // First on its own: a wrong login is then refused once, not four times.
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
  const isSameNode = known?.logPath === logPath && known.release.number === release.number;
  const walletsFolder =
    options.walletsFolder ??
    (isSameNode
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
    // The computed start time varies by a second; keep the old value so that the node stays the same.
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

/** A node could name any file as its log. The app trusts a node that it started itself. */
async function canBeFollowed(path: string, listener: Listener | null, isOwn: boolean): Promise<boolean> {
  if (!isOwn && !(await looksLikeNodeFolder(dirname(path)))) return false;
  return isReadableLog(path, logOwner(listener));
}
