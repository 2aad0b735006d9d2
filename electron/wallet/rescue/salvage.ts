/**
 * Saves what can still be read from a damaged wallet file of either kind: each record found, proved by itself, and what is
 * known to be missing. The file is only read, and nothing that is not proved counts as a key.
 */

import { byteText } from '../bytes/byteText.ts';
import { groupedBy } from '../bytes/groupedBy.ts';
import { quickHash160 } from '../bytes/quickHash.ts';
import { startsLikeSqlite } from '../database/fileStart.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { nestedHash } from '../legacy/legacyKeys.ts';
import { parseRecord, type RecordType } from '../record/records.ts';
import { type FoundInFile, findBerkeleyRecords } from './berkeleyRecords.ts';
import { rederivedKeys } from './derivedKeys.ts';
import { bySource, type FoundRecord, isWholeSource } from './foundRecord.ts';
import { type Missing, missingOf } from './missing.ts';
import { type KeyProofs, publicKeyInDer, recordOfDer, type SavedKey, savedKey } from './provedKeys.ts';
import { type OtherVerdict, proveRecord } from './provedRecords.ts';
import { findSqliteRecords } from './sqliteRecords.ts';
import { hashesIn, Ties } from './ties.ts';

export interface Salvaged {
  kind: 'berkeley-db' | 'sqlite';
  /** What to go on with: all that is proved, and all else that is no key and whole as far as can be seen. */
  records: RawRecord[];
  /**
   * Encrypted keys, whole as far as their checksums tell. Only the master key proves them: nothing else binds a private key
   * to the public key it stands beside. Without it they count as no keys. Those from free room that nothing ties to this wallet
   * are `untied`.
   */
  unprovedKeys: RawRecord[];
  /** How many are not saved, by type; `unknown` for types that no release of Bitcoin Core has. */
  damaged: ReadonlyMap<RecordType | 'unknown', number>;
  /** How many lost keys the wallet's own seed gave again. */
  derived: number;
  /**
   * Whole private keys, encrypted ones too, from the free room of pages that nothing ties to this wallet: of another one that
   * the same node had open, as a rule. They are not among its records.
   */
  untied: RawRecord[];
  missing: Missing;
}

/**
 * `masterKey` (32 bytes) of an encrypted wallet proves its keys, and is not kept. Never throws for a file, whatever is in it;
 * time and memory are in proportion to its size, which records are views of.
 */
export function salvage(file: Uint8Array, masterKey: Uint8Array | null = null): Salvaged {
  const bytes = new Uint8Array(file.buffer, file.byteOffset, file.byteLength);
  const { kind, found, loose } = findRecords(bytes);
  return new Sorting(found, loose, masterKey).result(kind, masterKey);
}

function findRecords(bytes: Uint8Array): FoundInFile & { kind: Salvaged['kind'] } {
  if (startsLikeSqlite(bytes)) return { kind: 'sqlite', ...findSqliteRecords(bytes) };
  const berkeley = findBerkeleyRecords(bytes);
  // A file whose first page is lost does not say what it is.
  const sqlite = berkeley.found.some(isWholeSource) ? null : findSqliteRecords(bytes);
  return sqlite && sqlite.found.length > 0
    ? { kind: 'sqlite', ...sqlite }
    : { kind: 'berkeley-db', ...berkeley };
}

const KEY_TYPES: ReadonlySet<string> = new Set([
  'key',
  'wkey',
  'ckey',
  'walletdescriptorkey',
  'walletdescriptorckey',
]);

/** Each takes some hundred hashes; a file made of damaged keys must not take hours. */
const MOST_MENDS = 2000;

class Sorting {
  private readonly damaged = new Map<RecordType | 'unknown', number>();
  private readonly keyRecords: RawRecord[] = [];
  private readonly others: RawRecord[] = [];
  private readonly unprovedKeys: RawRecord[] = [];
  private readonly damagedKeys: { type: RecordType | 'unknown'; publicKey: string }[] = [];
  /** By the `byteText` of public keys that are saved. */
  private readonly saved = new Set<string>();
  private readonly unproved = new Set<string>();
  /** Theirs, and of their scripts of the kind p2wpkh, by which addresses name them. */
  private readonly hashes = new Set<string>();
  private readonly ties: Ties;
  private readonly untied = new Map<string, RawRecord>();

  /** `loose` are DER forms of private keys that stand alone. */
  constructor(found: readonly FoundRecord[], loose: readonly Uint8Array[], masterKey: Uint8Array | null) {
    this.ties = new Ties(found);
    const proofs: KeyProofs = { masterKey, mends: MOST_MENDS };
    const typed = [...groupedBy(found, ({ record }) => byteText(record.key)).values()]
      .map((group) => group.sort(bySource))
      .map((group) => ({ group, type: typeOf(group) }));
    const keys = typed.filter(({ type }) => KEY_TYPES.has(type));
    // What a whole page has is saved as it stands there, and not as a copy from elsewhere.
    for (const isWhole of [true, false])
      for (const { group, type } of keys)
        if (group.some(isWholeSource) === isWhole) this.sortKey(group, type, proofs);
    for (const der of loose) this.sortLoose(der);
    for (const { group, type } of typed) if (!KEY_TYPES.has(type)) this.sortOther(group, type);
  }

  result(kind: Salvaged['kind'], masterKey: Uint8Array | null): Salvaged {
    const found = [...this.keyRecords, ...this.others];
    const rederived = rederivedKeys(found, this.saved, masterKey, (key) => this.ties.ties(key));
    const replaced = new Set(rederived.metadata.map(({ key }) => byteText(key)));
    const records = found.filter(({ key }) => !replaced.has(byteText(key)));
    for (const { record, publicKey } of rederived.keys) {
      this.saved.add(byteText(publicKey));
      records.push(record);
    }
    records.push(...rederived.metadata);
    // A piece of a record may be damaged whose key is saved from another place.
    for (const { type, publicKey } of this.damagedKeys)
      if (!this.saved.has(publicKey)) this.countDamaged(type);
    // An encrypted key that its passphrase has not proved yet is not lost.
    const there = new Set([...this.saved, ...this.unproved]);
    const missing = missingOf([...records, ...this.unprovedKeys], there, rederived.chains);
    const untied = [...this.untied].filter(([key]) => !this.saved.has(key)).map(([, record]) => record);
    return {
      kind,
      records,
      unprovedKeys: this.unprovedKeys,
      damaged: this.damaged,
      derived: rederived.keys.length,
      untied,
      missing,
    };
  }

  private sortKey(group: readonly FoundRecord[], type: RecordType | 'unknown', proofs: KeyProofs): void {
    for (const one of group) {
      const key = savedKey(one.record, type, proofs);
      if (!key) continue;
      // The wallet's own master key ties an encrypted key to it.
      const isOwn = isWholeSource(one) || key.isProved === (type === 'ckey');
      if (isOwn || this.ties.ties(key.publicKey)) this.saveKey(key, type);
      else this.untied.set(byteText(key.publicKey), key.record);
      return;
    }
    if (!isOld(group)) this.damagedKeys.push({ type, publicKey: publicKeyOf(group) });
  }

  /** A private key without the rest of its record. */
  private sortLoose(der: Uint8Array): void {
    const key = this.saved.has(byteText(publicKeyInDer(der))) ? null : recordOfDer(der);
    if (!key) return;
    if (this.ties.ties(key.publicKey)) this.saveKey(key, 'key');
    else this.untied.set(byteText(key.publicKey), key.record);
  }

  private saveKey({ record, publicKey, isProved }: SavedKey, type: RecordType | 'unknown'): void {
    const name = byteText(publicKey);
    if (!isProved) {
      this.unprovedKeys.push(record);
      this.unproved.add(name);
      return;
    }
    // It may stand in the file twice: whole, and as a piece. Several descriptors can be of one key, each with its record.
    if (this.saved.has(name) && !type.startsWith('walletdescriptor')) return;
    this.saved.add(name);
    const hash = quickHash160(publicKey);
    this.hashes.add(hash).add(nestedHash(hash));
    this.keyRecords.push(record);
  }

  private sortOther(group: readonly FoundRecord[], type: RecordType | 'unknown'): void {
    let best: { record: RawRecord; verdict: OtherVerdict } | null = null;
    for (const { record } of group) {
      const verdict = proveRecord(record, this.saved, this.hashes);
      if (verdict === 'proved' || (verdict === 'unproved' && !best)) best = { record, verdict };
      // To prove the same of all its copies takes as long as there are copies.
      if (verdict === 'proved') break;
    }
    // Half-overwritten copies are no loss. Which master key is the right one, a passphrase will tell.
    if (isOld(group) && (best?.verdict !== 'proved' || !this.isOwn(best.record)) && type !== 'mkey') return;
    if (best) this.others.push(best.record);
    else this.countDamaged(type);
  }

  /** A label of an old copy is of this wallet where its address is one of a saved key. */
  private isOwn({ key, value }: RawRecord): boolean {
    const record = parseRecord(key, value);
    if (record.type !== 'name' && record.type !== 'purpose') return true;
    return hashesIn(record.address).some((hash) => this.hashes.has(hash));
  }

  private countDamaged(type: RecordType | 'unknown'): void {
    this.damaged.set(type, (this.damaged.get(type) ?? 0) + 1);
  }
}

/** Whether nothing but copies of it is left. Groups are sorted. */
function isOld([first]: readonly FoundRecord[]): boolean {
  return first?.source === 'old';
}

/** Of records of keys: the public key at the end of the key in the database. */
function publicKeyOf([first]: readonly FoundRecord[]): string {
  const key = first?.record.key ?? new Uint8Array();
  return byteText(key.subarray(key.at(-66) === 65 ? -65 : -33));
}

function typeOf(group: readonly FoundRecord[]): RecordType | 'unknown' {
  const [first] = group;
  if (!first) return 'unknown';
  const parsed = parseRecord(first.record.key, first.record.value);
  return parsed.type === 'damaged' ? parsed.name : parsed.type;
}
