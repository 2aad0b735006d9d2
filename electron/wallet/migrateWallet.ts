/** Turns a legacy wallet's file into one, two or three descriptor wallets, and proves that nothing was lost. */
import { randomBytes } from '@noble/hashes/utils.js';
import { AppError } from '../../shared/errors.ts';
import type { Network } from '../../shared/model.ts';
import { activeDescriptors } from './activeDescriptors.ts';
import { addressPlaces } from './addressPlaces.ts';
import { branchDescriptor } from './chainDescriptors.ts';
import { extendChains } from './chainRanges.ts';
import { addOwnAddresses } from './furtherAddresses.ts';
import { FLAGS, type LegacyWallet, readLegacyWallet } from './legacyWallet.ts';
import { type MasterKey, masterOfSeed } from './masterOfSeed.ts';
import { type MigrationPlan, type Place, planMigration } from './migrationPlan.ts';
import { type MigrationProof, proveMigration } from './migrationProof.ts';
import { type OwnKeys, ownKeys } from './ownKeys.ts';
import { type PlannedDescriptor, recordsOfDescriptor } from './plannedDescriptor.ts';
import type { RawRecord } from './rawRecord.ts';
import { writeSqlite } from './sqlite.ts';
import { transactionPlaces } from './transactionPlaces.ts';
import { furtherContents, mainContents } from './walletContents.ts';
import { walletMasterKey } from './walletMasterKey.ts';

export interface MigrationOptions {
  /** The legacy wallet's file. */
  bytes: Uint8Array;
  network: Network;
  name: string;
  /** Needed for an encrypted wallet. */
  passphrase?: string;
  /** What the names of further wallets start with: the name, or `default_wallet` for the unnamed one. */
  prefix: string;
  /** Unix seconds: when the new addresses' descriptors are made. */
  now: number;
  /** How many keys a node keeps ready for each descriptor (`-keypool`). Default 1000. */
  keypoolSize?: number;
  /** Where a new seed comes from, for a wallet that has none. */
  random?: (size: number) => Uint8Array;
}

export interface Migration {
  /** Null when the legacy wallet only watched: then nothing is left for a wallet of its name. */
  primary: NewWallet | null;
  /** Watched scripts of which the wallet lacks private keys. */
  watchonly: NewWallet | null;
  /** Scripts it did not watch but can help to sign for. */
  solvables: NewWallet | null;
  proof: MigrationProof;
}

export interface NewWallet {
  name: string;
  /** An SQLite file. */
  bytes: Uint8Array;
}

/**
 * Migrates as Bitcoin Core 31 does. Throws AppError `not_a_wallet` for another or a damaged file,
 * `wallet_unlock_needed` and `wrong_passphrase` for an encrypted one, and `wallet_error` where the wallet cannot be
 * migrated without losing something, with a list of what.
 */
export async function migrateWallet(options: MigrationOptions): Promise<Migration> {
  const legacy = readLegacyWallet(options.bytes);
  refuseOthers(legacy);
  const masterKey = await walletMasterKey(legacy, options.passphrase);
  try {
    return await migrate(legacy, masterKey, options);
  } finally {
    masterKey?.fill(0);
  }
}
