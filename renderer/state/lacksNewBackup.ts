/** Whether a wallet came of a migration and has had no new backup since. */
import { type NodeAddress, type Operation, sameNode } from '../../shared/model.ts';

/** Of the wallet of that name on that node. `operations` are newest first: the newest that tells decides. */
export function lacksNewBackup(operations: readonly Operation[], wallet: string, node: NodeAddress): boolean {
  for (const { kind, state, result, wallet: asked, node: on } of operations) {
    if (state !== 'done' || !sameNode(on.address, node)) continue;
    if (kind === 'backup' && asked === wallet) return false;
    // A wallet of the same name that was restored since is another one.
    if (kind === 'restore' && asked === wallet) return false;
    if (result?.kind === 'migrate' && namesOf(result).includes(wallet)) return true;
  }
  return false;
}

type Migrated = Extract<Operation['result'], { kind: 'migrate' }>;

function namesOf({ walletName, watchonlyName, solvablesName }: Migrated): (string | null)[] {
  return [walletName, watchonlyName, solvablesName];
}
