/** Words for the last known balance of a wallet file: the main amount, its parts, and how far to trust it. */
import { type Inspection, mainBalance } from '../model/inspection.ts';
import { formatBitcoin, mainAmount, mayLackCoins, otherWatchedAmount } from '../model/money.ts';
import type { Network } from '../model/network.ts';
import { type ChainFacts, isBehind } from '../model/node.ts';
import type { Proof } from '../model/safety.ts';
import type { Wallet } from '../model/wallet.ts';
import { formatTime } from './format/formatTime.ts';
import { amountNetwork, mayMissEntries, unitRemark } from './inspectionWords.ts';
import type { Row } from './lines.ts';
import { say } from './say.ts';

/** The parts of a balance, for beside their amounts, so that no pattern or colour has to be known. */
export const BALANCE_PARTS = {
  spendable: say('spendable'),
  watched: say('watched only'),
  notYours: say('not yours'),
} as const;

interface BalanceWords {
  /** Null if the file says nothing of its coins. */
  total: string | null;
  /** Amounts outside `total`, and special parts of it. */
  parts: readonly Row[];
  /** The date of the balance, and its limits; at least one sentence each. */
  notes: readonly string[];
}

type BalanceSource = Pick<Inspection, 'balance' | 'network' | 'problems' | 'flags' | 'keys'> & {
  transactions: { total: number };
};

export function balanceWords(inspection: BalanceSource): BalanceWords {
  const { balance, network } = inspection;
  const { spendable, watched } = balance;
  const amount = (satoshi: bigint) => formatBitcoin(satoshi, amountNetwork(network));
  const { onlyWatches, parts: main, total, beside } = mainBalance(inspection);
  const part = (label: string, satoshi: bigint): Row[] => (satoshi === 0n ? [] : [[label, amount(satoshi)]]);
  const unit = unitRemark(network);
  return {
    total: isUnknown(inspection) ? null : amount(total),
    parts: [
      ...part(say('Of this, unconfirmed'), main.unconfirmed),
      ...part(say('Of this, block rewards'), main.ofBlockRewards),
      ...part(say('Of this, not spendable yet'), main.immature),
      ...part(say('Of this, invalid'), main.invalid),
      ...part(say('Watched'), beside),
      ...(onlyWatches ? [] : part(say('Watched block rewards'), watched.ofBlockRewards)),
      ...(onlyWatches ? [] : part(say('Watched, not spendable yet'), watched.immature)),
      // The key may have been on a damaged page.
      ...part(mayMissEntries(inspection) ? say('Key not found') : say('Not yours'), balance.notYours),
    ],
    notes: [
      dateNote(inspection),
      ...(isUnknown(inspection) || !mayMissEntries(inspection) ? [] : [MAY_LACK]),
      ...(spendable.immature > 0n || watched.immature > 0n ? [IMMATURE] : []),
      ...(unit === null || isUnknown(inspection) ? [] : [unit]),
    ],
  };
}

/** For one line: `9.300 000 00 rBTC, as of 21 Nov 2026, 14:05`. */
export function balanceLine(inspection: BalanceSource): string {
  const { total } = balanceWords(inspection);
  if (total === null) return say('Not known');
  const { newestTransaction } = inspection.balance;
  if (newestTransaction === null) return total;
  const date = formatTime(newestTransaction);
  const { invalid } = mainBalance(inspection).parts;
  return invalid > 0n
    ? say('{total}, of which invalid: {invalid}', {
        total,
        invalid: formatBitcoin(invalid, amountNetwork(inspection.network)),
      })
    : say('{total}, as of {date}', { total, date });
}

/**
 * The main amount of a listed wallet in satoshi. In words: the part of it that can be spent now, if that is another amount, and what
 * it only watches. Null if unknown or zero.
 */
export function listedBalance(
  wallet: Pick<Wallet, 'balance' | 'watchOnly' | 'transactions' | 'fromFile' | 'spendable'>,
  node: ChainFacts,
): { main: bigint | null; watched: string | null; spendable: string | null } {
  const { balance, transactions, spendable } = wallet;
  const watchOnly = wallet.watchOnly === true;
  // A file without payments, such as one of pasted keys, says nothing of its coins, nor does a node that has not come to them yet.
  const isUnknown = (node.offline || wallet.fromFile || isBehind(node)) && transactions === 0;
  if (balance === null || isUnknown) return { main: null, watched: null, spendable: null };
  const beside = otherWatchedAmount(balance, watchOnly);
  const main = mainAmount(balance, watchOnly);
  const amount = (satoshi: bigint) => ({ amount: formatBitcoin(satoshi, node.network) });
  return {
    main,
    watched: beside === 0n ? null : say('{amount} watched', amount(beside)),
    spendable: spendable === null || spendable === main ? null : say('{amount} spendable', amount(spendable)),
  };
}

/** Remarks on the sum of a migrated wallet, a sentence each. */
export function partRemarks(
  { part, twice = 0n }: Pick<Proof['wallets'][number], 'part' | 'twice'>,
  network: Network,
): string[] {
  const amount = formatBitcoin(twice, network);
  return [
    ...(twice > 0n ? [say('{amount} more is in another new wallet.', { amount })] : []),
    ...(part === 'solvables' ? [say('Not counted as yours.')] : []),
  ];
}

/** `satoshi` in bitcoin with the network's unit; `Not known` for null. `offline`: from the offline engine. */
export function walletBalance(satoshi: bigint | null, network: Network, offline = false): string {
  if (satoshi === null) return say('Not known');
  const amount = formatBitcoin(satoshi, network);
  return offline ? say('{amount}, last known', { amount }) : amount;
}

/** Whether a file says nothing of its coins: without transactions, or without coins where it may lack transactions, keys or addresses. */
function isUnknown(inspection: BalanceSource): boolean {
  const { transactions, problems } = inspection;
  if (transactions.total === 0) return true;
  return mayLackCoins(problems) && mainBalance(inspection).total === 0n;
}

function dateNote(inspection: BalanceSource): string {
  const { newestTransaction } = inspection.balance;
  if (newestTransaction === null)
    return mayMissEntries(inspection) ? say('No readable transactions.') : say('No transactions.');
  return say('Last known on {date}.', { date: formatTime(newestTransaction) });
}

const MAY_LACK = say('Some transactions may be missing.');

const IMMATURE = say('Some block rewards were immature.');
