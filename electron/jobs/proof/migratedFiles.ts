/** What came of a migration, told by the wallets' files: a node that was started anew has not loaded them. */
import type { Proof } from '../../../shared/model/safety.ts';
import { listWalletDir } from '../../bitcoind/calls/walletCalls.ts';
import { walletFileKind, walletFilePath } from '../../bitcoind/calls/walletsFolder.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import { type MigrationCheckpoint, madeBeside } from '../plan/checkpoint.ts';
import type { MadeWallets, Prover } from './proof.ts';

/**
 * The wallets whose files hold every script, label and transaction of the legacy wallet that was copied before, each
 * script in its place and with its keys. Null where that is not so, or cannot be told: files out of reach, a migration
 * or a change of a file that was cut off, no copy to compare with.
 */
export async function migratedFiles(
  session: Session,
  checkpoint: MigrationCheckpoint,
  prover: Prover,
  signal: AbortSignal,
): Promise<MadeWallets | null> {
  const { name, before } = checkpoint;
  const { local, walletsFolder } = session.status;
  if (before === null || !local || walletsFolder === null) return null;
  const onDisk = new Set((await listWalletDir(session.client)).map((wallet) => wallet.name));
  const { watchonlyName, solvablesName } = madeBeside(checkpoint, (other) => onDisk.has(other));
  const walletName = onDisk.has(name) ? name : watchonlyName;
  if (walletName === null) return null;
  const names = new Set([walletName, watchonlyName, solvablesName].filter((each) => each !== null));
  for (const each of names) {
    const file = await walletFilePath(walletsFolder, each);
    if (file === null || (await walletFileKind(file)) !== 'descriptor') return null;
  }
  const wallets = { walletName, watchonlyName, solvablesName };
  return hasArrived(await prover(session, checkpoint, wallets, signal)) ? wallets : null;
}

function hasArrived({ scripts, misplaced, keyless, labels, transactions, wallets }: Proof): boolean {
  const lost = [scripts?.missing, misplaced, keyless, labels?.missing, transactions?.missing];
  return lost.every((list) => list?.total === 0) && wallets.every(({ cutOff }) => cutOff === false);
}
