/** The wallets that a migration creates, each with a sentence on its content and purpose. */
import type { MigrationResult } from '../model/job.ts';
import type { MigrationPreview, WalletPart } from '../model/migrationPreview.ts';
import { counted } from './format/formatNumber.ts';
import { say } from './say.ts';

interface MigratedWallet {
  name: string;
  part: WalletPart;
  title: string;
  meaning: string;
}

/**
 * One to three wallets, the main one first. A legacy wallet without spendable scripts has no main wallet: then the result's
 * main name differs from `migrated`, the name of the legacy wallet.
 */
export function migratedWallets(result: MigrationResult, migrated: string): MigratedWallet[] {
  const { walletName, watchonlyName, solvablesName } = result;
  const hasPrimary = walletName !== watchonlyName && (migrated === '' || walletName === migrated);
  const of = (name: string | null, part: WalletPart): MigratedWallet[] =>
    name === null ? [] : [{ name, part, title: PART_TITLES[part], meaning: partMeaning(part) }];
  const others = [...of(watchonlyName, 'watchonly'), ...of(solvablesName, 'solvables')];
  return [
    ...of(walletName, hasPrimary ? 'primary' : 'watchonly'),
    ...others.filter(({ name }) => name !== walletName),
  ];
}

interface PreviewedWallet extends Omit<MigratedWallet, 'name'> {
  /** Null if only the suffix is known. */
  name: string | null;
  /** The end of the name; empty for the main wallet. */
  suffix: string;
  descriptors: number;
}

/** `name`: of the legacy wallet; null if it has none yet. Releases then differ in the names of the other wallets. */
export function previewedWallets(preview: MigrationPreview, name: string | null): PreviewedWallet[] {
  const { primary, watchOnly, solvables } = preview;
  const of = (part: WalletPart, { suffix = '', descriptors }: { suffix?: string; descriptors: number }) => ({
    part,
    name: suffix === '' ? name : name ? `${name}${suffix}` : null,
    suffix,
    title: PART_TITLES[part],
    descriptors,
    meaning: partMeaning(part, primary?.seed),
  });
  return [
    ...(primary ? [of('primary', primary)] : []),
    ...(watchOnly ? [of('watchonly', watchOnly)] : []),
    ...(solvables ? [of('solvables', solvables)] : []),
  ];
}

/** What a migration leaves out. `count`: scripts. */
export function leftOutWords(count: number): string {
  return say('{scripts} left out: unspendable, or no descriptor can express them.', {
    scripts: counted.scripts(count),
  });
}

type Seed = NonNullable<MigrationPreview['primary']>['seed'];

/** The contents of a new wallet. `seed`: the source of the main wallet's new addresses. */
export function partMeaning(part: WalletPart, seed: Seed = 'kept'): string {
  return part === 'primary' ? PRIMARY[seed] : MEANINGS[part];
}

export const PART_TITLES: Readonly<Record<WalletPart, string>> = {
  primary: say('Main wallet'),
  watchonly: say('Watch-only wallet'),
  solvables: say('Wallet of solvable scripts'),
};

const PRIMARY: Readonly<Record<Seed, string>> = {
  kept: say('Your spendable coins.'),
  fresh: `${say('Your spendable coins.')} ${say('Old backups lack the new keys.')}`,
  none: say('Your coins, without private keys.'),
};

const MEANINGS = {
  watchonly: say('Addresses you only watched.'),
  solvables: say('Scripts you can sign for but did not watch.'),
} as const;
