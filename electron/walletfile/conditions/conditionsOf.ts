/** Every condition that Bitcoin Core would meet in a wallet file, when it loads it or migrates it. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Condition } from '../../../shared/model/conditions.ts';
import type { Network } from '../../../shared/model/network.ts';
import type { LegacyWallet } from '../legacy/legacyWallet.ts';
import type { RecordsByType } from '../records/recordsByType.ts';
import { flagsOf, hasFlag } from '../records/walletFlags.ts';
import { type ChainKeys, chainConditions } from './chainConditions.ts';
import { descriptorConditions, hasKeyLength } from './descriptorConditions.ts';
import { keyConditions } from './keyConditions.ts';
import { masterConditions, sealedKeys } from './masterConditions.ts';
import { found, recordConditions } from './recordConditions.ts';
import { transactionConditions } from './transactionConditions.ts';

/** Of an SQLite file. `network`: the one whose keys its descriptors hold. */
export function conditionsOfDescriptors(records: RecordsByType, network: Network): Condition[] {
  return [
    ...recordConditions(records),
    ...transactionConditions(records),
    ...descriptorConditions(records, network),
  ];
}

/** Conditions in a Berkeley DB file. `masterKey`: 32 bytes, for an encrypted wallet with a known passphrase. */
export function conditionsOfLegacy(
  wallet: LegacyWallet,
  chains: ChainKeys,
  masterKey: Uint8Array | null,
): Condition[] {
  const { records } = wallet;
  return [
    ...recordConditions(records),
    ...transactionConditions(records),
    ...found('descriptor-record', descriptorRecordsIn(records)),
    ...flagConditions(wallet),
    ...keyConditions(records),
    ...found('key-sealed', masterKey ? sealedKeys(records, masterKey) : []),
    ...masterConditions(wallet),
    ...poolConditions(records),
    ...found('version-rewrite', needsRewrite(records) ? ['version'] : []),
    ...chainConditions(chains),
  ];
}

/** Conditions in an SQLite file that a migration left half-made. Without flags it crashes release 30 and later. */
export function conditionsOfHalfMade(records: RecordsByType): Condition[] {
  return found('flags-missing', records.of('flags').length === 0 ? ['flags'] : []);
}

/**
 * One that says where new addresses come from ends a node: `LoadActiveScriptPubKeyMan` asserts that the wallet has descriptors.
 * A descriptor alone is loaded, and refused as a rule.
 */
function descriptorRecordsIn(records: RecordsByType): string[] {
  return (['activeexternalspk', 'activeinternalspk', 'walletdescriptor'] as const).filter(
    (type) => records.entries(type).length > 0,
  );
}

/** Releases before 30 read the pool, and ask how old its first key is. */
function poolConditions(records: RecordsByType): Condition[] {
  const pool = records.of('pool');
  const unread = records.entries('pool').length - pool.length;
  const odd = pool.filter(({ publicKey }) => !hasKeyLength(publicKey));
  return [
    ...found('pool-damaged', unread > 0 ? ['pool'] : []),
    ...found(
      'pool-key',
      odd.map(({ publicKey }) => bytesToHex(publicKey)),
    ),
  ];
}

function flagConditions({ flags, keys, watchesOnly, chains, records }: LegacyWallet): Condition[] {
  // The seed of the chain in use makes the new descriptors; without one, the node would ask the signer for them.
  const isSeeded = chains.some(({ active }) => active);
  const has = (flag: Parameters<typeof hasFlag>[1]) => hasFlag(flags, flag);
  const isLocked = records.of('mkey').length > 0;
  return [
    // `GenerateNewKey` asserts that a wallet that fills its pool is not blank.
    ...found('flags-blank', has('blank') && isSeeded && !isLocked ? ['blank'] : []),
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
