/** What a made-up wallet file shows: keys that do not fit each other, and addresses that it has no keys to. */
import type { FileProblem } from '../../../shared/model/inspection.ts';
import { byteText } from '../bytes/byteText.ts';
import { problemOf } from '../database/problemLog.ts';
import { belongsTo, readStoredKey, type StoredKey } from '../keys/privateKey.ts';
import type { LegacyWallet } from '../legacy/legacyWallet.ts';
import type { RecordsByType } from '../records/recordsByType.ts';

/** None for an honest wallet. */
export function forgedKeys(records: RecordsByType): FileProblem[] {
  const plain = [...records.of('key'), ...records.of('walletdescriptorkey')];
  const misfits = plain.slice(0, MOST_TRIED).filter(isMisfit).length;
  const sealed = [...records.of('ckey'), ...records.of('walletdescriptorckey')];
  // Each is encrypted with an initial vector of its own public key. One key can serve several descriptors.
  const distinct = (bytes: readonly Uint8Array[]) => new Set(bytes.map(byteText)).size;
  const repeat =
    distinct(sealed.map(({ encrypted }) => encrypted)) < distinct(sealed.map(({ publicKey }) => publicKey));
  return [
    ...(misfits > 0 ? [problemOf({ code: 'keys_do_not_fit', count: misfits }, 'whole')] : []),
    ...(repeat ? [problemOf({ code: 'encrypted_keys_repeat' }, 'whole')] : []),
  ];
}

/** The same of the addresses that a legacy wallet calls its own. `givenOut`: the scripts of those that no key makes. */
export function keylessAddresses(
  wallet: LegacyWallet,
  givenOut: readonly (Uint8Array | null)[],
): FileProblem[] {
  const count = givenOut.filter((script) => script && wallet.of(script) === null).length;
  const hasNoKeys = wallet.keys.all.length === 0;
  // What was made for watching only says so itself.
  const onlyWatches = hasNoKeys && !wallet.watchesOnly && wallet.scripts.mine.size > 0;
  if (onlyWatches || (hasNoKeys && count > 0)) return [NO_KEYS];
  return count === 0 ? [] : [problemOf({ code: 'addresses_without_key', count }, 'whole')];
}

export const NO_KEYS = problemOf({ code: 'only_addresses' }, 'whole');

/** Each takes a tenth of a millisecond or more, and who makes up keys does not begin with honest ones. */
const MOST_TRIED = 500;

/** With a right checksum: another one is damage, which is told elsewhere. */
function isMisfit(record: StoredKey): boolean {
  const key = readStoredKey(record);
  if (!key) return false;
  try {
    return !belongsTo(key.privateKey, record.publicKey);
  } finally {
    key.privateKey.fill(0);
  }
}
