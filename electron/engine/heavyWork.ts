/** The work that takes seconds, which is done in a thread of its own so that the engine goes on answering. */
import type { Network } from '../../shared/model.ts';
import type { Unlocked } from '../wallet/crypter.ts';
import type { Encryption } from './view/encryption.ts';

export interface MigrationJob {
  /** The legacy wallet's file. */
  readonly bytes: Uint8Array;
  readonly network: Network;
  readonly name: string;
  readonly passphrase?: string;
  /** What the names of further wallets begin with. */
  readonly prefix: string;
  /** Unix seconds. */
  readonly now: number;
}

export interface NewWallet {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The wallets that come of a migration. */
export interface MigratedWallets {
  readonly primary: NewWallet | null;
  readonly watchonly: NewWallet | null;
  readonly solvables: NewWallet | null;
}

export interface UnlockJob {
  readonly encryption: Encryption;
  readonly passphrase: string;
}

/** Both throw AppError for what went wrong in the work, and reject with the signal's reason when it is aborted. */
export interface HeavyWork {
  migrate(job: MigrationJob, signal: AbortSignal): Promise<MigratedWallets>;
  unlock(job: UnlockJob, signal: AbortSignal): Promise<Unlocked>;
}
