/** The entries of a legacy wallet's file that a migration shares out as they are. */
import type { WalletPart } from '../../../shared/migrationPreview.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import type { TransactionPlaces } from '../legacy/transactionPlaces.ts';
import { legacyTypes } from '../record/legacyTypes.ts';
import type { Of, RecordsByType } from '../record/recordsByType.ts';
import { transactionId } from '../script/transaction.ts';

export interface KeptRecords {
  /** The address book: `name`, `purpose` and `destdata`. */
  names: readonly RawRecord[];
  purposes: readonly RawRecord[];
  addressData: readonly RawRecord[];
  transactions: readonly Stored<'tx'>[];
  lockedCoins: readonly Stored<'lockedutxo'>[];
  /** The value of the last block's record, the first that names a block. */
  bestBlock: Uint8Array | null;
  orderPosNext: RawRecord | null;
  /** All that a migration leaves as it is: unknown types, accounts, settings, master keys, the last block… */
  others: readonly RawRecord[];
}

interface Stored<T extends 'tx' | 'lockedutxo'> {
  record: Of<T>;
  entry: RawRecord;
}

/** Of records that are whole. A transaction under another id than its own is not used by a node: it stays as it is. */
export function keptRecords(records: RecordsByType): KeptRecords {
  const transactions = stored(records, 'tx');
  const isRight = ({ record }: Stored<'tx'>) => transactionId(record.transaction) === record.txid;
  const right = new Set(transactions.filter(isRight));
  const bestBlock = (['bestblock', 'bestblock_nomerkle'] as const).find(
    (type) => records.one(type)?.blockHashes.length,
  );
  return {
    names: records.entries('name'),
    purposes: records.entries('purpose'),
    addressData: records.entries('destdata'),
    transactions: [...right],
    lockedCoins: stored(records, 'lockedutxo'),
    bestBlock: bestBlock ? (records.entries(bestBlock).at(-1)?.value ?? null) : null,
    orderPosNext: records.entries('orderposnext').at(-1) ?? null,
    others: records.types.flatMap((type) => {
      if (type === 'tx') return transactions.filter((one) => !right.has(one)).map(({ entry }) => entry);
      return NOT_OTHERS.has(type) ? [] : records.entries(type);
    }),
  };
}

/** The transactions and locked coins of each wallet. A coin goes with its script, and to `main` where that is no one's. */
export function historyRecords(
  { transactions, lockedCoins }: KeptRecords,
  { partsOf, ownerOf }: Pick<TransactionPlaces, 'partsOf' | 'ownerOf'>,
  main: WalletPart,
): Record<WalletPart, RawRecord[]> {
  const found: Record<WalletPart, RawRecord[]> = { primary: [], watchonly: [], solvables: [] };
  for (const { record, entry } of transactions) {
    for (const part of partsOf(record.txid)) found[part].push(entry);
  }
  for (const { record, entry } of lockedCoins) found[ownerOf(record) ?? main].push(entry);
  return found;
}

/** What is converted, written anew, or has a place of its own. */
const NOT_OTHERS: ReadonlySet<string> = new Set([
  ...legacyTypes,
  'version',
  'flags',
  'name',
  'purpose',
  'destdata',
  'lockedutxo',
  'orderposnext',
]);

function stored<T extends 'tx' | 'lockedutxo'>(records: RecordsByType, type: T): Stored<T>[] {
  const entries = records.entries(type);
  return records.of(type).flatMap((record, at) => {
    const entry = entries[at];
    return entry ? [{ record, entry }] : [];
  });
}
