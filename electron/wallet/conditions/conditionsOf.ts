/** Every condition that Bitcoin Core would meet in a wallet file, when it loads it or migrates it. */
import type { Condition } from '../../../shared/conditions.ts';
import type { Network } from '../../../shared/network.ts';
import type { LegacyWallet } from '../legacy/legacyWallet.ts';
import type { RecordsByType } from '../record/recordsByType.ts';
import { flagsOf, hasFlag } from '../record/walletFlags.ts';
import { type ChainKeys, chainConditions } from './chainConditions.ts';
import { descriptorConditions } from './descriptorConditions.ts';
import { keyConditions } from './keyConditions.ts';
import { found, recordConditions } from './recordConditions.ts';

/** Of an SQLite file. `network`: the one whose keys its descriptors hold. */
export function conditionsOfDescriptors(records: RecordsByType, network: Network): Condition[] {
  return [...recordConditions(records), ...descriptorConditions(records, network)];
}

/** Of a Berkeley DB file. */
export function conditionsOfLegacy(wallet: LegacyWallet, chains: ChainKeys): Condition[] {
  const { records } = wallet;
  return [
    ...recordConditions(records),
    ...flagConditions(wallet),
    ...keyConditions(records),
    ...found('version-rewrite', needsRewrite(records) ? ['version'] : []),
    ...chainConditions(chains),
  ];
}

function flagConditions({ flags, keys, watchesOnly, chains }: LegacyWallet): Condition[] {
  // The seed of the chain in use makes the new descriptors; without one, the node would ask the signer for them.
  const isSeeded = chains.some(({ active }) => active);
  const has = (flag: Parameters<typeof hasFlag>[1]) => hasFlag(flags, flag);
  return [
    ...found('flags-descriptor', has('descriptor_wallet') ? ['descriptor_wallet'] : []),
    ...found(
      'flags-signer',
      has('external_signer') && !watchesOnly && !isSeeded && keys.all.length > 0 ? ['external_signer'] : [],
    ),
    ...found('flags-no-keys', watchesOnly && keys.all.length > 0 ? ['disable_private_keys'] : []),
  ];
}

/** What 0.4.0 and 0.5.0rc encrypted is to be written anew, which a migration cannot. */
function needsRewrite(records: RecordsByType): boolean {
  const version = records.one('version')?.version;
  return (version === 40_000 || version === 50_000) && records.of('ckey').length > 0;
}

/** Whether the descriptors of an SQLite file are looked at: what a migration left half-made has none of its own yet. */
export function isOfDescriptors(records: RecordsByType): boolean {
  return hasFlag(flagsOf(records), 'descriptor_wallet') || records.of('walletdescriptor').length > 0;
}
