/** The wallets that came of a migration, each with a sentence on what it holds and why. */
import type { OperationResult } from '../../shared/model.ts';
import { say } from '../../shared/say.ts';

export interface MigratedWallet {
  name: string;
  role: 'main' | 'watch-only' | 'solvable';
  /** "Main wallet" */
  title: string;
  /** What it holds and why it is there. */
  meaning: string;
}

/**
 * One to three, the main one first. Where the legacy wallet held nothing to spend with, no main wallet remains, and
 * the result's main name is the one of another wallet than `asked`, the name the migration was started for.
 */
export function migratedWallets(result: Migrated, asked: string): MigratedWallet[] {
  const { walletName, watchonlyName, solvablesName } = result;
  const onlyWatched = walletName === watchonlyName || (asked !== '' && walletName !== asked);
  const main = onlyWatched ? { name: walletName, ...ONLY_WATCHED } : { name: walletName, ...MAIN };
  const others = [
    ...(watchonlyName === null ? [] : [{ name: watchonlyName, ...WATCH_ONLY }]),
    ...(solvablesName === null ? [] : [{ name: solvablesName, ...SOLVABLE }]),
  ];
  return [main, ...others.filter(({ name }) => name !== walletName)];
}

type Migrated = Extract<OperationResult, { kind: 'migrate' }>;

const MAIN = {
  role: 'main',
  title: say('Main wallet'),
  meaning: say('The wallet itself, converted: its keys, addresses, labels and transactions.'),
} as const;

const WATCH_ONLY = {
  role: 'watch-only',
  title: say('Watch-only wallet'),
  meaning: say(
    'Holds the addresses and scripts that the legacy wallet watched without their keys. It shows their payments and cannot spend them. A descriptor wallet either has keys or only watches, so they were put apart.',
  ),
} as const;

const ONLY_WATCHED = {
  role: 'watch-only',
  title: say('Watch-only wallet'),
  meaning: say(
    'The legacy wallet held no keys and only watched, so no spendable wallet came of it. This wallet goes on watching the same addresses and scripts.',
  ),
} as const;

const SOLVABLE = {
  role: 'solvable',
  title: say('Wallet of solvable scripts'),
  meaning: say(
    'Holds scripts that the legacy wallet knew in full but did not watch, such as multisig scripts made with some of its keys. They were put apart so that their payments are not counted as yours.',
  ),
} as const;
