/** The wallets that came of a migration, each with a sentence on what it holds and why. */

import type { MigrationResult } from '../crossing.ts';
import type { WalletPart } from '../migrationPreview.ts';
import { PART_TITLES, partMeaning } from './previewedWallets.ts';

interface MigratedWallet {
  name: string;
  part: WalletPart;
  /** "Main wallet" */
  title: string;
  /** What it holds and why it is there. */
  meaning: string;
}

/**
 * One to three, the main one first. Where the legacy wallet held nothing to spend with, no main wallet remains, and
 * the result's main name is the one of another wallet than `asked`, the name the migration was started for.
 */
export function migratedWallets(result: MigrationResult, asked: string): MigratedWallet[] {
  const { walletName, watchonlyName, solvablesName } = result;
  const hasPrimary = walletName !== watchonlyName && (asked === '' || walletName === asked);
  const of = (name: string | null, part: WalletPart): MigratedWallet[] =>
    name === null
      ? []
      : [{ name, part, title: PART_TITLES[part], meaning: partMeaning(part, { seed: null, hasPrimary }) }];
  const others = [...of(watchonlyName, 'watchonly'), ...of(solvablesName, 'solvables')];
  return [
    ...of(walletName, hasPrimary ? 'primary' : 'watchonly'),
    ...others.filter(({ name }) => name !== walletName),
  ];
}
