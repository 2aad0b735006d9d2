/**
 * Repairs a legacy wallet file that Bitcoin Core refuses: not closed cleanly, damaged, written by another version of Berkeley
 * DB, with old keys, or with orphaned records. The result can be restored and migrated like any whole file.
 */
import { ripemd160 } from '@noble/hashes/legacy.js';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import { countDamage } from '../../../shared/model/findings/textLines.ts';
import type { InspectedCoin, Network } from '../../../shared/model/network.ts';
import type { ExcludedRecords, RescueFacts } from '../../../shared/model/safety.ts';
import { type FileBytes, sourceOf } from '../../walletfile/bytes/byteSource.ts';
import { listOf } from '../../walletfile/bytes/lists.ts';
import { fromLatin1, toLatin1 } from '../../walletfile/bytes/textCoding.ts';
import { identifyCoin } from '../../walletfile/coin/identifyCoin.ts';
import {
  type BerkeleyPages,
  isCleanlyClosed,
  PAGE_HEADER_OFFSETS,
} from '../../walletfile/database/berkeleyPage.ts';
import { notWalletError } from '../../walletfile/database/problemLog.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { decryptKey } from '../../walletfile/keys/crypter.ts';
import { readDer, storedKeyOf } from '../../walletfile/keys/privateKey.ts';
import { legacyWallet } from '../../walletfile/legacy/legacyWallet.ts';
import { firstBlockRecord } from '../../walletfile/migrate/migratedRecords.ts';
import { encryptionOf, PLAIN_TYPES } from '../../walletfile/records/encryption.ts';
import {
  type RecordsByType,
  recordOf,
  recordsByType,
  typeIn,
  writeRecord,
} from '../../walletfile/records/records.ts';
import { lastBlockOf } from '../../walletfile/records/walletTransaction.ts';
import { makeOutputScript, readOutputScript } from '../../walletfile/script/script.ts';
import { readText } from '../keyImport/readText.ts';
import { type LogFile, logTooLargeError } from '../logReplay/logRecords.ts';
import { addLoggedRecords, type ReplayedWallet, replayLogs } from '../logReplay/replayLogs.ts';
import { findPages } from '../salvage/berkeleyPages.ts';
import { lostCoins, metadataRecord } from '../salvage/derivedKeys.ts';
import { encryptedKeyRecord } from '../salvage/provedKeys.ts';
import { isMasterKeyLost, type SalvageResult, salvage } from '../salvage/salvage.ts';
import { excludeOrphaned, loadableRecords, withoutLostKeys, withWholeChains } from './loadableRecords.ts';
import { isLegacy, type RepairOptions } from './repairDescriptors.ts';
import {
  findOpenableMasterKey,
  type OpenedMasterKey,
  type PassphraseToTry,
  renumberMasterKeys,
} from './savedKeys.ts';
import { berkeleySource, writeBerkeley } from './writeBerkeley.ts';

export interface LegacyRepairOptions extends RepairOptions {
  /** All `log.…` files that belong to it; empty to use the file alone. */
  logs: readonly LogFile[];
  /** Whether older log files are left out. */
  isLogTruncated?: boolean;
  /** Whether a wallet without a best block gets the network's first one. Not for an inspection, which shows the file as it is. */
  withBlock?: boolean;
}

export interface RepairedWallet<T extends FileBytes = FileBytes> {
  kind: 'legacy';
  /** The repaired file, as if closed cleanly. For a file on a disk, each page is made when it is read. */
  bytes: T;
  /** Set if the damaged file leaves it open: the repaired one may lack what shows another coin. */
  coin: InspectedCoin | null;
  facts: Omit<RescueFacts, 'log' | 'excludedFile'> & { log: AppliedLog | null };
  excluded: ExcludedRecords;
}

/**
 * Only reads the file. Throws `not_a_wallet` if it holds nothing of a legacy wallet, `wrong_passphrase` and other errors of
 * trying a passphrase, and the errors of `replayLogs` for logs that do not fit, or for a file on a disk.
 */
export async function repairWallet(
  file: Uint8Array,
  options: LegacyRepairOptions,
): Promise<RepairedWallet<Uint8Array>>;
export async function repairWallet(file: FileBytes, options: LegacyRepairOptions): Promise<RepairedWallet>;
export async function repairWallet(
  file: FileBytes,
  {
    logs,
    isLogTruncated = false,
    passphrase,
    isThorough,
    openOnly = false,
    network,
    withBlock = false,
  }: LegacyRepairOptions,
): Promise<RepairedWallet> {
  // No text is too large for memory.
  const { inMemory } = sourceOf(file);
  const text = inMemory && readText(inMemory, { network, passphrase });
  const source = text ? writeBerkeley(inOrder(text.records)) : file;
  const replayed = logs.length > 0 ? withLogs(bytesToChange(source), logs, isLogTruncated) : null;
  const { saved, masterKey, opened, isRepaired } = await saveRecords(replayed?.bytes ?? source, {
    passphrase: openOnly ? undefined : passphrase,
    isThorough,
  });
  const { found, waiting } = withKeysOfOneKind(saved, { masterKey, opened, openOnly });
  if (found.length + waiting + (text?.sealed ?? 0) === 0) {
    masterKey?.fill(0);
    throw notWalletError({ code: 'no_wallet_inside' });
  }
  const coin = identifyCoin(recordsByType(found));
  const whole = withWholeChains(found, saved.missing);
  const loadable = loadableRecords(whole, masterKey);
  masterKey?.fill(0);
  const { records, excluded } = excludeOrphaned(withoutLostKeys(loadable.records, saved.missing), network);
  const { misplaced } = loadable;
  const unplaced = misplaced + saved.lostBlocks + (saved.damaged.get('tx') ?? 0);
  const kept = unplaced > 0 ? records.filter(({ key }) => !LAST_BLOCKS.has(typeIn(key))) : records;
  const repaired = inOrder(withBlock && network ? withFirstBlock(kept, network) : kept);
  const bytes = inMemory ? writeBerkeley(repaired) : berkeleySource(repaired);
  const { damaged, ...facts } = factsOf(saved, records, loadable.otherForms);
  // A dump's damaged line, or its lost end, need not be a key's.
  const damagedLines = text?.lines === null ? text.unread : 0;
  return {
    kind: 'legacy',
    bytes,
    coin: coin.verdict === 'ambiguous' ? coin : null,
    excluded,
    facts: {
      ...facts,
      damaged: { ...damaged, others: damaged.others + damagedLines + misplaced },
      repaired: saved.repaired + (isRepaired ? 1 : 0),
      ...(network ? { lostCoins: lostCoinsOf(whole, { saved, excluded, network }) } : {}),
      sealed: (text?.sealed ?? 0) + waiting + loadable.sealed,
      otherForms: loadable.otherForms,
      damagedTextKeys: (text?.unread ?? 0) - damagedLines,
      ...(text?.lines ? { lines: { taken: text.lines.taken, of: countDamage(text.lines).of } } : {}),
      unclean: replayed?.log.problem !== undefined || (replayed === null && isUnclean(source)),
      log: replayed?.log ?? null,
      excluded: {
        transactions: listOf(excluded.transactions, ({ txid }) => txid),
        addresses: listOf(excluded.addresses, ({ address }) => address),
      },
    },
  };
}

type AppliedLog = Omit<NonNullable<RescueFacts['log']>, 'folder'>;

/** Replays the logs. Of a wallet's own logs that cannot be replayed, it takes the records that they add. */
function withLogs(
  wallet: Uint8Array,
  logs: readonly LogFile[],
  isLogTruncated: boolean,
): { bytes: Uint8Array; log: AppliedLog } {
  const applied = ({ bytes, ...log }: ReplayedWallet) => ({ bytes, log });
  try {
    return applied(replayLogs(wallet, logs, isLogTruncated));
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const added = addLoggedRecords(wallet, logs);
    if (added === null) throw error;
    const { bytes, log } = applied(added);
    return { bytes, log: { ...log, problem: error.finding } };
  }
}

/** Berkeley DB's log is applied in memory. */
function bytesToChange(file: FileBytes): Uint8Array {
  const { inMemory } = sourceOf(file);
  if (inMemory === null) throw logTooLargeError();
  return inMemory;
}

interface SavedRecords extends Pick<OpenedMasterKey, 'masterKey' | 'isRepaired'> {
  saved: SalvageResult;
  /** The record of the master key. */
  opened: RawRecord | null;
}

async function saveRecords(
  bytes: FileBytes,
  { passphrase, isThorough }: PassphraseToTry,
): Promise<SavedRecords> {
  const saved = salvageLegacy(bytes);
  const isLocked = saved.isEncrypted || saved.locked.length > 0;
  if (passphrase === undefined || !isLocked || saved.masterKeys.length === 0)
    return { saved, masterKey: null, opened: null, isRepaired: false };
  const encryption = encryptionOf(recordsByType([...saved.records, ...saved.unprovedKeys, ...saved.locked]));
  const { masterKey, record, isRepaired } = await findOpenableMasterKey(
    saved.masterKeys,
    encryption?.samples ?? [],
    { passphrase, isThorough },
  );
  return { saved: salvageLegacy(bytes, masterKey), masterKey, opened: record, isRepaired };
}

/** Throws `not_a_wallet` for a descriptor wallet. */
function salvageLegacy(bytes: FileBytes, masterKey: Uint8Array | null = null): SalvageResult {
  const saved = salvage(bytes, masterKey);
  // An interrupted migration leaves the legacy records in an SQLite file, sometimes with the first descriptors.
  if (saved.kind === 'sqlite' && isLegacy(saved)) return salvage(bytes, masterKey, { legacyOnly: true });
  if (saved.kind === 'sqlite' || saved.records.some(({ key }) => typeIn(key) === 'walletdescriptor'))
    throw notWalletError({ code: 'no_wallet_inside' });
  return saved;
}

/** The records of the repaired wallet, with keys of one kind. `waiting`: number of keys that a passphrase would add. */
function withKeysOfOneKind(
  saved: SalvageResult,
  { masterKey, opened, openOnly }: Pick<SavedRecords, 'masterKey' | 'opened'> & { openOnly: boolean },
): { found: RawRecord[]; waiting: number } {
  const { records, masterKeys, unprovedKeys, locked, unowned } = saved;
  // Without their master key, keys can never be decrypted.
  const closed = masterKeys.length === 0 || masterKey !== null ? [] : [...unprovedKeys, ...locked];
  const hasTypeIn = (types: ReadonlySet<string>) => (record: RawRecord) => types.has(typeIn(record.key));
  const keysIn = (among: readonly RawRecord[], type: 'key' | 'ckey') =>
    new Set(
      recordsByType(among)
        .of(type)
        .map(({ publicKey }) => toLatin1(publicKey)),
    );
  if (saved.isEncrypted && !openOnly && !isMasterKeyLost(saved)) {
    const sealed = [...records, ...(masterKey ? [] : unprovedKeys)].filter(
      ({ key }) => typeIn(key) !== 'mkey',
    );
    const dropped = masterKey ? [] : sealed.filter(hasTypeIn(PLAIN_TYPES)).flatMap(convertOldKey);
    const encrypted = keysIn(sealed, 'ckey');
    // A node opens all keys with one master key. Another rescue, with the other passphrase, saves the rest.
    const others = masterKey ? keysIn(locked, 'ckey').size : 0;
    return {
      found: [
        ...sealed.flatMap(convertOldKey).flatMap((record) => encryptPlainKey(record, masterKey)),
        ...(opened ? [opened] : renumberMasterKeys(masterKeys)),
      ],
      waiting: [...keysIn(dropped, 'key')].filter((name) => !encrypted.has(name)).length + others,
    };
  }
  const open = [...records, ...(openOnly ? unowned.filter(hasTypeIn(PLAIN_TYPES)) : [])];
  const found = open.flatMap(convertOldKey).flatMap((record) => decryptKeyRecord(record, masterKey));
  const there = keysIn(found, 'key');
  return { found, waiting: [...keysIn(closed, 'ckey')].filter((name) => !there.has(name)).length };
}

/** Encrypts the record of a plain key; drops it without the master key. */
function encryptPlainKey(record: RawRecord, masterKey: Uint8Array | null): RawRecord[] {
  const key = typeIn(record.key) === 'key' ? recordOf('key', record) : null;
  if (!key) return [record];
  const secret = masterKey && readDer(key.der);
  if (!secret || !masterKey) return [];
  const encrypted = encryptedKeyRecord(masterKey, key.publicKey, secret);
  secret.fill(0);
  return [encrypted];
}

/** Decrypts the record of an encrypted key; drops it without the master key. */
function decryptKeyRecord(record: RawRecord, masterKey: Uint8Array | null): RawRecord[] {
  if (typeIn(record.key) === 'mkey') return [];
  const key = typeIn(record.key) === 'ckey' ? recordOf('ckey', record) : null;
  if (!key) return [record];
  const secret = masterKey && decryptKey(masterKey, key);
  if (!secret) return [];
  const { publicKey } = key;
  const stored = storedKeyOf(secret, publicKey);
  secret.fill(0);
  return [writeRecord({ type: 'key', ...stored })];
}

/** Converts a `wkey` record, written by releases before 0.4, to a `key` record and one with its time. */
function convertOldKey(record: RawRecord): RawRecord[] {
  const parsed = typeIn(record.key) === 'wkey' ? recordOf('wkey', record) : null;
  const secret = parsed && readDer(parsed.der);
  if (!parsed || !secret) return [record];
  const { publicKey, createTime } = parsed;
  const stored = storedKeyOf(secret, publicKey);
  secret.fill(0);
  return [
    writeRecord({ type: 'key', ...stored }),
    ...(createTime > 1 ? [metadataRecord(publicKey, createTime)] : []),
  ];
}

/** Releases 27 to 31 do not migrate a wallet without a best block. With the first block, the node rescans from there. */
function withFirstBlock(records: readonly RawRecord[], network: Network): readonly RawRecord[] {
  if (lastBlockOf(recordsByType(records)) !== null) return records;
  return [...records, firstBlockRecord(network)];
}

/** Without them, a rescan finds lost transactions, and the block of each transaction, again. */
const LAST_BLOCKS: ReadonlySet<string> = new Set(['bestblock', 'bestblock_nomerkle']);

/** Sorts records by the bytes of their keys, as Berkeley DB does. Keeps the first of two with the same key. */
function inOrder(records: readonly RawRecord[]): RawRecord[] {
  const byKey = new Map(records.toReversed().map((record) => [toLatin1(record.key), record]));
  return [...byKey.values()].sort((one, other) => Buffer.compare(one.key, other.key));
}

/** Looks at every page, because the first one may be lost. */
function isUnclean(file: FileBytes): boolean {
  const found = findPages(file);
  if (!found) return false;
  const { pages } = found;
  for (let page = 0; page < pages.count; page += 1)
    if (!isCleanlyClosed(pages, page) && !isLost(pages, page)) return true;
  return false;
}

/** A page without its own number, such as zeros or noise, is damage and no sign of a log. */
function isLost({ at, little, pageSize }: BerkeleyPages, page: number): boolean {
  const { bytes, view, start } = at(page);
  const isEmpty = bytes.subarray(start, start + pageSize).every((byte) => byte === 0);
  return isEmpty || view.getUint32(start + PAGE_HEADER_OFFSETS.number, little) !== page;
}

function factsOf(saved: SalvageResult, records: readonly RawRecord[], otherForms: number) {
  const { derived, damaged, lostPages, missing, unowned, isEncrypted, locked, masterKeys } = saved;
  const byType = recordsByType(records);
  const kept = new Set(records.map(({ key }) => toLatin1(key)));
  const { chains, seedOf, keys } = legacyWallet(byType);
  const damagedOf = (isKey: boolean) =>
    [...damaged].reduce((sum, [type, count]) => sum + (KEY_TYPES.has(type) === isKey ? count : 0), 0);
  const lostIndexes = missing.chains.reduce(
    (sum, { seedSaved, indexes }) => sum + (seedSaved ? 0 : indexes.length),
    0,
  );
  return {
    saved: {
      // Count a key kept in both forms once.
      keys: keys.all.length - otherForms,
      derived,
      seeds: chains.filter((chain) => seedOf(chain)).length,
      labels: byType.of('name').length,
      transactions: byType.of('tx').length,
    },
    damaged: {
      keys: damagedOf(true),
      others: damagedOf(false),
      ...(lostPages > 0 && { pages: lostPages }),
    },
    missing: {
      keys: missing.keys.length,
      chainKeys: lostIndexes,
      ...(missing.countedTwice > 0 && { countedTwice: missing.countedTwice }),
      counter: missing.chainLost,
      masterKey: isMasterKeyLost(saved),
    },
    ...(saved.doubtful > 0 && { doubtful: saved.doubtful }),
    // Encrypted keys of another wallet can never be decrypted without its master key.
    unowned:
      unowned.filter(({ key }) => !kept.has(toLatin1(key))).length +
      (masterKeys.length === 0 ? locked.length : 0),
    ...(isEncrypted && masterKeys.length > 0 && openKeys(saved) > 0 ? { open: openKeys(saved) } : {}),
  };
}

function lostCoinsOf(
  records: readonly RawRecord[],
  { saved, excluded, network }: { saved: SalvageResult; excluded: ExcludedRecords; network: Network },
) {
  const addresses = excluded.addresses.filter(({ isReadable }) => isReadable).map(({ address }) => address);
  const byType = recordsByType(records);
  const outputs = outputsOf(saved.damagedScripts, byType);
  return lostCoins(byType.of('tx'), { publicKeys: saved.missing.keys, addresses, outputs }, network);
}

/** The output scripts that pay the scripts with these hashes (`toLatin1`), also through the saved scripts of a witness. */
function outputsOf(damaged: ReadonlySet<string>, records: RecordsByType): Uint8Array[] {
  const witnesses = records.of('cscript').flatMap(({ script, scriptId }) => {
    const output = readOutputScript(script);
    const isLost = output.kind === 'p2wsh' && damaged.has(toLatin1(ripemd160(output.scriptHash)));
    return isLost ? [script, makeOutputScript({ kind: 'p2sh', scriptHash: scriptId })] : [];
  });
  return [
    ...witnesses,
    ...[...damaged].map((hash) => makeOutputScript({ kind: 'p2sh', scriptHash: fromLatin1(hash) })),
  ];
}

/** Number of private keys in the file of an encrypted wallet that need no passphrase. */
function openKeys({ records, unowned }: SalvageResult): number {
  const { keys } = legacyWallet(
    recordsByType([...records, ...unowned].filter(({ key }) => PLAIN_TYPES.has(typeIn(key)))),
  );
  return keys.all.length;
}

const KEY_TYPES: ReadonlySet<string> = new Set(['key', 'wkey', 'ckey']);
