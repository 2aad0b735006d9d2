/** Migrates a legacy wallet's file to one, two or three descriptor wallets, and proves that nothing was lost. */
import { FileError } from '../../../shared/model/findings/fileError.ts';
import { walletPart } from '../../../shared/model/migrationPreview.ts';
import type { Network } from '../../../shared/model/network.ts';
import type { FileBytes } from '../bytes/byteSource.ts';
import { refuseOtherChain } from '../coin/identifyCoin.ts';
import { conditionsOfLegacy } from '../conditions/conditionsOf.ts';
import { refuseConditions } from '../conditions/conditionTable.ts';
import { deriveChainKeys } from '../conditions/recordConditions.ts';
import { readBerkeley } from '../database/berkeley.ts';
import { CheckedFile } from '../database/walletDatabase.ts';
import { type IdentifiedWallet, identifyWallet, requireNetwork } from '../inspect/identifyWallet.ts';
import { passphraseNeededError, unlock, wrongPassphraseError } from '../keys/crypter.ts';
import { allKeysMatch, matchedInAnotherThread } from '../legacy/legacyKeys.ts';
import { type LegacyWallet, legacyWallet, readLegacyWallet } from '../legacy/legacyWallet.ts';
import { type RecordsByType, recordsByType } from '../records/records.ts';
import { type CreateFile, type Migration, type MigrationOptions, migrateLegacy } from './migrateLegacy.ts';

interface LegacyFile {
  /** The legacy wallet's file. */
  bytes: FileBytes;
  /** Needed for an encrypted wallet. */
  passphrase?: string;
  /** Shared with the threads that prove a share of the keys: see `allKeysMatch`. */
  nextKeyIndex?: Int32Array;
}

export type FileMigrationOptions = LegacyFile & Omit<MigrationOptions, 'fits' | 'chainKeys'>;

/**
 * Migrates as Bitcoin Core 31 does. Throws `not_a_wallet` for another or a damaged file, `wallet_unlock_needed` and
 * `wrong_passphrase` for an encrypted one, and `wallet_error` for a wallet of another chain, or with a list of what a migration
 * would lose.
 */
export function migrateWallet(options: FileMigrationOptions): Promise<Migration> {
  return migrateWalletIn((_, size) => new CheckedFile(size), options);
}

/** The same with files that `create` makes, which SQLite has not checked. */
export async function migrateWalletIn<Content extends FileBytes>(
  create: CreateFile<Content>,
  { bytes, passphrase, nextKeyIndex, ...options }: FileMigrationOptions,
): Promise<Migration<Content>> {
  const legacy = readFile(bytes);
  refuseOtherChain(legacy.records, options.network, { doing: 'migration' });
  const masterKey = await walletMasterKey(legacy, passphrase);
  try {
    const chains = deriveChainKeys(legacy, masterKey);
    let outcome: () => Migration<Content>;
    try {
      refuseConditions(conditionsOfLegacy(legacy, chains, masterKey, matchedInAnotherThread));
      const fits = matchedInAnotherThread;
      const chainKeys = chains.derived;
      const migration = await migrateLegacy(legacy, masterKey, { ...options, fits, chainKeys }, create);
      if (allKeysMatch(legacy.records, masterKey, nextKeyIndex)) return migration;
      outcome = () => migration;
    } catch (error) {
      outcome = () => {
        throw error;
      };
    }
    // A key that does not fit may be the reason, and is reported first.
    refuseConditions(conditionsOfLegacy(legacy, chains, masterKey));
    return outcome();
  } finally {
    masterKey?.fill(0);
  }
}

/**
 * Proves a share of the keys for a `migrateWallet` in another thread, which has the same `turns`. Throws `wallet_error` for a key that
 * does not fit. Leaves all other faults to that thread.
 */
export async function proveKeys({ bytes, passphrase, nextKeyIndex }: LegacyFile): Promise<void> {
  let records: RecordsByType;
  let masterKey: Uint8Array | null;
  try {
    records = recordsByType(readBerkeley(bytes, 'refuse', isOfKeys, true).records);
    const encrypted = records.of('ckey').slice(0, 1);
    masterKey =
      passphrase === undefined || encrypted.length === 0
        ? null
        : await unlock(records.of('mkey'), encrypted, passphrase);
  } catch {
    return;
  }
  try {
    if (allKeysMatch(records, masterKey, nextKeyIndex)) return;
    const legacy = legacyWallet(recordsByType(readBerkeley(bytes).records));
    refuseConditions(conditionsOfLegacy(legacy, deriveChainKeys(legacy, masterKey), masterKey));
  } finally {
    masterKey?.fill(0);
  }
}

/** Whether a record is of a type that `proveKeys` reads. */
function isOfKeys(bytes: Uint8Array, start: number): boolean {
  return keyTypes.some((type) => type.every((byte, at) => bytes[start + at] === byte));
}

/** The type names in the form in which keys begin with them. */
const keyTypes = ['key', 'ckey', 'mkey'].map((type) => [type.length, ...Buffer.from(type)]);

function readFile(bytes: FileBytes): LegacyWallet {
  const { records, format } = readBerkeley(bytes, 'refuse', undefined, true);
  if (!format.cleanlyClosed) {
    throw new FileError('wallet_error', { code: 'not_closed_cleanly' });
  }
  return readLegacyWallet(records);
}

/**
 * Null for a wallet without encryption; else 32 secret bytes, which the caller fills with zeros after use. Throws
 * `wallet_unlock_needed` without a passphrase, `wrong_passphrase` for a wrong one, and as `unlock` does.
 */
export async function walletMasterKey(
  { records, watchesOnly }: LegacyWallet,
  passphrase: string | undefined,
): Promise<Uint8Array | null> {
  const masterKeys = records.of('mkey');
  const encryptedKeys = records.of('ckey');
  // A watch-only wallet may have an unused master key, which nodes drop when they load the wallet.
  if (encryptedKeys.length === 0 && (masterKeys.length === 0 || watchesOnly)) return null;
  if (!passphrase) throw passphraseNeededError();
  const masterKey = await unlock(masterKeys, encryptedKeys.slice(0, 1), passphrase);
  if (masterKey) return masterKey;
  throw wrongPassphraseError(passphrase.includes('\0') ? 'passphrase_wrong_after_zero' : 'passphrase_wrong');
}

export interface RehearsalRequest {
  /** The name of the legacy wallet, or the one to restore it under. Empty for the unnamed wallet. */
  readonly name: string;
  /** Used if the file does not show its network. */
  readonly network?: Network | undefined;
  /** Needed for an encrypted wallet. */
  readonly passphrase?: string | undefined;
}

/**
 * Migrates a legacy wallet in memory, for a preview of the result. Writes nothing. Returns the migrated wallets in the order
 * primary, watch-only, solvables.
 *
 * @throws `wallet_error` for a wallet that cannot be migrated without loss, `wallet_unlock_needed`, `wrong_passphrase`,
 * `not_a_wallet` for a file that is damaged or no wallet, and `bad_input` if the network is unknown or differs from the given one.
 */
export async function rehearseMigration(
  bytes: Uint8Array,
  { name, network: expected, passphrase }: RehearsalRequest,
) {
  // This releases the records before the migration reads them again.
  const network = await networkToMigrateOn(bytes, expected);
  const { proof, ...migrated } = await migrateWallet({
    bytes,
    network,
    name,
    now: Math.floor(Date.now() / 1000),
    ...(passphrase === undefined ? {} : { passphrase }),
  });
  const wallets = walletPart.options.flatMap((part) => {
    const wallet = migrated[part];
    return wallet ? [{ part, name: wallet.name, bytes: wallet.bytes }] : [];
  });
  return { network, wallets, proof };
}

async function networkToMigrateOn(bytes: Uint8Array, expected: Network | undefined): Promise<Network> {
  const found = await identifyWallet(bytes, expected);
  refuseConverted(found);
  if (found.coin.verdict === 'other') {
    throw new FileError('wallet_error', { code: 'other_coin', coin: found.coin });
  }
  return requireNetwork(found.network, expected);
}

function refuseConverted({ kind, format }: IdentifiedWallet): void {
  if (kind === 'descriptor') {
    throw new FileError('wallet_error', { code: 'already_descriptor_wallet' });
  }
  if (format.kind === 'sqlite') {
    throw new FileError('wallet_error', { code: 'migration_interrupted' });
  }
}
