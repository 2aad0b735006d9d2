/** Every condition that Bitcoin Core would meet in a wallet file, when it loads it or migrates it. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Condition } from '../../../shared/model/conditions.ts';
import type { Network } from '../../../shared/model/network.ts';
import type { StoredDescriptor } from '../descriptor/storedDescriptors.ts';
import { yieldsPublicKey } from '../keys/privateKey.ts';
import { type KeyMatcher, matchedInAnotherThread } from '../legacy/legacyKeys.ts';
import type { LegacyWallet } from '../legacy/legacyWallet.ts';
import { flagsOf, hasFlag, type RecordsByType } from '../records/records.ts';
import { hasKeyLength } from '../script/script.ts';
import { descriptorConditions, laterDescriptorConditions, sealedKeys } from './descriptorConditions.ts';
import { misfitConditions, readDescriptors } from './misfitConditions.ts';
import {
  type ChainKeys,
  chainConditions,
  conditionOf,
  keyConditions,
  longerRecords,
  masterConditions,
  recordConditions,
  transactionConditions,
  undecryptableKeys,
} from './recordConditions.ts';

/**
 * Conditions in an SQLite file. `network`: the network of its descriptors' keys. `masterKey`: 32 bytes, for an encrypted wallet with a
 * known passphrase.
 */
export function conditionsOfDescriptors(
  records: RecordsByType,
  network: Network,
  masterKey: Uint8Array | null = null,
): Condition[] {
  return [
    ...recordConditions(records),
    ...transactionConditions(records),
    ...descriptorConditions(records, network, masterKey),
  ];
}

/**
 * The lost keys and the addresses that do not fit, found by a few keys of each range: a list of a thousand wallets has to call such a
 * wallet damaged. `descriptors`: all of them.
 */
export function lossConditions(
  records: RecordsByType,
  network: Network,
  descriptors: StoredDescriptor[],
): Condition[] {
  if (!hasDescriptors(records)) return [];
  const found = readDescriptors(records, network, null, descriptors);
  return [
    ...misfitConditions(records, network, found, BRIEFLY_CHECKED),
    ...conditionOf('descriptor-key-sealed', sealedKeys(records, null, found.known)),
  ];
}

/** Each takes a tenth of a millisecond. */
const BRIEFLY_CHECKED = 10;

/**
 * Conditions in a Berkeley DB file. `masterKey`: 32 bytes, for an encrypted wallet with a known passphrase. With
 * `matchedInAnotherThread`, skips the conditions that need private keys.
 */
export function conditionsOfLegacy(
  wallet: LegacyWallet,
  chains: ChainKeys,
  masterKey: Uint8Array | null,
  fits: KeyMatcher = yieldsPublicKey,
): Condition[] {
  const { records } = wallet;
  return [
    ...recordConditions(records),
    ...longerRecords(records),
    ...transactionConditions(records),
    ...conditionOf('descriptor-record', descriptorRecordsIn(records)),
    ...flagConditions(wallet),
    ...keyConditions(records, fits),
    ...conditionOf(
      'key-sealed',
      masterKey && fits !== matchedInAnotherThread ? undecryptableKeys(records, masterKey) : [],
    ),
    ...masterConditions(wallet),
    ...poolConditions(records),
    ...conditionOf('version-rewrite', needsRewrite(records) ? ['version'] : []),
    ...chainConditions(chains),
  ];
}

/**
 * The conditions that crash a node after it has loaded the wallet, among others, in a file of any kind: a loaded wallet has
 * none that are met while it loads. Reads no keys, which take most of the time.
 */
export function conditionsOfLoaded(records: RecordsByType, network: Network): Condition[] {
  return [
    ...transactionConditions(records),
    ...laterDescriptorConditions(records, network),
    ...poolConditions(records),
  ];
}

/** Conditions in an SQLite file of an unfinished migration. Without flags it crashes release 30 and later. */
export function conditionsOfUnfinished(records: RecordsByType): Condition[] {
  return conditionOf('flags-missing', records.of('flags').length === 0 ? ['flags'] : []);
}

/**
 * An active descriptor crashes a node: `LoadActiveScriptPubKeyMan` asserts that the wallet is a descriptor wallet. A descriptor
 * alone is loaded, and usually refused.
 */
function descriptorRecordsIn(records: RecordsByType): string[] {
  return (['activeexternalspk', 'activeinternalspk', 'walletdescriptor'] as const).filter(
    (type) => records.entries(type).length > 0,
  );
}

/** Releases before 30 read the key pool, and look up the age of its oldest key. */
function poolConditions(records: RecordsByType): Condition[] {
  const pool = records.of('pool');
  const unread = records.entries('pool').length - pool.length;
  const invalid = pool.filter(({ publicKey }) => !hasKeyLength(publicKey));
  return [
    ...conditionOf('pool-damaged', unread > 0 ? ['pool'] : []),
    ...conditionOf(
      'pool-key',
      invalid.map(({ publicKey }) => bytesToHex(publicKey)),
    ),
  ];
}

function flagConditions({ flags, keys, watchesOnly, chains, records }: LegacyWallet): Condition[] {
  // The node makes the new descriptors from the active chain's seed. Without one, it asks the external signer.
  const isSeeded = chains.some(({ active }) => active);
  const has = (flag: Parameters<typeof hasFlag>[1]) => hasFlag(flags, flag);
  const isLocked = records.of('mkey').length > 0;
  return [
    // `GenerateNewKey` asserts that the wallet is not blank when it fills the pool.
    ...conditionOf('flags-blank', has('blank') && isSeeded && !isLocked ? ['blank'] : []),
    ...conditionOf('flags-descriptor', has('descriptor_wallet') ? ['descriptor_wallet'] : []),
    ...conditionOf(
      'flags-signer',
      has('external_signer') && !watchesOnly && !isSeeded && keys.all.length > 0 ? ['external_signer'] : [],
    ),
    ...conditionOf('flags-no-keys', watchesOnly && keys.all.length > 0 ? ['disable_private_keys'] : []),
  ];
}

/** A node rewrites wallets that 0.4.0 or 0.5.0rc encrypted. A migration cannot do that. */
function needsRewrite(records: RecordsByType): boolean {
  const version = records.one('version')?.version;
  return (version === 40_000 || version === 50_000) && records.of('ckey').length > 0;
}

/** Whether an SQLite file is a descriptor wallet. The file of an unfinished migration has no descriptors yet. */
export function hasDescriptors(records: RecordsByType): boolean {
  return hasFlag(flagsOf(records), 'descriptor_wallet') || records.of('walletdescriptor').length > 0;
}
