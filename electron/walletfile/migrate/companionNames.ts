/** Names of the wallets that a migration may make beside the main one. */
import type { Job } from '../../../shared/model/job.ts';
import type { WalletPart } from '../../../shared/model/migrationPreview.ts';

export type CompanionPart = Exclude<WalletPart, 'primary'>;

/** For the unnamed wallet there are two of each: releases differ in what they build on. */
export function companionNames(
  wallet: string,
  parts: readonly CompanionPart[] = ['watchonly', 'solvables'],
): string[] {
  const stems = wallet === '' ? ['', companionPrefix(wallet)] : [wallet];
  return stems.flatMap((stem) => parts.map((part) => `${stem}_${part}`));
}

/** Every wallet that a job on this one can be about. */
export function concernedWallets(kind: Job['kind'], wallet: string): string[] {
  return kind === 'restore' || kind === 'backup' || kind === 'rescan'
    ? [wallet]
    : [wallet, ...companionNames(wallet)];
}

/**
 * What the names of a migration's companions begin with: the wallet's own name, or `default_wallet` where that is empty (`MigrateLegacyToDescriptor` in `wallet.cpp`).
 */
export function companionPrefix(name: string): string {
  return name === '' ? 'default_wallet' : name;
}
