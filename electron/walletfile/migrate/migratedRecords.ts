/** The records of the wallets that a migration makes. */

import type { WalletPart } from '../../../shared/model/migrationPreview.ts';
import type { Network } from '../../../shared/model/network.ts';
import { toLatin1 } from '../bytes/textCoding.ts';
import { genesisBlocks } from '../coin/coins.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import type { LegacyKey, LegacyKeys, LegacyPrivateKeys } from '../legacy/legacyKeys.ts';
import type { LegacyWallet } from '../legacy/legacyWallet.ts';
import type { AssignedScript, MigrationPlan, TransactionAssignment } from '../legacy/migrationPlan.ts';
import { isGivenOut, readAddress, receivingRecords } from '../records/addressBook.ts';
import {
  flagBits,
  legacyTypes,
  type RecordOfType,
  type RecordsByType,
  type RecordType,
  RecordWriter,
  recordOf,
  writeRecord,
} from '../records/records.ts';
import { factsOf } from '../records/transactionFacts.ts';
import { addressOf, hashInAddress, scriptIfAddress } from '../script/address.ts';
import type { CompanionPart } from './companionNames.ts';
import {
  branchDescriptor,
  type ChainBranch,
  descriptorRecords,
  keyDescriptor,
  type PlannedDescriptor,
  scriptDescriptors,
} from './plannedDescriptor.ts';

export interface MigrationContents {
  wallet: LegacyWallet;
  privateKeys: LegacyPrivateKeys;
  preserved: PreservedRecords;
  plan: MigrationPlan;
  branches: readonly ChainBranch[];
  /** Keys and scripts (`toLatin1`) that stored transactions pay to. */
  paid: { keys: ReadonlySet<LegacyKey>; scripts: ReadonlySet<string> };
  /** Descriptors for new addresses; none in a watch-only wallet. */
  active: readonly PlannedDescriptor[];
  addresses: AddressAssignment;
  /** Records of transactions and locked coins. */
  history: Readonly<Record<WalletPart, readonly RawRecord[]>>;
  network: Network;
}

/** The main wallet's records: those that it keeps, and its descriptors. */
export function mainRecords(contents: MigrationContents): RawRecord[] {
  const { wallet, privateKeys, preserved, plan, branches, paid, active, addresses, history } = contents;
  const flags = active.length > 0 ? wallet.flags & ~flagBits.blank : wallet.flags;
  const records = versionRecords(flags).concat(preserved.others);
  if (preserved.orderPosNext) records.push(preserved.orderPosNext);
  const writer = new RecordWriter();
  const add = (planned: PlannedDescriptor) => {
    // One by one, because a chain may have more records than a call takes arguments.
    for (const record of descriptorRecords(planned, writer)) records.push(record);
  };
  for (const key of plan.singles) add(keyDescriptor(key, privateKeys, paid.keys.has(key)));
  for (const planned of descriptorsOfScripts('primary', contents)) add(planned);
  for (const branch of branches) add(branchDescriptor(branch));
  for (const planned of active) add(planned);
  return records.concat(...addresses.records.primary, history.primary);
}

/** The records of a companion wallet, which never has private keys. */
export function companionRecords(part: CompanionPart, contents: MigrationContents): RawRecord[] {
  const { wallet, preserved, plan, addresses, history, network } = contents;
  const flags = wallet.flags & (flagBits.avoid_reuse | flagBits.key_origin_metadata);
  const book = addresses.records[part].flat();
  const writer = new RecordWriter();
  return [
    ...versionRecords(flags | flagBits.disable_private_keys | flagBits.blank),
    ...(history[part].length > 0 && preserved.orderPosNext ? [preserved.orderPosNext] : []),
    ...lastBlockRecords(preserved),
    ...descriptorsOfScripts(part, contents).flatMap((planned) => descriptorRecords(planned, writer)),
    ...book,
    ...addressesOf(scriptsIn(plan, part), book, network),
    ...history[part],
  ];
}

/** The scripts that a plan assigns to a wallet. */
export function scriptsIn(plan: MigrationPlan, part: WalletPart): AssignedScript[] {
  return [...plan.placed().values()].filter((placed) => placed.part === part);
}

/** The migration follows this release (31.0), in the form of `version` records. */
const VERSION = 310000;
/** `CBlockLocator::DUMMY_VERSION` */
const LOCATOR_VERSION = 70016;

function descriptorsOfScripts(
  part: WalletPart,
  { plan, wallet, privateKeys, paid }: MigrationContents,
): PlannedDescriptor[] {
  const descriptorOf = scriptDescriptors(wallet, privateKeys);
  return scriptsIn(plan, part).map((placed) =>
    descriptorOf(placed, paid.scripts.has(toLatin1(placed.script))),
  );
}

function versionRecords(kept: bigint): RawRecord[] {
  const flags = kept | flagBits.descriptor_wallet | flagBits.last_hardened_xpub_cached;
  return [writeRecord({ type: 'version', version: VERSION }), writeRecord({ type: 'flags', flags })];
}

/** The first records of a new wallet. They name only the first block, so that a node rescans from the wallet's birth. */
export function newWalletRecords(hasPrivateKeys: boolean, network: Network): RawRecord[] {
  return [
    writeRecord({ type: 'minversion', version: FEATURE_LATEST }),
    ...versionRecords(hasPrivateKeys ? 0n : flagBits.disable_private_keys),
    ...lastBlockRecords({ bestBlock: firstBlockRecord(network).value }),
  ];
}

/** The record of a last block that names only the first one, so that a node rescans from there. */
export function firstBlockRecord(network: Network): RawRecord {
  const blockHashes = [genesisBlocks[network]];
  return writeRecord({ type: 'bestblock_nomerkle', version: LOCATOR_VERSION, blockHashes });
}

/** From `walletutil.h`: all releases since 0.17 write it. */
const FEATURE_LATEST = 169900;

/** The wallet's last block. Like a node, leaves the record of old releases empty. */
function lastBlockRecords({ bestBlock }: Pick<PreservedRecords, 'bestBlock'>): RawRecord[] {
  if (!bestBlock) return [];
  const none = { version: LOCATOR_VERSION, blockHashes: [] };
  const { key } = writeRecord({ type: 'bestblock_nomerkle', ...none });
  return [writeRecord({ type: 'bestblock', ...none }), { key, value: bestBlock }];
}

/** Unlabelled receiving entries for a wallet's addresses without one. Source: `AddWalletDescriptor` in `wallet.cpp`. */
function addressesOf(
  scripts: readonly AssignedScript[],
  book: readonly RawRecord[],
  network: Network,
): RawRecord[] {
  const known = new Set(book.map(({ key }) => toLatin1(key)));
  return scripts.flatMap(({ script }) => {
    const address = addressOf(script, network);
    if (address === null) return [];
    return receivingRecords(address, '').filter(({ key }) => !known.has(toLatin1(key)));
  });
}

/** The wallets that each entry of the address book goes to. */
interface AddressAssignment {
  /** In the order of `names`, `purposes` and `addressData`. */
  records: Record<WalletPart, readonly (readonly RawRecord[])[]>;
  /** Entries of addresses whose scripts the migration leaves out. */
  leftOut: RawRecord[];
  /**
   * The covered key, or else the script, of each purpose record's address. Null for an address that is not for receiving, or not
   * of this network.
   */
  owners: (LegacyKey | Uint8Array | null)[];
  /** Receiving addresses whose scripts are in no wallet. */
  unowned: string[];
}

export type PreservedRecords = ReturnType<typeof collectPreservedRecords>;

interface Stored<T extends 'tx' | 'lockedutxo'> {
  record: RecordOfType<T>;
  entry: RawRecord;
}

/** The undamaged records. A node does not use a transaction under a wrong id, so it stays unchanged. */
export function collectPreservedRecords(records: RecordsByType) {
  const transactions = stored(records, 'tx');
  const hasOwnId = ({ record }: Stored<'tx'>) => factsOf(record).hasOwnId();
  const valid = new Set(transactions.filter(hasOwnId));
  const readable = (type: RecordType) =>
    records.entries(type).filter((entry) => recordOf(type, entry) !== null);
  const bestBlock = (['bestblock', 'bestblock_nomerkle'] as const).find(
    (type) => records.one(type)?.blockHashes.length,
  );
  return {
    /** The address book: `name`, `purpose` and `destdata`. */
    names: records.entries('name'),
    purposes: records.entries('purpose'),
    addressData: records.entries('destdata'),
    transactions: [...valid],
    lockedCoins: stored(records, 'lockedutxo'),
    /** The value of the first record that names a last block. */
    bestBlock: bestBlock ? (records.entries(bestBlock).at(-1)?.value ?? null) : null,
    orderPosNext: readable('orderposnext').at(-1) ?? null,
    /** Records that a migration leaves unchanged: unknown types, accounts, settings, master keys, the last block… */
    others: records.types.flatMap((type) => {
      if (type === 'tx') return transactions.filter((one) => !valid.has(one)).map(({ entry }) => entry);
      if (type === 'bestblock' || type === 'bestblock_nomerkle') return readable(type);
      return ASSIGNED_TYPES.has(type) ? [] : records.entries(type);
    }),
  };
}

/** The transactions and locked coins of each wallet. A coin follows its script, and goes to `main` if no wallet owns that. */
export function historyRecords(
  { transactions, lockedCoins }: PreservedRecords,
  { partsOf, ownerOf }: Pick<TransactionAssignment, 'partsOf' | 'ownerOf'>,
  main: WalletPart,
): Record<WalletPart, RawRecord[]> {
  const found: Record<WalletPart, RawRecord[]> = { primary: [], watchonly: [], solvables: [] };
  for (const { record, entry } of transactions) {
    for (const part of partsOf(record.txid)) found[part].push(entry);
  }
  for (const { record, entry } of lockedCoins) found[ownerOf(record) ?? main].push(entry);
  return found;
}

/** Types that a migration converts, rewrites or assigns to wallets. */
const ASSIGNED_TYPES: ReadonlySet<string> = new Set([
  ...legacyTypes,
  'version',
  'flags',
  'name',
  'purpose',
  'destdata',
  'lockedutxo',
  'orderposnext',
]);

function stored<T extends 'tx' | 'lockedutxo'>(records: RecordsByType, type: T): Stored<T>[] {
  const entries = records.entries(type);
  return records.of(type).flatMap((record, at) => {
    const entry = entries[at];
    return entry ? [{ record, entry }] : [];
  });
}

/**
 * Assigns the entries of the address book. Entries of receiving addresses follow their script. Every wallet gets a copy of the
 * others (foreign or without a purpose) and of the main wallet's. Source: `ApplyMigrationData` in `wallet.cpp`.
 */
export function assignAddresses(
  { names, purposes, addressData }: PreservedRecords,
  { keys, scripts }: LegacyWallet,
  { covered, partOfScript, placed, inexpressible }: MigrationPlan,
  network: Network,
): AddressAssignment {
  const unowned: string[] = [];
  const owners = purposes.map((record) =>
    isGivenOut(record) ? ownerOf(readAddress(record), keys, covered, network) : null,
  );
  const hasOthers = placed().size > 0;
  const excluded = new Set([...inexpressible(), ...scripts.notMine.values()].map(toLatin1));
  const leaving = new Map<string, WalletPart | 'left out'>();
  purposes.forEach((record, at) => {
    const owner = owners[at];
    // An address of another network stays unchanged.
    if (!(owner instanceof Uint8Array)) return;
    const part = partOfScript(owner);
    if (part === 'primary') return;
    const text = toLatin1(readAddress(record));
    if (part) leaving.set(text, part);
    else if (excluded.has(toLatin1(owner))) leaving.set(text, 'left out');
    else unowned.push(text);
  });
  const all = [names, purposes, addressData];
  const placeOf = (record: RawRecord) => leaving.get(toLatin1(readAddress(record)));
  const recordsOf = (part: WalletPart) =>
    leaving.size === 0 ? all : all.map((list) => list.filter((record) => (placeOf(record) ?? part) === part));
  return {
    records: {
      primary: recordsOf('primary'),
      watchonly: hasOthers ? recordsOf('watchonly') : [],
      solvables: hasOthers ? recordsOf('solvables') : [],
    },
    leftOut: leaving.size === 0 ? [] : all.flat().filter((record) => placeOf(record) === 'left out'),
    owners,
    unowned,
  };
}

/** The covered key of an address, else its script. Null if it is not an address of the network. */
function ownerOf(
  address: Uint8Array,
  keys: LegacyKeys,
  covered: ReadonlySet<LegacyKey>,
  network: Network,
): LegacyKey | Uint8Array | null {
  const text = toLatin1(address);
  const found = hashInAddress(text, network, 'ignored');
  const key = found && keys.ofAddress(found);
  if (key && covered.has(key)) return key;
  return scriptIfAddress(text, network);
}
