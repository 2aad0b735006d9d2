/** The shapes of what wallet calls answer, over all releases. Fields that we do not use may come and go. */
import { z } from 'zod';
import { satoshiOfBitcoin } from '../../../shared/money.ts';

/** Satoshi. */
export interface Balances {
  /** Confirmed coins and one's own unconfirmed change: what can be spent now. */
  readonly spendable: bigint;
  readonly unconfirmed: bigint;
  readonly immature: bigint;
  /** Kept out of `spendable` by avoid_reuse; zero where the wallet does not use that. */
  readonly used: bigint;
  /** What a legacy wallet only watches; null for other wallets. */
  readonly watched: {
    readonly spendable: bigint;
    readonly unconfirmed: bigint;
    readonly immature: bigint;
  } | null;
}

/** Longer than any file system's names, and what the page accepts at most. */
const name = z.string().max(20_000);
const text = z.string().transform((words) => words.slice(0, 20_000));
/** There can be no more than 21 million. */
const bitcoin = z.number().min(-21_000_000).max(21_000_000).transform(satoshiOfBitcoin);
const count = z.number().int().nonnegative();

/** A flood of them must not keep the app from what else is in the answer. */
const MOST_WARNINGS = 1000;
const warnings = z.array(text).transform((all) => all.slice(0, MOST_WARNINGS));

/** Releases before 25 give `warning`, later ones `warnings`, 25 with a setting both. */
export const warningsShape = z.object({ warning: text.optional(), warnings: warnings.optional() });

/** Every warning once, in order. A `warning` joins several by line breaks, and may be empty. */
export function warningsOf({ warning, warnings = [] }: z.output<typeof warningsShape>): string[] {
  const lines = warning === undefined || warnings.includes(warning) ? [] : warning.split('\n');
  const given = new Set(warnings.flatMap((each) => [each, ...each.split('\n')]));
  return [...new Set([...warnings, ...lines.filter((line) => !given.has(line))])].filter(
    (each) => each !== '',
  );
}

export const loadedShape = warningsShape.extend({ name });

/** Far more than the list on the page is made for. */
const MOST_WALLETS = 50_000;

export const walletDirShape = z.object({ wallets: z.array(loadedShape).max(MOST_WALLETS) });

export const walletNamesShape = z.array(name).max(MOST_WALLETS);

export const migratedShape = z.object({
  wallet_name: name,
  watchonly_name: name.optional(),
  solvables_name: name.optional(),
  backup_path: z.string().max(20_000),
});

/** The last second of the year 9999: beyond it no date can be written. */
const LATEST = 253_402_300_799;

const scanning = z.object({
  duration: z.number().nonnegative(),
  progress: z.number().transform((share) => Math.min(1, Math.max(0, share))),
});

export const walletInfoShape = z.object({
  walletname: name,
  format: z.string().max(100).optional(),
  descriptors: z.boolean().optional(),
  private_keys_enabled: z.boolean().optional(),
  /** Only encrypted wallets have it. */
  unlocked_until: z.number().optional(),
  scanning: z.union([z.literal(false), scanning]).optional(),
  txcount: count,
  /** 0 (seen after migrations on release 31) and 1 stand for "since the first block". */
  birthtime: z
    .number()
    .nonnegative()
    .max(LATEST)
    .transform((seconds) => (seconds > 1 ? seconds : null))
    .optional(),
  balance: bitcoin.optional(),
  unconfirmed_balance: bitcoin.optional(),
  immature_balance: bitcoin.optional(),
});

/** The balances that releases before 30 put into `getwalletinfo`; null where they are not there. */
export function balancesOfInfo(info: z.output<typeof walletInfoShape>): Balances | null {
  if (info.balance === undefined) return null;
  return {
    spendable: info.balance,
    unconfirmed: info.unconfirmed_balance ?? 0n,
    immature: info.immature_balance ?? 0n,
    used: 0n,
    watched: null,
  };
}

const part = z.object({
  trusted: bitcoin,
  untrusted_pending: bitcoin,
  immature: bitcoin,
  used: bitcoin.optional(),
});

export const balancesShape = z.object({ mine: part, watchonly: part.optional() });

export function balancesOf({ mine, watchonly }: z.output<typeof balancesShape>): Balances {
  return {
    spendable: mine.trusted,
    unconfirmed: mine.untrusted_pending,
    immature: mine.immature,
    used: mine.used ?? 0n,
    watched: watchonly
      ? {
          spendable: watchonly.trusted,
          unconfirmed: watchonly.untrusted_pending,
          immature: watchonly.immature,
        }
      : null,
  };
}

/**
 * Satoshi. What a legacy wallet watches beside its own keys is not its owner's to spend, and counts only in a wallet
 * that does nothing but watch. Coins that avoid_reuse keeps aside are in the whole.
 */
export function shownBalance(balances: Balances, watchOnly: boolean): { balance: bigint; spendable: bigint } {
  const { spendable, unconfirmed, immature, used } = balances;
  const watched = watchOnly ? balances.watched : null;
  return {
    balance:
      spendable +
      unconfirmed +
      immature +
      used +
      (watched ? watched.spendable + watched.unconfirmed + watched.immature : 0n),
    spendable: spendable + (watched?.spendable ?? 0n),
  };
}
