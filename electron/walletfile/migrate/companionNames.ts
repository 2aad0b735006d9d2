/** Names of the wallets that a migration may make in addition to the main one. */
import type { Job } from '../../../shared/model/job.ts';
import type { WalletPart } from '../../../shared/model/migrationPreview.ts';

export type CompanionPart = Exclude<WalletPart, 'primary'>;

/** The unnamed wallet has two of each, because releases differ in the prefix. */
export function companionNames(
  wallet: string,
  parts: readonly CompanionPart[] = ['watchonly', 'solvables'],
): string[] {
  const stems = wallet === '' ? ['', companionPrefix(wallet)] : [wallet];
  return stems.flatMap((stem) => parts.map((part) => `${stem}_${part}`));
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
