/** Does one piece of heavy work, in whichever thread it is called. */
import { type Unlocked, unlock } from '../../wallet/key/crypter.ts';
import { migrateWallet } from '../../wallet/migrate/migrateWallet.ts';
import type { MigratedWallets, MigrationJob, UnlockJob } from '../wallets/heavyWork.ts';

export type HeavyJob =
  | { readonly kind: 'migrate'; readonly job: MigrationJob }
  | { readonly kind: 'unlock'; readonly job: UnlockJob };

export type HeavyResult =
  | { readonly kind: 'migrate'; readonly result: MigratedWallets }
  | { readonly kind: 'unlock'; readonly result: Unlocked };

/** Throws AppError. */
export async function doHeavyJob({ kind, job }: HeavyJob): Promise<HeavyResult> {
  if (kind === 'migrate') return { kind, result: await migrateWallet(job) };
  return { kind, result: await unlock(job.encryption.masterKeys, job.encryption.sample, job.passphrase) };
}
