/** What a wallet's stored transactions come to, for showing: each one's effect, and the balance. */
import type { BalanceParts, InspectedTransaction, LastKnownBalance } from '../../../shared/inspection.ts';
import { lastBlockOf } from '../record/lastBlock.ts';
import type { Of, RecordsByType } from '../record/recordsByType.ts';
import { timeOf } from '../record/walletTransaction.ts';
import type { Owner, Ownership } from '../script/ownership.ts';
import { type HistoryEntry, type OwnOutput, storedHistory, type UnspentCoin } from './storedHistory.ts';

export interface KnownHistory {
  /** The newest first. */
  transactions: readonly InspectedTransaction[];
  balance: LastKnownBalance;
  /** Left out of all the rest. */
  damaged: readonly Of<'tx'>[];
}

/** By the rules of `storedHistory`. */
export function lastKnownBalance(records: RecordsByType, ownership: Ownership): KnownHistory {
  const { transactions, coins, damaged } = storedHistory(records.of('tx'), ownership);
  const inspected = transactions.map(inspectedTransaction).reverse();
  return { transactions: inspected, balance: balanceOf(coins, inspected, records), damaged };
}

function inspectedTransaction(stored: HistoryEntry): InspectedTransaction {
  const { record, state, coinbase, spends, pays } = stored;
  const effect = (owner: Owner) => ({ received: sum(pays, owner), spent: sum(spends, owner) });
  return {
    txid: record.txid,
    time: timeOf(record),
    state,
    coinbase,
    spendable: effect('spendable'),
    watched: effect('watched'),
  };
}

function sum(parts: readonly (OwnOutput | null)[], owner: Owner): bigint {
  return parts.reduce((total, part) => (part?.owner === owner ? total + part.value : total), 0n);
}

function balanceOf(
  coins: readonly UnspentCoin[],
  transactions: readonly InspectedTransaction[],
  records: RecordsByType,
): LastKnownBalance {
  return {
    spendable: partsOf(coins.filter(({ owner }) => owner === 'spendable')),
    watched: partsOf(coins.filter(({ owner }) => owner === 'watched')),
    newestTransaction:
      transactions.length === 0 ? null : transactions.reduce((last, { time }) => Math.max(last, time), 0),
    lastBlock: lastBlockOf(records)?.hash ?? null,
  };
}

function partsOf(coins: readonly UnspentCoin[]): BalanceParts {
  const parts = { confirmed: 0n, unconfirmed: 0n, ofBlockRewards: 0n };
  for (const { value, by } of coins) {
    if (by.state !== 'confirmed') parts.unconfirmed += value;
    else {
      parts.confirmed += value;
      if (by.coinbase) parts.ofBlockRewards += value;
    }
  }
  return parts;
}
