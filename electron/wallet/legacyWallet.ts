/** A legacy wallet's file as a migration sees it: what is converted, what is shared out, and what stays as it is. */
import { AppError } from '../../shared/errors.ts';
import { readBerkeley } from './berkeley.ts';
import { readEncryptedKey, readKey, readKeyMetadata } from './bulkRecords.ts';
import { byteText } from './byteText.ts';
import type { RawRecord } from './rawRecord.ts';
import { type KnownRecord, parseRecord, type RecordType } from './records.ts';
import type { Of } from './recordsByType.ts';
import type { Transaction } from './transaction.ts';
import { transactionId } from './transaction.ts';

export interface LegacyWallet {
  keys: Of<'key'>[];
  encryptedKeys: Of<'ckey'>[];
  metadata: Of<'keymeta'>[];
  hdChain: Of<'hdchain'> | null;
  /** `cscript` records: redeem and witness scripts. */
  scripts: Uint8Array[];
  watched: Uint8Array[];
  /** Unix seconds of `watchmeta` records, by the `byteText` of the script. */
  scriptTimes: Map<string, number>;
  masterKeys: Of<'mkey'>[];
  /** Bits of `WalletFlags`. */
  flags: bigint;
  /** `name`, `purpose` and `destdata` records, as they are. */
  names: RawRecord[];
  purposes: RawRecord[];
  addressData: RawRecord[];
  transactions: StoredTransaction[];
  lockedCoins: LockedCoin[];
  /** The value of the last block's record, the first that names a block. */
  bestBlock: Uint8Array | null;
  orderPosNext: RawRecord | null;
  /** All that a migration leaves as it is: unknown types, accounts, settings, master keys, the last block… */
  others: RawRecord[];
  /** Whether it has any record that descriptor wallets do not have. */
  isLegacy: boolean;
}

/** Bits of a wallet's `flags` record (`WalletFlags` in `walletutil.h`). */
export const FLAGS = {
  avoidReuse: 1n << 0n,
  keyOriginMetadata: 1n << 1n,
  lastHardenedCached: 1n << 2n,
  disablePrivateKeys: 1n << 32n,
  blank: 1n << 33n,
  descriptors: 1n << 34n,
} as const;

export interface StoredTransaction {
  txid: string;
  transaction: Transaction;
  record: RawRecord;
}

export interface LockedCoin {
  txid: string;
  index: number;
  record: RawRecord;
}

/**
 * Reads a legacy wallet's file. Throws AppError `not_a_wallet` for another or a damaged file; `wallet_error` for one
 * that Bitcoin Core 31 does not migrate either: not cleanly closed, or with `wkey` records.
 */
export function readLegacyWallet(file: Uint8Array): LegacyWallet {
  const { records, cleanLsns } = readBerkeley(file);
  if (!cleanLsns) throw notClosed();
  const wallet = emptyWallet();
  const damaged = new Map<string, number>();
  let prefix: Uint8Array = new Uint8Array();
  let type = '';
  for (const record of records) {
    // Records are in the order of their keys, so that those of a type stand together.
    if (!startsWith(record.key, prefix)) {
      prefix = record.key.subarray(0, 1 + (record.key[0] ?? 0));
      type = byteText(prefix.subarray(1));
    }
    if (!take(wallet, type, record)) damaged.set(type, (damaged.get(type) ?? 0) + 1);
  }
  if (damaged.size > 0) throw damagedRecords(damaged);
  return wallet;
}

/** Whether a record is of a type that a migration takes away (`DBKeys::LEGACY_TYPES` in `walletdb.cpp`). */
function isLegacyType(type: string): boolean {
  return LEGACY_TYPES.has(type);
}

const LEGACY_TYPES: ReadonlySet<string> = new Set([
  'ckey',
  'cscript',
  'defaultkey',
  'hdchain',
  'keymeta',
  'key',
  'wkey',
  'pool',
  'watchmeta',
  'watchs',
]);

/** The character `1`. */
const WATCHED = 0x31;

function emptyWallet(): LegacyWallet {
  return {
    keys: [],
    encryptedKeys: [],
    metadata: [],
    hdChain: null,
    scripts: [],
    watched: [],
    scriptTimes: new Map(),
    masterKeys: [],
    flags: 0n,
    names: [],
    purposes: [],
    addressData: [],
    transactions: [],
    lockedCoins: [],
    bestBlock: null,
    orderPosNext: null,
    others: [],
    isLegacy: false,
  };
}

/** Puts a record in its place. False when it is damaged. */
function take(wallet: LegacyWallet, type: string, record: RawRecord): boolean {
  if (isLegacyType(type)) wallet.isLegacy = true;
  switch (type) {
    case 'key':
      return added(wallet.keys, readKey(record));
    case 'ckey':
      return added(wallet.encryptedKeys, readEncryptedKey(record));
    case 'keymeta':
      return added(wallet.metadata, readKeyMetadata(record));
    case 'name':
      return added(wallet.names, record);
    case 'purpose':
      return added(wallet.purposes, record);
    case 'destdata':
      return added(wallet.addressData, record);
    case 'pool':
      return true;
    case 'version':
      // The new file gets its own.
      return true;
  }
  const known = parseRecord(record.key, record.value);
  if (known.type === 'damaged') return isUnused(known.name) && added(wallet.others, record);
  if (known.type === 'unknown') return added(wallet.others, record);
  return takeKnown(wallet, known, record);
}

function takeKnown(wallet: LegacyWallet, known: KnownRecord, record: RawRecord): boolean {
  switch (known.type) {
    case 'wkey':
      throw expiringKeys();
    case 'defaultkey':
      return true;
    case 'hdchain':
      wallet.hdChain = known;
      return true;
    case 'cscript':
      return added(wallet.scripts, known.script);
    case 'watchs':
      return known.watched !== WATCHED || added(wallet.watched, known.script);
    case 'watchmeta':
      wallet.scriptTimes.set(byteText(known.script), known.createTime);
      return true;
    case 'flags':
      wallet.flags = known.flags;
      return true;
    case 'mkey':
      wallet.masterKeys.push(known);
      return added(wallet.others, record);
    case 'tx':
      return takeTransaction(wallet, known, record);
    case 'lockedutxo':
      return added(wallet.lockedCoins, { txid: known.txid, index: known.index, record });
    case 'orderposnext':
      wallet.orderPosNext = record;
      return true;
    case 'bestblock':
    case 'bestblock_nomerkle':
      // In the order of their keys, so that `bestblock` is met first and wins where it names a block.
      if (known.blockHashes.length > 0) wallet.bestBlock ??= record.value;
      return added(wallet.others, record);
    default:
      return added(wallet.others, record);
  }
}

/** One under another id than its own is not used by a node, and left where it is. */
function takeTransaction(wallet: LegacyWallet, known: Of<'tx'>, record: RawRecord): boolean {
  const { txid, transaction } = known;
  if (transactionId(transaction) !== txid) return added(wallet.others, record);
  return added(wallet.transactions, { txid, transaction, record });
}

/** Types that no release from 30 on reads, so that damage in them does no harm. */
function isUnused(type: RecordType): boolean {
  return type === 'acc' || type === 'acentry' || type === 'settings' || type === 'minversion';
}

function added<T>(list: T[], item: T | null): boolean {
  if (item === null) return false;
  list.push(item);
  return true;
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  const { length } = start;
  if (length === 0) return false;
  for (let at = 0; at < length; at += 1) if (bytes[at] !== start[at]) return false;
  return true;
}

function notClosed(): AppError {
  return new AppError(
    'wallet_error',
    'The wallet file was not closed cleanly, so that its last changes may be missing from it.',
    'The file was not changed. Open and close the wallet with a Bitcoin Core before release 30 that still has its database folder, then migrate it.',
  );
}

function expiringKeys(): AppError {
  return new AppError(
    'wallet_error',
    'The wallet has keys of a kind that only releases up to 0.18 can read (wkey records).',
    'The file was not changed. Open the wallet with Bitcoin Core 0.18 once, then migrate it.',
  );
}

function damagedRecords(damaged: ReadonlyMap<string, number>): AppError {
  const list = [...damaged].map(([type, count]) => `${count} of the type ${type}`).join(', ');
  return new AppError(
    'not_a_wallet',
    `The wallet file is damaged: some of its records cannot be read (${list}).`,
    'The file was not changed. Keep it. Try another copy of this backup first; inspecting the file shows what can still be read.',
  );
}
