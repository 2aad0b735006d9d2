/** Detects that a node on this machine has stopped, so that nothing writes to its wallets. */
import { connect } from 'node:net';
import type { NodeIdentity } from '../../../shared/model/node.ts';
import { folderMarkAt, isSameInode } from '../../files/fileMark.ts';
import { systemCode } from '../../files/systemCode.ts';
import { isLoopback } from '../../http/loopback.ts';

/**
 * The wallets folder of a stopped node: nobody listens at its address on this machine, and the folder is still the
 * same. Null if the node may be running, or its files are elsewhere. Null for the offline engine, which finishes or
 * undoes its work at its next start. Never throws.
 */
export async function stoppedNodeFolder(known: NodeIdentity): Promise<string | null> {
  const { address, offline, walletsFolder, walletsFolderMark: before } = known;
  if (offline || walletsFolder === null || !isLoopback(address.host)) return null;
  const now = await folderMarkAt(walletsFolder);
  if (now === null || (before !== null && !isSameInode(before, now))) return null;
  return (await isRefused(address.host, address.port)) ? walletsFolder : null;
}

function isRefused(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (refused: boolean) => {
      socket.destroy();
      resolve(refused);
    };
    socket.setTimeout(LONGEST_MS, () => end(false));
    socket.once('connect', () => end(false));
    socket.once('error', (error) => end(systemCode(error) === 'ECONNREFUSED'));
  });
}

const LONGEST_MS = 1000;
