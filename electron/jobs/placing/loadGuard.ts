/** Inspects each wallet file before any job has a node load it: some files crash the node. */
import type { NodeStatus } from '../../../shared/model/node.ts';
import { walletFilePath } from '../../bitcoind/calls/walletsFolder.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import type { WalletWork } from '../../workers/walletWork.ts';
import { refuseToLoad } from '../plan/releaseChecks.ts';

/** Throws like `refuseToLoad`. If the app cannot read the file, the node decides. */
export function createLoadGuard(work: WalletWork): (session: Session, name: string) => Promise<void> {
  return async ({ status }, name) => {
    const seen = await inspectionOf(status, name, work).catch(() => null);
    if (seen !== null) refuseToLoad(seen, status);
  };
}

async function inspectionOf(
  { offline, local, walletsFolder, network }: NodeStatus,
  name: string,
  work: WalletWork,
) {
  if (offline || !local || walletsFolder === null) return null;
  const path = await walletFilePath(walletsFolder, name);
  if (path === null) return null;
  const { inspection } = await work(
    { kind: 'inspect', task: { path, network } },
    new AbortController().signal,
  );
  return inspection;
}
