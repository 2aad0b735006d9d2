/** Reads a legacy wallet of which nothing may be missing. */
import { FileError } from '../../../shared/model/findings/fileError.ts';
import { damaged } from '../database/problemLog.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { isAddressRecord } from '../records/addressBook.ts';
import { isRecordType, parseRecord, type RecordType } from '../records/records.ts';
import { type RecordsByType, recordsByType } from '../records/recordsByType.ts';
import { type LegacyWallet, legacyWallet } from './legacyWallet.ts';

/**
 * `entries` are those of its file, in the order of their keys. Throws AppError `not_a_wallet` for damaged records, and
 * `wallet_error` for `wkey` records, which Bitcoin Core 31 does not migrate either.
 */
export function readLegacyWallet(entries: Iterable<RawRecord>): LegacyWallet {
  const records = recordsByType(entries);
  if (records.entries('wkey').length > 0) {
    throw new FileError('wallet_error', { code: 'keys_with_expiry' });
  }
  const found = records.types
    .filter(isRecordType)
    .filter((type) => !UNUSED_TYPES.has(type) && !REPLACED_TYPES.has(type))
    .map((type) => ({ type, count: damagedOf(type, records) }))
    .filter(({ count }) => count > 0);
  if (found.length > 0) throw damaged({ code: 'types_unreadable', types: found });
  return legacyWallet(records);
}

/** Types that no release from 30 on reads, so that damage in them does no harm. */
export const UNUSED_TYPES: ReadonlySet<RecordType> = new Set([
  'acc',
  'acentry',
  'settings',
  'setting',
  'minversion',
] as const);

/** Keys kept ready are keys, which have records of their own; and the new files get their own version. */
const REPLACED_TYPES: ReadonlySet<RecordType> = new Set(['pool', 'version'] as const);

/** Entries of the address book are copied as they are, and only looked at here. */
const ADDRESS_TYPES: ReadonlySet<RecordType> = new Set(['name', 'purpose', 'destdata'] as const);

function damagedOf(type: RecordType, records: RecordsByType): number {
  const entries = records.entries(type);
  const isAddress = ADDRESS_TYPES.has(type);
  if (!isAddress && records.of(type).length === entries.length) return 0;
  return entries.filter(
    (entry) =>
      !(isAddress && isAddressRecord(entry)) && parseRecord(entry.key, entry.value).type === 'damaged',
  ).length;
}
