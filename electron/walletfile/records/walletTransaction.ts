/** The form of transactions in wallets, with their block, times and metadata, and the newest block that a wallet knew. */
import { bool, hash, int32, list, struct, text, uint32, type ValuesOf } from '../bytes/serialization.ts';
import { transaction } from '../script/transaction.ts';
import type { RecordsByType } from './records.ts';

/** A transaction with its block, and a proof that the block contains it, which only wallets before 0.9 have. */
const merkleTransaction = {
  transaction,
  /** Displayed form. All zeros, or 1, without a block: see `stateOf`. */
  blockHash: hash,
  merkleBranch: list(hash),
  /** Its position in the block, or -1. */
  index: int32,
};
export type MerkleTransaction = ValuesOf<typeof merkleTransaction>;

/** Named texts in their order. */
const namedTexts = list(struct({ name: text, value: text }));

/** The fields of `CWalletTx` that the wallet notes itself. */
export const walletNoteFields = {
  /** `n` (order), `timesmart`, `comment`, `to`, `replaces_txid`, `replaced_by_txid`, `fromaccount`, `spent`… */
  mapValue: namedTexts,
  orderForm: namedTexts,
  /** 0 or 1. Releases 0.3.14 to 0.3.17 stored their version here. */
  timeReceivedIsTxTime: uint32,
  /** Unix seconds. */
  timeReceived: uint32,
  fromMe: bool,
  spent: bool,
};

/** The fields of `CWalletTx` in the order of the file. */
export const walletTransaction = {
  ...merkleTransaction,
  /** Unconfirmed ancestors. Only in wallets before 0.9. */
  previous: list(struct(merkleTransaction)),
  ...walletNoteFields,
};
type WalletTransaction = ValuesOf<typeof walletTransaction>;

/** A record of a transaction. */
export interface StoredTransaction extends WalletTransaction {
  type: 'tx';
  txid: string;
  trailing?: Uint8Array | undefined;
}

/** The state of the transaction as the wallet last recorded it. */
type TransactionState =
  | { state: 'confirmed'; blockHash: string; index: number }
  /** Not in a block. */
  | { state: 'inactive' }
  | { state: 'abandoned' }
  /** Another transaction in this block spends the same coins. */
  | { state: 'conflicted'; blockHash: string }
  | { state: 'unrecognised' };

export const NO_BLOCK = '0'.repeat(64);
/** Replaces the block hash of an abandoned transaction. */
export const ABANDONED = '1'.padStart(64, '0');

/** The state that block hash and index encode. Source: `TxStateInterpretSerialized`. */
export function stateOf({ blockHash, index }: MerkleTransaction): TransactionState {
  if (blockHash === NO_BLOCK) return index === 0 ? { state: 'inactive' } : { state: 'unrecognised' };
  if (blockHash === ABANDONED) return index === -1 ? { state: 'abandoned' } : { state: 'unrecognised' };
  if (index >= 0) return { state: 'confirmed', blockHash, index };
  return index === -1 ? { state: 'conflicted', blockHash } : { state: 'unrecognised' };
}

/** The transaction's position in the wallet's order; null in wallets that store no order. */
export function orderOf({ mapValue }: WalletTransaction): number | null {
  return wholeNumber(mapValue, 'n');
}

/** When the wallet received the transaction, in Unix seconds: `timesmart`, or else `timeReceived`. */
export function timeOf(value: WalletTransaction): number {
  return wholeNumber(value.mapValue, 'timesmart') || value.timeReceived;
}

function wholeNumber(texts: WalletTransaction['mapValue'], name: string): number | null {
  const found = texts.find((entry) => entry.name === name);
  return found && /^-?\d{1,15}$/.test(found.value) ? Number(found.value) : null;
}

export type LastBlock = NonNullable<ReturnType<typeof lastBlockOf>>;

/**
 * The newest block that a wallet knew, and the depths of the older blocks in its list. Null for a wallet that has seen no block. The
 * first of its two records that names a block counts (`ReadBestBlock`).
 */
export function lastBlockOf(records: RecordsByType) {
  const hashes = [records.one('bestblock'), records.one('bestblock_nomerkle')]
    .map((record) => record?.blockHashes ?? [])
    .find((found) => found.length > 0);
  const [newest, first] = [hashes?.[0], hashes?.at(-1)];
  if (!hashes || newest === undefined || first === undefined) return null;
  const depths = new Map(hashes.slice(0, -1).map((hash, place) => [hash, offsetAt(place) + 1]));
  return {
    /** Displayed form. */
    hash: newest,
    /** The first block of its chain, the last in the list. */
    first,
    /** The height; null if the list skips blocks, so that several heights are possible. */
    height: hashes.length <= ONE_BY_ONE ? hashes.length - 1 : null,
    /** The lowest possible height: all listed blocks but the first are above block 0. */
    leastHeight: offsetAt(hashes.length - 2) + 1,
    /** The confirmations of a listed block; null for any other block. */
    depthOf: (blockHash: string) => depths.get(blockHash) ?? null,
  };
}

/** The list has the last twelve blocks, then goes back in steps of 2, 4, 8…, and ends with block 0. */
const ONE_BY_ONE = 12;

/** How many blocks an entry of the list is below the newest. Source: `LocatorEntries`. */
function offsetAt(place: number): number {
  if (place < ONE_BY_ONE) return place;
  return ONE_BY_ONE - 1 + 2 ** (place - ONE_BY_ONE + 2) - 2;
}
