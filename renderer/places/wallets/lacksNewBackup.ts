/** Whether a wallet came of a migration and has had no new backup since. */
import type { Crossing, MigrationResult } from '../../../shared/crossing.ts';
import { type NodeAddress, sameNode } from '../../../shared/node.ts';

/** Of the wallet of that name on that node. `crossings` are newest first: the newest that tells decides. */
export function lacksNewBackup(crossings: readonly Crossing[], wallet: string, node: NodeAddress): boolean {
  for (const { kind, state, result, wallet: asked, node: on } of crossings) {
    if (state !== 'done' || !sameNode(on.address, node)) continue;
    if (kind === 'backup' && asked === wallet) return false;
    // A wallet of the same name that was restored since is another one.
    if (kind === 'restore' && asked === wallet) return false;
    if (result?.kind === 'migrate' && namesOf(result).includes(wallet)) return true;
  }
  return false;
}

function namesOf({ walletName, watchonlyName, solvablesName }: MigrationResult): (string | null)[] {
  return [walletName, watchonlyName, solvablesName];
}
