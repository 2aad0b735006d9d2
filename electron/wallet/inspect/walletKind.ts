/** Of which kind a wallet is, by its file and by what is in it. */
import type { InspectedFile, Inspection } from '../../../shared/inspection.ts';
import { hasLegacyRecords } from '../record/legacyTypes.ts';
import type { RecordsByType } from '../record/recordsByType.ts';
import { hasFlag } from '../record/walletFlags.ts';

/** What a migration that was cut off left in an SQLite file is a legacy wallet still. */
export function walletKind({ kind }: InspectedFile['format'], records: RecordsByType): Inspection['kind'] {
  return kind === 'berkeley-db' || isHalfConverted(records) ? 'legacy' : 'descriptor';
}

/**
 * Whether the records of an SQLite file are those of a migration that was cut off. A node writes twice: all records
 * and their descriptors first; then it takes the legacy ones away and sets the flag (`ApplyMigrationData` in
 * `wallet.cpp`). A file without any flags has lost them to damage, and tells by its other records only.
 */
function isHalfConverted(records: RecordsByType): boolean {
  const flags = records.one('flags')?.flags;
  return hasLegacyRecords(records) || (flags !== undefined && !hasFlag(flags, 'descriptor_wallet'));
}
