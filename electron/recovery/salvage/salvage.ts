/**
 * Saves what is still readable in a damaged wallet file of either kind, proves each record, and finds what is missing. Does not
 * change the file. Nothing unproved counts as a key.
 */
import { createHash } from 'node:crypto';
import { type ByteSource, type FileBytes, sourceOf } from '../../walletfile/bytes/byteSource.ts';
import { groupedBy } from '../../walletfile/bytes/lists.ts';
import { once, rememberLatest } from '../../walletfile/bytes/once.ts';
import { quickHash160 } from '../../walletfile/bytes/quickHash.ts';
import { fromLatin1, toLatin1 } from '../../walletfile/bytes/textCoding.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { nestedHash } from '../../walletfile/legacy/legacyKeys.ts';
import { ENCRYPTED_TYPES, PLAIN_TYPES } from '../../walletfile/records/encryption.ts';
import {
  descriptorTypes,
  parseRecord,
  type RecordType,
  recordOf,
  recordsByType,
  typeIn,
} from '../../walletfile/records/records.ts';
import { hashesIn } from '../../walletfile/script/address.ts';
import { findMissingKeys, type MissingKeys, rederiveLostKeys, withRepairedNames } from './derivedKeys.ts';
import {
  encryptedIn,
  isEncryptedIn,
  KeyOwnership,
  type KeyProofs,
  publicKeyInDer,
  recordOfDer,
  recoverKey,
  type SavedKey,
  seedIn,
} from './provedKeys.ts';
import {
  isTornLabel,
  lacksBlock,
  MOST_WORK,
  masterKeysIn,
  proveRecord,
  type RecordsLimit,
  type RecordVerdict,
  repairedRecord,
  withOnlyValue,
} from './provedRecords.ts';
import {
  bySource,
  endOfKey,
  type FoundInFile,
  type FoundRecord,
  findRecords,
  isFromWholePage,
  isOld,
  publicKeyOf,
  typeOf,
} from './readableRecords.ts';

export interface SalvageResult {
  kind: 'berkeley-db' | 'sqlite';
  /** The saved records: proved ones, and other records that are no keys and look undamaged. */
  records: RawRecord[];
  /** Whether the wallet's own keys are encrypted, by the rule of `hasEncryptedKeys`. */
  isEncrypted: boolean;
  /** All undamaged master keys, without duplicates. Only a passphrase shows which is the wallet's. */
  masterKeys: RawRecord[];
  /** Encrypted keys without a plain copy in a wallet with plain keys. With their master key they become records. */
  locked: RawRecord[];
  /**
   * Encrypted keys with right checksums. Only the master key can prove that a private key belongs to its public key; without it
   * they do not count as keys. Keys from free space without a connection to this wallet are `unowned`.
   */
  unprovedKeys: RawRecord[];
  /** The number of records not saved, by type; `unknown` for types that no release of Bitcoin Core has. */
  damaged: ReadonlyMap<RecordType | 'unknown', number>;
  /** The number of records with a bit that was put right. */
  repaired: number;
  /** The number of saved transactions whose block is lost: a rescan finds it. */
  lostBlocks: number;
  /** The number of pages that are missing, or unreadable in whole or in part. */
  lostPages: number;
  /** The ids, as `toLatin1`, of the descriptors among the damaged records. */
  damagedDescriptors: ReadonlySet<string>;
  /** The hashes, as `toLatin1`, of the scripts among the damaged records. */
  damagedScripts: ReadonlySet<string>;
  /** The number of lost keys derived from the wallet's own seed. */
  derived: number;
  /**
   * Undamaged private keys, plain or encrypted, from the free space of pages, without a connection to this wallet. They usually
   * belong to another wallet of the same node. They are not among the records.
   */
  unowned: RawRecord[];
  /** The number of saved private keys of a cut file without such a connection. */
  doubtful: number;
  missing: MissingKeys;
}

/**
 * `masterKey` (32 bytes) of an encrypted wallet proves its keys, and is not kept. Never throws for a file, whatever is in it;
 * time is in proportion to its size. Records are views of its bytes, or read them from the disk again.
 *
 * Remembers the latest file in memory by the SHA-256 of its bytes, and one on a disk while it is open. The caller must not change the
 * bytes afterwards.
 *
 * `legacyOnly` leaves out what belongs to descriptors, before a key of theirs can stand for the same key of a legacy wallet.
 */
export function salvage(
  file: FileBytes,
  masterKey: Uint8Array | null = null,
  { legacyOnly = false } = {},
): SalvageResult {
  const { unproved, ...searched } = searchOnce(sourceOf(file));
  if (legacyOnly) {
    const found = searched.found.filter(({ record }) => !DESCRIPTOR_TYPES.has(typeIn(record.key)));
    return sortRecords({ ...searched, found }, masterKey);
  }
  return masterKey === null ? unproved() : sortRecords(searched, masterKey);
}

function sortRecords(file: Omit<SearchedFile, 'unproved'>, masterKey: Uint8Array | null): SalvageResult {
  const { kind, lostPages } = file;
  return { kind, lostPages, ...new RecordSorter(file, masterKey).result(masterKey) };
}

/** Whether there are encrypted keys without a master key: no passphrase can decrypt them. */
export function isMasterKeyLost({ masterKeys, unprovedKeys }: SalvageResult): boolean {
  return masterKeys.length === 0 && unprovedKeys.length > 0;
}

/** What a search finds in a file. `unproved`: the result without a master key. Both are views of the bytes, so forget both together. */
interface SearchedFile extends ReturnType<typeof findRecords> {
  readonly unproved: () => SalvageResult;
}

const searches = rememberLatest<SearchedFile>(1);
const searchesOnDisk = new WeakMap<ByteSource, SearchedFile>();

function searchOnce(source: ByteSource): SearchedFile {
  const { inMemory } = source;
  if (inMemory !== null)
    return searches(createHash('sha256').update(inMemory).digest('hex'), () => searchFile(source));
  const found = searchesOnDisk.get(source) ?? searchFile(source);
  searchesOnDisk.set(source, found);
  return found;
}

function searchFile(source: ByteSource): SearchedFile {
  const { found, ...searched } = findRecords(source);
  const all = { ...searched, found: found.map((one) => ({ ...one, record: withOnlyValue(one.record) })) };
  return { ...all, unproved: once(() => sortRecords(all, null)) };
}

const DESCRIPTOR_TYPES: ReadonlySet<string> = new Set(descriptorTypes);
const KEY_TYPES: ReadonlySet<string> = new Set([...PLAIN_TYPES, ...ENCRYPTED_TYPES]);

class RecordSorter {
  private readonly damaged = new Map<RecordType | 'unknown', number>();
  private repaired = 0;
  private lostBlocks = 0;
  private readonly damagedDescriptors = new Set<string>();
  private readonly damagedScripts = new Set<string>();
  private readonly keyRecords: RawRecord[] = [];
  private readonly others: RawRecord[] = [];
  /** Those of them that are only in pieces. */
  private readonly guesses = new Set<RawRecord>();
  private readonly unprovedKeys: RawRecord[] = [];
  private readonly damagedKeys: { type: RecordType | 'unknown'; publicKey: string }[] = [];
  /** The saved public keys, as `toLatin1`, and the doubtful ones among them. */
  private readonly saved = new Set<string>();
  private readonly doubtful = new Set<string>();
  private readonly unproved = new Set<string>();
  /** The hashes by which addresses name the saved keys: of the keys, and of their p2wpkh scripts. */
  private readonly hashes = new Set<string>();
  private readonly ownedKeys: KeyOwnership;
  private readonly unowned = new Map<string, RawRecord>();
  /** Several descriptors can use one key, each with its own record. */
  private readonly locked: { name: string; record: RawRecord }[] = [];
  private readonly isEncrypted: boolean;
  private readonly masterKeys: RawRecord[];
  /** Connections by the wallet's own tree alone, if any of it is left. */
  private readonly ownedByTree: KeyOwnership;
  /** All records by the `toLatin1` of their keys. */
  private readonly byKey: Map<string, FoundRecord[]>;
  /** Public keys, as `toLatin1`, with an encrypted private key in the wallet's own pages. */
  private readonly encrypted: ReadonlySet<string>;

  constructor({ found, loose, isCut }: Omit<FoundInFile, 'lostPages'>, masterKey: Uint8Array | null) {
    this.ownedKeys = new KeyOwnership(found);
    const tree = found.filter(({ source }) => source === 'tree');
    this.ownedByTree = tree.length > 0 ? new KeyOwnership(tree) : this.ownedKeys;
    this.isEncrypted = isEncryptedIn(found, (key) => this.ownedKeys.owns(key));
    this.masterKeys = masterKeysIn(found);
    this.encrypted = encryptedIn(found);
    const proofs: KeyProofs = { masterKey, work: MOST_WORK };
    this.byKey = groupedBy(found, ({ record }) => toLatin1(record.key));
    const typed = [...this.byKey.values()]
      .map((group) => group.sort(bySource))
      .map((group) => ({ group, type: typeOf(group) }));
    const keys = typed.filter(({ type }) => KEY_TYPES.has(type));
    // Prefer records of undamaged pages to copies from elsewhere.
    for (const isWhole of [true, false])
      for (const { group, type } of keys)
        if (group.some(isFromWholePage) === isWhole) this.sortKey(group, type, proofs);
    for (const der of loose) this.sortLoose(der);
    if (isCut && !this.isEncrypted) this.saveDoubtful();
    const limit: RecordsLimit = { work: MOST_WORK, labels: { work: MOST_WORK } };
    for (const { group, type } of typed) if (!KEY_TYPES.has(type)) this.sortOther(group, type, limit);
  }

  result(masterKey: Uint8Array | null): Omit<SalvageResult, 'kind' | 'lostPages'> {
    const closed = new Set(this.locked.map(({ name }) => name).filter((name) => !this.saved.has(name)));
    const unowned = [...this.unowned].filter(([key]) => !this.saved.has(key));
    const others = this.withoutRecordsOf(new Set([...closed, ...unowned.map(([key]) => key)]));
    // An encrypted key that no passphrase has proved yet is not lost, unless none can.
    const sealed = this.masterKeys.length > 0 ? this.unproved : [];
    const there = () => new Set([...this.saved, ...sealed, ...closed]);
    const found = withRepairedNames([...this.keyRecords, ...others], there(), this.saved);
    const sure = new Set([...this.saved].filter((name) => !this.doubtful.has(name)));
    const rederived = rederiveLostKeys(found, sure, masterKey, this.ownedKeys);
    const replaced = new Set(rederived.metadata.map(({ key }) => toLatin1(key)));
    const records = found.filter(({ key }) => !replaced.has(toLatin1(key)));
    for (const { record, publicKey } of rederived.keys) {
      this.saved.add(toLatin1(publicKey));
      this.doubtful.delete(toLatin1(publicKey));
      records.push(record);
    }
    records.push(...rederived.metadata);
    // A damaged copy does not count if its key is saved from another place.
    for (const { type, publicKey } of this.damagedKeys)
      if (!this.saved.has(publicKey)) this.countDamaged(type);
    return {
      records,
      isEncrypted: this.isEncrypted,
      masterKeys: this.masterKeys,
      locked: this.locked.flatMap(({ name, record }) => (closed.has(name) ? [record] : [])),
      unprovedKeys: this.unprovedKeys,
      damaged: this.damaged,
      repaired: this.repaired,
      doubtful: this.doubtful.size,
      lostBlocks: this.lostBlocks,
      damagedDescriptors: this.damagedDescriptors,
      damagedScripts: this.damagedScripts,
      derived: rederived.keys.length,
      unowned: unowned.map(([, record]) => record),
      missing: findMissingKeys([...records, ...this.unprovedKeys], there(), this.saved, rederived.chains),
    };
  }

  /** Drops records about the keys of other wallets. `foreignKeys`: their public keys as `toLatin1`. */
  private withoutRecordsOf(foreignKeys: ReadonlySet<string>): RawRecord[] {
    const { own, foreign, isInChains } = this.seedsOf(foreignKeys);
    return this.others.filter((stored) => {
      if (typeIn(stored.key) === 'tx') return true;
      const record = parseRecord(stored.key, stored.value);
      if (record.type === 'mkey') return this.isEncrypted;
      const isGuess = this.guesses.has(stored) && own.size > 0;
      if (record.type === 'hdchain') {
        const seed = toLatin1(record.seedId);
        return !foreign.has(seed) && (!isGuess || own.has(seed));
      }
      if (record.type !== 'keymeta' && record.type !== 'pool' && record.type !== 'defaultkey') return true;
      const name = toLatin1(record.publicKey);
      const seed = record.type === 'keymeta' ? seedIn(record) : null;
      if (foreignKeys.has(name) || (seed !== null && foreign.has(seed))) return false;
      // The rest of another wallet in a damaged page. The wallet's own seeds give all keys of its pool.
      const isOwn = seed === null ? !isInChains : own.has(seed);
      return !isGuess || isOwn || this.isThere(name) || this.ownedKeys.owns(record.publicKey);
    });
  }

  /** The ids, as `toLatin1`, of the seeds of its own keys, and of those of these keys alone. `isInChains`: all its own keys are. */
  private seedsOf(foreignKeys: ReadonlySet<string>) {
    const foreign = new Set([...foreignKeys].map((key) => quickHash160(fromLatin1(key))));
    const own = new Set<string>();
    let isInChains = true;
    for (const record of recordsByType(this.others).of('keymeta')) {
      const seed = seedIn(record);
      const name = toLatin1(record.publicKey);
      if (seed !== null && foreignKeys.has(name)) foreign.add(seed);
      else if (seed !== null && this.isThere(name)) own.add(seed);
      else if (seed === null && this.isThere(name)) isInChains = false;
    }
    for (const seed of own) foreign.delete(seed);
    return { own, foreign, isInChains };
  }

  /** `publicKey`: as `toLatin1`. */
  private isThere(publicKey: string): boolean {
    return this.saved.has(publicKey) || this.unproved.has(publicKey);
  }

  private sortKey(group: readonly FoundRecord[], type: RecordType | 'unknown', proofs: KeyProofs): void {
    const isEncrypted = ENCRYPTED_TYPES.has(type);
    for (const one of group) {
      const key = recoverKey(one.record, type, proofs);
      if (!key) continue;
      const name = toLatin1(key.publicKey);
      // The wallet's own master key proves that an encrypted key is the wallet's.
      if (isEncrypted && key.isProved) this.saveKey(key, type);
      else if (isEncrypted && !this.isEncrypted) this.locked.push({ name, record: key.record });
      else if (this.isOwnKey(one, key.publicKey, isEncrypted)) this.saveKey(key, type);
      else this.unowned.set(name, key.record);
      return;
    }
    // An undamaged key that this master key does not open has another. Older copies of one share its id.
    const [best] = proofs.masterKey && isEncrypted ? group : [];
    const closed = best ? recoverKey(best.record, type, { masterKey: null, work: 0 }) : null;
    const isOwn = closed !== null && this.ownedByTree.owns(closed.publicKey);
    const hasOther = new Set(this.masterKeys.map((record) => toLatin1(record.key))).size > 1;
    const hasChecksum = type === 'ckey' && closed && recordOf('ckey', closed.record)?.checksum;
    const isOfOther = closed && hasChecksum && (!isOwn || hasOther);
    if (closed && (!this.isEncrypted || (isOwn && isOfOther)))
      this.locked.push({ name: toLatin1(closed.publicKey), record: closed.record });
    else if (closed && isOfOther) this.unowned.set(toLatin1(closed.publicKey), closed.record);
    else if (!isOld(group)) this.damagedKeys.push({ type, publicKey: publicKeyOf(group) });
  }

  private isOwnKey(one: FoundRecord, publicKey: Uint8Array, isEncrypted: boolean): boolean {
    const isSure = isEncrypted === this.isEncrypted ? isFromWholePage(one) : one.source === 'tree';
    return isSure || this.isNamed(publicKey, isEncrypted);
  }

  /** A plain key belongs to an encrypted wallet if the wallet has it encrypted too, or its own tree names it. */
  private isNamed(publicKey: Uint8Array, isEncrypted: boolean): boolean {
    if (isEncrypted === this.isEncrypted) return this.ownedKeys.owns(publicKey);
    return this.encrypted.has(toLatin1(publicKey)) || this.ownedByTree.owns(publicKey);
  }

  /** Sorts a private key without the rest of its record. */
  private sortLoose(der: Uint8Array): void {
    const key = this.saved.has(toLatin1(publicKeyInDer(der))) ? null : recordOfDer(der);
    if (key && this.isNamed(key.publicKey, false)) this.saveKey(key, 'key');
    else if (key) this.unowned.set(toLatin1(key.publicKey), key.record);
  }

  /** Saves plain keys of other wallets too: the newer copies of the wallet's own may have been on the pages that are cut off. */
  private saveDoubtful(): void {
    for (const [name, record] of this.unowned) {
      if (this.saved.has(name) || !PLAIN_TYPES.has(typeIn(record.key))) continue;
      this.saveKey({ record, publicKey: fromLatin1(name), isProved: true }, 'key');
      this.doubtful.add(name);
    }
  }

  private saveKey({ record, publicKey, isProved }: SavedKey, type: RecordType | 'unknown'): void {
    const name = toLatin1(publicKey);
    if (!isProved) {
      this.unprovedKeys.push(record);
      this.unproved.add(name);
      return;
    }
    // The file may have it twice, whole and as a piece. Several descriptors can use one key, each with its own record.
    if (this.saved.has(name) && !type.startsWith('walletdescriptor')) return;
    this.saved.add(name);
    const hash = quickHash160(publicKey);
    this.hashes.add(hash).add(nestedHash(hash));
    this.keyRecords.push(record);
  }

  private sortOther(group: readonly FoundRecord[], type: RecordType | 'unknown', limit: RecordsLimit): void {
    let best: { record: RawRecord; verdict: RecordVerdict } | null = null;
    for (const { record } of group) {
      const verdict = proveRecord(record, this.saved, this.hashes);
      if (verdict === 'proved' || (verdict === 'unproved' && !best)) best = { record, verdict };
      // One proved copy is enough. Proving all copies would take too long.
      if (verdict === 'proved') break;
    }
    // Half-overwritten copies are no loss. Keep all master keys: a passphrase will show the right one.
    if (isOld(group) && (best?.verdict !== 'proved' || !this.isOwn(best.record)) && type !== 'mkey') return;
    const isWhole = best?.verdict === 'proved' || (best && type !== 'name' && type !== 'purpose');
    const repaired = isWhole ? null : repairedRecord(group, limit);
    if (best && !repaired && isTornLabel(best.record) && !group.some(isFromWholePage)) return;
    if (repaired) {
      const name = toLatin1(repaired.key);
      // A transaction with a damaged id may be there under its right one, too.
      const named = this.byKey.get(name) ?? group;
      const isThere = ({ record }: FoundRecord) => proveRecord(record, this.saved, this.hashes) === 'proved';
      if (named !== group && (named.length === 0 || named.some(isThere))) return;
      this.byKey.set(name, []);
      best = { record: repaired, verdict: 'proved' };
      this.repaired += 1;
      if (lacksBlock(repaired)) this.lostBlocks += 1;
    }
    if (best) this.others.push(best.record);
    if (best && !group.some(isFromWholePage)) this.guesses.add(best.record);
    if (!best) this.countDamaged(type);
    if (!best && type === 'walletdescriptor') this.damagedDescriptors.add(endOfKey(group, 32));
    if (!best && type === 'cscript') this.damagedScripts.add(endOfKey(group, 20));
  }

  /** A label from an old copy belongs to this wallet if a saved key has its address. */
  private isOwn({ key, value }: RawRecord): boolean {
    const record = parseRecord(key, value);
    if (record.type !== 'name' && record.type !== 'purpose') return true;
    return hashesIn(record.address).some((hash) => this.hashes.has(hash));
  }

  private countDamaged(type: RecordType | 'unknown'): void {
    this.damaged.set(type, (this.damaged.get(type) ?? 0) + 1);
  }
}
