/** Turns a legacy wallet's file into one, two or three descriptor wallets, and proves that nothing was lost. */
import { FileError } from '../../../shared/model/findings/fileError.ts';
import { refuseOtherChain } from '../coin/coinOf.ts';
import { chainKeys } from '../conditions/chainConditions.ts';
import { conditionsOfLegacy } from '../conditions/conditionsOf.ts';
import { refuseConditions } from '../conditions/conditionTable.ts';
import { readBerkeley } from '../database/berkeley.ts';
import { passphraseNeeded, unlock, wrongPassphrase } from '../keys/crypter.ts';
import type { LegacyWallet } from '../legacy/legacyWallet.ts';
import { readLegacyWallet } from '../legacy/readLegacyWallet.ts';
import { type Migration, type MigrationOptions, migrateLegacy } from './migrateLegacy.ts';

/** What of a migration is asked for with the file itself. */
export interface FileMigrationOptions extends MigrationOptions {
  /** The legacy wallet's file. */
  bytes: Uint8Array;
  /** Needed for an encrypted wallet. */
  passphrase?: string;
}

/**
 * Migrates as Bitcoin Core 31 does. Throws `not_a_wallet` for another or a damaged file,
 * `wallet_error` for one of another chain, `wallet_unlock_needed` and `wrong_passphrase` for an encrypted one, and `wallet_error` where the wallet cannot be
 * migrated without losing something, with a list of what.
 */
export async function migrateWallet({
  bytes,
  passphrase,
  ...options
}: FileMigrationOptions): Promise<Migration> {
  const legacy = readFile(bytes);
  refuseOtherChain(legacy.records, options.network, 'migration');
  const masterKey = await walletMasterKey(legacy, passphrase);
  try {
    refuseConditions(conditionsOfLegacy(legacy, chainKeys(legacy, masterKey), masterKey));
    return await migrateLegacy(legacy, masterKey, options);
  } finally {
    masterKey?.fill(0);
  }
}

function readFile(bytes: Uint8Array): LegacyWallet {
  const { records, format } = readBerkeley(bytes);
  if (!format.cleanlyClosed) {
    throw new FileError('wallet_error', { code: 'not_closed_cleanly' });
  }
  return readLegacyWallet(records);
}

/**
 * Null for a wallet without encryption; else 32 bytes, secret: fill them with zeros after use. Throws
 * `wallet_unlock_needed` without a passphrase, `wrong_passphrase` with another, and as `unlock` does.
 */
export async function walletMasterKey(
  { records, watchesOnly }: LegacyWallet,
  passphrase: string | undefined,
): Promise<Uint8Array | null> {
  const masterKeys = records.of('mkey');
  const encryptedKeys = records.of('ckey');
  // A wallet that only watches may have a master key that nothing is encrypted with: nodes drop it when they load.
  if (encryptedKeys.length === 0 && (masterKeys.length === 0 || watchesOnly)) return null;
  if (passphrase === undefined || passphrase === '') throw passphraseNeeded();
  const masterKey = await unlock(masterKeys, encryptedKeys.slice(0, 1), passphrase);
  if (masterKey) return masterKey;
  throw wrongPassphrase(passphrase.includes('\0') ? 'passphrase_wrong_after_zero' : 'passphrase_wrong');
}
