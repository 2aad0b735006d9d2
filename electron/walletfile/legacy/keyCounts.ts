/** A wallet's keys, counted by type. */
import { equalBytes } from '@noble/curves/utils.js';
import type { KeyCounts } from '../../../shared/model/inspection.ts';
import { byteText } from '../bytes/byteText.ts';
import type { StoredDescriptor } from '../descriptor/storedDescriptors.ts';
import { encryptedKeyChecksum } from '../keys/crypter.ts';
import { keyChecksum } from '../keys/privateKey.ts';
import type { Of, RecordsByType } from '../records/records.ts';
import { readOutputScript } from '../script/script.ts';
import { isSeed, type LegacyWallet } from './legacyWallet.ts';

export function legacyKeyCounts({ records, keys: { all }, chainOf }: LegacyWallet): KeyCounts {
  const plain = distinct([...records.of('key'), ...records.of('wkey')]).size;
  const seeds = all.filter(({ metadata }) => metadata && isSeed(metadata)).length;
  const fromChains = all.filter(chainOf).length;
  const pool = records.of('pool');
  const internal = pool.filter((entry) => entry.internal === true).length;
  return {
    plain,
    encrypted: all.length - plain,
    uncompressed: all.filter(({ publicKey }) => publicKey.length === UNCOMPRESSED).length,
    seeds,
    fromChains,
    single: all.length - seeds - fromChains,
    watched: records.of('watchs').filter(({ script }) => readOutputScript(script).kind === 'p2pk').length,
    unused: { external: pool.length - internal, internal },
    damaged: [...records.of('key'), ...records.of('ckey')].filter(isDamaged).length,
  };
}

/** A descriptor's key counts once however many descriptors it serves. */
export function descriptorKeyCounts(
  records: RecordsByType,
  descriptors: readonly StoredDescriptor[],
  watchOnly: boolean,
): KeyCounts {
  const plain = records.of('walletdescriptorkey');
  const encrypted = records.of('walletdescriptorckey');
  const unused = (internal: boolean) =>
    descriptors
      .filter(({ active }) => active?.internal === internal)
      .reduce((sum, { record }) => sum + Math.max(0, record.rangeEnd - record.nextIndex), 0);
  return {
    plain: distinct(plain).size,
    encrypted: distinct(encrypted).size,
    uncompressed: [...distinct([...plain, ...encrypted])].filter((key) => key.length === UNCOMPRESSED).length,
    seeds: 0,
    fromChains: 0,
    single: 0,
    watched: watchOnly ? descriptors.length : 0,
    unused: { external: unused(false), internal: unused(true) },
    damaged: plain.filter(isDamaged).length,
  };
}

/** Public keys by their `byteText`. */
function distinct(keys: readonly { publicKey: Uint8Array }[]): Set<string> {
  return new Set(keys.map(({ publicKey }) => byteText(publicKey)));
}

/** Bytes of an uncompressed public key; a compressed one has 33. */
const UNCOMPRESSED = 65;

/** Only compares checksums, which is fast. Keys of old wallets without a checksum count as undamaged. */
function isDamaged(record: Of<'key' | 'ckey' | 'walletdescriptorkey'>): boolean {
  const { checksum } = record;
  // A checksum of zeros means none (`LoadKey` in `walletdb.cpp`).
  if (checksum === null || checksum.every((byte) => byte === 0)) return false;
  const right =
    record.type === 'ckey'
      ? encryptedKeyChecksum(record.encrypted)
      : keyChecksum(record.publicKey, record.der);
  return !equalBytes(checksum, right);
}
