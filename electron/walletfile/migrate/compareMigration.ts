/** Compares a wallet's file with the files that a node made from it, to find what is missing. */
import { equalBytes } from '@noble/curves/utils.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { WalletPart } from '../../../shared/model/migrationPreview.ts';
import { balanceInFile, totalBalance } from '../../../shared/model/money.ts';
import type { Network } from '../../../shared/model/network.ts';
import type { Compared } from '../../../shared/model/safety.ts';
import type { FileBytes } from '../bytes/byteSource.ts';
import { shortText } from '../bytes/lists.ts';
import { once } from '../bytes/once.ts';
import { type KeyExpression, keysOf, publicKeysOf } from '../descriptor/descriptor.ts';
import { expander } from '../descriptor/descriptorExpand.ts';
import {
  descriptorOwnership,
  eachScript,
  expansionAt,
  indexesOf,
  MAX_INDEXES,
  selectPaidDescriptors,
} from '../descriptor/descriptorScripts.ts';
import { scriptsOfKey } from '../descriptor/makeScripts.ts';
import { type StoredDescriptor, storedDescriptors } from '../descriptor/storedDescriptors.ts';
import { readEntries, unfinishedMigration } from '../inspect/identifyWallet.ts';
import { harmfulDamage, type LegacyWallet, legacyWallet } from '../legacy/legacyWallet.ts';
import {
  type HistoryEntry,
  lastKnownBalance,
  outpointOf,
  storedHistory,
  sumOfCoins,
  type UnspentCoin,
} from '../legacy/storedHistory.ts';
import { flagsOf, hasFlag, hasLegacyRecords, type RecordsByType, recordsByType } from '../records/records.ts';
import { addressOf } from '../script/address.ts';
import type { Ownership } from '../script/script.ts';
import type { MigratedWallet } from './migrateLegacy.ts';

/** A migrated wallet, also one that is too large for memory. */
export interface ComparedFile extends Omit<MigratedWallet, 'bytes'> {
  readonly bytes: FileBytes;
}

export type MigrationComparison = Awaited<ReturnType<typeof compareMigration>>;

interface ComparedWallet {
  part: WalletPart;
  name: string;
  descriptors: number;
  labels: number;
  transactions: number;
  /** Whether its migration is unfinished: legacy records remain, or the last step is missing. */
  incomplete: boolean;
  /** Satoshi of its unspent coins that an earlier wallet in the list has too. */
  twice: bigint;
  /** Whether it has no private keys. */
  watches: boolean;
  /** Whether an external device signs for it. */
  signsOutside?: boolean;
  /** How many of the old wallet's transactions it lacks that spend coins which it shows as unspent. */
  unseenSpends: number;
}

/**
 * Compares a legacy wallet with its migrated wallets. Needs no passphrase, because public keys give a wallet's scripts. Throws
 * AppError `not_a_wallet` for unreadable files, `bad_input` if the old wallet is not legacy or a new one is.
 */
export async function compareMigration(legacy: FileBytes, after: readonly ComparedFile[], network: Network) {
  const old = await readWallet(legacy);
  if (old.format !== 'berkeley-db') throw notComparableError();
  const wallet = legacyWallet(old.records);
  const migrated: NewWallet[] = [];
  for (const { part, name, bytes } of after)
    migrated.push({ part, name, ...(await readDescriptorWallet(bytes, network)) });
  const hasWatchonly = migrated.some(({ part }) => part === 'watchonly');
  const tracker = trackScripts(wallet, hasWatchonly);
  const each = (what: 'labels' | 'transactions') => migrated.map((made) => made[what]);
  const keyless = new Set([
    ...descriptorsWithLostKeys(wallet, migrated),
    ...(await findScripts(tracker, migrated)),
  ]);
  return {
    /** How many private keys the old wallet stores one by one. Null for a descriptor wallet. */
    keys: wallet.keys.all.length as number | null,
    /** The old wallet's output scripts, and those that the new descriptors derive. */
    scripts: compared(tracker.all, listedTexts(tracker.missing, addressIn(network))),
    /** Scripts that are only in the wrong wallet. */
    misplaced: listedTexts(tracker.misplaced, addressIn(network)),
    /** Descriptors of the main wallet that lack a private key of the old wallet. Encrypted keys count without decryption. */
    keyless: listedTexts(keyless),
    /** Addresses with their labels. */
    labels: compareSets(labelsOf(old.records), each('labels')),
    /** By id. */
    transactions: compareSets(transactionsOf(old.records), each('transactions')),
    /** The old file's last balance in satoshi, spendable and watched, and its newest transaction in Unix seconds. */
    balance: balanceOf(old.records, wallet),
    ...(await compareWallets(wallet, migrated, tracker.hasSpendable)),
    /** Whether part of a file was unreadable: missing records may then exist in it. */
    isPartlyUnreadable:
      old.isPartlyUnreadable || migrated.some(({ isPartlyUnreadable }) => isPartlyUnreadable),
  };
}

/** Descriptors of the main wallet that lack a private key which the old wallet has. */
function descriptorsWithLostKeys(old: LegacyWallet, migrated: readonly NewWallet[]): string[] {
  if (old.watchesOnly) return [];
  return migrated
    .filter(({ part }) => part === 'primary')
    .flatMap(({ descriptors, required }) =>
      descriptors.filter((stored) => required(stored).some((key) => isLost(key, old))),
    )
    .map(({ record }) => record.descriptor);
}

/** Looks for the old wallet's scripts in the new descriptors. Returns those that lack the keys of a spendable script. */
async function findScripts(tracker: ScriptTracker, migrated: readonly NewWallet[]): Promise<Set<string>> {
  const keyless = new Set<string>();
  // The migration adds the active descriptors. Derive their thousands of scripts only if something is missing.
  for (const active of [false, true]) {
    if (tracker.allFound()) break;
    for (const { part, descriptors, required } of migrated) {
      const some = descriptors.filter((stored) => (stored.active !== null) === active);
      const complete = new Set(some.filter((stored) => isComplete(required(stored))));
      await eachScript(some, (script, { stored }) => {
        const found = tracker.take(script, part, complete.has(stored));
        if (found === 'keyless') keyless.add(stored.record.descriptor);
      });
    }
  }
  return keyless;
}

/**
 * What the proof shows of each new wallet. `newCoins`: satoshi of unspent coins on scripts that the old wallet does not know, such as
 * payments since the migration. `isSpendable`: whether the old wallet could spend anything.
 */
async function compareWallets(old: LegacyWallet, migrated: readonly NewWallet[], isSpendable: boolean) {
  const isNew = ({ script }: UnspentCoin) => !old.ownerOf(script) && !old.others?.ownerOf(script);
  let newCoins = 0n;
  const earlier = new Set<string>();
  const spender = once(() => spendersOf(storedHistory(old.records.of('tx'), old).transactions));
  const found: ComparedWallet[] = [];
  for (const made of migrated) {
    const { part, records, descriptors, transactions } = made;
    const { coins } = storedHistory(records.of('tx'), await ownershipOf(made));
    const again = coins.filter((coin) => earlier.has(outpointOf(coin)));
    newCoins += sumOfCoins(coins.filter((coin) => !earlier.has(outpointOf(coin)) && isNew(coin)));
    for (const coin of coins) earlier.add(outpointOf(coin));
    // A node gives the watch-only wallet no spend that is older in the wallet than the payment (`ApplyMigrationData`).
    const spends = coins.map((coin) => (part === 'watchonly' ? spender().get(outpointOf(coin)) : undefined));
    const unseen = new Set(spends.filter((id) => id !== undefined && !transactions.has(id)));
    const toSpend = part === 'primary' && isSpendable ? descriptors : null;
    const incomplete = isUnfinished(records, toSpend);
    found.push({ ...countsOf(made), incomplete, twice: sumOfCoins(again), unseenSpends: unseen.size });
  }
  return { wallets: found, newCoins };
}

function countsOf({ part, name, watches, signsOutside, descriptors, labels, transactions }: NewWallet) {
  const counts = { descriptors: descriptors.length, labels: labels.size, transactions: transactions.size };
  return { part, name, watches, signsOutside, ...counts };
}

/** The id of the transaction that spends each coin, by `outpointOf`. */
function spendersOf(transactions: readonly HistoryEntry[]): Map<string, string> {
  const counting = transactions.filter(({ state }) => state === 'confirmed' || state === 'unconfirmed');
  return new Map(
    counting.flatMap(({ spends, record }) => spends.map((coin) => [outpointOf(coin), record.txid] as const)),
  );
}

type ScriptTracker = ReturnType<typeof trackScripts>;

/** Tracks which of the old wallet's scripts (hex) are missing so far, and which are only in the wrong wallet. */
function trackScripts(wallet: LegacyWallet, hasWatchonly: boolean) {
  const ofKeys = wallet.keys.all.flatMap(({ publicKey }) => scriptsOfKey(publicKey));
  const mine = new Map([
    ...ofKeys.map((script) => [bytesToHex(script), 'spendable'] as const),
    ...[...wallet.scripts.mine].map(([hex, script]) => [hex, wallet.ownerOf(script)] as const),
  ]);
  const missing = new Set(mine.keys());
  const misplaced = new Set<string>();
  return {
    all: mine.size,
    missing,
    misplaced,
    allFound: () => missing.size + misplaced.size === 0,
    /** Whether the old wallet could spend anything. */
    hasSpendable: [...mine.values()].some((owner) => owner === 'spendable'),

    /** Records a found script. `hasKeys`: whether its descriptor has them. Returns `keyless` for a spendable script without keys. */
    take(script: string, part: WalletPart, hasKeys: boolean): 'keyless' | null {
      if (!mine.has(script)) return null;
      const isSpendable = mine.get(script) === 'spendable';
      // A watched script with all its keys, such as a bare multisig, becomes spendable.
      const belongs = isSpendable
        ? part === 'primary'
        : part === 'watchonly' || (part === 'primary' && (!hasWatchonly || hasKeys));
      if (belongs) {
        missing.delete(script);
        misplaced.delete(script);
      } else if (missing.delete(script)) misplaced.add(script);
      return isSpendable && belongs && !hasKeys ? 'keyless' : null;
    },
  };
}

interface RequiredKey {
  key: KeyExpression['key'];
  publicKey: Uint8Array;
  isKept: boolean;
}

/**
 * A function that gives the keys of a descriptor, and whether the wallet has their private keys. Encrypted keys count if the
 * wallet has a master key; nothing is decrypted.
 */
function requiredKeysIn(records: RecordsByType): (stored: StoredDescriptor) => RequiredKey[] {
  const canDecrypt = records.of('mkey').length > 0;
  return ({ descriptor, keys }) =>
    (descriptor ? keysOf(descriptor.script) : []).map(({ key }) => {
      const all = publicKeysOf(key);
      const isKept = keys.some(
        (kept) =>
          all.some((publicKey) => equalBytes(kept.publicKey, publicKey)) &&
          (canDecrypt || !('encrypted' in kept)),
      );
      return { key, publicKey: all[0], isKept };
    });
}

function isComplete(required: readonly RequiredKey[]): boolean {
  return required.length > 0 && required.every(({ isKept }) => isKept);
}

/** Whether a key of the old wallet is missing. The root of a key tree comes from one of its seeds. */
function isLost({ key, isKept }: RequiredKey, { keys }: LegacyWallet): boolean {
  return !isKept && (key.kind === 'tree' || keys.ofExpression(key) !== undefined);
}

/** `toSpend`: the descriptors of a wallet that makes new addresses; null for other wallets. */
function isUnfinished(records: RecordsByType, toSpend: readonly StoredDescriptor[] | null): boolean {
  const flags = flagsOf(records);
  const needsActive = toSpend !== null && !hasFlag(flags, 'disable_private_keys');
  return (
    unfinishedMigration({ kind: 'sqlite' }, records) !== null ||
    !hasFlag(flags, 'descriptor_wallet') ||
    hasLegacyRecords(records) ||
    (needsActive && toSpend.every(({ active }) => active === null))
  );
}

/** A wallet file's records, and whether some were unreadable. Throws AppError `not_a_wallet`. */
async function readWallet(bytes: FileBytes) {
  const { records: entries, format, problems } = await readEntries(bytes);
  const records = recordsByType(entries);
  return {
    records,
    format: format.kind,
    isPartlyUnreadable: problems.some(({ lost }) => lost) || harmfulDamage(records, format.kind).length > 0,
  };
}

interface NewWallet extends Contents {
  part: WalletPart;
  name: string;
}

type Contents = Awaited<ReturnType<typeof readDescriptorWallet>>;

/** The parts of a descriptor wallet that a comparison counts. Throws `not_a_wallet`, and `bad_input` for another wallet. */
async function readDescriptorWallet(bytes: FileBytes, network: Network) {
  const { records, format, isPartlyUnreadable } = await readWallet(bytes);
  if (format !== 'sqlite') throw notComparableError();
  return {
    records,
    isPartlyUnreadable,
    descriptors: storedDescriptors(records, network),
    required: requiredKeysIn(records),
    labels: labelsOf(records),
    transactions: transactionsOf(records),
    watches: hasFlag(flagsOf(records), 'disable_private_keys'),
    signsOutside: hasFlag(flagsOf(records), 'external_signer'),
  };
}

/** The ownership of the scripts that the wallet's transactions may pay. */
function ownershipOf({ records, descriptors, watches }: Contents) {
  const paid = selectPaidDescriptors(descriptors, records.of('tx'), MAX_INDEXES);
  return descriptorOwnership(paid, { privateKeys: !watches });
}

function balanceOf(records: RecordsByType, ownership: Ownership) {
  const { balance } = lastKnownBalance(records, ownership, null);
  const parts = balanceInFile(balance);
  const unconfirmed = balance.spendable.unconfirmed + balance.watched.unconfirmed;
  return { amount: totalBalance(parts), unconfirmed, newest: balance.newestTransaction, parts };
}

/** An address and its label as one text that people can read. */
function labelsOf(records: RecordsByType): Set<string> {
  return new Set(records.of('name').map(({ address, label }) => `${address}: ${label}`));
}

function transactionsOf(records: RecordsByType): Set<string> {
  return new Set(records.of('tx').map(({ txid }) => txid));
}

/** Most missing items that a comparison lists. */
const MAX_SHOWN = 1000;

/** Which texts of the old wallet are in none of the new ones. */
function compareSets(old: ReadonlySet<string>, migrated: readonly ReadonlySet<string>[]): Compared {
  const missing = new Set([...old].filter((text) => !migrated.some((texts) => texts.has(text))));
  return compared(old.size, listedTexts(missing));
}

function compared(before: number, missing: Compared['missing']): Compared {
  return { before, after: before - missing.total, missing };
}

/** Shows a script by its address, or in hex without one. */
function addressIn(network: Network) {
  return (script: string) => addressOf(hexToBytes(script), network) ?? script;
}

function listedTexts(texts: ReadonlySet<string>, named = (text: string) => text): Compared['missing'] {
  const shown = [...texts].slice(0, MAX_SHOWN).map((text) => shortText(named(text)));
  return { total: texts.size, shown };
}

function notComparableError(): FileError {
  return new FileError('bad_input', { code: 'not_wallet_and_migration' });
}

/**
 * Compares a descriptor wallet's backup, or its repaired file, with the wallet that a node restored from it. Throws AppError
 * `not_a_wallet` for unreadable files, `bad_input` for other wallets.
 */
export async function compareRestored(
  backup: FileBytes,
  { part, name, bytes }: ComparedFile,
  network: Network,
): Promise<MigrationComparison> {
  const old = await readDescriptorWallet(backup, network);
  const migrated = { part, name, ...(await readDescriptorWallet(bytes, network)) };
  const scripts = new Set<string>();
  const others = old.descriptors.filter(
    (one) => !migrated.descriptors.some((other) => includesScriptsOf(other, one)),
  );
  await eachScript(others, (script) => scripts.add(script));
  if (scripts.size > 0) await eachScript(migrated.descriptors, (script) => scripts.delete(script));
  const keysOf = ({ required }: Contents, one: StoredDescriptor) =>
    required(one).flatMap(({ isKept, publicKey }) => (isKept ? [bytesToHex(publicKey)] : []));
  const kept = new Set(migrated.descriptors.flatMap((one) => keysOf(migrated, one)));
  const keyless = old.descriptors.filter((one) => keysOf(old, one).some((key) => !kept.has(key)));
  const incomplete = isUnfinished(migrated.records, null);
  return {
    keys: null,
    scripts: compared(
      old.descriptors.reduce((sum, one) => sum + scriptCount(one), 0),
      listedTexts(scripts, addressIn(network)),
    ),
    misplaced: listedTexts(new Set()),
    keyless: listedTexts(new Set(keyless.map(({ record }) => record.descriptor))),
    labels: compareSets(old.labels, [migrated.labels]),
    transactions: compareSets(old.transactions, [migrated.transactions]),
    balance: balanceOf(old.records, await ownershipOf(old)),
    wallets: [{ ...countsOf(migrated), incomplete, twice: 0n, unseenSpends: 0 }],
    newCoins: 0n,
    isPartlyUnreadable: old.isPartlyUnreadable || migrated.isPartlyUnreadable,
  };
}

/** Whether one descriptor derives all scripts of another, found without deriving thousands of scripts. */
function includesScriptsOf({ record: one }: StoredDescriptor, { record: other }: StoredDescriptor): boolean {
  return (
    one.descriptor === other.descriptor &&
    one.rangeStart <= other.rangeStart &&
    one.rangeEnd >= other.rangeEnd
  );
}

/** How many scripts a descriptor derives. Each index has the same number. 0 if its keys are missing. */
function scriptCount(stored: StoredDescriptor): number {
  const { descriptor, record } = stored;
  if (!descriptor) return 0;
  const [index, end] = indexesOf(descriptor, record);
  const first = expansionAt(expander(descriptor, stored.sources(null)), index);
  return (first?.scripts.length ?? 0) * (end - index);
}
