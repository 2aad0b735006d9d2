/**
 * The private keys of a legacy wallet's file, by public key, hash or script, and the proof that they are undamaged and yield their
 * public keys. The second proof takes most of the time of a migration, so threads can share it.
 */
import { equalBytes } from '@noble/curves/utils.js';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import { once } from '../bytes/once.ts';
import { quickHash160 } from '../bytes/quickHash.ts';
import { toLatin1 } from '../bytes/textCoding.ts';
import { damagedError } from '../database/problemLog.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { publicKeysOf, type SingleKey } from '../descriptor/descriptor.ts';
import { decryptKey, encryptedKeyChecksum, encryptKey } from '../keys/crypter.ts';
import {
  derForms,
  hasRightChecksum,
  keyChecksum,
  readDer,
  readStoredKey,
  yieldsPublicKey,
} from '../keys/privateKey.ts';
import { withoutHybridForm } from '../keys/publicKey.ts';
import { type RecordOfType, type RecordsByType, recordOf } from '../records/records.ts';
import { hasKeyLength, readOutputScript } from '../script/script.ts';
import type { LegacyWallet } from './legacyWallet.ts';

/** A private key, plain or encrypted, with its metadata. */
export class LegacyKey {
  private cachedHash: string | undefined;

  constructor(
    readonly record: RecordOfType<'key' | 'wkey' | 'ckey'>,
    readonly metadata: RecordOfType<'keymeta'> | null,
  ) {}

  get publicKey(): Uint8Array {
    return this.record.publicKey;
  }

  /** The `toLatin1` of the public key's hash160, computed on first use. */
  get hash(): string {
    this.cachedHash ??= quickHash160(this.publicKey);
    return this.cachedHash;
  }
}

export type LegacyKeys = ReturnType<typeof legacyKeys>;

export function legacyKeys(records: RecordsByType) {
  const metadataOf = metadataFinder(records.of('keymeta').map(withoutEmptyFields));
  const byPublicKey = new Map<string, LegacyKey>();
  for (const group of [records.of('ckey'), records.of('key'), records.of('wkey')]) {
    for (const record of group) {
      const text = toLatin1(record.publicKey);
      if (!byPublicKey.has(text)) byPublicKey.set(text, new LegacyKey(record, metadataOf(record.publicKey)));
    }
  }
  const all = [...byPublicKey.values()];
  const byHash = once(() => new Map(all.map((key) => [key.hash, key])));
  const byNestedHash = once(() => {
    const compressed = all.filter(({ publicKey }) => isCompressed(publicKey));
    return new Map(compressed.map((key) => [nestedHash(key.hash), key]));
  });
  const ofPublicKey = (publicKey: Uint8Array) => byPublicKey.get(toLatin1(publicKey));
  const ofHash = (hash: string) => byHash().get(hash);
  const ofNestedHash = (hash: string) => byNestedHash().get(hash);
  return {
    /** Each public key once. */
    all,
    ofPublicKey,
    ofExpression(key: SingleKey): LegacyKey | undefined {
      const [found] = publicKeysOf(key).flatMap((publicKey) => ofPublicKey(publicKey) ?? []);
      return found;
    },
    /** By the `toLatin1` of the hash160 of its public key. */
    ofHash,
    /** By the `toLatin1` of the hash160 of its p2wpkh script, which a p2sh address contains. */
    ofNestedHash,
    /** The key that alone determines an address, by its kind and the hash in it. */
    ofAddress({ kind, hash }: { kind: 'p2pkh' | 'p2sh' | 'p2wpkh'; hash: string }): LegacyKey | undefined {
      const key = kind === 'p2sh' ? ofNestedHash(hash) : ofHash(hash);
      return key && (kind !== 'p2wpkh' || isCompressed(key.publicKey)) ? key : undefined;
    },
    /** The key that alone determines an output script: p2pk, p2pkh and, if compressed, p2wpkh and p2wpkh in p2sh. */
    ofScript(script: Uint8Array): LegacyKey | undefined {
      const output = readOutputScript(script);
      if (output.kind === 'p2pk') return ofPublicKey(output.publicKey);
      if (output.kind === 'p2pkh') return ofHash(toLatin1(output.keyHash));
      if (output.kind === 'p2sh') return ofNestedHash(toLatin1(output.scriptHash));
      const key = output.kind === 'p2wpkh' ? ofHash(toLatin1(output.keyHash)) : undefined;
      return key && isCompressed(key.publicKey) ? key : undefined;
    },
  };
}

/** Returns a function that finds the metadata of a public key. Most files have both in the same order. */
function metadataFinder(
  records: readonly RecordOfType<'keymeta'>[],
): (publicKey: Uint8Array) => RecordOfType<'keymeta'> | null {
  const places = once(() => new Map(records.map(({ publicKey }, at) => [toLatin1(publicKey), at])));
  let next = 0;
  return (publicKey) => {
    const expected = records[next];
    const isThere = expected !== undefined && Buffer.compare(expected.publicKey, publicKey) === 0;
    const at = isThere ? next : places().get(toLatin1(publicKey));
    const found = at === undefined ? undefined : records[at];
    if (at === undefined || !found) return null;
    next = at + 1;
    // The same bytes: one view of them is enough.
    found.publicKey = publicKey;
    return found;
  };
}

/** Drops the empty fields of imported keys, to save memory in wallets with thousands of keys. */
function withoutEmptyFields(metadata: RecordOfType<'keymeta'>): RecordOfType<'keymeta'> {
  const { hd, origin } = metadata;
  if (hd?.keyPath === '' && hd.seedId.every((byte) => byte === 0)) metadata.hd = null;
  if (!origin?.known) metadata.origin = null;
  return metadata;
}

export function isCompressed(publicKey: Uint8Array): boolean {
  return publicKey.length === 33;
}

/** The hash160 of a key's p2wpkh script, which its p2sh address contains, by the key's hash160. Both as `toLatin1`. */
export function nestedHash(hash: string): string {
  return quickHash160(Buffer.from(`${WITNESS_START}${hash}`, 'latin1'));
}

/** The first bytes of a p2wpkh script: OP_0 and a push of 20 bytes. */
export const WITNESS_START = '\x00\x14';

/** The value of a private key in a descriptor record. */
export type StoredSecret = { der: Uint8Array; checksum: Uint8Array } | { encrypted: Uint8Array };

export type LegacyPrivateKeys = ReturnType<typeof legacyPrivateKeys>;

/**
 * The private keys in the form of a descriptor wallet. Proves plain keys by their checksum, or without one by their public
 * key, and encrypted keys by the checksum of their encrypted bytes. `masterKey`: null for a wallet without encryption; otherwise
 * plain keys are encrypted with it. Throws FileError `not_a_wallet` for damaged keys. `fits`: see `matchedInAnotherThread`.
 */
export function legacyPrivateKeys(
  { records, keys }: LegacyWallet,
  masterKey: Uint8Array | null,
  fits: KeyMatcher = yieldsPublicKey,
) {
  /** Those that differ from their record. */
  const secrets = new Map<LegacyKey, StoredSecret>();
  let broken = 0;
  // A key can have a record of each kind. Prove both, because damage in either is damage of the wallet.
  for (const record of [...records.of('ckey'), ...records.of('key')]) {
    const proved = provedKey(record, masterKey, fits);
    const key = keys.ofPublicKey(record.publicKey);
    if (!proved) broken += 1;
    else if (key?.record === record && proved !== record) secrets.set(key, proved);
  }
  if (broken > 0) throw damagedKeysError(broken);
  const storedSecretOf = (key: LegacyKey) => {
    const { record } = key;
    const found = secrets.get(key) ?? (record.type === 'ckey' || hasChecksumField(record) ? record : null);
    if (!found) throw damagedKeysError(1);
    return found;
  };
  return {
    of: storedSecretOf,
    /** The private key (32 bytes). Throws `wallet_error` if it does not yield its public key. */
    secretOf(key: LegacyKey): Uint8Array {
      const found = storedSecretOf(key);
      if ('encrypted' in found) return decryptSecret(key, found.encrypted, masterKey, fits);
      const secret = readDer(found.der);
      if (!secret) throw damagedKeysError(1);
      return secret;
    },
  };
}

/** The stored form of a private key (32 bytes): encrypted if there is a master key. */
export function storedSecret(
  secret: Uint8Array,
  { publicKey, der, checksum }: { publicKey: Uint8Array; der: Uint8Array; checksum: Uint8Array },
  masterKey: Uint8Array | null,
): StoredSecret {
  return masterKey ? { encrypted: encryptKey(masterKey, publicKey, secret) } : { der, checksum };
}

/** The private key (32 bytes) in a key's record; null if it is damaged, or encrypted and not opened by the master key. */
export function secretIn({ record, publicKey }: LegacyKey, masterKey: Uint8Array | null): Uint8Array | null {
  if (record.type !== 'ckey') return readDer(record.der);
  return masterKey && decryptKey(masterKey, { publicKey, encrypted: record.encrypted });
}

function provedKey(
  record: RecordOfType<'key' | 'ckey'>,
  masterKey: Uint8Array | null,
  fits: KeyMatcher,
): StoredSecret | null {
  if (record.type === 'ckey') {
    return fits === matchedInAnotherThread || isWholeEncryptedKey(record) ? record : null;
  }
  const { publicKey, der, checksum } = record;
  if (!masterKey && hasChecksumField(record) && isProved(publicKey, der, record.checksum, fits))
    return record;
  const key = readStoredKey({ publicKey, der, checksum }, fits);
  return (
    key && storedSecret(key.privateKey, { publicKey, der, checksum: keyChecksum(publicKey, der) }, masterKey)
  );
}

/** Releases since 0.8 write it. */
function hasChecksumField(
  record: RecordOfType<'key' | 'wkey'>,
): record is RecordOfType<'key'> & { checksum: Uint8Array } {
  return record.type === 'key' && record.checksum !== null;
}

/** The proof of `readStoredKey`, faster, for keys as all releases since 0.8 write them. */
function isProved(publicKey: Uint8Array, der: Uint8Array, checksum: Uint8Array, fits: KeyMatcher): boolean {
  const { size, start } = isCompressed(publicKey) ? derForms.compressed : derForms.uncompressed;
  if (der.length !== size || !equalBytes(der.subarray(0, start.length), start)) return false;
  if (fits === matchedInAnotherThread && checksum.some((byte) => byte !== 0)) return true;
  return equalBytes(checksum, keyChecksum(publicKey, der));
}

function decryptSecret(
  { publicKey }: LegacyKey,
  encrypted: Uint8Array,
  masterKey: Uint8Array | null,
  fits: KeyMatcher,
): Uint8Array {
  const secret = masterKey && decryptKey(masterKey, { publicKey, encrypted }, fits);
  if (secret) return secret;
  throw new FileError('wallet_error', { code: 'key_not_decrypted' });
}

function damagedKeysError(count: number): FileError {
  return damagedError({ code: 'private_keys_incomplete', count });
}

/** Whether a private key (32 bytes) yields a public key. */
export type KeyMatcher = (privateKey: Uint8Array, publicKey: Uint8Array) => boolean;

/** The same, asking `fits` once about each record: deriving a public key takes most of the time. Records do not share their arrays. */
export function memoizedMatcher(fits: KeyMatcher): KeyMatcher {
  const known = new Map<Uint8Array, boolean>();
  return (privateKey, publicKey) => {
    const before = known.get(publicKey);
    const found = before ?? fits(privateKey, publicKey);
    if (before === undefined) known.set(publicKey, found);
    return found;
  };
}

/** Keys that several threads derive together, in memory that they share. */
export interface SharedKeys {
  /** Of each key: 32 bytes of the private key, 65 of the public key (a shorter one ends with zeros), and 1 for the `FIT`. */
  readonly bytes: Uint8Array;
  /** See `inTurns`. */
  readonly turns: Int32Array;
}

const SHARED = { publicKey: 32, fit: 97, size: 98 } as const;
const FIT = { unknown: 0, yes: 1, no: 2 } as const;

/**
 * Prepares plain keys for `fitShared` in other threads. `fits` asks about the keys of these records, and does its own share of the
 * work. It never waits for another thread. Call `end` after use: it removes the private keys.
 */
export function shareKeys(records: readonly RecordOfType<'key'>[]): {
  keys: SharedKeys;
  fits: KeyMatcher;
  end(): void;
} {
  const bytes = new Uint8Array(new SharedArrayBuffer(records.length * SHARED.size));
  const keys: SharedKeys = { bytes, turns: new Int32Array(new SharedArrayBuffer(4)) };
  const places = new Map<Uint8Array, number>();
  for (const { publicKey, der } of records) {
    const secret = hasKeyLength(publicKey) ? readDer(der) : null;
    if (!secret) continue;
    const at = places.size * SHARED.size;
    bytes.set(secret, at);
    bytes.set(publicKey, at + SHARED.publicKey);
    places.set(publicKey, at);
    secret.fill(0);
  }
  const fitsAlone = memoizedMatcher(yieldsPublicKey);
  const fitAt = (at: number) => Atomics.load(bytes, at + SHARED.fit);
  return {
    keys,
    fits(privateKey, publicKey) {
      const at = places.get(publicKey);
      if (at === undefined) return fitsAlone(privateKey, publicKey);
      if (fitAt(at) === FIT.unknown) fitShared(keys);
      // Another thread may have taken this key and not be done.
      if (fitAt(at) === FIT.unknown) deriveShared(bytes, at);
      return fitAt(at) === FIT.yes;
    },
    end() {
      Atomics.store(keys.turns, 0, records.length);
      bytes.fill(0);
    },
  };
}

/** Derives the keys that no other thread has taken. */
export function fitShared({ bytes, turns }: SharedKeys): void {
  checkShare(bytes.length / SHARED.size, turns, (number) => {
    deriveShared(bytes, number * SHARED.size);
    return true;
  });
}

function deriveShared(bytes: Uint8Array, at: number): void {
  const start = at + SHARED.publicKey;
  const isShort = bytes[start] === 2 || bytes[start] === 3;
  const publicKey = bytes.subarray(start, start + (isShort ? 33 : 65));
  const fits = yieldsPublicKey(bytes.subarray(at, start), publicKey);
  Atomics.store(bytes, at + SHARED.fit, fits ? FIT.yes : FIT.no);
}

/** Postpones the proof: the results are valid only if `allKeysMatch` then finds that all keys fit. Compared by identity. */
export const matchedInAnotherThread: KeyMatcher = () => true;

/** Trusts the keys that have no checksum. For results that need no more: deriving public keys takes long. */
export const byChecksum: KeyMatcher = () => true;

/** Whether a plain key is readable and has its checksum. Without a checksum it must fit its public key, in either form. */
export function isWholeKey(record: RecordOfType<'key'>, fits: KeyMatcher): boolean {
  const secret = readDer(record.der);
  return secret !== null && (hasRightChecksum(record) ?? fits(secret, withoutHybridForm(record.publicKey)));
}

/** Whether an encrypted key has its checksum, which wallets before 0.20 do not store. */
export function isWholeEncryptedKey({ encrypted, checksum }: RecordOfType<'ckey'>): boolean {
  return checksum === null || equalBytes(checksum, encryptedKeyChecksum(encrypted));
}

/**
 * Whether the private keys of a wallet are whole and fit. `turns`: see `inTurns`; the keys fit only if every thread says so. Ignores
 * unreadable records, which are conditions of their own. `masterKey`: null for a wallet without encryption.
 */
export function allKeysMatch(
  records: RecordsByType,
  masterKey: Uint8Array | null,
  turns: Int32Array = new Int32Array(1),
): boolean {
  const plain = records.entries('key');
  const encrypted = masterKey ? records.entries('ckey') : [];
  return checkShare(plain.length + encrypted.length, turns, (at) => {
    const entry = plain[at] ?? encrypted[at - plain.length];
    return !entry || (at < plain.length ? plainKeyMatches(entry) : encryptedKeyMatches(entry, masterKey));
  });
}

/**
 * Does the work for each number below `count`, until it returns false. `turns`: one number in shared memory, 0 at first; threads with
 * the same `turns` share the work.
 */
function checkShare(count: number, turns: Int32Array, work: (number: number) => boolean): boolean {
  const take = () => Atomics.add(turns, 0, KEYS_AT_ONCE);
  for (let from = take(); from < count; from = take()) {
    for (let at = from; at < Math.min(count, from + KEYS_AT_ONCE); at += 1) if (!work(at)) return false;
  }
  return true;
}

/** Parses the record here, because each thread needs only those of its share. */
function plainKeyMatches(entry: RawRecord): boolean {
  const record = recordOf('key', entry);
  if (record === null) return true;
  const secret = readDer(record.der);
  const isWhole = hasRightChecksum(record) ?? true;
  const fits = isWhole && secret !== null && yieldsPublicKey(secret, withoutHybridForm(record.publicKey));
  secret?.fill(0);
  return fits;
}

function encryptedKeyMatches(entry: RawRecord, masterKey: Uint8Array | null): boolean {
  const record = recordOf('ckey', entry);
  if (record === null) return true;
  const secret = masterKey && isWholeEncryptedKey(record) ? decryptKey(masterKey, record) : null;
  secret?.fill(0);
  return secret !== null;
}

/** How many keys a thread takes at once: they take a millisecond. */
const KEYS_AT_ONCE = 32;
