/** Computes coins, balances and transactions of a wallet's file, as the RPC calls report them. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Network } from '../../../shared/model/network.ts';
import {
  type HistoryEntry,
  immatureRewards,
  storedHistory,
  type UnspentCoin,
} from '../../walletfile/legacy/storedHistory.ts';
import type { AddressMarks } from '../../walletfile/records/addressBook.ts';
import type { RecordOfType } from '../../walletfile/records/records.ts';
import { type LastBlock, stateOf, timeOf } from '../../walletfile/records/walletTransaction.ts';
import type { Ownership } from '../../walletfile/script/script.ts';
import { witnessTransactionId } from '../../walletfile/script/transaction.ts';

export interface LedgerInput {
  readonly transactions: readonly RecordOfType<'tx'>[];
  /** `lockedutxo` records. */
  readonly locked: readonly RecordOfType<'lockedutxo'>[];
  readonly ownership: Ownership;
  readonly marks: AddressMarks;
  readonly lastBlock: LastBlock | null;
  readonly network: Network;
  readonly avoidsReuse: boolean;
  /** Whether the wallet has scripts that it only watches. */
  readonly watches: boolean;
}

/** A coin that was unspent when the wallet was last written. */
export type Coin = ReturnType<typeof coinOf>;
export type KnownTransaction = ReturnType<typeof knownTransaction>;

/** Satoshi. */
export type BalanceParts = ReturnType<typeof partsOf>;

/** Uses the rules of `storedHistory`. Both lists have the wallet's own order. */
export function ledgerOf(input: LedgerInput) {
  const history = storedHistory(input.transactions, input.ownership);
  const locked = new Set(input.locked.map(({ txid, index }) => `${txid}:${index}`));
  const trusted = trustedOf(history.transactions);
  const stored = history.transactions.map(({ record }) => record);
  const isImmature = immatureRewards(stored, input.lastBlock, input.network);
  const coins = history.coins.map((coin) => coinOf(coin, trusted, locked, isImmature));
  const transactions = history.transactions.map((each) => knownTransaction(each, input.marks, isImmature));
  return { transactions, coins, balances: balancesOf(coins, input) };
}

function coinOf(
  { by, index, owner, value, script }: UnspentCoin,
  trusted: ReadonlySet<string>,
  locked: ReadonlySet<string>,
  isImmature: (record: RecordOfType<'tx'>) => boolean,
) {
  const { txid } = by.record;
  return {
    txid,
    vout: index,
    script,
    /** Satoshi. */
    amount: value,
    confirmed: by.state === 'confirmed',
    immature: isImmature(by.record),
    /** Unconfirmed coins of others' transactions are not safe. */
    safe: trusted.has(txid),
    locked: locked.has(`${txid}:${index}`),
    spendable: owner === 'spendable',
  };
}

function blockOf(record: RecordOfType<'tx'>) {
  const state = stateOf(record);
  return state.state === 'confirmed' ? { hash: state.blockHash, index: state.index } : null;
}

function knownTransaction(
  stored: HistoryEntry,
  marks: AddressMarks,
  isImmature: (record: RecordOfType<'tx'>) => boolean,
) {
  const { record, state, coinbase, spends, pays } = stored;
  const { inputs, outputs } = record.transaction;
  const hasWitness = inputs.some(({ witness }) => witness.length > 0);
  const spent = spends.reduce((sum, own) => sum + own.value, 0n);
  const owners = new Map(pays.map(({ index, owner }) => [index, owner]));
  const paid = outputs.reduce((sum, { value }) => sum + value, 0n);
  return {
    txid: record.txid,
    wtxid: hasWitness ? witnessTransactionId(record.transaction) : record.txid,
    state,
    block: blockOf(record),
    coinbase,
    immature: isImmature(record),
    /** Unix seconds: when the wallet received it, and the time that orders transactions. */
    received: record.timeReceived,
    time: timeOf(record),
    /** Satoshi; null unless every input is the wallet's own. */
    fee: coinbase || spends.length < inputs.length ? null : spent - paid,
    /** Whether an input is the wallet's own. */
    sent: isSent(stored),
    outputs: outputs.map(({ value, scriptPubKey }, vout) => {
      const owner = owners.get(vout);
      return {
        vout,
        script: scriptPubKey,
        amount: value,
        mine: owner === 'spendable',
        watched: owner === 'watched',
        /** Whether it pays an own address without a label. */
        change: owner !== undefined && marks.isChange(bytesToHex(scriptPubKey)),
      };
    }),
    comment: record.mapValue.find(({ name }) => name === 'comment')?.value ?? null,
  };
}

function isSent({ spends }: HistoryEntry): boolean {
  return spends.length > 0;
}

/** Ids of transactions in a block, or by the wallet itself from trusted coins. Source: `CachedTxIsTrusted`. */
function trustedOf(transactions: readonly HistoryEntry[]): Set<string> {
  const confirmed = transactions.filter(({ state }) => state === 'confirmed');
  const trusted = new Set(confirmed.map(({ record }) => record.txid));
  const waiting = transactions.filter((stored) => stored.state === 'unconfirmed' && isSent(stored));
  // A transaction may precede the one that it spends: repeat until nothing new is trusted.
  for (let before = -1; before !== trusted.size; ) {
    before = trusted.size;
    for (const { record, spends } of waiting) {
      const isOwn = spends.length === record.transaction.inputs.length;
      if (isOwn && spends.every(({ txid, owner }) => trusted.has(txid) && owner === 'spendable'))
        trusted.add(record.txid);
    }
  }
  return trusted;
}

/** Includes locked coins, as a node does. */
function balancesOf(coins: readonly Coin[], { marks, avoidsReuse, watches }: LedgerInput) {
  const reused = (coin: Coin) => avoidsReuse && marks.isReused(bytesToHex(coin.script));
  const mine = coins.filter((coin) => coin.spendable);
  const all = partsOf(mine);
  const watched = watches ? partsOf(coins.filter((coin) => !coin.spendable)) : null;
  // `used`: the coins that `avoid_reuse` excludes from `mine`.
  if (!avoidsReuse) return { mine: all, used: null, watched };
  const fresh = partsOf(mine.filter((coin) => !reused(coin)));
  const used = all.trusted + all.pending - fresh.trusted - fresh.pending;
  return { mine: fresh, used, watched };
}

function partsOf(coins: readonly Coin[]) {
  const sum = (wanted: (coin: Coin) => boolean) =>
    coins.filter(wanted).reduce((total, coin) => total + coin.amount, 0n);
  return {
    trusted: sum((coin) => !coin.immature && coin.safe),
    pending: sum((coin) => !coin.immature && !coin.safe),
    immature: sum((coin) => coin.immature),
  };
}
