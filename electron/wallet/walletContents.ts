/** The records of a new wallet that are not about scripts: its flags, its version, how far it has seen the chain. */
import { FLAGS, type LegacyWallet } from './legacyWallet.ts';
import type { RawRecord } from './rawRecord.ts';
import { writeRecord } from './records.ts';

/** The release whose migration this is (31.0), as `version` records hold it. */
const VERSION = 310000;

/** What a legacy wallet's own records become in the main wallet. `inUse`: it has descriptors for new addresses. */
export function mainContents(legacy: LegacyWallet, inUse: boolean): RawRecord[] {
  const kept = inUse ? legacy.flags & ~FLAGS.blank : legacy.flags;
  const flags = kept | FLAGS.descriptors | FLAGS.lastHardenedCached;
  return [version(), writeRecord({ type: 'flags', flags }), ...legacy.others, ...orderOf(legacy)];
}

/** Of a wallet beside the main one, which never has private keys. */
export function furtherContents(legacy: LegacyWallet, hasTransactions: boolean): RawRecord[] {
  const kept = legacy.flags & (FLAGS.avoidReuse | FLAGS.keyOriginMetadata);
  const flags =
    kept | FLAGS.descriptors | FLAGS.lastHardenedCached | FLAGS.disablePrivateKeys | FLAGS.blank;
  const records = [version(), writeRecord({ type: 'flags', flags })];
  if (hasTransactions) records.push(...orderOf(legacy));
  if (!legacy.bestBlock) return records;
  // Releases before 0.9 look at the first alone, find no block in it and scan the whole chain.
  const none = writeRecord({ type: 'bestblock', version: LOCATOR_VERSION, blockHashes: [] });
  const { key } = writeRecord({ type: 'bestblock_nomerkle', version: LOCATOR_VERSION, blockHashes: [] });
  return [...records, none, { key, value: legacy.bestBlock }];
}

/** `CBlockLocator::DUMMY_VERSION` */
const LOCATOR_VERSION = 70016;

function version(): RawRecord {
  return writeRecord({ type: 'version', version: VERSION });
}

function orderOf({ orderPosNext }: LegacyWallet): RawRecord[] {
  return orderPosNext ? [orderPosNext] : [];
}
