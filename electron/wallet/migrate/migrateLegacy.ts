/** A migration from a legacy wallet's records to the files of the new wallets. */
import { randomBytes } from '@noble/hashes/utils.js';
import { AppError } from '../../../shared/errors.ts';
import type { WalletPart } from '../../../shared/migrationPreview.ts';
import type { Network } from '../../../shared/network.ts';
import type { MigrationProof } from '../../../shared/rehearsal.ts';
import { say } from '../../../shared/text/say.ts';
import { cutList } from '../bytes/cutList.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { writeSqlite } from '../database/writeSqlite.ts';
import type { LegacyWallet } from '../legacy/legacyWallet.ts';
import { masterOfSeed } from '../legacy/masterOfSeed.ts';
import { ownKeys } from '../legacy/ownKeys.ts';
import { hasFlag, hasUnknownMandatoryFlag } from '../record/walletFlags.ts';
import { activeDescriptors } from './activeDescriptors.ts';
import { addressPlaces } from './addressPlaces.ts';
import { furtherRecords, mainRecords } from './migratedRecords.ts';
import { type MigrationPlan, planMigration, scriptsIn } from './migrationPlan.ts';
import { proveMigration } from './migrationProof.ts';
import { markPaid } from './paidDescriptors.ts';
import { transactionPlaces } from './transactionPlaces.ts';

export interface MigrationOptions {
  network: Network;
  name: string;
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

/** `masterKey` is the one of the wallet's encryption, null where it has none. Throws as `migrateWallet` does. */
export async function migrateLegacy(
  legacy: LegacyWallet,
  masterKey: Uint8Array | null,
  options: MigrationOptions,
): Promise<Migration> {
  refuseOthers(legacy);
  const { network, name, prefix, now, keypoolSize = DEFAULT_KEYPOOL_SIZE, random = randomBytes } = options;
  const keys = ownKeys(legacy, masterKey);
  const plan = planMigration(legacy, keys, masterKey, network);
  const paid = markPaid(plan, legacy.transactions, keys, { keypoolSize, encrypted: masterKey !== null });
  const scripts = { watchonly: scriptsIn(plan, 'watchonly'), solvables: scriptsIn(plan, 'solvables') };
  const main = mainPlace(plan, scripts);
  const transactions = transactionPlaces(legacy, plan.placeOf, main);
  const addresses = addressPlaces(legacy, keys, plan, network);
  // A wallet without keys and scripts only changes its format, whatever else is in it.
  if (legacy.isLegacy) refuseStrays(transactions.strays, addresses.strays);

  const inUse = hasOwnDescriptors(plan) && !hasFlag(legacy.flags, 'disable_private_keys');
  const master = () => plan.master ?? masterOfSeed(random(SEED_SIZE), masterKey);
  const active = inUse ? activeDescriptors(master(), network, now, keypoolSize) : [];
  const shared = { legacy, plan, paid, active, addresses, transactions, network };
  const written = async (made: Iterable<RawRecord>) => {
    const records = [...made];
    return { records, bytes: await writeSqlite(records, network) };
  };
  const files = {
    primary: main === 'primary' ? await written(mainRecords(shared)) : null,
    watchonly: scripts.watchonly.length > 0 ? await written(furtherRecords('watchonly', shared)) : null,
    solvables: scripts.solvables.length > 0 ? await written(furtherRecords('solvables', shared)) : null,
  };
  const proof = proveMigration({ legacy, keys, masterKey, plan, addresses, main, files, network });
  const wallet = (file: { bytes: Uint8Array } | null, name: string) => file && { name, bytes: file.bytes };
  return {
    primary: wallet(files.primary, name),
    watchonly: wallet(files.watchonly, `${prefix}_watchonly`),
    solvables: wallet(files.solvables, `${prefix}_solvables`),
    proof,
  };
}

const DEFAULT_KEYPOOL_SIZE = 1000;
const SEED_SIZE = 32;

function hasOwnDescriptors(plan: MigrationPlan): boolean {
  return plan.singles.length > 0 || plan.branches.length > 0 || scriptsIn(plan, 'primary').length > 0;
}

/** The wallet that takes what belongs to no script: the one of the old name, unless nothing else is left for it. */
function mainPlace(
  plan: MigrationPlan,
  { watchonly, solvables }: Record<'watchonly' | 'solvables', readonly unknown[]>,
): WalletPart {
  if (hasOwnDescriptors(plan) || watchonly.length + solvables.length === 0) return 'primary';
  return watchonly.length > 0 ? 'watchonly' : 'solvables';
}

/** Wallets whose flags say something that no migration can keep. */
function refuseOthers(legacy: LegacyWallet): void {
  if (hasFlag(legacy.flags, 'descriptor_wallet') || hasUnknownMandatoryFlag(legacy.flags)) {
    throw new AppError(
      'wallet_error',
      say(
        'The wallet’s flags are not those of a legacy wallet: a newer release wrote it, or the file is damaged.',
      ),
      UNCHANGED,
    );
  }
  if (hasFlag(legacy.flags, 'disable_private_keys') && legacy.keys.length + legacy.encryptedKeys.length > 0) {
    throw new AppError(
      'wallet_error',
      say(
        'The wallet says that it has no private keys, and has some. Bitcoin Core does not migrate such a wallet.',
      ),
      UNCHANGED,
    );
  }
}

function refuseStrays(transactions: readonly string[], addresses: readonly string[]): void {
  if (transactions.length > 0) {
    throw new AppError(
      'wallet_error',
      say('Transactions in the wallet cannot be identified to belong to migrated wallets: {transactions}', {
        transactions: cutList(transactions),
      }),
      say(
        'The legacy wallet was not changed. A node of release 29 or earlier can take such transactions out of the wallet with removeprunedfunds; then it can be migrated.',
      ),
    );
  }
  if (addresses.length > 0) {
    throw new AppError(
      'wallet_error',
      say(
        'Addresses in the wallet’s address book cannot be identified to belong to migrated wallets: {addresses}',
        { addresses: cutList(addresses) },
      ),
      UNCHANGED,
    );
  }
}

const UNCHANGED = say('The legacy wallet was not changed.');
