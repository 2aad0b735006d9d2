/** What a wallet's stored transactions did to its own scripts, and what was unspent when the file was written. */
import type { InspectedState } from '../../../shared/inspection.ts';
import { MOST_SATOSHI } from '../../../shared/money.ts';
import type { Of } from '../record/recordsByType.ts';
import { orderOf, stateOf, timeOf } from '../record/walletTransaction.ts';
import type { Owner, Ownership } from '../script/ownership.ts';
import { isCoinbase, transactionId } from '../script/transaction.ts';

interface StoredHistory {
  /** In the order in which the wallet took them in. */
  transactions: readonly HistoryEntry[];
  /** Unspent outputs of own scripts, whose transaction may still count. */
  coins: readonly UnspentCoin[];
  /**
   * Records whose transaction has another id than theirs, or pays what cannot be: damaged, and left out of all the rest.
   * A node leaves out the first, and stops at the others.
   */
  damaged: readonly Of<'tx'>[];
}

export interface HistoryEntry {
  record: Of<'tx'>;
  state: InspectedState;
  /** From a block's reward. */
  coinbase: boolean;
  /** What each input spends, in their order. Null for what is not the wallet's, or not stored. */
  spends: readonly (OwnOutput | null)[];
  /** Each output, in their order. Null for what is not the wallet's. */
  pays: readonly (OwnOutput | null)[];
}

export interface OwnOutput {
  owner: Owner;
  /** Satoshi. */
  value: bigint;
}

export interface UnspentCoin extends OwnOutput {
  by: HistoryEntry;
  /** Which of its outputs. */
  index: number;
}

/**
 * The rules are those of a node without its chain: what an unconfirmed transaction spends is spent, and a conflicted
 * or abandoned one neither spends nor pays. Time is in proportion to the number of inputs and outputs.
 */
export function storedHistory(records: readonly Of<'tx'>[], ownership: Ownership): StoredHistory {
  const whole: Of<'tx'>[] = [];
  const damaged: Of<'tx'>[] = [];
  for (const record of records) {
    (isWhole(record) ? whole : damaged).push(record);
  }
  whole.sort((a, b) => placeOf(a) - placeOf(b) || timeOf(a) - timeOf(b));
  const byId = new Map(whole.map((record) => [record.txid, record]));
  const ownAt = (txid: string, index: number): OwnOutput | null => {
    const output = byId.get(txid)?.transaction.outputs[index];
    const owner = output && ownership.of(output.scriptPubKey);
    return output && owner ? { owner, value: output.value } : null;
  };
  const transactions = whole.map((record) => ({
    record,
    state: inspectedState(record),
    coinbase: isCoinbase(record.transaction),
    spends: record.transaction.inputs.map(({ txid, index }) => ownAt(txid, index)),
    pays: record.transaction.outputs.map((_, index) => ownAt(record.txid, index)),
  }));
  return { transactions, coins: coinsOf(transactions), damaged };
}

/** Amounts by the rule of `CheckTransaction`: none is negative, and all together are not more than can ever be. */
function isWhole({ transaction, txid }: Of<'tx'>): boolean {
  let paid = 0n;
  for (const { value } of transaction.outputs) {
    if (value < 0n) return false;
    paid += value;
  }
  return paid <= MOST_SATOSHI && transactionId(transaction) === txid;
}

function coinsOf(transactions: readonly HistoryEntry[]): UnspentCoin[] {
  const counting = transactions.filter(({ state }) => state === 'confirmed' || state === 'unconfirmed');
  const spent = new Set(
    counting.flatMap(({ record }) => record.transaction.inputs.map(({ txid, index }) => `${txid}:${index}`)),
  );
  return counting.flatMap((by) =>
    by.pays.flatMap((own, index) =>
      own === null || spent.has(`${by.record.txid}:${index}`) ? [] : [{ ...own, by, index }],
    ),
  );
}

function inspectedState(record: Of<'tx'>): InspectedState {
  const { state } = stateOf(record);
  return state === 'inactive' || state === 'unrecognised' ? 'unconfirmed' : state;
}

/** Wallets before 0.6 kept no order: then by time. */
function placeOf(record: Of<'tx'>): number {
  return orderOf(record) ?? timeOf(record);
}
