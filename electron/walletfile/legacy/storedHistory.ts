/**
 * What a wallet's stored transactions did to its own scripts, and what was unspent when the file was written. A file keeps
 * hashes of blocks: the height that tells whether a block reward is too young to be spent is in the reward.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import type {
  BalanceParts,
  InspectedState,
  InspectedTransaction,
  LastKnownBalance,
} from '../../../shared/model/inspection.ts';
import type { Network } from '../../../shared/model/network.ts';
import { genesisBlocks } from '../coin/coins.ts';
import type { Of, RecordsByType } from '../records/records.ts';
import { type LastBlock, lastBlockOf, orderOf, stateOf, timeOf } from '../records/walletTransaction.ts';
import type { Owner, Ownership } from '../script/script.ts';
import { hasPossibleAmounts, isCoinbase, transactionId } from '../script/transaction.ts';
import { invalidTransactions } from './invalidTransactions.ts';

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

interface OwnOutput {
  owner: Owner;
  /** Satoshi. */
  value: bigint;
  script: Uint8Array;
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
export function storedHistory(records: readonly Of<'tx'>[], ownership: Ownership) {
  const isWhole = ({ transaction, txid }: Of<'tx'>) =>
    hasPossibleAmounts(transaction) && transactionId(transaction) === txid;
  const whole: Of<'tx'>[] = [];
  const damaged: Of<'tx'>[] = [];
  for (const record of records) (isWhole(record) ? whole : damaged).push(record);
  whole.sort((a, b) => placeOf(a) - placeOf(b) || timeOf(a) - timeOf(b));
  const byId = new Map(whole.map((record) => [record.txid, record]));
  const ownAt = (txid: string, index: number): OwnOutput | null => {
    const output = byId.get(txid)?.transaction.outputs[index];
    const owner = output && ownership.of(output.scriptPubKey);
    return output && owner ? { owner, value: output.value, script: output.scriptPubKey } : null;
  };
  const transactions = whole.map((record) => ({
    record,
    state: inspectedState(record),
    coinbase: isCoinbase(record.transaction),
    spends: record.transaction.inputs.map(({ txid, index }) => ownAt(txid, index)),
    pays: record.transaction.outputs.map((_, index) => ownAt(record.txid, index)),
  }));
  return {
    /** In the order in which the wallet took them in. */
    transactions,
    /** Unspent outputs of own scripts, whose transaction may still count. */
    coins: coinsOf(transactions),
    /**
     * Records whose transaction has another id than theirs, or pays what cannot be: damaged, and left out of all the rest.
     * A node leaves out the first, and stops at the others.
     */
    damaged,
  };
}

/** A reward is nothing without its block. */
function coinsOf(transactions: readonly HistoryEntry[]): UnspentCoin[] {
  const counting = transactions.filter(
    ({ state, coinbase }) => state === 'confirmed' || (state === 'unconfirmed' && !coinbase),
  );
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

export interface KnownHistory {
  /** The newest first. */
  transactions: readonly InspectedTransaction[];
  balance: LastKnownBalance;
  /** Left out of all the rest. */
  damaged: readonly Of<'tx'>[];
  /** Number of transactions that `invalidTransactions` finds. */
  invalid: number;
}

/**
 * By the rules of `storedHistory`. `network`: null where it is not certain. `others` tells the scripts that are known and not
 * counted.
 */
export function lastKnownBalance(
  records: RecordsByType,
  ownership: Ownership & { readonly others?: Ownership | null },
  network: Network | null,
): KnownHistory {
  const { transactions, coins, damaged } = storedHistory(records.of('tx'), ownership);
  const { others = null } = ownership;
  const inspected = transactions.map(inspectedTransaction).reverse();
  const largestFirst = coins.toSorted((a, b) => (a.value > b.value ? -1 : 1));
  const paying = new Set(largestFirst.map(({ by }) => by.record));
  const whole = transactions.map(({ record }) => record);
  const invalid = invalidTransactions(whole, [...paying], network);
  const newestBlock = lastBlockOf(records);
  const isImmature = immatureRewards(whole, newestBlock, network);
  const lastSeen = newestBlock?.hash;
  const balance = {
    spendable: partsOf(coins, 'spendable', invalid, isImmature),
    watched: partsOf(coins, 'watched', invalid, isImmature),
    notYours: others ? sumOfCoins(storedHistory(records.of('tx'), others).coins) : 0n,
    newestTransaction: inspected.reduce<number | null>((last, { time }) => Math.max(last ?? 0, time), null),
    lastBlock: lastSeen === undefined || FIRST_BLOCKS.has(lastSeen) ? null : lastSeen,
  };
  return { transactions: inspected, balance, damaged, invalid: invalid.size };
}

/** Satoshi. */
export function sumOfCoins(coins: readonly UnspentCoin[]): bigint {
  return coins.reduce((sum, { value }) => sum + value, 0n);
}

/** A new wallet names the first block where it has seen none. */
const FIRST_BLOCKS: ReadonlySet<string> = new Set(Object.values(genesisBlocks));

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

function partsOf(
  coins: readonly UnspentCoin[],
  owner: Owner,
  invalid: ReadonlySet<string>,
  isImmature: (record: Of<'tx'>) => boolean,
): BalanceParts {
  const parts = { confirmed: 0n, unconfirmed: 0n, ofBlockRewards: 0n, immature: 0n, untrue: 0n };
  const scripts = new Set<string>();
  for (const { value, script, by } of coins.filter((coin) => coin.owner === owner)) {
    scripts.add(bytesToHex(script));
    if (invalid.has(by.record.txid)) parts.untrue += value;
    if (by.state !== 'confirmed') parts.unconfirmed += value;
    else {
      parts.confirmed += value;
      if (by.coinbase) parts.ofBlockRewards += value;
      if (isImmature(by.record)) parts.immature += value;
    }
  }
  return { ...parts, addresses: scripts.size };
}

type Stored = Of<'tx'>;

/**
 * Tells of one of these transactions whether it is a reward that cannot be spent yet. The file does not name the height of
 * its newest block: the least that it can have counts, so that no young reward is taken for an old one. A reward whose
 * script tells no height is young only where the list of blocks shows that it is. `network`: null where it is not certain.
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
    newest = Math.max(newest, least, leastHeightOf(record));
  }
  return (record) => {
    if (!isCoinbase(record.transaction) || stateOf(record).state !== 'confirmed') return false;
    const height = heightOf(record, network);
    const depth = height === null ? depthIn(record) : newest - height + 1;
    return depth !== null && depth < MATURITY;
  };
}

/** Blocks on a reward, its own included, before it can be spent. Source: `GetTxBlocksToMaturity`. */
const MATURITY = 101;

/**
 * From this height on each block has its height in the reward (BIP 34); before, there can be any number. Source:
 * `BIP34Height` in `kernel/chainparams.cpp`.
 */
const FIRST_HEIGHTS: Readonly<Record<Network, number>> = {
  main: 227_931,
  testnet3: 21_111,
  testnet4: 1,
  signet: 1,
  regtest: 1,
};

/** On the main chain older blocks name this height and higher ones. Source: `BIP34_IMPLIES_BIP30_LIMIT`. */
const FALSE_HEIGHTS = 1_983_702;

/** That of the block of a reward; null for other transactions, and where it cannot be relied on. */
function heightOf({ transaction }: Stored, network: Network | null): number | null {
  const [input] = transaction.inputs;
  const height = input && isCoinbase(transaction) ? firstNumber(input.scriptSig) : null;
  // Where the network is not certain, it may be the main one.
  if (height === null || height < FIRST_HEIGHTS[network ?? 'main']) return null;
  return (network ?? 'main') === 'main' && height >= FALSE_HEIGHTS ? null : height;
}

/** The number above 0 that a script begins with, written as short as it can be (`CScript() << nHeight`); else null. */
function firstNumber(script: Uint8Array): number | null {
  const size = script[0] ?? 0;
  if (size >= OP_1 && size <= OP_16) return size - OP_1 + 1;
  const bytes = script.subarray(1, 1 + size);
  if (size === 0 || size > LONGEST_HEIGHT || bytes.length < size) return null;
  const number = bytes.reduceRight((sum, byte) => sum * 256 + byte, 0);
  const isNegative = number >= 2 ** (8 * size - 1);
  const isShort = number > 16 && number >= 2 ** (8 * (size - 1) - 1);
  return isShort && !isNegative ? number : null;
}

const OP_1 = 0x51;
const OP_16 = 0x60;
/** Bytes. */
const LONGEST_HEIGHT = 4;

/** That the block of a confirmed transaction has at least, as its lock tells. Source: `IsFinalTx`. */
function leastHeightOf({ transaction: { lockTime, inputs } }: Stored): number {
  const isLocked = lockTime < FIRST_TIME && inputs.some(({ sequence }) => sequence !== NEVER_LOCKED);
  return isLocked ? lockTime + 1 : 0;
}

/** `LOCKTIME_THRESHOLD`: what is lower is a height. */
const FIRST_TIME = 500_000_000;
/** `SEQUENCE_FINAL`. */
const NEVER_LOCKED = 0xffffffff;
