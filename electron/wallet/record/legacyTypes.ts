/** Record types that only legacy wallets have: those that a migration takes away. */
import type { RecordType } from './records.ts';
import type { RecordsByType } from './recordsByType.ts';

/** `DBKeys::LEGACY_TYPES` in `walletdb.cpp`. */
export const legacyTypes: readonly RecordType[] = [
  'key',
  'ckey',
  'wkey',
  'keymeta',
  'hdchain',
  'cscript',
  'watchs',
  'watchmeta',
  'pool',
  'defaultkey',
];

/** Whether there is anything that a migration converts. */
export function hasLegacyRecords(records: RecordsByType): boolean {
  return legacyTypes.some((type) => records.entries(type).length > 0);
}
