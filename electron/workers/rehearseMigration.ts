/** Migrates a legacy wallet in memory, for a preview of the result. Writes nothing. */
import { FileError } from '../../shared/model/findings/fileError.ts';
import { walletPart } from '../../shared/model/migrationPreview.ts';
import type { Network } from '../../shared/model/network.ts';
import { type IdentifiedWallet, identifyWallet, knownNetwork } from '../walletfile/inspect/identifyWallet.ts';
import { migrateWallet } from '../walletfile/migrate/migrateWallet.ts';

export interface RehearsalRequest {
  /** The name of the legacy wallet, or the one to restore it under. Empty for the unnamed wallet. */
  readonly name: string;
  /** Used if the file does not show its network. */
  readonly network?: Network | undefined;
  /** Needed for an encrypted wallet. */
  readonly passphrase?: string | undefined;
}

/**
 * Returns the migrated wallets in the order primary, watch-only, solvables.
 *
 * @throws `wallet_error` for a wallet that cannot be migrated without loss, `wallet_unlock_needed`, `wrong_passphrase`,
 * `not_a_wallet` for a file that is damaged or no wallet, and `bad_input` if the network is unknown or differs from the given one.
 */
export async function rehearseMigration(
  bytes: Uint8Array,
  { name, network: given, passphrase }: RehearsalRequest,
) {
  // This releases the records before the migration reads them again.
  const network = await networkToMigrateOn(bytes, given);
  const { proof, ...migrated } = await migrateWallet({
    bytes,
    network,
    name,
    now: Math.floor(Date.now() / 1000),
    ...(passphrase === undefined ? {} : { passphrase }),
  });
  const wallets = walletPart.options.flatMap((part) => {
    const wallet = migrated[part];
    return wallet ? [{ part, ...wallet }] : [];
  });
  return { network, wallets, proof };
}

async function networkToMigrateOn(bytes: Uint8Array, given: Network | undefined): Promise<Network> {
  const found = await identifyWallet(bytes, given);
  refuseConverted(found);
  if (found.coin.verdict === 'other') {
    throw new FileError('wallet_error', { code: 'other_coin', coin: found.coin });
  }
  return knownNetwork(found.network, given);
}

function refuseConverted({ kind, format }: IdentifiedWallet): void {
  if (kind === 'descriptor') {
    throw new FileError('wallet_error', { code: 'already_descriptor_wallet' });
  }
  if (format.kind === 'sqlite') {
    throw new FileError('wallet_error', { code: 'migration_interrupted' });
  }
}
