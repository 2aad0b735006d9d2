/**
 * Saves what can still be read from a damaged wallet file of either kind: each record found, proved by itself, and what is
 * known to be missing. The file is only read, and nothing that is not proved counts as a key.
 */
import { byteText } from '../bytes/byteText.ts';
import { quickHash160 } from '../bytes/quickHash.ts';
import { startsLikeSqlite } from '../database/fileStart.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { parseRecord, type RecordType } from '../record/records.ts';
import { findBerkeleyRecords } from './berkeleyRecords.ts';
import { rederivedKeys } from './derivedKeys.ts';
import { byKey, bySource, type FoundRecord } from './foundRecord.ts';
import { type Missing, missingOf } from './missing.ts';
import {
  type KeyProofs,
  type KeyVerdict,
  proveDescriptorKey,
  proveEncryptedKey,
  proveOtherKey,
  provePlainKey,
  recordOfDer,
} from './provedKeys.ts';
import { type OtherVerdict, proveRecord } from './provedRecords.ts';
import { findSqliteRecords } from './sqliteRecords.ts';

export interface SalvageCounts {
  proved: number;
  /** Whole as far as can be seen, without anything in them that proves it. */
  unproved: number;
  damaged: number;
}

export interface Salvaged {
  kind: 'berkeley-db' | 'sqlite';
  /** What to go on with: all that is proved, and all else that is no key and whole as far as can be seen. */
  records: RawRecord[];
  /** Encrypted keys that only the passphrase can prove. They count as no keys. */
  unprovedKeys: RawRecord[];
  /** By type; `unknown` for types that no release of Bitcoin Core has. */
  counts: ReadonlyMap<RecordType | 'unknown', SalvageCounts>;
  /** Keys (of any kind) that are saved. */
  keys: {
    /** As they stood in the file. */
    found: number;
    /** With a part put right that something else in the record proves. */
    mended: number;
    /** Lost ones that the wallet's own seed gave again. */
    derived: number;
  };
  missing: Missing;
}

/**
 * `masterKey` (32 bytes) of an encrypted wallet proves its keys, and is not kept. Never throws for a file, whatever is in it;
 * time and memory are in proportion to its size, which records are views of.
 */
export function salvage(file: Uint8Array, masterKey: Uint8Array | null = null): Salvaged {
  const bytes = new Uint8Array(file.buffer, file.byteOffset, file.byteLength);
  const kind = startsLikeSqlite(bytes) ? 'sqlite' : 'berkeley-db';
  const { found, loose } = kind === 'sqlite' ? findSqliteRecords(bytes) : findBerkeleyRecords(bytes);
  // A file whose first page is lost does not say what it is.
  const other =
    found.length === 0 && loose.length === 0 && kind === 'berkeley-db' ? findSqliteRecords(bytes) : null;
  const isSqlite = other !== null && other.found.length > 0;
  const sorted = new Sorting((isSqlite ? other : { found }).found, masterKey);
  sorted.addLoose(isSqlite ? other.loose : loose);
  return sorted.result(isSqlite ? 'sqlite' : kind, masterKey);
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
  private readonly counts = new Map<RecordType | 'unknown', SalvageCounts>();
  private readonly keyRecords: RawRecord[] = [];
  private readonly others: RawRecord[] = [];
  private readonly unprovedKeys: RawRecord[] = [];
  /** By the `byteText` of public keys that are saved. */
  private readonly saved = new Set<string>();
  private readonly hashes = new Set<string>();
  private readonly named: Set<string>;
  private readonly keys = { found: 0, mended: 0, derived: 0 };

  constructor(found: readonly FoundRecord[], masterKey: Uint8Array | null) {
    this.named = namedKeys(found);
    const proofs: KeyProofs = {
      masterKey,
      isNamed: (publicKey) => this.named.has(byteText(publicKey)),
      mends: MOST_MENDS,
    };
    const groups = byKey(found).map((group) => group.sort(bySource));
    const typed = groups.map((group) => ({ group, type: typeOf(group) }));
    for (const { group, type } of typed) if (KEY_TYPES.has(type)) this.sortKey(group, type, proofs);
    for (const { group, type } of typed) if (!KEY_TYPES.has(type)) this.sortOther(group, type);
  }

  /** Private keys without the rest of their records. */
  addLoose(loose: readonly Uint8Array[]): void {
    for (const der of loose) {
      const key = recordOfDer(der);
      if (key) this.saveKey(key.record, key.publicKey, 'key', true);
    }
  }

  result(kind: Salvaged['kind'], masterKey: Uint8Array | null): Salvaged {
    const records = [...this.keyRecords, ...this.others];
    const derived = rederivedKeys(records, this.saved, masterKey);
    for (const { record, publicKey } of derived) {
      this.saved.add(byteText(publicKey));
      this.keys.derived += 1;
      records.push(record);
    }
    const missing = missingOf(records, this.saved, this.named);
    return { kind, records, unprovedKeys: this.unprovedKeys, counts: this.counts, keys: this.keys, missing };
  }

  private sortKey(group: readonly FoundRecord[], type: RecordType | 'unknown', proofs: KeyProofs): void {
    const verdicts = new Set<KeyVerdict['verdict']>();
    for (const { record } of group) {
      const verdict = proveKey(record, type, proofs);
      verdicts.add(verdict.verdict);
      if (verdict.verdict === 'unproved') {
        this.count(type, 'unproved');
        this.unprovedKeys.push(record);
        return;
      }
      if (verdict.verdict !== 'proved') continue;
      this.saveKey(verdict.record, verdict.publicKey, type, verdict.mended);
      return;
    }
    this.count(type, 'damaged');
  }

  private saveKey(
    record: RawRecord,
    publicKey: Uint8Array,
    type: RecordType | 'unknown',
    mended: boolean,
  ): void {
    const name = byteText(publicKey);
    // The same key may stand in the file twice: whole, and as a piece.
    if (this.saved.has(name) && mended) return;
    if (!this.saved.has(name)) this.keys[mended ? 'mended' : 'found'] += 1;
    this.count(type, 'proved');
    this.saved.add(name);
    this.hashes.add(quickHash160(publicKey));
    this.keyRecords.push(record);
  }

  private sortOther(group: readonly FoundRecord[], type: RecordType | 'unknown'): void {
    let best: { record: RawRecord; verdict: OtherVerdict } | null = null;
    for (const { record } of group) {
      const verdict = proveRecord(record, { savedKeys: this.saved, savedHashes: this.hashes });
      if (verdict === 'proved') {
        best = { record, verdict };
        break;
      }
      if (verdict === 'unproved' && best?.verdict !== 'unproved') best = { record, verdict };
    }
    this.count(type, best?.verdict ?? 'damaged');
    if (best) this.others.push(best.record);
  }

  private count(type: RecordType | 'unknown', verdict: KeyVerdict['verdict']): void {
    const counts = this.counts.get(type) ?? { proved: 0, unproved: 0, damaged: 0 };
    counts[verdict] += 1;
    this.counts.set(type, counts);
  }
}

function typeOf(group: readonly FoundRecord[]): RecordType | 'unknown' {
  const [first] = group;
  if (!first) return 'unknown';
  const parsed = parseRecord(first.record.key, first.record.value);
  return parsed.type === 'damaged' ? parsed.name : parsed.type;
}

function proveKey(record: RawRecord, type: RecordType | 'unknown', proofs: KeyProofs): KeyVerdict {
  if (type === 'key') return provePlainKey(record, proofs);
  if (type === 'ckey') return proveEncryptedKey(record, proofs);
  if (type === 'wkey' || type === 'walletdescriptorkey') return proveOtherKey(record, type);
  return proveDescriptorKey(record, proofs);
}

/** Public keys that records other than keys name, as `byteText`. */
function namedKeys(found: readonly FoundRecord[]): Set<string> {
  const named = new Set<string>();
  for (const { record } of found) {
    const parsed = parseRecord(record.key, record.value);
    const names = parsed.type === 'keymeta' || parsed.type === 'pool' || parsed.type === 'defaultkey';
    if (names) named.add(byteText(parsed.publicKey));
  }
  return named;
}
