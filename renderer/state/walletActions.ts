/** What can be done with a wallet of the node, wherever that is offered. */
import type { NodeStatus } from '../../shared/model/node.ts';
import type { PlanAction } from '../../shared/model/plan.ts';
import type { Wallet } from '../../shared/model/wallet.ts';
import { go } from './appStore.ts';
import { plans } from './plansStore.ts';
import { changeWallet } from './walletsStore.ts';

/** Null for each action that the node cannot do with the wallet. */
export function walletActions(
  { name, kind, loaded, interruption, damagedFile }: Wallet,
  { release, offline }: NodeStatus,
) {
  const source = { by: 'wallet', name } as const;
  const begin = (action: PlanAction) => () => plans.begin([{ action, source }]);
  const canMigrate = kind === 'legacy' && release.migrates !== 'no';
  const isHalf = kind === 'interrupted';
  const toRescue = damagedFile ?? interruption?.toRescue;
  const opens = loaded || (!isHalf && (kind !== 'legacy' || release.loadsLegacy));
  // Without a whole copy there is nothing to put back, and a wallet that was put back needs no second time.
  const canPutBack = isHalf && interruption?.restoredAs === undefined && (interruption?.copies ?? 0) > 0;
  return {
    open: () => go({ at: 'wallet', source }),
    migrate: canMigrate && !damagedFile ? begin('migrate') : null,
    rescue: toRescue
      ? () => plans.begin([{ action: 'rescue', source: { by: 'file', path: toRescue } }])
      : null,
    putBack: canPutBack ? begin('put-back') : null,
    backUp: isHalf ? null : begin('backup'),
    /** Loads or unloads it. */
    change: opens ? () => void changeWallet(loaded ? 'unload' : 'load', name) : null,
    rescan: opens && !offline ? begin('rescan') : null,
  };
}
