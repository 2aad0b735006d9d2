/** Asks a node what it is known by, and keeps passphrases from one that is another than was seen. */
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
 * Asks a node anew for all that `seen` tells of it. Throws what the calls throw; a call that this login may not make
 * leaves its field null.
 */
export async function readIdentity(
  client: NodeClient,
  seen: NodeIdentity,
  signal?: AbortSignal,
): Promise<NodeIdentity> {
  const [{ version, subversion }, chain, logTold, started] = await Promise.all([
    networkInfo(client, signal),
    blockchainInfo(client, signal),
    rpcInfo(client, signal).then(({ logPath }) => logPath, unlessRefused),
    startTime(client, signal).catch(unlessRefused),
  ]);
  const walletsFolder = await askWalletsFolder(client, seen, logTold, signal);
  // Also while it cannot be proved: with the log where it was, it is to be the folder that it was.
  const folderNow = walletsFolder ?? (logTold === seen.logTold ? seen.walletsFolder : null);
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

/** Whether what calls itself this is the offline engine, whichever release's calls it speaks. */
export function isOfflineEngine(subversion: string): boolean {
  return subversion.startsWith('/Wallet Ferry engine:');
}

/**
 * Right before a call that carries a passphrase: throws AppError `not_connected` where what answers is not, in every
 * respect, what the user saw. To be asked over the line that the call goes over.
 */
export async function verifySameNode(
  client: NodeClient,
  seen: NodeIdentity,
  signal?: AbortSignal,
): Promise<void> {
  requireSameNode(seen, await readIdentity(client, seen, signal));
}

/** The same from what is known already, before anything is prepared. */
export function requireSameNode(seen: NodeIdentity, now: NodeIdentity): void {
  const difference = findDifference(seen, now);
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

/** Where the app started the engine it knows the folder; its log tells whether it is that engine still. */
async function askWalletsFolder(
  client: NodeClient,
  seen: NodeIdentity,
  logTold: string | null,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  if (seen.walletsFolder === null || logTold === null) return null;
  if (seen.offline && seen.logTold === logTold) return seen.walletsFolder;
  // Of a node that writes its log elsewhere, it is no proof that the names are the same.
  const chosen = seen.logTold === logTold ? seen.walletsFolder : null;
  return proveWalletsFolder(client, logTold, { chosen, signal }).catch(unlessRefused);
}
