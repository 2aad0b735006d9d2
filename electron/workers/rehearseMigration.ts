/** Migrates a legacy wallet in memory, so that what would come of it can be looked at. Nothing is written. */
import { FileError } from '../../shared/model/findings/fileError.ts';
import { walletPart } from '../../shared/model/migrationPreview.ts';
import type { Network } from '../../shared/model/network.ts';
import { type IdentifiedWallet, identifyWallet, knownNetwork } from '../walletfile/inspect/identifyWallet.ts';
import { migrateWallet } from '../walletfile/migrate/migrateWallet.ts';

export interface RehearsalRequest {
  /** The name that the legacy wallet has, or would be restored under. Empty for the unnamed one. */
  readonly name: string;
  /** Decides where the file does not tell. */
  readonly network?: Network | undefined;
  /** Needed for an encrypted wallet. */
  readonly passphrase?: string | undefined;
}

/**
 * Gives the wallets that come of it in the order primary, watch-only, solvables.
 *
 * @throws `wallet_error` for a wallet that cannot be migrated, or not without losing something,
 * `wallet_unlock_needed`, `wrong_passphrase`, `not_a_wallet` for another or a damaged file, `bad_input` where the network
 * must be told, or is another than told.
 */
export async function rehearseMigration(
  bytes: Uint8Array,
  { name, network: asked, passphrase }: RehearsalRequest,
) {
  // Its records are let go of before they are read once more.
  const network = await networkToMigrateOn(bytes, asked);
  const { proof, ...made } = await migrateWallet({
    bytes,
    network,
    name,
    now: Math.floor(Date.now() / 1000),
    ...(passphrase === undefined ? {} : { passphrase }),
  });
  const wallets = walletPart.options.flatMap((part) => {
    const wallet = made[part];
    return wallet ? [{ part, ...wallet }] : [];
  });
  return { network, wallets, proof };
}

async function networkToMigrateOn(bytes: Uint8Array, asked: Network | undefined): Promise<Network> {
  const found = await identifyWallet(bytes, asked);
  refuseConverted(found);
  if (found.coin.verdict === 'other') {
    throw new FileError('wallet_error', { code: 'other_coin', coin: found.coin });
  }
  return knownNetwork(found.network, asked);
}

function refuseConverted({ kind, format }: IdentifiedWallet): void {
  if (kind === 'descriptor') {
    throw new FileError('wallet_error', { code: 'already_descriptor_wallet' });
  }
  if (format.kind === 'sqlite') {
    throw new FileError('wallet_error', { code: 'migration_interrupted' });
  }
}
