/** Of which kind a wallet is, by its file and by what is in it. */
import type { InspectedFile, Inspection } from './inspection.ts';
import type { RecordType } from './records.ts';
import type { RecordsByType } from './recordsByType.ts';

/** A migration that was cut off can leave a legacy wallet's records in an SQLite file: then it is a legacy wallet. */
export function walletKind({ kind }: InspectedFile['format'], records: RecordsByType): Inspection['kind'] {
  const has = (...types: RecordType[]) => types.some((type) => records.of(type).length > 0);
  if (kind === 'berkeley-db') return 'legacy';
  return has('key', 'ckey', 'hdchain', 'watchs') && !has('walletdescriptor') ? 'legacy' : 'descriptor';
}
