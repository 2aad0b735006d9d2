/** What can be done with a wallet of the node, wherever that is offered. */
import type { Input } from '../../shared/contract.ts';
import type { NodeStatus } from '../../shared/model/node.ts';
import type { PlanAction } from '../../shared/model/plan.ts';
import type { Wallet } from '../../shared/model/wallet.ts';
import { connectionToKeep, go, workOffline } from './appStore.ts';
import type { NewRequest } from './draftsStore.ts';
import { plans } from './plansStore.ts';
import { changeWallet } from './walletsStore.ts';

/** Starts the engine there and plans an action. Cancel brings back the connection before it. Throws AppError. */
export async function beginOffline(place: Input<'engine.start'>, request: NewRequest): Promise<void> {
  const before = connectionToKeep();
  await workOffline(place);
  plans.begin([request], before);
}

/** Null for each action that the node cannot do with the wallet. */
export function walletActions(
  { name, kind, loaded, interruption, damagedFile, pending, fromFile }: Wallet,
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
  // The first bytes of a file do not show damage, nor that its migration was interrupted.
  const isUnread = pending && !fromFile && !loaded;
  return {
    isUnread,
    open: () => go({ at: 'wallet', source }),
    migrate: canMigrate && !damagedFile && !isUnread ? begin('migrate') : null,
    rescue: toRescue
      ? () => plans.begin([{ action: 'rescue', source: { by: 'file', path: toRescue } }])
      : null,
    putBack: canPutBack ? begin('put-back') : null,
    backUp: isHalf ? null : begin('backup'),
    change: opens ? () => void changeWallet(loaded ? 'unload' : 'load', name) : null,
    rescan: opens && !offline ? begin('rescan') : null,
  };
}
