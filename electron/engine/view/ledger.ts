/** Computes coins, balances and transactions of a wallet's file, as the RPC calls report them. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Network } from '../../../shared/model/network.ts';
import { withSpenders } from '../../walletfile/legacy/invalidTransactions.ts';
import {
  type HistoryEntry,
  immatureRewards,
  outpointOf,
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
export type KnownTransaction = ReturnType<typeof ledgerOf>['transactions'][number];

/** Satoshi. */
export type BalanceParts = ReturnType<typeof partsOf>;

/** Uses the rules of `storedHistory`. Both lists have the wallet's own order. */
export function ledgerOf(input: LedgerInput) {
  const history = storedHistory(input.transactions, input.ownership);
  const locked = new Set(input.locked.map(outpointOf));
  const trusted = trustedOf(history.transactions);
  const stored = history.transactions.map(({ record }) => record);
  const isImmature = immatureRewards(stored, input.lastBlock, input.network);
  const coins = history.coins.map((coin) => coinOf(coin, input, { trusted, locked, isImmature }));
  const conflictsOf = conflictsIn(history.transactions);
  const lost = unconfirmableIds(history.transactions);
  const transactions = history.transactions.map((each) => ({
    ...knownTransaction(each, input.marks, isImmature),
    trusted: trusted.has(each.record.txid),
    /** The ids of the transactions that spend a coin of it. */
    get conflicts() {
      return conflictsOf(each);
    },
    /** Whether a transaction in a block conflicts with it, or with one that it spends from. */
    isLost: lost.has(each.record.txid),
  }));
  return { transactions, coins, balances: balancesOf(coins, input) };
}

function coinOf(
  { by, index, owner, value, script }: UnspentCoin,
  { marks, avoidsReuse }: LedgerInput,
  known: {
    readonly trusted: ReadonlySet<string>;
    readonly locked: ReadonlySet<string>;
    readonly isImmature: (record: RecordOfType<'tx'>) => boolean;
  },
) {
  const { txid, mapValue } = by.record;
  const confirmed = by.state === 'confirmed';
  const isReplacement = mapValue.some(({ name }) => /^replace[sd]/.test(name));
  return {
    txid,
    vout: index,
    script,
    /** Satoshi. */
    amount: value,
    confirmed,
    immature: known.isImmature(by.record),
    /** Unconfirmed coins of others' transactions, and of replacements, are not safe. Source: `AvailableCoins`. */
    safe: known.trusted.has(txid) && (confirmed || !isReplacement),
    trusted: known.trusted.has(txid),
    locked: known.locked.has(outpointOf({ txid, index })),
    /** Null in a wallet that does not avoid reuse. */
    reused: avoidsReuse ? marks.isReused(bytesToHex(script)) : null,
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
    notes: Object.fromEntries(
      record.mapValue.flatMap(({ name, value }) => (NOTES.includes(name) ? [[name, value]] : [])),
    ),
  };
}

/** The texts of a transaction that `WalletTxToJSON` shows. */
const NOTES = ['comment', 'to', 'replaces_txid', 'replaced_by_txid'];

/** Returns the ids of the transactions that conflict with one, when they are asked for: a file can have millions of pairs. */
function conflictsIn(transactions: readonly HistoryEntry[]): (entry: HistoryEntry) => string[] {
  const spending = transactions.filter(({ coinbase }) => !coinbase);
  // Transactions in blocks conflict only with others.
  const open = spending.filter(({ state }) => state !== 'confirmed').flatMap(coinsOf);
  const spenders = new Map(open.map((coin) => [coin, new Set<string>()]));
  if (spenders.size > 0)
    for (const one of spending) for (const coin of coinsOf(one)) spenders.get(coin)?.add(one.record.txid);
  return (entry) => {
    const ids = new Set(coinsOf(entry).flatMap((coin) => [...(spenders.get(coin) ?? [])]));
    return [...ids].filter((id) => id !== entry.record.txid);
  };
}

/** The coins that a transaction spends. */
function coinsOf({ record }: HistoryEntry): string[] {
  return record.transaction.inputs.map(outpointOf);
}

/** The ids of transactions that no block can have, and of those that spend from them. */
function unconfirmableIds(transactions: readonly HistoryEntry[]): ReadonlySet<string> {
  const conflicted = transactions.filter(({ state }) => state === 'conflicted');
  if (conflicted.length === 0) return new Set();
  const inBlocks = transactions.filter(({ state, coinbase }) => state === 'confirmed' && !coinbase);
  const spent = new Set(inBlocks.flatMap(coinsOf));
  const lost = conflicted.filter(
    (entry) => stateOf(entry.record).state === 'conflicted' || coinsOf(entry).some((coin) => spent.has(coin)),
  );
  return withSpenders(
    lost.map(({ record }) => record.txid),
    conflicted.map(({ record }) => record),
  );
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
function balancesOf(coins: readonly Coin[], { avoidsReuse, watches }: LedgerInput) {
  const mine = coins.filter((coin) => coin.spendable);
  const all = partsOf(mine);
  const watched = watches ? partsOf(coins.filter((coin) => !coin.spendable)) : null;
  // `used`: the coins that `avoid_reuse` excludes from `mine`.
  if (!avoidsReuse) return { mine: all, used: null, watched };
  const fresh = partsOf(mine.filter((coin) => !coin.reused));
  const used = all.trusted + all.pending - fresh.trusted - fresh.pending;
  return { mine: fresh, used, watched };
}

function partsOf(coins: readonly Coin[]) {
  const sum = (wanted: (coin: Coin) => boolean) =>
    coins.filter(wanted).reduce((total, coin) => total + coin.amount, 0n);
  return {
    trusted: sum((coin) => !coin.immature && coin.trusted),
    pending: sum((coin) => !coin.immature && !coin.trusted),
    immature: sum((coin) => coin.immature),
  };
}
