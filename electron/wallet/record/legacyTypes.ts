/** Record types that only legacy wallets have: those that a migration takes away. */
import type { RecordType } from './records.ts';

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

export function isLegacyType(type: string): boolean {
  return names.has(type);
}

const names: ReadonlySet<string> = new Set(legacyTypes);
