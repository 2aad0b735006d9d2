/** Starts a migration: of the wallet itself, or of a copy of it under a new name. */
import type { NodeIdentity } from '../../../../shared/node.ts';
import type { CopyWay } from '../../../../shared/safety.ts';
import { useOperations } from '../../../state/operationsStore.ts';

interface Wanted {
  name: string;
  /** The safe way: which file is copied, and the name that the copy gets. Null: the wallet itself is migrated. */
  safely: { newName: string; file: string } | null;
  copyWay: CopyWay;
  /** Empty for none. It goes straight through to the main process. */
  passphrase: string;
  /** The user's word, which counts only where the app can make no copy. */
  hasOwnCopy: boolean;
  /** The node that the checks were made on. */
  seen: NodeIdentity;
}

export function startMigration({ name, safely, copyWay, passphrase, hasOwnCopy, seen }: Wanted) {
  const { migrate, restoreMigrate } = useOperations.getState();
  const secret = passphrase === '' ? {} : { passphrase };
  if (safely) return restoreMigrate({ name: safely.newName, backupFile: safely.file, ...secret, seen });
  return migrate({ name, ...secret, ...(copyWay === 'cannot' ? { hasOwnCopy } : {}), seen });
}
