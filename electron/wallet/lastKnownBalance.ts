/** What a wallet's stored transactions come to: each one's effect, and what was unspent when the file was written. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type {
  BalanceParts,
  InspectedState,
  InspectedTransaction,
  LastKnownBalance,
} from '../../shared/inspection.ts';
import type { Ownership } from './ownership.ts';
import type { Of, RecordsByType } from './recordsByType.ts';
import { isCoinbase, transactionId } from './transaction.ts';
import { orderOf, stateOf, timeOf } from './walletTransaction.ts';

export interface KnownHistory {
  /** The newest first. */
  transactions: readonly InspectedTransaction[];
  /** Unspent outputs of own scripts, whose transaction may still count. */
  coins: readonly KnownCoin[];
  balance: LastKnownBalance;
  /** Records whose transaction has another id than theirs: damaged, and left out of all the rest. */
  damaged: readonly Of<'tx'>[];
}

export interface KnownCoin {
  txid: string;
  index: number;
  /** Satoshi. */
  value: bigint;
  owner: 'spendable' | 'watched';
  confirmed: boolean;
  /** From a block's reward. */
  coinbase: boolean;
}

/**
 * The rules are those of a node without its chain: what an unconfirmed transaction spends is spent, and a conflicted
 * or abandoned one neither spends nor pays. Time is in proportion to the number of inputs and outputs.
 */
export function lastKnownBalance(records: RecordsByType, ownership: Ownership): KnownHistory {
  const [whole, damaged] = splitDamaged(records.of('tx'));
  const byId = new Map(whole.map((record) => [record.txid, record]));
  const ownerAt = (txid: string, index: number) => {
    const output = byId.get(txid)?.transaction.outputs[index];
    const owner = output && ownership.of(bytesToHex(output.scriptPubKey));
    return output && owner ? { owner, value: output.value } : null;
  };
  const spent = new Set<string>();
  const histories = whole.map((record) => {
    const { inputs, outputs } = record.transaction;
    const state = inspectedState(record);
    if (counts(state)) for (const { txid, index } of inputs) spent.add(`${txid}:${index}`);
    const taken = inputs.flatMap(({ txid, index }) => ownerAt(txid, index) ?? []);
    const paid = outputs.flatMap((_, index) => {
      const own = ownerAt(record.txid, index);
      return own ? { ...own, index } : [];
    });
    return { record, state, taken, paid, coinbase: isCoinbase(record.transaction) };
  });
  const coins = histories
    .filter(({ state }) => counts(state))
    .flatMap(({ record: { txid }, state, paid, coinbase }) =>
      paid
        .filter(({ index }) => !spent.has(`${txid}:${index}`))
        .map((own) => ({ ...own, txid, confirmed: state === 'confirmed', coinbase })),
    );
  histories.sort((a, b) => placeOf(b.record) - placeOf(a.record) || timeOf(b.record) - timeOf(a.record));
  const transactions = histories.map(({ record, state, taken, paid, coinbase }) => {
    const effect = (owner: KnownCoin['owner']) => ({ received: sum(paid, owner), spent: sum(taken, owner) });
    return {
      txid: record.txid,
      time: timeOf(record),
      state,
      coinbase,
      spendable: effect('spendable'),
      watched: effect('watched'),
    };
  });
  return { transactions, coins, balance: balanceOf(coins, transactions, records), damaged };
}

function splitDamaged(records: readonly Of<'tx'>[]): [whole: Of<'tx'>[], damaged: Of<'tx'>[]] {
  const whole: Of<'tx'>[] = [];
  const damaged: Of<'tx'>[] = [];
  for (const record of records) {
    (transactionId(record.transaction) === record.txid ? whole : damaged).push(record);
  }
  return [whole, damaged];
}

function inspectedState(record: Of<'tx'>): InspectedState {
  const { state } = stateOf(record);
  return state === 'inactive' || state === 'unrecognised' ? 'unconfirmed' : state;
}

function counts(state: InspectedState): boolean {
  return state === 'confirmed' || state === 'unconfirmed';
}

/** Wallets before 0.6 kept no order: then by time. */
function placeOf(record: Of<'tx'>): number {
  return orderOf(record) ?? timeOf(record);
}

function sum(parts: readonly { owner: string; value: bigint }[], owner: string): bigint {
  return parts.reduce((total, part) => (part.owner === owner ? total + part.value : total), 0n);
}

function balanceOf(
  coins: readonly KnownCoin[],
  transactions: readonly InspectedTransaction[],
  records: RecordsByType,
): LastKnownBalance {
  const blocks = [...records.of('bestblock'), ...records.of('bestblock_nomerkle')];
  const newest = blocks.map(({ blockHashes }) => blockHashes[0]).find((hash) => hash !== undefined);
  return {
    spendable: partsOf(coins.filter(({ owner }) => owner === 'spendable')),
    watched: partsOf(coins.filter(({ owner }) => owner === 'watched')),
    newestTransaction:
      transactions.length === 0 ? null : transactions.reduce((last, { time }) => Math.max(last, time), 0),
    lastBlock: newest ?? null,
  };
}

function partsOf(coins: readonly KnownCoin[]): BalanceParts {
  const parts = { confirmed: 0n, unconfirmed: 0n, ofBlockRewards: 0n };
  for (const { value, confirmed, coinbase } of coins) {
    if (!confirmed) parts.unconfirmed += value;
    else {
      parts.confirmed += value;
      if (coinbase) parts.ofBlockRewards += value;
    }
  }
  return parts;
}
