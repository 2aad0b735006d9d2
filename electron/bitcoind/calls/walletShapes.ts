/** Shapes of the results of wallet calls, for all releases. Ignores fields that the app does not use. */
import { z } from 'zod';
import { type Balance, satoshiOfBitcoin } from '../../../shared/model/money.ts';
import type { Wallet } from '../../../shared/model/wallet.ts';

/** Longer than any file system allows, and the most that the page accepts. */
const name = z.string().max(20_000);
export const text = z.string().transform((words) => words.slice(0, 20_000));
/** There are never more than 21 million. */
const bitcoin = z.number().min(-21_000_000).max(21_000_000).transform(satoshiOfBitcoin);
const count = z.number().int().nonnegative();

/** A flood of warnings must not hide the rest of the answer. */
const MOST_WARNINGS = 1000;
const warnings = z.array(text).transform((all) => all.slice(0, MOST_WARNINGS));

/** Releases before 25 return `warning`, later ones `warnings`, and 25 both with a setting. */
const warningFields = z.object({ warning: text.optional(), warnings: warnings.optional() });

/** Every warning once, in order. A `warning` joins several with line breaks, and may be empty. */
function warningsOf({ warning, warnings = [] }: z.output<typeof warningFields>): string[] {
  const lines = warning === undefined || warnings.includes(warning) ? [] : warning.split('\n');
  const listed = new Set(warnings.flatMap((each) => [each, ...each.split('\n')]));
  return [...new Set([...warnings, ...lines.filter((line) => !listed.has(line))])].filter(
    (each) => each !== '',
  );
}

/** Some releases return null if there is no warning. */
export const unloadResultShape = warningFields
  .nullable()
  .transform((fields) => ({ warnings: warningsOf(fields ?? {}) }));

export const loadResultShape = warningFields
  .extend({ name })
  .transform(({ name, ...fields }) => ({ name, warnings: warningsOf(fields) }));

/** Far more than the page's list is designed for. */
const MOST_WALLETS = 50_000;

export const walletDirShape = z
  .object({ wallets: z.array(loadResultShape).max(MOST_WALLETS) })
  .transform(({ wallets }) => wallets);

export const walletNamesShape = z.array(name).max(MOST_WALLETS);

export const migrateResultShape = z
  .object({
    wallet_name: name,
    watchonly_name: name.optional(),
    solvables_name: name.optional(),
    backup_path: z.string().max(20_000),
  })
  .transform((migrated) => ({
    /** The main wallet. Its name differs from the one in the call if the legacy wallet was watch-only. */
    walletName: migrated.wallet_name,
    watchonlyName: migrated.watchonly_name ?? null,
    solvablesName: migrated.solvables_name ?? null,
    /** Path on the node's machine. It differs between releases: never construct it. */
    backupPath: migrated.backup_path,
  }));

/** Heights of the first and last block that was scanned; `to` is null if there was nothing to scan. */
export const rescanResultShape = z
  .object({ start_height: count, stop_height: count.nullable() })
  .transform(({ start_height: from, stop_height: to }) => ({ from, to }));

/** The last second of the year 9999, the largest date that can be written. */
const LATEST = 253_402_300_799;

/** A fraction from 0 to 1. */
export const share = z.number().transform((part) => Math.min(1, Math.max(0, part)));

/** The number of descriptors. */
export const descriptorsShape = z
  .object({ descriptors: z.array(z.unknown()) })
  .transform(({ descriptors }) => descriptors.length);

export const walletInfoShape = z
  .object({
    /** `sqlite` or `bdb`; since release 22. */
    format: z.string().optional(),
    /** Since release 26. */
    blank: z.boolean().optional(),
    descriptors: z.boolean().default(false),
    private_keys_enabled: z.boolean().default(true),
    /** Only encrypted wallets have it. */
    unlocked_until: z.number().optional(),
    scanning: z.union([z.literal(false), z.object({ progress: share })]).default(false),
    txcount: count,
    /** 0 (recorded after migrations on release 31) and 1 mean "since the first block". */
    birthtime: z
      .number()
      .nonnegative()
      .max(LATEST)
      .transform((seconds) => (seconds > 1 ? seconds : null))
      .optional(),
    balance: bitcoin.optional(),
    unconfirmed_balance: bitcoin.default(0n),
    immature_balance: bitcoin.default(0n),
  })
  .transform((info) => ({
    descriptors: info.descriptors,
    format: info.format ?? null,
    /** Null if the release does not report it. */
    blank: info.blank ?? null,
    encrypted: info.unlocked_until !== undefined,
    privateKeys: info.private_keys_enabled,
    /** During a rescan: the fraction done, from 0 to 1. */
    scanning: info.scanning === false ? null : info.scanning.progress,
    txcount: info.txcount,
    /** Unix seconds; null before release 26, and for a wallet that may be as old as the chain. */
    birthTime: info.birthtime ?? null,
    /** Null from release 30 on, where only `getbalances` reports them. */
    balances:
      info.balance === undefined
        ? null
        : {
            ...NOTHING,
            spendable: info.balance,
            unconfirmed: info.unconfirmed_balance,
            immature: info.immature_balance,
          },
  }));
export type WalletInfo = z.output<typeof walletInfoShape>;

/** The part of `getbalances` for the wallet's own coins, or for watched ones. Satoshi. */
const coins = z
  .object({ trusted: bitcoin, untrusted_pending: bitcoin, immature: bitcoin, used: bitcoin.default(0n) })
  .transform(({ trusted, untrusted_pending, immature, used }) => ({
    /** Confirmed coins and the wallet's own unconfirmed change: what can be spent now. */
    spendable: trusted,
    unconfirmed: untrusted_pending,
    immature,
    /** Coins that avoid_reuse excludes from `spendable`; zero without that setting. */
    used,
  }));
type Coins = z.output<typeof coins>;

export const balancesShape = z
  .object({ mine: coins, watchonly: coins.optional() })
  .transform(({ mine, watchonly = null }) => ({
    ...mine,
    /** Watched coins of a legacy wallet; null for other wallets. */
    watched: watchonly && { ...watchonly, used: 0n },
  }));
export type Balances = z.output<typeof balancesShape>;
export const NOTHING: Balances = { spendable: 0n, unconfirmed: 0n, immature: 0n, used: 0n, watched: null };

/**
 * The balance that the app compares with a file's. For a wallet without private keys, the node reports watched coins
 * as its own. Coins excluded by `avoid_reuse` count too.
 */
export function balanceOnNode({ watched, ...own }: Balances, watchOnly: boolean): Balance {
  const all = ({ spendable, unconfirmed, immature, used }: Coins) =>
    spendable + unconfirmed + immature + used;
  const watchedToo = watched === null ? 0n : all(watched);
  return watchOnly
    ? { spendable: 0n, watched: all(own) + watchedToo, notYours: 0n }
    : { spendable: all(own), watched: watchedToo, notYours: 0n };
}

/** The balance for the list of wallets. */
export function balanceInList(balances: Balances, watchOnly: boolean): Pick<Wallet, 'balance' | 'spendable'> {
  const { spendable, watched } = balances;
  return {
    balance: balanceOnNode(balances, watchOnly),
    spendable: spendable + (watchOnly && watched ? watched.spendable : 0n),
  };
}
