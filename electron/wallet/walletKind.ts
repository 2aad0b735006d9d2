/** Of which kind a wallet is, by its file and by what is in it. */
import type { InspectedFile, Inspection } from '../../shared/inspection.ts';
import { legacyTypes } from './legacyTypes.ts';
import type { RecordsByType } from './recordsByType.ts';

/** A migration that was cut off can leave a legacy wallet's records in an SQLite file: then it is a legacy wallet. */
export function walletKind({ kind }: InspectedFile['format'], records: RecordsByType): Inspection['kind'] {
  if (kind === 'berkeley-db') return 'legacy';
  return hasLegacyRecords(records) && records.of('walletdescriptor').length === 0 ? 'legacy' : 'descriptor';
}

/** Whether there is anything that a migration converts. */
export function hasLegacyRecords(records: RecordsByType): boolean {
  return legacyTypes.some((type) => records.of(type).length > 0);
}
