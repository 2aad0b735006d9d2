/** The shapes of what wallet calls answer, over all releases. Fields that we do not use may come and go. */
import { z } from 'zod';
import { type Balance, satoshiOfBitcoin } from '../../../shared/model/money.ts';
import type { Wallet } from '../../../shared/model/wallet.ts';

/** Longer than any file system's names, and what the page accepts at most. */
const name = z.string().max(20_000);
export const text = z.string().transform((words) => words.slice(0, 20_000));
/** There can be no more than 21 million. */
const bitcoin = z.number().min(-21_000_000).max(21_000_000).transform(satoshiOfBitcoin);
const count = z.number().int().nonnegative();

/** A flood of them must not keep the app from what else is in the answer. */
const MOST_WARNINGS = 1000;
const warnings = z.array(text).transform((all) => all.slice(0, MOST_WARNINGS));

/** Releases before 25 give `warning`, later ones `warnings`, 25 with a setting both. */
const warned = z.object({ warning: text.optional(), warnings: warnings.optional() });

/** Every warning once, in order. A `warning` joins several by line breaks, and may be empty. */
function warningsOf({ warning, warnings = [] }: z.output<typeof warned>): string[] {
  const lines = warning === undefined || warnings.includes(warning) ? [] : warning.split('\n');
  const given = new Set(warnings.flatMap((each) => [each, ...each.split('\n')]));
  return [...new Set([...warnings, ...lines.filter((line) => !given.has(line))])].filter(
    (each) => each !== '',
  );
}

/** Some releases answer null where there is no warning. */
export const unloadResultShape = warned
  .nullable()
  .transform((told) => ({ warnings: warningsOf(told ?? {}) }));

export const loadResultShape = warned
  .extend({ name })
  .transform(({ name, ...told }) => ({ name, warnings: warningsOf(told) }));

/** Far more than the list on the page is made for. */
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
    /** The primary wallet; it can have another name than the one asked for when the legacy wallet only watched. */
    walletName: migrated.wallet_name,
    watchonlyName: migrated.watchonly_name ?? null,
    solvablesName: migrated.solvables_name ?? null,
    /** On the node's machine. Its place differs from release to release: never build it. */
    backupPath: migrated.backup_path,
  }));

/** `stop_height` is null where there was nothing left to look at. */
export const rescanResultShape = z.object({ start_height: count, stop_height: count.nullable() });

/** The last second of the year 9999: beyond it no date can be written. */
const LATEST = 253_402_300_799;

/** A share of 1. */
export const share = z.number().transform((part) => Math.min(1, Math.max(0, part)));

/** How many there are. */
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
    /** 0 (seen after migrations on release 31) and 1 stand for "since the first block". */
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
    /** Null where the release does not tell. */
    blank: info.blank ?? null,
    encrypted: info.unlocked_until !== undefined,
    privateKeys: info.private_keys_enabled,
    /** Set while the wallet is being rescanned: the share done, 0 to 1. */
    scanning: info.scanning === false ? null : info.scanning.progress,
    txcount: info.txcount,
    /** Unix seconds; null before release 26, and for a wallet as old as the chain may be. */
    birthTime: info.birthtime ?? null,
    /** Null from release 30 on, where only `getbalances` tells. */
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

/** What `getbalances` tells of one's own coins, or of those that are only watched. Satoshi. */
const coins = z
  .object({
    trusted: bitcoin,
    untrusted_pending: bitcoin,
    immature: bitcoin,
    used: bitcoin.default(0n),
  })
  .transform(({ trusted, untrusted_pending, immature, used }) => ({
    /** Confirmed coins and one's own unconfirmed change: what can be spent now. */
    spendable: trusted,
    unconfirmed: untrusted_pending,
    immature,
    /** Kept out of `spendable` by avoid_reuse; zero where the wallet does not use that. */
    used,
  }));
type Coins = z.output<typeof coins>;

export const balancesShape = z
  .object({ mine: coins, watchonly: coins.optional() })
  .transform(({ mine, watchonly = null }) => ({
    ...mine,
    /** What a legacy wallet only watches; null for other wallets. */
    watched: watchonly && { ...watchonly, used: 0n },
  }));
export type Balances = z.output<typeof balancesShape>;
export const NOTHING: Balances = { spendable: 0n, unconfirmed: 0n, immature: 0n, used: 0n, watched: null };

/** For a wallet without private keys, a node reports watched coins as its own. Coins under `avoid_reuse` count too. */
export function balanceOnNode({ watched, ...own }: Balances, watchOnly: boolean): Balance {
  const all = ({ spendable, unconfirmed, immature, used }: Coins) =>
    spendable + unconfirmed + immature + used;
  const beside = watched === null ? 0n : all(watched);
  return watchOnly
    ? { spendable: 0n, watched: all(own) + beside, notYours: 0n }
    : { spendable: all(own), watched: beside, notYours: 0n };
}

/** The same balance, as the list of wallets shows it. */
export function balanceInList(balances: Balances, watchOnly: boolean): Pick<Wallet, 'balance' | 'spendable'> {
  const { spendable, watched } = balances;
  return {
    balance: balanceOnNode(balances, watchOnly),
    spendable: spendable + (watchOnly && watched ? watched.spendable : 0n),
  };
}
