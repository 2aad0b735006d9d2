/** Names of the wallets that a migration may make in addition to the main one. */
import type { Job } from '../../../shared/model/job.ts';
import type { WalletPart } from '../../../shared/model/migrationPreview.ts';
import { isTooLong } from '../../../shared/model/names/walletName.ts';
import { LEGACY_BACKUP_ENDING } from '../database/relatedFiles.ts';

export type CompanionPart = Exclude<WalletPart, 'primary'>;

/** The unnamed wallet has two of each, because releases differ in the prefix. */
export function companionNames(
  wallet: string,
  parts: readonly CompanionPart[] = ['watchonly', 'solvables'],
): string[] {
  const stems = wallet === '' ? ['', companionPrefix(wallet)] : [wallet];
  return stems.flatMap((stem) => parts.map((part) => `${stem}_${part}`));
}

/** Whether no file system takes the name of a companion, or of the legacy backup: the wallet's name with a time. */
export function needsLongName(wallet: string): boolean {
  const needed = [...companionNames(wallet), `${wallet}_0123456789${LEGACY_BACKUP_ENDING}`];
  return needed.some((each) => each.split('/').some(isTooLong));
}

/** Every wallet that a job on this one can touch. */
export function concernedWallets(kind: Job['kind'], wallet: string): string[] {
  return kind === 'restore' || kind === 'backup' || kind === 'rescan'
    ? [wallet]
    : [wallet, ...companionNames(wallet)];
}

/** The prefix of companion names: the wallet's name, or `default_wallet` if empty (`MigrateLegacyToDescriptor` in `wallet.cpp`). */
export function companionPrefix(name: string): string {
  return name === '' ? 'default_wallet' : name;
}
