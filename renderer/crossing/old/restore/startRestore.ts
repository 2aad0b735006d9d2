/** Starts what the Restore wizard has prepared. */
import type { Input } from '../../../../shared/contract.ts';
import type { NodeIdentity } from '../../../../shared/node.ts';
import { useOperations } from '../../../state/operationsStore.ts';
import type { RestoreWay } from './restoreWay.ts';

interface Prepared extends Input<'restore.start'> {
  /** The node that the checks were made on. */
  seen: NodeIdentity;
  /** Empty without one. It goes straight through to the main process; nothing of it stays here. */
  passphrase: string;
}

export function startRestore(
  way: RestoreWay,
  { name, backupFile, loadOnStartup, passphrase, seenSha256, node, seen }: Prepared,
): ReturnType<ReturnType<typeof useOperations.getState>['restore']> {
  const { restore, restoreMigrate } = useOperations.getState();
  if (way === 'restore') return restore({ name, backupFile, loadOnStartup, seenSha256, node });
  const secret = passphrase === '' ? {} : { passphrase };
  return restoreMigrate({ name, backupFile, ...secret, seenSha256, seen });
}
