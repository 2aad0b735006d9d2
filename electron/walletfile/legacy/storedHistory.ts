/**
 * Computes a wallet's history and balance from its stored transactions, as of the last write to the file. The file has hashes of
 * blocks but not their heights: the height that decides whether a block reward is mature is in the reward itself.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import type {
  BalanceParts,
  InspectedState,
  InspectedTransaction,
  LastKnownBalance,
} from '../../../shared/model/inspection.ts';
import type { Network } from '../../../shared/model/network.ts';
import type { TruncatedList } from '../../../shared/model/shapes.ts';
import { compact, listOf } from '../bytes/lists.ts';
import { toLatin1 } from '../bytes/textCoding.ts';
import { isBitcoinsFirstBlock } from '../coin/coins.ts';
import type { RecordOfType, RecordsByType } from '../records/records.ts';
import { eachOutput, factsOf, outputAt, outputCountOf } from '../records/transactionFacts.ts';
import { type LastBlock, lastBlockOf, orderOf, stateOf, timeOf } from '../records/walletTransaction.ts';
import { OP, type Owner, type Ownership } from '../script/script.ts';
import { findInvalidTransactions, withSpenders } from './invalidTransactions.ts';

export interface HistoryEntry {
  record: RecordOfType<'tx'>;
  state: InspectedState;
  /** Whether it is a block reward. */
  coinbase: boolean;
  /** The own outputs of stored transactions that it spends, in the order of its inputs. */
  spends: readonly OwnOutput[];
  /** Its own outputs. */
  pays: readonly OwnOutput[];
}

interface OwnOutput {
  /** Of the transaction that pays it. */
  txid: string;
  /** The number of the output. */
  index: number;
  owner: Owner;
  /** Satoshi. */
  value: bigint;
  script: Uint8Array;
}

export interface UnspentCoin extends OwnOutput {
  by: HistoryEntry;
}

/** A coin as text. */
export function outpointOf({ txid, index }: Pick<OwnOutput, 'txid' | 'index'>): string {
  return `${txid}:${index}`;
}

/**
 * Follows the rules of a node without its chain: an unconfirmed transaction spends its inputs, and a replaced, conflicted or abandoned
 * one neither spends nor pays. Takes time in proportion to the number of inputs and outputs.
 */
export function storedHistory(records: readonly RecordOfType<'tx'>[], ownership: Ownership) {
  const whole: RecordOfType<'tx'>[] = [];
  const damaged: RecordOfType<'tx'>[] = [];
  for (const record of records) (isWhole(record) ? whole : damaged).push(record);
  const ofTransaction = new Map<string, readonly OwnOutput[]>();
  const outputsOf = ownOutputs(ownership);
  const ordered = inOrder(whole);
  const replaced = replacedTransactions(ordered);
  const paying = ordered.map((record) => {
    const pays = outputsOf(record);
    if (pays.length > 0) ofTransaction.set(record.txid, pays);
    return { record, pays };
  });
  const paidBy = ({ txid, index }: Pick<OwnOutput, 'txid' | 'index'>) =>
    outputAt(ofTransaction.get(txid) ?? NONE, index);
  const transactions = paying.map(({ record, pays }) => ({
    record,
    state: replaced.has(record.txid) ? 'conflicted' : inspectedState(record),
    coinbase: factsOf(record).isCoinbase,
    spends: orNone(factsOf(record).inputs.flatMap((input) => paidBy(input) ?? [])),
    pays,
  }));
  return {
    /** In the order in which the wallet received them. */
    transactions,
    /** Unspent outputs of own scripts, confirmed or still unconfirmed. */
    coins: coinsOf(transactions, paidBy),
    /**
     * Damaged transactions, which are excluded from the rest: with another id than their record's, which a node ignores too, or
     * with impossible amounts, at which a node stops.
     */
    damaged,
  };
}

function isWhole(record: RecordOfType<'tx'>): boolean {
  const facts = factsOf(record);
  return facts.hasPossibleAmounts && facts.hasOwnId();
}

/** By the wallet's own order, then by time. */
function inOrder(records: readonly RecordOfType<'tx'>[]): RecordOfType<'tx'>[] {
  const placed = records.map((record) => ({ record, place: sortPositionOf(record), time: timeOf(record) }));
  return placed.sort((a, b) => a.place - b.place || a.time - b.time).map(({ record }) => record);
}

/** Returns a function that finds the own outputs of a transaction. Equal scripts share their bytes. */
function ownOutputs(ownership: Ownership): (record: RecordOfType<'tx'>) => readonly OwnOutput[] {
  const scripts = new Map<string, Uint8Array>();
  return (record) => {
    const { txid } = record;
    const found: OwnOutput[] = [];
    eachOutput(record, ({ value, scriptPubKey }, index) => {
      const owner = ownership.ownerOf(scriptPubKey);
      if (!owner) return;
      const text = toLatin1(scriptPubKey);
      // A copy, because a view would keep all bytes of the transaction in memory.
      const script = scripts.get(text) ?? scriptPubKey.slice();
      scripts.set(text, script);
      found.push({ txid, index, owner, value, script });
    });
    return orNone(found);
  };
}

/** One array for all transactions without own outputs. */
function orNone(outputs: readonly OwnOutput[]): readonly OwnOutput[] {
  return outputs.length === 0 ? NONE : compact(outputs);
}

const NONE: readonly OwnOutput[] = [];

/** An unconfirmed block reward is worth nothing. `paidBy` picks one of several copies of an output: a damaged file can have a transaction twice. */
function coinsOf(
  transactions: readonly HistoryEntry[],
  paidBy: (coin: OwnOutput) => OwnOutput | undefined,
): UnspentCoin[] {
  const counting = transactions.filter(
    ({ state, coinbase }) => state === 'confirmed' || (state === 'unconfirmed' && !coinbase),
  );
  const spent = new Set<OwnOutput | undefined>();
  for (const { spends } of counting) for (const output of spends) spent.add(output);
  return counting.flatMap((by) =>
    by.pays.filter((own) => !spent.has(paidBy(own))).map((own) => ({ ...own, by })),
  );
}

/**
 * The ids of unconfirmed transactions whose coin another one of the wallet spends, in a block or later, as after a fee bump, of those
 * in blocks whose coin a later one in a block spends, and of those that spend from them. `all`: as `inOrder` returns them.
 */
function replacedTransactions(all: readonly RecordOfType<'tx'>[]): ReadonlySet<string> {
  const stale = withSpenders(inStaleBlocks(all), all);
  const ordered = stale.size === 0 ? all : all.filter(({ txid }) => !stale.has(txid));
  const unconfirmed = ordered.filter(
    (record) => inspectedState(record) === 'unconfirmed' && !factsOf(record).isCoinbase,
  );
  /** The transaction that spends each coin, null before it is known, by the id and the output that paid it. */
  const spenders = new Map<string, Map<number, string | null>>();
  for (const record of unconfirmed)
    for (const { txid, index } of factsOf(record).inputs)
      spenders.set(txid, (spenders.get(txid) ?? new Map<number, string | null>()).set(index, null));
  const claim = (record: RecordOfType<'tx'>) => {
    for (const { txid, index } of factsOf(record).inputs) {
      const ofPaying = spenders.get(txid);
      if (ofPaying?.get(index) === null) ofPaying.set(index, record.txid);
    }
  };
  if (unconfirmed.length > 0)
    for (const record of ordered) if (inspectedState(record) === 'confirmed') claim(record);
  const lost = unconfirmed.toReversed().flatMap((record) => {
    const others = factsOf(record).inputs.map(({ txid, index }) => spenders.get(txid)?.get(index));
    if (others.some((other) => other && other !== record.txid)) return [record.txid];
    claim(record);
    return [];
  });
  return new Set([...stale, ...withSpenders(lost, unconfirmed)]);
}

/** The ids of transactions in blocks whose coin, of a stored transaction, a later one in a block spends: one chain has only one of both. */
function inStaleBlocks(ordered: readonly RecordOfType<'tx'>[]): string[] {
  const places = new Map(ordered.map(({ txid }, place) => [txid, place]));
  /** The first coin of each transaction in `spenders`. */
  const firstCoins = new Uint32Array(ordered.length + 1);
  for (const [place, record] of ordered.entries())
    firstCoins[place + 1] = (firstCoins[place] ?? 0) + outputCountOf(record);
  /** The place of the transaction that spends each coin, plus one. A damaged file can have a transaction twice. */
  const spenders = new Uint32Array(firstCoins.at(-1) ?? 0);
  return ordered.toReversed().flatMap((record) => {
    if (inspectedState(record) !== 'confirmed') return [];
    const coins = factsOf(record).inputs.flatMap(({ txid, index }) => {
      const place = places.get(txid) ?? -1;
      const coin = (firstCoins[place] ?? 0) + index;
      return place >= 0 && coin < (firstCoins[place + 1] ?? 0) ? [coin] : [];
    });
    const own = (places.get(record.txid) ?? 0) + 1;
    if (coins.some((coin) => ![0, own].includes(spenders[coin] ?? 0))) return [record.txid];
    for (const coin of coins) spenders[coin] = own;
    return [];
  });
}

function inspectedState(record: RecordOfType<'tx'>): InspectedState {
  const { state } = stateOf(record);
  return state === 'inactive' || state === 'unrecognised' ? 'unconfirmed' : state;
}

/** Falls back to the time, because wallets before 0.6 store no order. */
function sortPositionOf(record: RecordOfType<'tx'>): number {
  return orderOf(record) ?? timeOf(record);
}

export interface KnownHistory {
  /** Newest first. */
  transactions: TruncatedList<InspectedTransaction>;
  balance: LastKnownBalance;
  /** Excluded from all the rest. */
  damaged: readonly RecordOfType<'tx'>[];
  /** Number of transactions that `findInvalidTransactions` finds. */
  invalid: number;
}

/**
 * The balance by the rules of `storedHistory`. `network`: null if uncertain. `ownership.others`: known scripts outside of the
 * balance.
 */
export function lastKnownBalance(
  records: RecordsByType,
  ownership: Ownership & { readonly others?: Ownership | null },
  network: Network | null,
): KnownHistory {
  const { transactions, coins, damaged } = storedHistory(records.of('tx'), ownership);
  const { others = null } = ownership;
  const largestFirst = coins.toSorted((a, b) => (a.value > b.value ? -1 : 1));
  const paying = new Set(largestFirst.map(({ by }) => by.record));
  const whole = transactions.map(({ record }) => record);
  const invalid = findInvalidTransactions(whole, [...paying], network);
  const newestBlock = lastBlockOf(records);
  const isImmature = immatureRewards(whole, newestBlock, network);
  const lastSeen = newestBlock?.hash;
  const balance = {
    spendable: partsOf(coins, 'spendable', invalid, isImmature),
    watched: partsOf(coins, 'watched', invalid, isImmature),
    notYours: others ? sumOfCoins(storedHistory(records.of('tx'), others).coins) : 0n,
    newestTransaction: whole.reduce<number | null>(
      (last, record) => Math.max(last ?? 0, timeOf(record)),
      null,
    ),
    // A new wallet that has seen no block yet names the first one.
    lastBlock: lastSeen === undefined || isBitcoinsFirstBlock(lastSeen) ? null : lastSeen,
  };
  const newestFirst = listOf(transactions.toReversed(), inspectedTransaction);
  return { transactions: newestFirst, balance, damaged, invalid: invalid.size };
}

/** Satoshi. */
export function sumOfCoins(coins: readonly UnspentCoin[]): bigint {
  return coins.reduce((sum, { value }) => sum + value, 0n);
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

function sum(parts: readonly OwnOutput[], owner: Owner): bigint {
  return parts.reduce((total, part) => (part.owner === owner ? total + part.value : total), 0n);
}

function partsOf(
  coins: readonly UnspentCoin[],
  owner: Owner,
  invalid: ReadonlySet<string>,
  isImmature: (record: RecordOfType<'tx'>) => boolean,
): BalanceParts {
  const parts = { confirmed: 0n, unconfirmed: 0n, ofBlockRewards: 0n, immature: 0n, invalid: 0n };
  const scripts = new Set<string>();
  for (const { value, script, by } of coins.filter((coin) => coin.owner === owner)) {
    scripts.add(bytesToHex(script));
    if (invalid.has(by.record.txid)) parts.invalid += value;
    if (by.state !== 'confirmed') parts.unconfirmed += value;
    else {
      parts.confirmed += value;
      if (by.coinbase) parts.ofBlockRewards += value;
      if (isImmature(by.record)) parts.immature += value;
    }
  }
  return { ...parts, addresses: scripts.size };
}

type Stored = RecordOfType<'tx'>;

/**
 * Returns a function that decides whether one of these transactions is a block reward that cannot be spent yet. The file lacks the
 * height of its newest block, so this uses the lowest possible one: a young reward must not count as mature. A reward without a
 * height in its script counts as young only if the wallet's list of blocks shows it. `network`: null if uncertain.
 */
export function immatureRewards(
  transactions: readonly Stored[],
  lastBlock: LastBlock | null,
  network: Network | null,
): (record: Stored) => boolean {
  const depthIn = (record: Stored) => {
    const state = stateOf(record);
    return state.state === 'confirmed' ? (lastBlock?.depthOf(state.blockHash) ?? null) : null;
  };
  let newest = lastBlock?.leastHeight ?? 0;
  for (const record of transactions) {
    if (stateOf(record).state !== 'confirmed') continue;
    const height = heightOf(record, network);
    const least = height === null ? 0 : height + (depthIn(record) ?? 1) - 1;
    newest = Math.max(newest, least, factsOf(record).leastHeight);
  }
  return (record) => {
    if (!factsOf(record).isCoinbase || stateOf(record).state !== 'confirmed') return false;
    const height = heightOf(record, network);
    const depth = height === null ? depthIn(record) : newest - height + 1;
    return depth !== null && depth < MATURITY;
  };
}

/** Confirmations that a block reward needs before it can be spent. Source: `GetTxBlocksToMaturity`. */
const MATURITY = 101;

/**
 * From this height on, every block has its height in the reward (BIP 34). Earlier blocks may have any number there. Source:
 * `BIP34Height` in `kernel/chainparams.cpp`.
 */
const FIRST_HEIGHTS: Readonly<Record<Network, number>> = {
  main: 227_931,
  testnet3: 21_111,
  testnet4: 1,
  signet: 1,
  regtest: 1,
};

/** On the main chain, some blocks before BIP 34 name this height or a higher one. Source: `BIP34_IMPLIES_BIP30_LIMIT`. */
const FALSE_HEIGHTS = 1_983_702;

/** The height of a reward's block; null for other transactions, and for an unreliable height. */
function heightOf(record: Stored, network: Network | null): number | null {
  const [input] = factsOf(record).isCoinbase ? record.transaction.inputs : [];
  const height = input ? firstNumber(input.scriptSig) : null;
  // An uncertain network may be the main one.
  if (height === null || height < FIRST_HEIGHTS[network ?? 'main']) return null;
  return (network ?? 'main') === 'main' && height >= FALSE_HEIGHTS ? null : height;
}

/** The positive number at the start of a script, in its shortest form (`CScript() << nHeight`); else null. */
function firstNumber(script: Uint8Array): number | null {
  const size = script[0] ?? 0;
  if (size >= OP.ONE && size <= OP.SIXTEEN) return size - OP.ONE + 1;
  const bytes = script.subarray(1, 1 + size);
  if (size === 0 || size > MAX_HEIGHT_LENGTH || bytes.length < size) return null;
  const number = bytes.reduceRight((sum, byte) => sum * 256 + byte, 0);
  const isNegative = number >= 2 ** (8 * size - 1);
  const isShort = number > 16 && number >= 2 ** (8 * (size - 1) - 1);
  return isShort && !isNegative ? number : null;
}

/** Bytes. */
const MAX_HEIGHT_LENGTH = 4;
