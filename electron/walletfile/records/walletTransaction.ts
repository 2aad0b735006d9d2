/** A transaction as a wallet keeps it, with its block, times and notes, and the newest block that the wallet knew. */
import { bool, hash, int32, list, struct, text, uint32, type ValuesOf } from '../bytes/serialization.ts';
import { transaction } from '../script/transaction.ts';
import type { RecordsByType } from './records.ts';

/** What wallets before 0.9 kept of a transaction: it, its block, and the proof that it is in there. */
const merkleTransaction = {
  transaction,
  /** As it is shown. All zeros, or 1, where there is no block: see `stateOf`. */
  blockHash: hash,
  merkleBranch: list(hash),
  /** Its place in the block, or -1. */
  index: int32,
};
export type MerkleTransaction = ValuesOf<typeof merkleTransaction>;

/** Named texts, whose order is kept. */
const namedTexts = list(struct({ name: text, value: text }));

/** The fields of `CWalletTx` in the order in which they are written. */
export const walletTransaction = {
  ...merkleTransaction,
  /** Transactions before this one that were not in a block yet: wallets before 0.9 only. */
  previous: list(struct(merkleTransaction)),
  /** `n` (order), `timesmart`, `comment`, `to`, `replaces_txid`, `replaced_by_txid`, `fromaccount`, `spent`… */
  mapValue: namedTexts,
  orderForm: namedTexts,
  /** 0 or 1; wallets of releases 0.3.14 to 0.3.17 have their version here. */
  timeReceivedIsTxTime: uint32,
  /** Unix seconds. */
  timeReceived: uint32,
  fromMe: bool,
  spent: bool,
};
type WalletTransaction = ValuesOf<typeof walletTransaction>;

/** Where the wallet last saw the transaction. */
type TransactionState =
  | { state: 'confirmed'; blockHash: string; index: number }
  /** Not in a block as far as the wallet knows. */
  | { state: 'inactive' }
  | { state: 'abandoned' }
  /** Another transaction in this block spends the same coins. */
  | { state: 'conflicted'; blockHash: string }
  | { state: 'unrecognised' };

const NO_BLOCK = '0'.repeat(64);
/** Replaces the block hash of an abandoned transaction. */
export const ABANDONED = '1'.padStart(64, '0');

/** Reads the state out of block hash and index, as `TxStateInterpretSerialized` does. */
export function stateOf({ blockHash, index }: MerkleTransaction): TransactionState {
  if (blockHash === NO_BLOCK) return index === 0 ? { state: 'inactive' } : { state: 'unrecognised' };
  if (blockHash === ABANDONED) return index === -1 ? { state: 'abandoned' } : { state: 'unrecognised' };
  if (index >= 0) return { state: 'confirmed', blockHash, index };
  return index === -1 ? { state: 'conflicted', blockHash } : { state: 'unrecognised' };
}

/** Its place in the wallet's order of transactions, or null in wallets that kept none. */
export function orderOf({ mapValue }: WalletTransaction): number | null {
  return wholeNumber(mapValue, 'n');
}

/** When the wallet took it in, in Unix seconds: `timesmart` where it is kept, else when it was received. */
export function timeOf(value: WalletTransaction): number {
  return wholeNumber(value.mapValue, 'timesmart') || value.timeReceived;
}

function wholeNumber(texts: WalletTransaction['mapValue'], name: string): number | null {
  const found = texts.find((entry) => entry.name === name);
  return found && /^-?\d{1,15}$/.test(found.value) ? Number(found.value) : null;
}

export type LastBlock = NonNullable<ReturnType<typeof lastBlockOf>>;

/**
 * The newest block that a wallet knew, and the depths that its list of older blocks gives. Null for a wallet that never
 * saw a block. Of its two records the first that names one counts (`ReadBestBlock`).
 */
export function lastBlockOf(records: RecordsByType) {
  const hashes = [records.one('bestblock'), records.one('bestblock_nomerkle')]
    .map((record) => record?.blockHashes ?? [])
    .find((found) => found.length > 0);
  const [newest, first] = [hashes?.[0], hashes?.at(-1)];
  if (!hashes || newest === undefined || first === undefined) return null;
  const depths = new Map(hashes.slice(0, -1).map((hash, place) => [hash, offsetAt(place) + 1]));
  return {
    /** Hex, as shown. */
    hash: newest,
    /** The first block of its chain, with which the list ends. */
    first,
    /** Blocks; null where more than one is possible: up to here the list has every block down to the first. */
    height: hashes.length <= ONE_BY_ONE ? hashes.length - 1 : null,
    /** The least that the height can be: above the last block that the list names before the first. */
    leastHeight: offsetAt(hashes.length - 2) + 1,
    /** How many blocks lie on a block, itself included, when it is one of those the wallet listed; else null. */
    depthOf: (blockHash: string) => depths.get(blockHash) ?? null,
  };
}

/** The list goes back one by one for twelve blocks, then in steps of 2, 4, 8…, and ends with block 0. */
const ONE_BY_ONE = 12;

/** How many blocks below the newest the one at a place of the list is. Source: `LocatorEntries`. */
function offsetAt(place: number): number {
  if (place < ONE_BY_ONE) return place;
  return ONE_BY_ONE - 1 + 2 ** (place - ONE_BY_ONE + 2) - 2;
}
