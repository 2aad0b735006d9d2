/** The wallets that there may be something to migrate of. */
import type { Wallet } from '../../../../shared/wallet.ts';

/** Known legacy wallets before those whose kind is not known. */
export function migratable(wallets: readonly Wallet[]): Wallet[] {
  return (['legacy', 'unknown'] as const).flatMap((wanted) => wallets.filter(({ kind }) => kind === wanted));
}
