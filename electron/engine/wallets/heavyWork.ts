/** The work that takes seconds, which is done in a thread of its own so that the engine goes on answering. */
import type { Unlocked } from '../../wallet/key/crypter.ts';
import type { Migration } from '../../wallet/migrate/migrateLegacy.ts';
import type { FileMigrationOptions } from '../../wallet/migrate/migrateWallet.ts';
import type { Encryption } from '../../wallet/record/encryption.ts';

export type MigrationJob = Readonly<
  Pick<FileMigrationOptions, 'bytes' | 'network' | 'name' | 'passphrase' | 'prefix' | 'now'>
>;

/** The wallets that come of a migration. */
export type MigratedWallets = Readonly<Omit<Migration, 'proof'>>;

export interface UnlockJob {
  readonly encryption: Encryption;
  readonly passphrase: string;
}

/** Both throw AppError for what went wrong in the work, and reject with the signal's reason when it is aborted. */
export interface HeavyWork {
  migrate(job: MigrationJob, signal: AbortSignal): Promise<MigratedWallets>;
  unlock(job: UnlockJob, signal: AbortSignal): Promise<Unlocked>;
}
