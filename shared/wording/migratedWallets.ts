/** The wallets that a migration creates, each with a sentence on its content and purpose. */
import type { MigrationResult } from '../model/job.ts';
import type { MigrationPreview, WalletPart } from '../model/migrationPreview.ts';
import { counted } from './format/counted.ts';
import { say } from './say.ts';

interface MigratedWallet {
  name: string;
  part: WalletPart;
  title: string;
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
    name === null ? [] : [{ name, part, title: PART_TITLES[part], meaning: partMeaning(part) }];
  const others = [...of(watchonlyName, 'watchonly'), ...of(solvablesName, 'solvables')];
  return [
    ...of(walletName, hasPrimary ? 'primary' : 'watchonly'),
    ...others.filter(({ name }) => name !== walletName),
  ];
}

export interface PreviewedWallet extends Omit<MigratedWallet, 'name'> {
  /** Null where only the end of its name is known. */
  name: string | null;
  /** What the name ends in; empty for the main wallet. */
  suffix: string;
  descriptors: number;
}

/** `name`: the legacy wallet's, null where it has none yet; then releases differ in what its companions' names start with. */
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

/** What one of the wallets of a migration holds, and why it is there. `seed`: where new addresses of the main one come from. */
export function partMeaning(part: WalletPart, seed: Seed = 'kept'): string {
  return part === 'primary' ? PRIMARY[seed] : MEANINGS[part];
}

export const PART_TITLES: Readonly<Record<WalletPart, string>> = {
  primary: say('Main wallet'),
  watchonly: say('Watch-only wallet'),
  solvables: say('Wallet of solvable scripts'),
};

const PRIMARY: Readonly<Record<Seed, string>> = {
  kept: say('Converted.'),
  fresh: say('Converted, with a new seed that older backups lack.'),
  none: say('Converted, without private keys.'),
};

const MEANINGS = {
  watchonly: say('Watched scripts, without keys to spend.'),
  solvables: say('Known but unwatched scripts. Their payments are not counted.'),
} as const;
