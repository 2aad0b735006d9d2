/** Recognises what a migration that was cut off leaves in a wallet's file. */
import type { InspectedFile, Inspection } from '../../../shared/model/inspection.ts';
import { hasLegacyRecords, type RecordsByType } from '../records/recordsByType.ts';
import { hasFlag } from '../records/walletFlags.ts';

/**
 * What is half-made about the records of a file, read as SQLite would read it; null for a whole wallet. A node writes
 * twice (`MigrateToSQLite` and `ApplyMigrationData` in Bitcoin Core's `wallet.cpp`): first an SQLite file with all legacy
 * records; then, in one transaction, it adds the descriptors, removes the legacy records and sets the flag. Killed before
 * the first write ends it leaves a descriptor wallet without descriptors. Made by intention, such a wallet has the flag
 * `blank`, or one that says that it has no private keys (`createwallet`). `isDamaged`: parts of the file could not be read,
 * which may be where its descriptors are.
 */
export function cutOffOf(
  { kind }: Pick<InspectedFile['format'], 'kind'>,
  records: RecordsByType,
  isDamaged = false,
): Inspection['cutOff'] {
  if (kind !== 'sqlite') return null;
  const flags = records.one('flags')?.flags;
  const isMarked = flags !== undefined && hasFlag(flags, 'descriptor_wallet');
  // The change that sets the flag also removes the legacy records: records found later come from damage. Damage may have
  // removed the flags. The other records then show the kind.
  if (!isMarked && (hasLegacyRecords(records) || flags !== undefined)) return 'legacy-records';
  if (isDamaged || records.entries('walletdescriptor').length > 0) return null;
  const isMeant = isMarked && (hasFlag(flags, 'blank') || hasFlag(flags, 'disable_private_keys'));
  return isMeant ? null : 'no-descriptors';
}
