/** The backups of a wallet that this app made for the user. */
import type { Job, MigrationResult } from '../../shared/model/job.ts';
import { type NodeAddress, sameNode } from '../../shared/model/node.ts';

export interface WalletBackups {
  newest: Job | null;
  made: Job | null;
  /** A migration created the wallet and no backup followed. Older backups lack the new keys. */
  owed: boolean;
}

export const NO_BACKUPS: WalletBackups = { newest: null, made: null, owed: false };

/**
 * The backups of the wallets on that node, by name. `jobs`: newest first. Ignores backups from before a restore or a
 * migration under the same name: they are of another wallet.
 */
export function walletBackups(jobs: readonly Job[], node: NodeAddress): ReadonlyMap<string, WalletBackups> {
  const all = new Map<string, WalletBackups>();
  const settled = new Set<string>();
  function add(wallet: string, more: Partial<WalletBackups>, isLast: boolean) {
    if (settled.has(wallet)) return;
    const known = all.get(wallet) ?? NO_BACKUPS;
    all.set(wallet, { ...known, ...more, newest: known.newest ?? more.newest ?? null });
    if (isLast) settled.add(wallet);
  }
  for (const one of jobs) {
    if (!sameNode(one.node.address, node)) continue;
    const done = one.state === 'done';
    if (one.kind === 'backup') add(one.wallet, { newest: one, ...(done && { made: one }) }, done);
    else if (done && one.kind === 'restore') add(one.wallet, {}, true);
    else if (done && one.result?.kind === 'migrate') {
      for (const name of namesOf(one.result)) add(name, { owed: true }, true);
    }
  }
  return all;
}

/** The names of the wallets that a migration created. */
export function namesOf({ walletName, watchonlyName, solvablesName }: MigrationResult): string[] {
  return [walletName, watchonlyName, solvablesName].filter((name) => name !== null);
}
