/** The part of an inspection that only legacy wallets have. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { InspectedHdChain } from '../../../shared/inspection.ts';
import type { Network } from '../../../shared/network.ts';
import { bytesOf } from '../bytes/byteText.ts';
import { listed } from '../bytes/listed.ts';
import type { HdChain } from '../legacy/hdChains.ts';
import { legacyKeyCounts } from '../legacy/keyCounts.ts';
import { lastKnownBalance } from '../legacy/lastKnownBalance.ts';
import { legacyWallet } from '../legacy/legacyWallet.ts';
import type { RecordsByType } from '../record/recordsByType.ts';
import type { InspectedPart } from './inspectedPart.ts';
import { inspectedScripts } from './inspectedScript.ts';
import { migrationPreview } from './migrationPreview.ts';

/** `network` is the one to write addresses for, or null. */
export function inspectLegacy(records: RecordsByType, network: Network | null): InspectedPart {
  const wallet = legacyWallet(records);
  const history = lastKnownBalance(records, wallet);
  const damaged = new Set(history.damaged);
  const whole = records.of('tx').filter((record) => !damaged.has(record));
  return {
    keys: legacyKeyCounts(wallet),
    hdChains: listed(wallet.chains, (chain) => inspectedChain(chain, wallet.seedOf(chain) !== undefined)),
    descriptors: { total: 0, shown: [] },
    scripts: inspectedScripts(wallet, network),
    history,
    migration: migrationPreview(wallet, whole),
    problems: [],
  };
}

function inspectedChain(chain: HdChain, hasSeed: boolean): InspectedHdChain {
  const { seedHash, active, version, externalCounter, internalCounter, fingerprint } = chain;
  return {
    seedId: bytesToHex(bytesOf(seedHash).reverse()),
    active,
    version,
    externalKeys: externalCounter,
    internalKeys: version >= 2 ? internalCounter : null,
    fingerprint,
    hasSeed,
  };
}
