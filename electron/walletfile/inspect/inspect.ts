/** Inspects a wallet file of either kind, without a node and without changing anything. */

import type { ConditionCode } from '../../../shared/model/conditions.ts';
import type {
  Birth,
  FileProblem,
  InspectedDescriptor,
  InspectedLabel,
  Inspection,
  RecordCounts,
} from '../../../shared/model/inspection.ts';
import type { Network } from '../../../shared/model/network.ts';
import { releaseText } from '../../../shared/model/node.ts';
import type { TruncatedList } from '../../../shared/model/shapes.ts';
import type { WalletIds } from '../../../shared/model/wallet.ts';
import { type FileBytes, sourceOf } from '../bytes/byteSource.ts';
import { groupedBy, listOf, shortText } from '../bytes/lists.ts';
import {
  conditionsOfDescriptors,
  conditionsOfLoaded,
  conditionsOfUnfinished,
  hasDescriptors,
  lossConditions,
} from '../conditions/conditionsOf.ts';
import { addressEvidence, givenOutScripts } from '../conditions/misfitConditions.ts';
import { conditionOf } from '../conditions/recordConditions.ts';
import { lossOf, remarkOf } from '../database/problemLog.ts';
import { compareKeys, type RawRecord } from '../database/rawRecord.ts';
import { formOf, isRanged } from '../descriptor/descriptor.ts';
import {
  descriptorOwnership,
  MAX_INDEXES,
  type SkippedIndexes,
  selectPaidDescriptors,
} from '../descriptor/descriptorScripts.ts';
import { writeNormalised, writePublic } from '../descriptor/descriptorWrite.ts';
import { type StoredDescriptor, storedDescriptors } from '../descriptor/storedDescriptors.ts';
import { noticeableSecondsPerTry } from '../keys/crypter.ts';
import { yieldsPublicKey } from '../keys/privateKey.ts';
import { type KeyMatcher, memoizedMatcher } from '../legacy/legacyKeys.ts';
import { lastKnownBalance } from '../legacy/storedHistory.ts';
import { addressBookOf } from '../records/addressBook.ts';
import { tryPassphrase } from '../records/encryption.ts';
import { knownBirth } from '../records/recordShapes.ts';
import {
  flagsOf,
  hasFlag,
  isRecordType,
  type RecordsByType,
  recordOf,
  walletFlags,
} from '../records/records.ts';
import {
  addressNetwork,
  type IdentifiedWallet,
  identifyWallet,
  keySourcesOf,
  networksOfKeys,
  readRecords,
  unfinishedMigration,
} from './identifyWallet.ts';
import { forgedKeys, inspectionProblems, KEYS_LOST, NO_KEYS } from './inspectionProblems.ts';
import { descriptorKeyCounts, type InspectedPart, inspectLegacy } from './inspectLegacy.ts';

export interface InspectOptions {
  /** Tried on an encrypted wallet. A right one takes as long as a wrong one. */
  passphrase?: string | undefined;
  /** The expected network, assumed if the file does not name one. */
  network?: Network | undefined;
  /** Unix seconds; the computer's clock by default. */
  now?: number;
  /** Whether a private key yields its public key. Deriving all of them takes half of the time. */
  fits?: KeyMatcher;
  /** Derives only some public keys, see `wallet.inspect` in the contract. */
  isFirstLook?: boolean | undefined;
  /** For the list of wallets: without conditions, which take most of the time, texts of descriptors, and problems of unpaid ones. */
  isBrief?: boolean;
}

/** What only the file shows of a wallet that a node has loaded, see `conditionsOfLoaded`. Throws AppError `not_a_wallet` for other files. */
export async function inspectLoaded(file: FileBytes): Promise<Pick<Inspection, 'conditions'> & WalletIds> {
  const { records, network } = await readRecords(file);
  // The header of a custom signet's wallet names no known network, and a legacy wallet has no such header.
  const conditions = conditionsOfLoaded(records, network ?? networksOfKeys(records)[0] ?? 'main');
  return { conditions, ...keySourcesOf(records) };
}

/**
 * Reads everything it can from a file, even a damaged one, and lists the rest in `problems`. Its time grows with the file's
 * size, and parts of it block the event loop: run it in a worker thread. Throws AppError `not_a_wallet` for other files.
 */
export async function inspect(file: FileBytes, options: InspectOptions = {}): Promise<Inspection> {
  const wallet = await identifyWallet(file, options.network);
  const fits = memoizedMatcher(options.fits ?? yieldsPublicKey);
  return inspectWallet(wallet, sourceOf(file).size, fits, options);
}

async function inspectWallet(
  wallet: IdentifiedWallet,
  size: number,
  fits: KeyMatcher,
  { passphrase, network: expected, now = Date.now() / 1000, isBrief = false, isFirstLook }: InspectOptions,
): Promise<Inspection> {
  const { records, kind, network, coin, encryption } = wallet;
  const fileNetwork = network.name === 'unknown' || network.from === 'asked' ? null : network.name;
  const tried = await tryPassphrase(encryption, passphrase);
  const keyNetwork = network.candidates[0] ?? 'main';
  const descriptors = storedDescriptors(records, keyNetwork);
  const part =
    kind === 'legacy'
      ? inspectLegacy(records, {
          network: addressNetwork(network),
          fileNetwork,
          masterKey: tried.masterKey,
          fits,
          isBrief,
          isFirstLook,
        })
      : await inspectDescriptors(records, descriptors, {
          fileNetwork,
          isBrief,
          isLocked: !isBrief && !tried.masterKey && records.entries('walletdescriptorckey').length > 0,
        });
  const { history, problems, ...found } = part;
  const ofWallet = () =>
    isBrief
      ? lossConditions(records, keyNetwork, descriptors)
      : conditionsIn(wallet, keyNetwork, found.conditions, tried.masterKey);
  // Another coin's wallet has other rules.
  const conditions = coin.verdict === 'other' ? [] : ofWallet();
  tried.masterKey?.fill(0);
  const totalOf = (code: ConditionCode) => conditions.find((one) => one.code === code)?.records.total ?? 0;
  const damaged = found.keys.damaged + totalOf('descriptor-key-sealed');
  const keys = { ...found.keys, damaged };
  const counts = recordCounts(records);
  const isDamaged = wallet.problems.some(({ lost }) => lost);
  const version = records.one('version');
  return {
    kind,
    incomplete: unfinishedMigration(wallet.format, records, isDamaged),
    network,
    coin,
    file: { size, format: wallet.format },
    encryption: encryption && encryptionFacts(records),
    passphrase: tried.verdict,
    ...keySourcesOf(records),
    birth: birthOf(records),
    lastWrittenBy: version ? { version: version.version, text: releaseText(version.version) } : null,
    formatVersion: records.one('minversion')?.version ?? null,
    flags: walletFlags(flagsOf(records)),
    ...found,
    keys,
    labels: inspectedLabels(records),
    transactions: history.transactions,
    lockedCoins: listOf(records.of('lockedutxo'), ({ txid, index }) => ({ txid, index })),
    balance: history.balance,
    records: counts,
    conditions,
    problems: [
      ...wallet.problems,
      ...forgedKeys(records, fits),
      ...(totalOf('descriptor-misfit') > 0 ? [lossOf({ code: 'addresses_do_not_fit' })] : []),
      ...(totalOf('descriptor-keyless') > 0 ? [lossOf({ code: 'descriptor_without_key' })] : []),
      ...problems,
      ...inspectionProblems({
        records,
        format: wallet.format.kind,
        counts,
        keys,
        network,
        coin,
        expected,
        history,
        now,
      }),
    ],
  };
}

/** `ofKind`: the conditions of a legacy wallet, or the `addressEvidence`. */
function conditionsIn(
  { records, format, problems }: IdentifiedWallet,
  network: Network,
  ofKind: Inspection['conditions'],
  masterKey: Uint8Array | null,
): Inspection['conditions'] {
  if (format.kind !== 'sqlite') return ofKind;
  const faults = problems.flatMap(({ finding }) =>
    finding.code === 'wallet_damaged' ? [finding.fault] : [],
  );
  const ofRecords = hasDescriptors(records)
    ? conditionsOfDescriptors(records, network, masterKey)
    : conditionsOfUnfinished(records);
  // Addresses without a descriptor may be of one that is missing.
  const isExplained = ofRecords.some(({ code }) => EXPLAINS_MISFIT.test(code));
  if (faults.length === 0) return isExplained ? ofRecords : [...ofRecords, ...ofKind];
  // The flags may be on a lost page. A node refuses such a file before it reads them.
  const others = hasDescriptors(records) ? [] : ofKind;
  const read = [...ofRecords, ...others].filter(({ code }) => code !== 'flags-missing');
  return [...conditionOf('database-damaged', faults), ...read];
}

const EXPLAINS_MISFIT = /^(?:descriptor-(?:misfit|unknown|orphan)|active-unknown)$/;

/** Parses only the labels that it shows, if no address can have two: a large wallet has hundreds of thousands. */
function inspectedLabels(records: RecordsByType): TruncatedList<InspectedLabel> {
  const names = records.entries('name');
  if (!records.isWholeBook('name') || !areInOrder(names)) {
    // A damaged file may keep only the purpose of an address.
    const labelled = addressBookOf(records).filter(({ label }) => label !== null);
    return listOf(labelled, shownLabel);
  }
  const shown = new Map<string, InspectedLabel>();
  const { total } = listOf(names, (entry) => {
    const name = recordOf('name', entry);
    if (name) shown.set(name.address, { address: name.address, label: name.label, purpose: null });
  });
  let left = shown.size;
  for (const { address, purpose } of records.each('purpose')) {
    if (left === 0) break;
    const label = shown.get(address);
    if (!label) continue;
    if (label.purpose === null) left -= 1;
    label.purpose = purpose;
  }
  return { total, shown: [...shown.values()].map(shownLabel) };
}

function areInOrder(records: readonly RawRecord[]): boolean {
  return records.every((record, at) => {
    const last = records[at - 1];
    return !last || compareKeys(last, record) < 0;
  });
}

function shownLabel({ address, label, purpose }: InspectedLabel): InspectedLabel {
  return {
    address: shortText(address),
    label: label === null ? null : shortText(label),
    purpose: purpose === null ? null : shortText(purpose),
  };
}

function encryptionFacts(records: RecordsByType): Inspection['encryption'] {
  const masterKeys = records.of('mkey');
  return {
    masterKeys: masterKeys.length,
    iterations: masterKeys.reduce((most, { iterations }) => Math.max(most, iterations), 0),
    secondsPerTry: noticeableSecondsPerTry(masterKeys),
  };
}

/** The earliest date of a key, a watched script, a descriptor or a transaction. */
function birthOf(records: RecordsByType): Birth {
  const dates = (['keymeta', 'watchmeta', 'walletdescriptor'] as const)
    .flatMap((type) => records.of(type).map(({ createTime }) => knownBirth(createTime)))
    .filter(isDate);
  const owned = (['key', 'ckey', 'wkey', 'watchs', 'walletdescriptor'] as const).reduce(
    (sum, type) => sum + records.of(type).length,
    0,
  );
  // A node compares the same two numbers. If they differ, it assumes that the wallet is as old as the chain.
  const undated = Math.max(0, owned - dates.length);
  const received = records.of('tx').map(({ timeReceived }) => timeReceived);
  const time = dates
    .concat(received.filter(isDate))
    .reduce((first, next) => Math.min(first, next), Number.POSITIVE_INFINITY);
  if (time === Number.POSITIVE_INFINITY) return { known: 'no', undated };
  return undated === 0 ? { known: 'exactly', time } : { known: 'at-latest', time, undated };
}

/** 0 and 1 mean "unknown". */
const isDate = (time: number) => time > 1;

function recordCounts(records: RecordsByType): RecordCounts {
  const { unknown, damaged } = records.unread();
  const known = records.types
    .filter(isRecordType)
    // Counting a large wallet's addresses must not parse them.
    .map((type): [string, number] => [type, records.entries(type).length - records.damagedOf(type).length])
    .filter(([, count]) => count > 0);
  return {
    total: known.reduce((sum, [, count]) => sum + count, unknown.length + damaged.length),
    byType: Object.fromEntries(known),
    unknown: mostFirst(unknown.map(({ name }) => printable(name))),
    damaged: mostFirst(damaged.map(({ name }) => name)),
  };
}

function mostFirst(types: readonly string[]): TruncatedList<{ type: string; count: number }> {
  const groups = [...groupedBy(types, (type) => type)].sort(([, a], [, b]) => b.length - a.length);
  return listOf(groups, ([type, { length: count }]) => ({ type, count }));
}

/** Names come from the file, so an unusual one could contain anything, even a key. */
function printable(name: string): string {
  return /^[a-z0-9_]{1,30}$/i.test(name) ? name : 'unnamed';
}

/**
 * `descriptors`: all of them. `fileNetwork`: the network that the file names, or null. `isBrief`: see `inspect`.
 * `isLocked`: whether it has encrypted keys that no passphrase opened.
 */
async function inspectDescriptors(
  records: RecordsByType,
  descriptors: readonly StoredDescriptor[],
  { fileNetwork, isBrief, isLocked }: { fileNetwork: Network | null; isBrief: boolean; isLocked: boolean },
): Promise<InspectedPart> {
  const watchOnly = hasFlag(flagsOf(records), 'disable_private_keys');
  // Deriving their kinds takes too long for a list, and the companions of a migrated wallet have the address book of all of them.
  const givenOut = isBrief || watchOnly ? new Map<string, Uint8Array>() : givenOutScripts(records);
  const derived = selectPaidDescriptors(descriptors, records.of('tx'), MAX_INDEXES, {
    isBrief,
    more: givenOut.values(),
  });
  const inspected = isBrief ? [] : descriptors.map(describeDescriptor);
  inspected.sort((a, b) => ((a.text ?? '') < (b.text ?? '') ? -1 : 1));
  // A node accepts no public descriptor in a wallet with private keys.
  const keyless = !watchOnly && descriptors.length > 0 && descriptors.every(({ keys }) => keys.length === 0);
  // A node flags each wallet that it makes without private keys.
  const hadKeys = records.of('flags').length > 0 || records.of('mkey').length > 0;
  const ownership = await descriptorOwnership(derived, { privateKeys: !watchOnly && !keyless });
  const evidence = addressEvidence(records, givenOut, descriptors, { ...ownership, isLocked });
  return {
    keys: descriptorKeyCounts(records, descriptors, watchOnly),
    hdChains: { total: 0, shown: [] },
    descriptors: listOf(inspected, (descriptor) => descriptor),
    scripts: { total: 0, shown: [] },
    history: lastKnownBalance(records, ownership, fileNetwork),
    migration: null,
    conditions: evidence.conditions,
    problems: [
      ...(keyless ? [hadKeys ? KEYS_LOST : NO_KEYS] : []),
      ...evidence.problems,
      ...problemsOf(descriptors, ownership),
    ],
  };
}

function problemsOf(
  descriptors: readonly StoredDescriptor[],
  { tooMany, underivable }: SkippedIndexes,
): FileProblem[] {
  const all = descriptors.length;
  const damaged = descriptors.filter(({ descriptor }) => !descriptor).length;
  const found = [
    damaged > 0 && lossOf({ code: 'descriptors_unreadable', damaged, all }),
    tooMany > 0 && remarkOf({ code: 'balance_lacks_addresses', count: tooMany }),
    underivable > 0 && remarkOf({ code: 'balance_lacks_hardened_addresses', count: underivable }),
  ];
  return found.filter((problem) => problem !== false);
}

export function describeDescriptor(stored: StoredDescriptor): InspectedDescriptor {
  const { record, active, descriptor } = stored;
  const text = publicText(stored);
  const ranged = descriptor ? isRanged(descriptor) : record.rangeEnd > record.rangeStart + 1;
  return {
    text: text !== null && text.length > MAX_TEXT_LENGTH ? null : text,
    active: active !== null,
    internal: active?.internal ?? null,
    addressType: active?.addressType ?? null,
    range: ranged ? [record.rangeStart, record.rangeEnd - 1] : null,
    next: ranged ? record.nextIndex : null,
    form: descriptor && formOf(descriptor),
    created: knownBirth(record.createTime),
  };
}

/** A script over 10,000 bytes can never be spent, so a longer text only exists to fill the screen. */
const MAX_TEXT_LENGTH = 40_000;

/** Null for a damaged descriptor. */
function publicText({ descriptor, sources }: StoredDescriptor): string | null {
  if (!descriptor) return null;
  try {
    return writeNormalised(descriptor, sources(null));
  } catch {
    // The node after the last hardened step is not cached, and deriving it needs the passphrase.
    return writePublic(descriptor);
  }
}
