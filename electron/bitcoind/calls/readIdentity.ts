/** Reads a node's identity, and keeps passphrases from a node other than the one the user saw. */
import { AppError } from '../../../shared/model/errors.ts';
import type { NodeIdentity } from '../../../shared/model/node.ts';
import { findDifference, type NodeDifference } from '../../../shared/model/nodeIdentity.ts';
import { say } from '../../../shared/wording/say.ts';
import { folderMarkAt } from '../../files/fileMark.ts';
import type { NodeClient } from '../rpc/session.ts';
import { unlessRefused } from './call.ts';
import { blockchainInfo, networkInfo, rpcInfo, startTime } from './nodeCalls.ts';
import { proveWalletsFolder } from './walletsFolder.ts';

/**
 * Reads every field of `known` from the node again. A field whose call this login may not make is null. Throws what
 * the calls throw.
 */
export async function readIdentity(
  client: NodeClient,
  known: NodeIdentity,
  signal?: AbortSignal,
): Promise<NodeIdentity> {
  const [{ version, subversion }, chain, logTold, started] = await Promise.all([
    networkInfo(client, signal),
    blockchainInfo(client, signal),
    rpcInfo(client, signal).then(({ logPath }) => logPath, unlessRefused),
    startTime(client, signal).catch(unlessRefused),
  ]);
  const walletsFolder = await readWalletsFolder(client, known, logTold, signal);
  // While the log is at the same path, the wallets folder must stay the same too, even if it cannot be proved now.
  const folderNow = walletsFolder ?? (logTold === known.logTold ? known.walletsFolder : null);
  return {
    address: client.address,
    network: chain.network,
    offline: isOfflineEngine(subversion),
    release: version,
    walletsFolder,
    walletsFolderMark: folderNow === null ? null : await folderMarkAt(folderNow),
    logTold,
    started,
    listener: client.listener(),
  };
}

/** Whether this subversion is the offline engine's, whichever release's calls it offers. */
export function isOfflineEngine(subversion: string): boolean {
  return subversion.startsWith('/Wallet Ferry engine:');
}

/**
 * Called right before a call that carries a passphrase, over the same connection. Throws AppError `not_connected` if
 * the node differs in any respect from the one the user saw.
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
    say('This is not the node you saw: {difference}.', { difference: DIFFERENCES[difference] }),
    say(
      'No passphrase was sent and no wallet was changed. If the node was restarted, begin again; if not, check what listens there.',
    ),
  );
}

const DIFFERENCES: Readonly<Record<NodeDifference, string>> = {
  address: say('another host or port'),
  user: say('another user'),
  network: say('another network'),
  release: say('another release'),
  data_folder: say('another data folder'),
  start_time: say('another start time'),
  listener: say('another program listens, or the node restarted'),
};

/**
 * The app knows the wallets folder of an engine that it started. The log's path shows whether it is still that
 * engine.
 */
async function readWalletsFolder(
  client: NodeClient,
  known: NodeIdentity,
  logTold: string | null,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  if (known.walletsFolder === null || logTold === null) return null;
  if (known.offline && known.logTold === logTold) return known.walletsFolder;
  // A node with another log may list the same names for another folder.
  const chosen = known.logTold === logTold ? known.walletsFolder : null;
  return proveWalletsFolder(client, logTold, { chosen, signal }).catch(unlessRefused);
}
