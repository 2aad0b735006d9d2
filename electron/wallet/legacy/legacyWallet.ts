/** A legacy wallet's file as a migration sees it: what is converted, what is shared out, and what stays as it is. */
import { AppError } from '../../../shared/errors.ts';
import { say } from '../../../shared/text/say.ts';
import { byteText } from '../bytes/byteText.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { placer } from '../database/recordInPlace.ts';
import { isAddressRecord } from '../record/addressBook.ts';
import { isLegacyType } from '../record/legacyTypes.ts';
import { parseRecord, type RecordType, recordOf } from '../record/records.ts';
import type { Of } from '../record/recordsByType.ts';
import { recordTypes } from '../record/recordTypes.ts';
import { type Transaction, transactionId } from '../script/transaction.ts';
import { isWatched } from './legacyHoldings.ts';

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

export interface StoredTransaction {
  txid: string;
  transaction: Transaction;
  record: RawRecord;
}

interface LockedCoin {
  txid: string;
  index: number;
  record: RawRecord;
}

/**
 * Reads the entries of a legacy wallet's file, in the order of their keys. Throws AppError `not_a_wallet` for damaged
 * records, and `wallet_error` for `wkey` records, which Bitcoin Core 31 does not migrate either.
 */
export function readLegacyWallet(records: Iterable<RawRecord>): LegacyWallet {
  const wallet = emptyWallet();
  const inPlace = placer();
  const damaged = new Map<string, number>();
  const typeOf = recordTypes();
  for (const record of records) {
    const type = typeOf(record.key);
    if (!wallet.isLegacy && isLegacyType(type)) wallet.isLegacy = true;
    try {
      take(wallet, type, record, inPlace);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      damaged.set(type, (damaged.get(type) ?? 0) + 1);
    }
  }
  if (damaged.size > 0) throw damagedRecords(damaged);
  return wallet;
}

/** Types that no release from 30 on reads, so that damage in them does no harm. */
export const UNUSED_TYPES: ReadonlySet<RecordType> = new Set([
  'acc',
  'acentry',
  'settings',
  'minversion',
] as const);

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

/** Puts a record in its place. Throws RangeError when it is damaged. */
function take(
  wallet: LegacyWallet,
  type: string,
  record: RawRecord,
  inPlace: (record: RawRecord) => RawRecord,
): void {
  switch (type) {
    case 'key':
      wallet.keys.push(whole(recordOf('key', record)));
      break;
    case 'ckey':
      wallet.encryptedKeys.push(whole(recordOf('ckey', record)));
      break;
    case 'keymeta':
      wallet.metadata.push(withoutNothing(whole(recordOf('keymeta', record))));
      break;
    case 'name':
      wallet.names.push(inPlace(readable(record)));
      break;
    case 'purpose':
      wallet.purposes.push(inPlace(readable(record)));
      break;
    case 'destdata':
      wallet.addressData.push(inPlace(readable(record)));
      break;
    case 'pool':
    case 'version':
      // Keys kept ready are keys; and the new files get their own version.
      break;
    default:
      takeParsed(wallet, record);
  }
}

function whole<T>(record: T | null): T {
  if (record === null) throw new RangeError('the record is damaged');
  return record;
}

/** They are copied as they are, and a node loads no wallet that has a damaged one of them. */
function readable(record: RawRecord): RawRecord {
  if (!isAddressRecord(record) && parseRecord(record.key, record.value).type === 'damaged') {
    throw new RangeError('the record is damaged');
  }
  return record;
}

/** Fields that say nothing, as imported keys have them, need not be kept in memory for each of thousands of keys. */
function withoutNothing(metadata: Of<'keymeta'>): Of<'keymeta'> {
  const { hd, origin } = metadata;
  if (hd?.keyPath === '' && hd.seedId.every((byte) => byte === 0)) metadata.hd = null;
  if (!origin?.known) metadata.origin = null;
  return metadata;
}

function takeParsed(wallet: LegacyWallet, record: RawRecord): void {
  const known = parseRecord(record.key, record.value);
  switch (known.type) {
    case 'damaged':
      if (!UNUSED_TYPES.has(known.name)) throw new RangeError('the record is damaged');
      wallet.others.push(record);
      break;
    case 'wkey':
      throw expiringKeys();
    case 'defaultkey':
      break;
    case 'hdchain':
      wallet.hdChain = known;
      break;
    case 'cscript':
      wallet.scripts.push(known.script);
      break;
    case 'watchs':
      if (isWatched(known)) wallet.watched.push(known.script);
      break;
    case 'watchmeta':
      wallet.scriptTimes.set(byteText(known.script), known.createTime);
      break;
    case 'flags':
      wallet.flags = known.flags;
      break;
    case 'mkey':
      wallet.masterKeys.push(known);
      wallet.others.push(record);
      break;
    case 'tx':
      takeTransaction(wallet, known, record);
      break;
    case 'lockedutxo':
      wallet.lockedCoins.push({ txid: known.txid, index: known.index, record });
      break;
    case 'orderposnext':
      wallet.orderPosNext = record;
      break;
    case 'bestblock':
    case 'bestblock_nomerkle':
      // In the order of their keys, so that `bestblock` is met first and wins where it names a block.
      if (known.blockHashes.length > 0) wallet.bestBlock ??= record.value;
      wallet.others.push(record);
      break;
    default:
      wallet.others.push(record);
  }
}

/** One under another id than its own is not used by a node, and left where it is. */
function takeTransaction(wallet: LegacyWallet, known: Of<'tx'>, record: RawRecord): void {
  const { txid, transaction } = known;
  if (transactionId(transaction) === txid) wallet.transactions.push({ txid, transaction, record });
  else wallet.others.push(record);
}

function expiringKeys(): AppError {
  return new AppError(
    'wallet_error',
    say('The wallet has keys of a kind that only releases up to 0.18 can read (wkey records).'),
    say('The file was not changed. Open the wallet with Bitcoin Core 0.18 once, then migrate it.'),
  );
}

function damagedRecords(damaged: ReadonlyMap<string, number>): AppError {
  const list = [...damaged]
    .map(([type, count]) => say('{count, number} of the type {type}', { count, type }))
    .join(', ');
  return new AppError(
    'not_a_wallet',
    say('The wallet file is damaged: some of its records cannot be read ({records}).', { records: list }),
    say(
      'The file was not changed. Keep it. Try another copy of this backup first; inspecting the file shows what can still be read.',
    ),
  );
}
