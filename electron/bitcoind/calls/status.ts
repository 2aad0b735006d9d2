/** Reads a node's status in a few short calls, and its identity, which keeps passphrases from another node. */
import { stat } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import { AppError } from '../../../shared/model/errors.ts';
import {
  findDifference,
  isSameFolder,
  isSameStart,
  type Listener,
  type NodeDifference,
  type NodeIdentity,
  type NodeStart,
  type NodeStatus,
} from '../../../shared/model/node.ts';
import { say } from '../../../shared/wording/say.ts';
import { systemCode } from '../../files/fileError.ts';
import { folderMarkAt } from '../../files/fileMark.ts';
import { isNetworkPath } from '../../files/openFile.ts';
import { isReadableLog, logOwner, looksLikeNodeFolder, readLoggedStart } from '../log/nodeLog.ts';
import { notANodeError } from '../rpc/rpcErrors.ts';
import { type NodeClient, releaseOf } from '../rpc/session.ts';
import { blockchainInfo, indexInfo, networkInfo, nullIfUnavailable, rpcInfo, startTime } from './call.ts';
import { containsWallets, guessWalletsFolder, isLogOfRun, proveWalletsFolder } from './proveWalletsFolder.ts';

interface StatusOptions {
  /** Whether the node's address is this machine's: see `isLoopback`. */
  readonly local: boolean;
  readonly label: string;
  /** An earlier status. The node may have restarted since. */
  readonly previous?: NodeStatus | undefined;
  /** A wallets folder that `probeWalletsFolder` proved. */
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
  const { label, previous, signal } = options;
  // First on its own: a wrong login is then refused once, not four times.
  const network = await readNetworkInfo(client, signal);
  const [{ chain, reportedLogPath, start }, blockFilters] = await Promise.all([
    readRun(client, signal),
    readBlockFilters(client, signal),
  ]);
  const listener = client.listener();
  const isOwn = options.walletsFolder !== undefined;
  const logPath =
    options.local &&
    reportedLogPath !== null &&
    (await canBeFollowed(reportedLogPath, listener, isOwn, start))
      ? reportedLogPath
      : null;
  const loggedStart = logPath === null ? null : await readLoggedStart(logPath, logOwner(listener));
  const sameRun =
    previous !== undefined &&
    previous.reportedLogPath === reportedLogPath &&
    previous.listener?.socket === listener?.socket &&
    isSameStart(previous, start)
      ? previous
      : null;
  // A running node keeps its wallets folder, even if the log that named it to the app is deleted.
  const chosen = options.chosen ?? sameRun?.walletsFolder ?? null;
  const local = options.local && (isOwn || chosen !== null || !(await isElsewhere(reportedLogPath)));
  const walletsFolder = local
    ? (options.walletsFolder ??
      (sameRun !== null && chosen === sameRun.walletsFolder ? await keptFolder(sameRun) : null) ??
      (await proveWalletsFolder(client, logPath, { chosen, signal }).catch(nullIfUnavailable)))
    : null;
  return {
    label,
    address: client.address,
    local,
    offline: isOfflineEngine(network.subversion),
    ...chain,
    release: releaseOf(network.version),
    blockFilters,
    logPath,
    reportedLogPath,
    // The computed times vary by a second, so keep those of a node that stays the same: they must not drift with each reading.
    started: (sameRun ?? start).started,
    startedSteady: (sameRun ?? start).startedSteady,
    listener,
    walletsFolder,
    walletsFolderMark: walletsFolder === null ? null : await folderMarkAt(walletsFolder),
    ...(loggedStart?.noSettings && { noSettings: true }),
    warnings: network.warnings,
  };
}

/**
 * The proved wallets folder of the same run, if it is still there. Asks nothing, because `listwalletdir` drops the node's own locks on
 * its wallets. Without `-walletdir`, a node uses `wallets` in its chain folder as soon as somebody makes it. An empty folder is no proof.
 */
async function keptFolder({ walletsFolder, walletsFolderMark }: NodeStatus): Promise<string | null> {
  if (walletsFolder === null || (await guessWalletsFolder(walletsFolder)) !== walletsFolder) return null;
  const now = { walletsFolderMark: await folderMarkAt(walletsFolder) };
  const isSame = isSameFolder({ walletsFolderMark }, now) === true;
  return isSame && (await containsWallets(walletsFolder)) ? walletsFolder : null;
}

/** Reads the facts that differ between runs of a node. The login may lack the right to the log's path and the start time. */
async function readRun(client: NodeClient, signal: AbortSignal | undefined) {
  const [chain, reportedLogPath, start] = await Promise.all([
    blockchainInfo(client, signal),
    rpcInfo(client, signal).then(({ logPath }) => logPath, nullIfUnavailable),
    startTime(client, signal).catch(nullIfUnavailable),
  ]);
  return { chain, reportedLogPath, start: start ?? { started: null, startedSteady: null } };
}

async function readBlockFilters(
  client: NodeClient,
  signal: AbortSignal | undefined,
): Promise<NodeStatus['blockFilters']> {
  const indexes = await indexInfo(client, signal).catch(nullIfUnavailable);
  if (indexes === null) return 'unknown';
  const filters = indexes['basic block filter index'];
  if (filters === undefined) return 'off';
  return filters.synced ? 'on' : 'building';
}

/** Behind a tunnel, a container's port or WSL: what the node names its folder does not exist here. */
async function isElsewhere(logPath: string | null): Promise<boolean> {
  if (logPath === null || isNetworkPath(logPath)) return false;
  if (!isAbsolute(logPath)) return true;
  return stat(dirname(logPath)).then(
    () => false,
    (error) => systemCode(error) === 'ENOENT',
  );
}

/** A node could name any file as its log. The app trusts a node that it started itself. */
async function canBeFollowed(
  path: string,
  listener: Listener | null,
  isOwn: boolean,
  start: NodeStart,
): Promise<boolean> {
  if (!isOwn && !(await looksLikeNodeFolder(dirname(path)))) return false;
  return (await isReadableLog(path, logOwner(listener))) && (isOwn || isLogOfRun(path, listener, start));
}

/**
 * Reads every field of `known` from the node again. A field whose call this login may not make is null. Throws what
 * the calls throw.
 */
export async function readIdentity(
  client: NodeClient,
  known: NodeIdentity,
  signal?: AbortSignal,
): Promise<NodeIdentity> {
  const [{ version, subversion }, { chain, reportedLogPath, start }] = await Promise.all([
    readNetworkInfo(client, signal),
    readRun(client, signal),
  ]);
  const walletsFolder = await readWalletsFolder(client, known, { reportedLogPath, start }, signal);
  // While the log is at the same path, the wallets folder must stay the same too, even if it cannot be proved now.
  const folderNow = walletsFolder ?? (reportedLogPath === known.reportedLogPath ? known.walletsFolder : null);
  return {
    address: client.address,
    network: chain.network,
    offline: isOfflineEngine(subversion),
    release: version,
    walletsFolder,
    walletsFolderMark: folderNow === null ? null : await folderMarkAt(folderNow),
    reportedLogPath,
    ...start,
    listener: client.listener(),
  };
}

/** Throws AppError `not_a_node` for another coin's node. Builds and forks of Bitcoin Core for Bitcoin, such as Knots, keep its name. */
async function readNetworkInfo(client: NodeClient, signal: AbortSignal | undefined) {
  const network = await networkInfo(client, signal);
  const { subversion } = network;
  if (!subversion.startsWith('/Satoshi:') && !isOfflineEngine(subversion))
    throw notANodeError(client.address, subversion.slice(0, 60).split(/[/:]/).find(Boolean) ?? '?');
  return network;
}

/** Whether this subversion is the offline engine's, whichever release's calls it offers. */
function isOfflineEngine(subversion: string): boolean {
  return subversion.startsWith('/Wallet Ferry engine:');
}

/**
 * Called right before a job's first planned call and each call that carries a passphrase, over the same connection. Throws AppError
 * `not_connected` if the node differs in any respect from the one the user saw.
 */
export async function verifySameNode(
  client: NodeClient,
  known: NodeIdentity,
  signal?: AbortSignal,
): Promise<void> {
  requireSameNode(known, await readIdentity(client, known, signal));
}

/** Compares two known identities, before anything is prepared. Throws as `verifySameNode` does. */
export function requireSameNode(known: NodeIdentity, current: NodeIdentity): void {
  const difference = findDifference(known, current);
  if (difference === null) return;
  throw new AppError(
    'not_connected',
    say('Not the node you saw: {difference}.', { difference: DIFFERENCES[difference] }),
    `${say('No passphrase was sent and no wallet was changed.')} ${say('Restarted? Begin again. If not, check what listens there.')}`,
  );
}

const DIFFERENCES: Readonly<Record<NodeDifference, string>> = {
  address: say('another host or port'),
  user: say('another user'),
  network: say('another network'),
  release: say('another release'),
  data_folder: say('another data folder'),
  start_time: say('another start time'),
  listener: say('another program, or a restart'),
};

/**
 * The app knows the wallets folder of an engine that it started. The log's path shows whether it is still that
 * engine.
 */
async function readWalletsFolder(
  client: NodeClient,
  known: NodeIdentity,
  { reportedLogPath, start }: Pick<Awaited<ReturnType<typeof readRun>>, 'reportedLogPath' | 'start'>,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  if (known.walletsFolder === null || reportedLogPath === null) return null;
  if (known.offline && known.reportedLogPath === reportedLogPath) return known.walletsFolder;
  // A node with another log may list the same names for another folder.
  const chosen = known.reportedLogPath === reportedLogPath ? known.walletsFolder : null;
  return proveWalletsFolder(client, reportedLogPath, { chosen, start, signal }).catch(nullIfUnavailable);
}
