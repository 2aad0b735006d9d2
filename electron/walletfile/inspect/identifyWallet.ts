/** Reads a wallet file, and finds its kind and its network. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { Finding } from '../../../shared/model/findings/finding.ts';
import type { InspectedFile, InspectedNetwork, Inspection } from '../../../shared/model/inspection.ts';
import { type InspectedCoin, type Network, networks } from '../../../shared/model/network.ts';
import type { WalletIds } from '../../../shared/model/wallet.ts';
import { type FileBytes, sourceOf } from '../bytes/byteSource.ts';
import { quickSha256 } from '../bytes/quickHash.ts';
import { fromLatin1, toLatin1 } from '../bytes/textCoding.ts';
import { coinsOfApplicationId, genesisBlocks, repairedFirstBlock } from '../coin/coins.ts';
import { identifyCoin, sampleOfAddresses } from '../coin/identifyCoin.ts';
import { readBerkeley } from '../database/berkeley.ts';
import { networkOfApplicationId, START_BYTES, startsLikeSqlite } from '../database/fileStart.ts';
import { lossOf, remarkOf } from '../database/problemLog.ts';
import type { Entries, RawRecord } from '../database/rawRecord.ts';
import { readSqlite } from '../database/walletDatabase.ts';
import { encryptionOf, withoutForeignKeys } from '../records/encryption.ts';
import { flagsOf, hasFlag, hasLegacyRecords, type RecordsByType, recordsByType } from '../records/records.ts';
import { lastBlockOf } from '../records/walletTransaction.ts';
import { scriptIfAddress } from '../script/address.ts';

export type IdentifiedWallet = Awaited<ReturnType<typeof identifyWallet>>;

/** `expected`: the network to assume if the file does not name one. Throws `not_a_wallet`. */
export async function identifyWallet(file: FileBytes, expected: Network | undefined) {
  const { records, dropped, format, network: ofHeader, problems } = await readRecords(file);
  const coin = identifyCoin(records, ofHeader);
  const network = findNetwork(records, { coin, ofHeader, expected });
  return {
    records,
    /** Problems of the file itself. */
    problems: [
      ...problems,
      ...(dropped === 0 ? [] : [remarkOf({ code: 'keys_excluded', count: dropped })]),
      ...(namesWrongNetwork(format, records, network) ? [WRONG_NETWORK] : []),
      ...(lacksFlag(format, records) ? [FLAGS_DAMAGED] : []),
    ],
    format,
    kind: walletKind(format, records),
    network,
    coin,
    /** Null for a wallet without encryption. */
    encryption: encryptionOf(records),
  };
}

/**
 * Whether the header names no known network, and the wallet is not of a custom signet, whose nodes alone accept such a header
 * (`SQLiteDatabase::Verify` of `wallet/sqlite.cpp`).
 */
function namesWrongNetwork(
  format: InspectedFile['format'],
  records: RecordsByType,
  { name, from }: InspectedNetwork,
): boolean {
  if (format.kind !== 'sqlite') return false;
  const { applicationId } = format;
  if (networkOfApplicationId(applicationId) !== null || coinsOfApplicationId(applicationId).length > 0)
    return false;
  // Custom signets share the first block of the default one.
  return from === 'genesis-block' ? name !== 'signet' : networksOfKeys(records).includes('main');
}

const WRONG_NETWORK = lossOf({
  code: 'wallet_damaged',
  fault: { code: 'header_field_invalid', field: 'application_id' },
});

/** Whether damage removed the flag of a descriptor wallet, and no damaged record is counted for it. */
function lacksFlag({ kind }: InspectedFile['format'], records: RecordsByType): boolean {
  const isKnown = kind !== 'sqlite' || records.damagedOf('flags').length > 0;
  return !isKnown && !hasFlag(flagsOf(records), 'descriptor_wallet') && hasLostFlag(records);
}

const FLAGS_DAMAGED = lossOf({ code: 'records_of_type_unreadable', type: 'flags', count: 1 });

function isMigrated(records: RecordsByType): boolean {
  return records.entries('walletdescriptor').length > 0 && !hasLegacyRecords(records);
}

/**
 * Whether a migration did not leave the wallet without the flag of a descriptor wallet: Bitcoin Core writes flags as it loads the legacy
 * wallet (`CWallet::UpgradeKeyMetadata`), and makes the active descriptors after it has set this one.
 */
function hasLostFlag(records: RecordsByType): boolean {
  const active = records.entries('activeexternalspk').length + records.entries('activeinternalspk').length;
  return isMigrated(records) && (active > 0 || records.one('flags') === undefined);
}

/** The records of a wallet file, without knowing more of it. `network`: as its header names it. Throws `not_a_wallet`. */
export async function readRecords(file: FileBytes) {
  const { records: entries, countInTree, ...rest } = await readEntries(file);
  const { records: own, dropped } = withoutForeignKeys(
    entries.slice(0, countInTree),
    entries.slice(countInTree),
  );
  return { ...rest, records: recordsByType(own), dropped };
}

/**
 * What a wallet needs to find and spend its coins. `keysId`: the SHA-256, in lower-case hex, of the ids of its descriptors, its seeds, and
 * the public keys of keys that no seed derives; absent without any. `keySources`: their number. `scriptsId`: the same id of the scripts
 * that it keeps or watches. `passphraseId`: of its encrypted master keys. Further addresses change none of them; encryption changes only
 * the last.
 */
export function keySourcesOf(records: RecordsByType): WalletIds {
  const descriptors = records.entries('walletdescriptor').map(({ key }) => bytesToHex(key.subarray(-32)));
  const seed = records.one('hdchain')?.seedId;
  // A wallet can have 100,000 of these records, and a listing must not wait until all of them are parsed.
  const derived = new Set(
    records
      .entries('keymeta')
      .filter(({ value }) => isDerived(value))
      .map(({ key }) => toLatin1(behindType(key))),
  );
  const keys = ['key', 'wkey', 'ckey'].flatMap((type) =>
    records
      .entries(type)
      .filter(({ key }) => derived.size === 0 || !derived.has(toLatin1(behindType(key))))
      // Without the key's size.
      .map(({ key }) => bytesToHex(key.subarray(2 + type.length))),
  );
  const scripts = records.entries('cscript').filter(({ value }) => !isKeyProgram(value));
  const masterKeys = records.entries('mkey').map(({ key, value }) => bytesToHex(key) + bytesToHex(value));
  const sources = [...descriptors, ...(seed ? [bytesToHex(seed)] : []), ...keys];
  const idOf = (ids: string[]) => bytesToHex(fromLatin1(quickSha256(ids.sort().join())));
  return {
    ...(sources.length > 0 && { keysId: idOf(sources) }),
    keySources: sources.length,
    scriptsId: idOf([...scripts, ...records.entries('watchs')].map(hexOfKey)),
    ...(masterKeys.length > 0 && { passphraseId: idOf(masterKeys) }),
  };
}

const hexOfKey = ({ key }: RawRecord) => bytesToHex(key);

/** Whether a `cscript` record holds the program of a SegWit key, which Bitcoin Core makes of the key itself. */
function isKeyProgram(value: Uint8Array): boolean {
  return value.length === 23 && value[1] === 0 && value[2] === 20;
}

/** What follows the type in the key of an entry. */
function behindType(key: Uint8Array): Uint8Array {
  return key.subarray(1 + (key[0] ?? 0));
}

/**
 * Whether the path in a `keymeta` record begins with `m/`. Its length comes after the version (4 bytes) and the time (8), from version
 * 10 on. The seed's key has the path `m`.
 */
function isDerived(value: Uint8Array): boolean {
  return (value[0] ?? 0) >= 10 && (value[12] ?? 0) >= 2 && value[13] === 0x6d && value[14] === 0x2f;
}

/** An SQLite file that an unfinished migration left with legacy records still counts as a legacy wallet. */
export function walletKind(format: InspectedFile['format'], records: RecordsByType): Inspection['kind'] {
  const isUnfinished = unfinishedMigration(format, records) === 'legacy-records' && !isMigrated(records);
  const isLegacy = format.kind === 'berkeley-db' || isUnfinished;
  return isLegacy ? 'legacy' : 'descriptor';
}

/**
 * Finds the network by the best evidence: the file's header, then the chain's first block, then the caller's choice, then the
 * form of keys and addresses, which test networks share. Another coin's wallet has no Bitcoin network.
 */
export function findNetwork(
  records: RecordsByType,
  {
    coin,
    ofHeader,
    expected,
  }: { coin: InspectedCoin; ofHeader: Network | null; expected: Network | undefined },
): InspectedNetwork {
  if (coin.verdict === 'other') return fromCandidates([], 'nothing');
  if (ofHeader) return certain(ofHeader, 'file');
  const stored = lastBlockOf(records)?.first;
  const firstBlock = stored && repairedFirstBlock(stored);
  const first = networks.find((network) => genesisBlocks[network] === firstBlock);
  if (first) return certain(first, 'genesis-block');
  if (expected) return certain(expected, 'asked');
  const byKeys = networksOfKeys(records);
  if (byKeys.length > 0) return fromCandidates(byKeys, 'keys');
  return fromCandidates(networksOfAddresses(records), 'addresses');
}

/** The network whose address form to write; null if the candidates differ in it. */
export function addressNetwork({ name, candidates }: InspectedNetwork): Network | null {
  if (name !== 'unknown') return name;
  return candidates.includes('regtest') ? null : (candidates[0] ?? null);
}

/** The problem of an ambiguous network, or of one that differs from `expected`; null if neither. */
export function networkProblem(
  { name, candidates }: InspectedNetwork,
  expected: Network | undefined,
): Finding<'network_ambiguous' | 'network_differs'> | null {
  if (name === 'unknown') {
    return candidates.length > 0 ? { code: 'network_ambiguous', networks: candidates } : null;
  }
  if (expected === undefined || name === expected) return null;
  return { code: 'network_differs', network: name, expected };
}

/** Throws `bad_input` if the caller must name the network, or it differs from `expected`. */
export function requireNetwork(network: InspectedNetwork, expected: Network | undefined): Network {
  const problem = networkProblem(network, expected);
  if (problem === null && network.name !== 'unknown') return network.name;
  throw new FileError('bad_input', problem ?? { code: 'network_unknown' });
}

function certain(name: Network, from: InspectedNetwork['from']): InspectedNetwork {
  return { name, from, candidates: [name] };
}

function fromCandidates(candidates: Network[], from: InspectedNetwork['from']): InspectedNetwork {
  const [only] = candidates;
  if (only && candidates.length === 1) return certain(only, from);
  return { name: 'unknown', from: only ? from : 'nothing', candidates };
}

/** The networks whose form the keys of the descriptors have; empty if they show none. */
export function networksOfKeys(records: RecordsByType): Network[] {
  const texts = records.of('walletdescriptor').map(({ descriptor }) => descriptor);
  if (texts.some((text) => text.includes('xpub'))) return ['main'];
  return texts.some((text) => text.includes('tpub')) ? networks.filter((network) => network !== 'main') : [];
}

/** The networks on which most addresses of the address book are valid. */
export function networksOfAddresses(records: RecordsByType): Network[] {
  const addresses = sampleOfAddresses(records, ['name', 'purpose']);
  const right = (network: Network) =>
    addresses.filter((address) => scriptIfAddress(address, network) !== null).length;
  const counts = networks.map((network) => ({ network, count: right(network) }));
  const most = Math.max(...counts.map(({ count }) => count));
  return most === 0 ? [] : counts.filter(({ count }) => count === most).map(({ network }) => network);
}

/**
 * What an interrupted migration left in a file, as SQLite reads it; null for a whole wallet. A node writes twice
 * (`MigrateToSQLite` and `ApplyMigrationData` in Bitcoin Core's `wallet.cpp`): first an SQLite file with all legacy records;
 * then it adds the descriptors, removes the legacy records and sets the flag, from release 29 on in one transaction. If it is killed
 * before the first write ends, it leaves a descriptor wallet without descriptors. `createwallet` marks an intended one with the flag
 * `blank` or `disable_private_keys`. `isDamaged`: parts of the file are unreadable, and may hold the descriptors.
 */
export function unfinishedMigration(
  { kind }: Pick<InspectedFile['format'], 'kind'>,
  records: RecordsByType,
  isDamaged = false,
): Inspection['incomplete'] {
  if (kind !== 'sqlite') return null;
  const flags = records.one('flags')?.flags;
  const isMarked = flags !== undefined && hasFlag(flags, 'descriptor_wallet');
  // The flag is set after the legacy records are removed, so later ones come from damage.
  const isWhole = hasLostFlag(records) || (isDamaged && isMigrated(records));
  if (!isMarked && !isWhole && (hasLegacyRecords(records) || flags !== undefined)) return 'legacy-records';
  if (isDamaged || records.entries('walletdescriptor').length > 0) return null;
  const isIntended = isMarked && (hasFlag(flags, 'blank') || hasFlag(flags, 'disable_private_keys'));
  return isIntended ? null : 'no-descriptors';
}

/**
 * Reads as many entries as possible of a wallet file of either kind. Throws `not_a_wallet` for a file that is neither a Berkeley DB
 * tree nor an SQLite database with a wallet's table.
 */
export async function readEntries(file: FileBytes): Promise<Entries> {
  if (startsLikeSqlite(sourceOf(file).read(0, START_BYTES))) return readSqlite(file, 'salvage');
  const entries = readBerkeley(file, 'salvage');
  if (entries.format.cleanlyClosed) return entries;
  return { ...entries, problems: [...entries.problems, UNCLEAN] };
}

const UNCLEAN = remarkOf({ code: 'not_closed_cleanly' });
