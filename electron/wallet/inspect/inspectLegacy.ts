/** The part of an inspection that only legacy wallets have. */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { InspectedHdChain } from '../../../shared/inspection.ts';
import type { Network } from '../../../shared/network.ts';
import { listed } from '../bytes/listed.ts';
import { legacyKeyCounts } from '../legacy/keyCounts.ts';
import { lastKnownBalance } from '../legacy/lastKnownBalance.ts';
import { type LegacyKeys, legacyKeys } from '../legacy/legacyKeys.ts';
import { legacyOwnership } from '../legacy/legacyOwnership.ts';
import type { RecordsByType } from '../record/recordsByType.ts';
import type { InspectedPart } from './inspectedPart.ts';
import { inspectedScripts } from './inspectedScript.ts';
import { migrationPreview } from './migrationPreview.ts';

/** `network` is the one to write addresses for, or null. */
export function inspectLegacy(records: RecordsByType, network: Network | null): InspectedPart {
  const legacy = legacyKeys(records);
  const ownership = legacyOwnership(records, 'named');
  return {
    keys: legacyKeyCounts(records, legacy),
    hdChains: listed(legacy.chains, (chain) => inspectedChain(chain, legacy)),
    descriptors: { total: 0, shown: [] },
    scripts: inspectedScripts(ownership, network),
    history: lastKnownBalance(records, ownership),
    migration: migrationPreview(records, legacy, ownership),
    problems: [],
  };
}

function inspectedChain(chain: LegacyKeys['chains'][number], { hasSeedOf }: LegacyKeys): InspectedHdChain {
  const { seed, active, version, externalCounter, internalCounter, fingerprint } = chain;
  return {
    seedId: bytesToHex(hexToBytes(seed).reverse()),
    active,
    version,
    externalKeys: externalCounter,
    internalKeys: version >= 2 ? internalCounter : null,
    fingerprint,
    hasSeed: hasSeedOf(chain),
  };
}
