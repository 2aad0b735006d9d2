/** The user's own backups of a wallet, as far as this app made them. */
import type { Job, MigrationResult } from '../../shared/model/job.ts';
import { type NodeAddress, sameNode } from '../../shared/model/node.ts';

export interface WalletBackups {
  newest: Job | null;
  made: Job | null;
  /** The wallet came of a migration, and none was made since: the ones of before miss what it receives. */
  owed: boolean;
}

export const NO_BACKUPS: WalletBackups = { newest: null, made: null, owed: false };

/**
 * Of the wallets on that node, by name. `jobs` are newest first. What was backed up before a wallet was restored or
 * migrated under that name was another wallet.
 */
export function walletBackups(jobs: readonly Job[], node: NodeAddress): ReadonlyMap<string, WalletBackups> {
  const all = new Map<string, WalletBackups>();
  const settled = new Set<string>();
  function tell(wallet: string, more: Partial<WalletBackups>, isLast: boolean) {
    if (settled.has(wallet)) return;
    const known = all.get(wallet) ?? NO_BACKUPS;
    all.set(wallet, { ...known, ...more, newest: known.newest ?? more.newest ?? null });
    if (isLast) settled.add(wallet);
  }
  for (const one of jobs) {
    if (!sameNode(one.node.address, node)) continue;
    const done = one.state === 'done';
    if (one.kind === 'backup') tell(one.wallet, { newest: one, ...(done && { made: one }) }, done);
    else if (done && one.kind === 'restore') tell(one.wallet, {}, true);
    else if (done && one.result?.kind === 'migrate') {
      for (const name of namesOf(one.result)) tell(name, { owed: true }, true);
    }
  }
  return all;
}

/** The wallets that a migration made. */
export function namesOf({ walletName, watchonlyName, solvablesName }: MigrationResult): string[] {
  return [walletName, watchonlyName, solvablesName].filter((name) => name !== null);
}

/**
 * The newest backup of one wallet that was begun after a moment, in unix seconds. `jobs` are newest first. Null when
 * there is none.
 */
export function newestBackup(
  jobs: readonly Job[],
  wallet: string,
  since: number,
  node: NodeAddress,
): Job | null {
  return (
    jobs.find(
      (one) =>
        one.kind === 'backup' &&
        one.wallet === wallet &&
        one.started >= since &&
        sameNode(one.node.address, node),
    ) ?? null
  );
}
