/**
 * Rebuilds a descriptor wallet file from the remains of one. A checksum proves a descriptor, which names its keys. The public
 * key in a descriptor proves a private key. A second record with the same node proves the cache of a locked key.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Inspection } from '../../../shared/model/inspection.ts';
import type { Network } from '../../../shared/model/network.ts';
import type { ExcludedRecords, RescueFacts } from '../../../shared/model/safety.ts';
import { type FileBytes, sourceOf } from '../../walletfile/bytes/byteSource.ts';
import { listOf } from '../../walletfile/bytes/lists.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { toLatin1 } from '../../walletfile/bytes/textCoding.ts';
import { identifyCoin } from '../../walletfile/coin/identifyCoin.ts';
import { readSqliteHeader, SQLITE_HEADER_SIZE } from '../../walletfile/database/fileStart.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { writeSqlite } from '../../walletfile/database/walletDatabase.ts';
import {
  addressTypeOf,
  isHardened,
  isRanged,
  type KeyExpression,
  keysOf,
  needsPrivateKeys,
  publicKeysOf,
} from '../../walletfile/descriptor/descriptor.ts';
import { cacheOf } from '../../walletfile/descriptor/descriptorExpand.ts';
import { MAX_RANGE } from '../../walletfile/descriptor/descriptorScripts.ts';
import { descriptorId, writeForRecord } from '../../walletfile/descriptor/descriptorWrite.ts';
import { type StoredDescriptor, storedDescriptors } from '../../walletfile/descriptor/storedDescriptors.ts';
import { newWalletRecords } from '../../walletfile/migrate/migratedRecords.ts';
import { descriptorRecords, type PlannedDescriptor } from '../../walletfile/migrate/plannedDescriptor.ts';
import { knownBirth } from '../../walletfile/records/recordShapes.ts';
import {
  flagBits,
  flagsOf,
  hasFlag,
  hasLegacyRecords,
  hasUnknownMandatoryFlag,
  isRecordType,
  type RecordsByType,
  RecordWriter,
  recordsByType,
  typeIn,
  writeRecord,
} from '../../walletfile/records/records.ts';
import { orderOf } from '../../walletfile/records/walletTransaction.ts';
import { scriptIfAddress } from '../../walletfile/script/address.ts';
import { DEFAULT_LAST_INDEX, fileOfDump, networkOf } from '../keyImport/walletOfText.ts';
import { isMasterKeyLost, type SalvageResult, salvage } from '../salvage/salvage.ts';
import { loadableTransactions, misplacedIn } from './loadableRecords.ts';
import {
  createCacheRebuilder,
  descriptorsOfKeys,
  idsIn,
  knownLosses,
  reactivate,
  recreateDescriptors,
  rootsIn,
} from './rebuiltDescriptors.ts';
import { masterKeyIn, type PassphraseToTry, renumberMasterKeys, SavedKeys } from './savedKeys.ts';

export interface RepairedDescriptors {
  kind: 'descriptor';
  bytes: Uint8Array;
  network: Network;
  /** What shows the network: the header of the repaired file is new. */
  networkFrom: Inspection['network']['from'];
  /** Set if the damaged file leaves it open. */
  coin: Inspection['coin'] | null;
  facts: RescueFacts;
  /** No transactions: a node loads such a wallet with those that do not belong to it. */
  excluded: ExcludedRecords;
}

export interface RepairOptions extends PassphraseToTry {
  /** Whether to save only the keys that need no passphrase. */
  openOnly?: boolean | undefined;
  /** Needed to find orphaned records of a legacy wallet, and for descriptors if neither the file's header nor its keys show it. */
  network?: Network | undefined;
}

/**
 * Only reads the file, or a dump. Null if it has no descriptor and no key of one, or records of a legacy wallet. Throws `bad_input` if
 * the network is unknown, and `wrong_passphrase` and other errors of trying a passphrase.
 */
export async function repairDescriptors(
  file: FileBytes,
  { passphrase, isThorough, openOnly = false, network: fallback }: RepairOptions,
): Promise<RepairedDescriptors | null> {
  const { inMemory, read } = sourceOf(file);
  const dump = inMemory && fileOfDump(inMemory);
  const [source, damagedLines] = [dump?.bytes ?? file, dump?.unread ?? 0];
  const unproved = salvage(source);
  const first = recordsByType(unproved.records);
  const head = orNull(() => readSqliteHeader(read(0, SQLITE_HEADER_SIZE)).network);
  if (!yieldsDescriptorWallet(unproved) || isLegacy(unproved)) return null;
  const coin = identifyCoin(first, head);
  if (coin.verdict === 'other') return null;
  const { name: network, from } = networkOf(first, head ?? fallback);
  const tried = openOnly ? {} : { passphrase, isThorough };
  const { masterKey, record, isRepaired } = await masterKeyIn(unproved, tried);
  const saved = masterKey ? salvage(source, masterKey) : unproved;
  const keys = new SavedKeys(saved, masterKey, openOnly);
  try {
    const { records, keyless, facts, lost, watchOnly, excluded } = rebuildWallet(saved, keys, {
      network,
      opened: record,
      // A damaged name of a type looks like the name of an unknown one.
      isDamaged:
        damagedLines + saved.lostPages + saved.damaged.size > 0 ||
        saved.records.some(({ key }) => !isRecordType(typeIn(key))),
    });
    const known = await knownLosses(recordsByType([...records, ...keyless]), { lost, watchOnly, network });
    const loadable = facts.sealedDescriptors ? known.withoutForeign(records) : records;
    return {
      kind: 'descriptor',
      bytes: await writeSqlite(loadable, network),
      network,
      networkFrom: head === network ? 'file' : from,
      coin: coin.verdict === 'ambiguous' ? coin : null,
      excluded,
      facts: {
        ...facts,
        damaged: { ...facts.damaged, others: facts.damaged.others + damagedLines },
        repaired: saved.repaired + (isRepaired ? 1 : 0),
        missing: { ...facts.missing, addresses: known.addresses },
        lostCoins: known.coins,
      },
    };
  } finally {
    keys.wipe();
    masterKey?.fill(0);
  }
}

/**
 * Ignores `key` records, because loose private keys of a descriptor wallet look like them. The flag decides first: a descriptor
 * wallet may hold a legacy record, for which a node refuses it.
 */
export function isLegacy({ records }: SalvageResult): boolean {
  if (hasFlag(flagsOf(recordsByType(records)), 'descriptor_wallet')) return false;
  const others = records.filter(({ key }) => !toLatin1(key).startsWith('\x03key'));
  return hasLegacyRecords(recordsByType(others));
}

function yieldsDescriptorWallet({ records, unprovedKeys, locked }: SalvageResult): boolean {
  return [...records, ...unprovedKeys, ...locked].some(({ key }) => DESCRIBED.test(typeIn(key)));
}

const DESCRIBED = /^walletdescriptor(?:c?key)?$/;

function rebuildWallet(
  saved: SalvageResult,
  keys: SavedKeys,
  { network, opened, isDamaged }: { network: Network; opened: RawRecord | null; isDamaged: boolean },
): {
  records: RawRecord[];
  /** Those of the lost descriptors: with them a node cannot list the private keys of the others. */
  keyless: RawRecord[];
  facts: RescueFacts;
  lost: readonly StoredDescriptor[];
  watchOnly: boolean;
  excluded: ExcludedRecords;
} {
  const left = [...saved.records, ...recreateDescriptors(saved, network)];
  const found = recordsByType([...left, ...descriptorsOfKeys(keys, recordsByType(left), network)]);
  const stored = storedDescriptors(found, network);
  const watchOnly = isWatchOnly(found, keys);
  const sorted = sortDescriptors(stored, keys, watchOnly);
  const { planned, sealed, keyless } = sorted;
  const kept = new Set(planned.flatMap((plan) => plan.keys.map(({ publicKey }) => bytesToHex(publicKey))));
  const ids = idsIn(recordsByType([...left, ...saved.unprovedKeys]));
  const lost = countLost(new Set([...ids, ...saved.damagedDescriptors]), stored, sorted);
  const hasAll = lost + sealed.size === 0;
  const active = reactivate(planned, found, { stored, network, isDamaged, hasAll });
  const writer = new RecordWriter();
  const isWritten = (plan: PlannedDescriptor) => kept.size === 0 || plan.keys.length > 0;
  const recordsOf = (plan: PlannedDescriptor) => descriptorRecords(plan, writer);
  const addresses = addressRecords(found, network);
  const foreign = found
    .of('purpose')
    .filter(({ purpose, address }) => purpose === 'receive' && scriptIfAddress(address, network) === null);
  const excluded = foreign.map(({ address }) => ({ address, isReadable: false }));
  const transactions = new Set(found.of('tx').map(({ txid }) => txid));
  const records = [
    ...headRecords(found, kept.size > 0, network),
    ...(keys.isEncrypted && kept.size > 0 ? (opened ? [opened] : renumberMasterKeys(saved.masterKeys)) : []),
    ...active.planned.filter(isWritten).flatMap(recordsOf),
    ...addresses,
    ...loadableTransactions([...found.entries('tx'), ...variantsOf(found, transactions)]),
    ...found.entries('lockedutxo'),
  ];
  const rest = keys.countUnusedKeys(kept);
  const roots = new Set(stored.flatMap((one) => rootsIn(one).map((key) => bytesToHex(key.publicKey))));
  return {
    records,
    keyless: active.planned.filter((plan) => !isWritten(plan)).flatMap(recordsOf),
    lost: keyless,
    watchOnly,
    excluded: { transactions: [], addresses: excluded },
    facts: {
      log: null,
      unclean: false,
      saved: {
        keys: kept.size,
        derived: 0,
        seeds: [...kept].filter((key) => roots.has(key)).length,
        labels: addresses.filter(({ key }) => typeIn(key) === 'name').length,
        transactions: transactions.size,
      },
      damaged: {
        keys: rest.lost,
        others: damagedIn(saved) + misplacedIn(found),
        ...(saved.lostPages > 0 && { pages: saved.lostPages }),
      },
      missing: {
        keys: countLostKeys(keyless, keys),
        chainKeys: 0,
        descriptors: lost,
        counter: false,
        masterKey: isMasterKeyLost(saved),
      },
      unused: active.unused,
      sealed: rest.waiting,
      sealedDescriptors: sealed.size,
      damagedTextKeys: 0,
      unowned: rest.closed,
      ...(saved.isEncrypted && keys.plain > 0 ? { open: keys.plain } : {}),
      excluded: {
        transactions: { total: 0, shown: [] },
        addresses: listOf(excluded, ({ address }) => address),
      },
      excludedFile: null,
    },
  };
}

interface SortedDescriptors {
  planned: PlannedDescriptor[];
  /** Ids, as `toLatin1`, of descriptors that the wallet gets only with the keys that wait for a passphrase. */
  waiting: ReadonlySet<string>;
  /** Ids of descriptors that the passphrase would make derivable. */
  sealed: ReadonlySet<string>;
  /** Descriptors whose private keys are lost. */
  keyless: StoredDescriptor[];
}

function sortDescriptors(
  stored: readonly StoredDescriptor[],
  keys: SavedKeys,
  watchOnly: boolean,
): SortedDescriptors {
  const cacheFor = createCacheRebuilder(stored);
  const planned = new Map<string, PlannedDescriptor>();
  const [waiting, sealed] = [new Set<string>(), new Set<string>()];
  const keyless: StoredDescriptor[] = [];
  for (const one of stored) {
    const id = toLatin1(one.record.descriptorId);
    const plan = plannedOf(one, keys, cacheFor);
    const hasKeys = plan !== null && plan.keys.length > 0;
    // Without its keys, this descriptor would make the wallet watch addresses of another one.
    if (!keys.isEncrypted && !hasKeys && namedIn(one).some((key) => keys.isWaiting(key))) {
      waiting.add(id);
      continue;
    }
    if (!plan && keys.isLocked && hasHardenedRoots(one, keys)) sealed.add(id);
    if (plan) planned.set(toLatin1(plan.id), watchOnly || hasKeys ? plan : { ...plan, active: null });
    const mayWait = namedIn(one).length > 0 && lostKeysOf(one, keys).length === 0;
    if (!watchOnly && !hasKeys && !mayWait) keyless.push(one);
  }
  return { planned: [...planned.values()], waiting, sealed, keyless };
}

/** The public keys of a descriptor, in hex, without a private key in any form. */
function lostKeysOf(one: StoredDescriptor, keys: SavedKeys): string[] {
  return namedIn(one).flatMap((key) => (keys.has(key) ? [] : [bytesToHex(publicKeysOf(key)[0])]));
}

/** How many keys these descriptors surely lack. A wallet may have had only one of a multisig's. */
function countLostKeys(keyless: readonly StoredDescriptor[], keys: SavedKeys): number {
  const counted = new Set<string>();
  for (const [first, ...others] of keyless
    .map((one) => lostKeysOf(one, keys))
    .sort((one, other) => one.length - other.length))
    if (first !== undefined && !others.some((key) => counted.has(key))) counted.add(first);
  return counted.size;
}

/** How many of the descriptors with these ids (`toLatin1`) the wallet does not get, even with the passphrase. */
function countLost(
  ids: ReadonlySet<string>,
  stored: readonly StoredDescriptor[],
  { planned, waiting, sealed }: SortedDescriptors,
): number {
  const plannedIds = new Set(planned.map(({ id }) => toLatin1(id)));
  // A descriptor stored under a wrong id is not lost: it gets its own id again.
  const renamed = stored.flatMap(({ record, descriptor }) =>
    descriptor && plannedIds.has(toLatin1(descriptorId(descriptor))) ? [toLatin1(record.descriptorId)] : [],
  );
  const known = new Set([...plannedIds, ...renamed, ...waiting, ...sealed]);
  return [...ids].filter((id) => !known.has(id)).length;
}

/** The entries of the address book for addresses of the network. */
function addressRecords(found: RecordsByType, network: Network): RawRecord[] {
  return (['name', 'purpose', 'destdata'] as const).flatMap((type) =>
    found
      .entries(type)
      .filter((_, at) => scriptIfAddress(found.of(type)[at]?.address ?? '', network) !== null),
  );
}

/** The variants of transactions with these ids. */
function variantsOf(found: RecordsByType, ids: ReadonlySet<string>): RawRecord[] {
  return found.entries('wtxvariant').filter((_, at) => ids.has(found.of('wtxvariant')[at]?.txid ?? ''));
}

/** Counts labels and transactions. Descriptors are counted by id, and a node recreates the rest. */
function damagedIn({ damaged }: SalvageResult): number {
  return (damaged.get('name') ?? 0) + (damaged.get('tx') ?? 0);
}

function namedIn({ descriptor }: StoredDescriptor): KeyExpression['key'][] {
  return descriptor ? keysOf(descriptor.script).map(({ key }) => key) : [];
}

/**
 * Whether a readable descriptor has trees of keys with hardened steps, and the wallet has the private key, plain or encrypted, of each.
 * All other keys can be derived without a private key.
 */
function hasHardenedRoots(one: StoredDescriptor, keys: SavedKeys): boolean {
  const hardened = namedIn(one).filter((key) => key.kind === 'tree' && isHardened(key));
  return hardened.length > 0 && hardened.every((key) => keys.has(key));
}

/** Null if a node could not derive its scripts: it would refuse the whole wallet. */
function plannedOf(
  { record, descriptor, active, sources }: StoredDescriptor,
  keys: SavedKeys,
  cacheFor: ReturnType<typeof createCacheRebuilder>,
): PlannedDescriptor | null {
  if (!descriptor) return null;
  const range = isRanged(descriptor)
    ? rangeOf(record, needsPrivateKeys(descriptor) ? MAX_HARDENED : MAX_RANGE)
    : { nextIndex: 0, rangeEnd: 1 };
  const { privateKeys } = keys;
  const cache = cacheFor(descriptor, { ...sources(null), privateKeys }, range.rangeEnd);
  if (!cache) return null;
  const named = new Map(
    keysOf(descriptor.script).flatMap(({ key }) => {
      const one = keys.storedKeyOf(key);
      return one ? [[bytesToHex(one.publicKey), one] as const] : [];
    }),
  );
  // A wrong key in an unproved cache must give out no new address.
  const isProved =
    !needsPrivateKeys(descriptor) || orNull(() => cacheOf(descriptor, privateKeys, 1)) !== null;
  const isRight = isProved && active?.addressType === addressTypeOf(descriptor.script);
  return {
    id: descriptorId(descriptor),
    text: writeForRecord(descriptor, record.descriptor),
    createTime: Math.max(1, knownBirth(record.createTime)),
    ...range,
    keys: [...named.values()],
    cache,
    active: isRight && isRanged(descriptor) ? active : null,
  };
}

/** Nothing proves these numbers, so implausible ones are reset. A rescan corrects numbers that are too low. */
function rangeOf(
  { nextIndex, rangeStart, rangeEnd }: StoredDescriptor['record'],
  most: number,
): Pick<PlannedDescriptor, 'nextIndex' | 'rangeEnd'> {
  const isRight =
    rangeStart >= 0 && rangeStart <= nextIndex && nextIndex <= rangeEnd && rangeEnd > 0 && rangeEnd <= most;
  return isRight ? { nextIndex, rangeEnd } : { nextIndex: 0, rangeEnd: DEFAULT_LAST_INDEX + 1 };
}

/** The limit for hardened ranges, because each of their keys is derived and written. */
const MAX_HARDENED = 50_000;

function isWatchOnly(records: RecordsByType, keys: SavedKeys): boolean {
  return keys.isEmpty && hasFlag(flagsOf(records), 'disable_private_keys');
}

/** The head of a new wallet, so that a rescan restores what is lost. Keeps the user's settings. */
function headRecords(records: RecordsByType, hasKeys: boolean, network: Network): RawRecord[] {
  const fresh = newWalletRecords(hasKeys, network);
  const bits = flagsOf(records);
  const isWhole = hasFlag(bits, 'descriptor_wallet') && !hasUnknownMandatoryFlag(bits);
  const kept = isWhole ? bits & (flagBits.avoid_reuse | (hasKeys ? 0n : flagBits.external_signer)) : 0n;
  const flags = kept | flagsOf(recordsByType(fresh));
  const next = records.of('tx').reduce((most, tx) => Math.max(most, (orderOf(tx) ?? -1) + 1), 0);
  return [
    ...fresh.filter(({ key }) => toLatin1(key) !== toLatin1(writeRecord({ type: 'flags', flags }).key)),
    writeRecord({ type: 'flags', flags }),
    writeRecord({ type: 'orderposnext', next }),
  ];
}
