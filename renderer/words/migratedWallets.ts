/** The wallets that came of a migration, each with a sentence on what it holds and why. */
import type { WalletPart } from '../../shared/migrationPreview.ts';
import type { MigrationResult } from '../../shared/operation.ts';
import { say } from '../../shared/text/say.ts';
import { PART_TITLES } from './previewedWallets.ts';

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
  const onlyWatched = walletName === watchonlyName || (asked !== '' && walletName !== asked);
  const main = onlyWatched ? { name: walletName, ...ONLY_WATCHED } : { name: walletName, ...MAIN };
  const others = [
    ...(watchonlyName === null ? [] : [{ name: watchonlyName, ...WATCH_ONLY }]),
    ...(solvablesName === null ? [] : [{ name: solvablesName, ...SOLVABLE }]),
  ];
  return [main, ...others.filter(({ name }) => name !== walletName)];
}

const MAIN = {
  part: 'primary',
  title: PART_TITLES.primary,
  meaning: say('The wallet itself, converted: its keys, addresses, labels and transactions.'),
} as const;

const WATCH_ONLY = {
  part: 'watchonly',
  title: PART_TITLES.watchonly,
  meaning: say(
    'Holds the addresses and scripts that the legacy wallet watched without their keys. It shows their payments and cannot spend them. A descriptor wallet either has keys or only watches, so they were put apart.',
  ),
} as const;

const ONLY_WATCHED = {
  part: 'watchonly',
  title: PART_TITLES.watchonly,
  meaning: say(
    'The legacy wallet held no keys and only watched, so no spendable wallet came of it. This wallet goes on watching the same addresses and scripts.',
  ),
} as const;

const SOLVABLE = {
  part: 'solvables',
  title: PART_TITLES.solvables,
  meaning: say(
    'Holds scripts that the legacy wallet knew in full but did not watch, such as multisig scripts made with some of its keys. They were put apart so that their payments are not counted as yours.',
  ),
} as const;
