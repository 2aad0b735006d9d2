/** Turns a legacy wallet's file into one, two or three descriptor wallets, and proves that nothing was lost. */
import { AppError } from '../../../shared/errors.ts';
import { say } from '../../../shared/text/say.ts';
import { readBerkeley } from '../database/berkeley.ts';
import { type LegacyWallet, readLegacyWallet } from '../legacy/legacyWallet.ts';
import { type Migration, type MigrationOptions, migrateLegacy } from './migrateLegacy.ts';
import { walletMasterKey } from './walletMasterKey.ts';

/** What of a migration is asked for with the file itself. */
export interface FileMigrationOptions extends MigrationOptions {
  /** The legacy wallet's file. */
  bytes: Uint8Array;
  /** Needed for an encrypted wallet. */
  passphrase?: string;
}

/**
 * Migrates as Bitcoin Core 31 does. Throws AppError `not_a_wallet` for another or a damaged file,
 * `wallet_unlock_needed` and `wrong_passphrase` for an encrypted one, and `wallet_error` where the wallet cannot be
 * migrated without losing something, with a list of what.
 */
export async function migrateWallet({
  bytes,
  passphrase,
  ...options
}: FileMigrationOptions): Promise<Migration> {
  const legacy = readFile(bytes);
  const masterKey = await walletMasterKey(legacy, passphrase);
  try {
    return await migrateLegacy(legacy, masterKey, options);
  } finally {
    masterKey?.fill(0);
  }
}

function readFile(bytes: Uint8Array): LegacyWallet {
  const { records, cleanLsns } = readBerkeley(bytes);
  if (!cleanLsns) throw notClosed();
  return readLegacyWallet(records);
}

function notClosed(): AppError {
  return new AppError(
    'wallet_error',
    say('The wallet file was not closed cleanly, so that its last changes may be missing from it.'),
    say(
      'The file was not changed. Open and close the wallet with a Bitcoin Core of release 29 or earlier that still has its database folder, then migrate it.',
    ),
  );
}
