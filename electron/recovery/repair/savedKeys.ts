/** The private keys that remain of a damaged descriptor wallet. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import { toLatin1 } from '../../walletfile/bytes/textCoding.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import {
  type KeyExpression,
  type PrivateKeys,
  publicKeysOf,
} from '../../walletfile/descriptor/descriptor.ts';
import {
  canBeTried,
  decrypt,
  decryptKey,
  decryptsAny,
  ENCRYPTED_SIZE,
  type EncryptedKey,
  type EncryptedMasterKey,
  encryptKey,
  stretchPassphrase,
  unlock,
  withOtherBit,
  wrongPassphraseError,
} from '../../walletfile/keys/crypter.ts';
import { readDer, storedKeyOf } from '../../walletfile/keys/privateKey.ts';
import type { PlannedDescriptor } from '../../walletfile/migrate/plannedDescriptor.ts';
import { masterKeyOf } from '../../walletfile/records/encryption.ts';
import { type RecordOfType, recordOf, recordsByType, writeRecord } from '../../walletfile/records/records.ts';
import { MOST_WORK, repairBit } from '../salvage/provedRecords.ts';
import type { SalvageResult } from '../salvage/salvage.ts';

type StoredKey = PlannedDescriptor['keys'][number];

export class SavedKeys {
  /** Plain and decrypted keys, by the hex of the public key. */
  private readonly plainKeys = new Map<string, { publicKey: Uint8Array; privateKey: Uint8Array }>();
  private readonly encryptedKeys = new Map<string, { publicKey: Uint8Array; encrypted: Uint8Array }>();
  /** Keys whose records disagree. Only the passphrase can show which one is right. */
  private readonly contradictoryKeys = new Set<string>();
  /** Encrypted keys in a wallet of plain keys, as the hex of their public keys. */
  private readonly foreignEncryptedKeys: ReadonlySet<string>;
  /** Whether the repaired wallet is encrypted. */
  readonly isEncrypted: boolean;

  /**
   * `masterKey` (32 bytes, null without the passphrase) has proved the encrypted keys among the records. `openOnly`: use only
   * keys that need no passphrase.
   */
  constructor(
    saved: SalvageResult,
    private readonly masterKey: Uint8Array | null,
    openOnly: boolean,
  ) {
    this.isEncrypted = saved.isEncrypted && !openOnly;
    const closed = openOnly ? [...saved.locked, ...saved.unprovedKeys] : saved.locked;
    this.foreignEncryptedKeys = new Set(
      countEncryptedKeys(closed).map(({ key }) => bytesToHex(key.publicKey)),
    );
    const records = recordsByType([...saved.records, ...saved.unowned]);
    for (const { publicKey, der } of [...records.of('walletdescriptorkey'), ...records.of('key')]) {
      const privateKey = readDer(der);
      if (privateKey) this.plainKeys.set(bytesToHex(publicKey), { publicKey, privateKey });
    }
    if (masterKey) this.unlock(saved, masterKey);
    // Without their master key, keys can never be decrypted.
    else if (saved.masterKeys.length > 0) this.compare(saved);
  }

  /** Whether the passphrase would open more keys. */
  get isLocked(): boolean {
    return this.masterKey === null && this.encryptedKeys.size + this.contradictoryKeys.size > 0;
  }

  get isEmpty(): boolean {
    return this.plainKeys.size + this.encryptedKeys.size + this.contradictoryKeys.size === 0;
  }

  /** Private keys of 32 bytes, by the hex of the public key. */
  get privateKeys(): PrivateKeys {
    return new Map([...this.plainKeys].map(([hex, { privateKey }]) => [hex, privateKey]));
  }

  /** Of all keys that the repaired wallet can store. */
  get publicKeys(): Uint8Array[] {
    const all = new Set([...this.plainKeys.keys(), ...this.encryptedKeys.keys()]);
    return [...all].flatMap((hex) => this.stored(hex)?.publicKey ?? []);
  }

  /** Whether it has the private key, in any form, of a key that a descriptor names. */
  has(key: KeyExpression['key']): boolean {
    const all = [this.plainKeys, this.encryptedKeys, this.contradictoryKeys];
    return publicKeysOf(key).some((one) => all.some((keys) => keys.has(bytesToHex(one))));
  }

  /** The stored form of a key that a descriptor names; null if the key is lost. */
  storedKeyOf(key: KeyExpression['key']): StoredKey | null {
    const [found = null] = publicKeysOf(key).flatMap((one) => this.stored(bytesToHex(one)) ?? []);
    return found;
  }

  /** Whether the repaired wallet lacks this key because no passphrase was given. */
  isWaiting(key: KeyExpression['key']): boolean {
    const all = publicKeysOf(key).map((one) => bytesToHex(one));
    return (
      all.some((hex) => this.foreignEncryptedKeys.has(hex)) && !all.some((hex) => this.plainKeys.has(hex))
    );
  }

  /**
   * Counts the keys outside of `kept` (hex of public keys): `waiting` for a passphrase; `lost`, because their descriptor is lost
   * or their records disagree; `closed`, because their master key is lost.
   */
  countUnusedKeys(kept: ReadonlySet<string>): { waiting: number; lost: number; closed: number } {
    const isLeft = (hex: string) => !kept.has(hex);
    const sealed = new Set([...this.encryptedKeys.keys(), ...this.contradictoryKeys]);
    const waiting = this.isEncrypted
      ? [...new Set([...sealed, ...this.plainKeys.keys()])]
      : [...sealed].filter((hex) => !this.plainKeys.has(hex));
    const all = [...new Set([...sealed, ...this.plainKeys.keys()])].filter(isLeft);
    const closed = [...this.foreignEncryptedKeys].filter(
      (hex) => !sealed.has(hex) && !this.plainKeys.has(hex),
    ).length;
    if (!this.isLocked) return { waiting: 0, lost: all.length, closed };
    const count = waiting.filter(isLeft).length;
    return { waiting: count, lost: all.length - count, closed };
  }

  /** How many private keys of a file with an encrypted wallet need no passphrase. */
  get plain(): number {
    return [...this.plainKeys.keys()].filter((hex) => this.masterKey === null || !this.encryptedKeys.has(hex))
      .length;
  }

  /** Overwrites the private keys with zeros. */
  wipe(): void {
    for (const { privateKey } of this.plainKeys.values()) privateKey.fill(0);
  }

  private stored(hex: string): StoredKey | null {
    const sealed = this.isEncrypted && this.encryptedKeys.get(hex);
    if (sealed) return { publicKey: sealed.publicKey, secret: { encrypted: sealed.encrypted } };
    const open = this.plainKeys.get(hex);
    if (!open) return null;
    const { publicKey, privateKey } = open;
    if (!this.isEncrypted) return { publicKey, secret: storedKeyOf(privateKey, publicKey) };
    // A wallet must not mix plain and encrypted keys.
    return this.masterKey
      ? { publicKey, secret: { encrypted: encryptKey(this.masterKey, publicKey, privateKey) } }
      : null;
  }

  private unlock({ records }: SalvageResult, masterKey: Uint8Array): void {
    for (const { publicKey, encrypted } of recordsByType(records).of('walletdescriptorckey')) {
      const privateKey = decryptKey(masterKey, { publicKey, encrypted });
      if (!privateKey) continue;
      this.encryptedKeys.set(bytesToHex(publicKey), { publicKey, encrypted });
      this.plainKeys.set(bytesToHex(publicKey), { publicKey, privateKey });
    }
  }

  /** A node rejects every passphrase if one key is damaged, so the key with the most copies wins. */
  private compare({ unprovedKeys, locked }: SalvageResult): void {
    const most = new Map<string, number>();
    for (const { key, count } of countEncryptedKeys([...unprovedKeys, ...locked])) {
      if (key.encrypted.length !== ENCRYPTED_SIZE) continue;
      const hex = bytesToHex(key.publicKey);
      if (!most.has(hex)) {
        most.set(hex, count);
        this.encryptedKeys.set(hex, key);
      } else if (most.get(hex) === count) {
        this.encryptedKeys.delete(hex);
        this.contradictoryKeys.add(hex);
      }
    }
  }
}

/**
 * The master key (32 bytes, secret) that a passphrase opens, and its record; null without a passphrase or an encrypted key. Tries it on
 * the keys with the most copies first: a damaged key would make the right passphrase look wrong. Throws as `findOpenableMasterKey` does.
 */
export async function masterKeyIn(
  { unprovedKeys, locked, masterKeys }: SalvageResult,
  { passphrase, isThorough }: PassphraseToTry,
): Promise<OpenedMasterKey> {
  const samples = countEncryptedKeys([...unprovedKeys, ...locked]).map(({ key }) => key);
  if (passphrase === undefined || masterKeys.length === 0 || samples.length === 0)
    return { masterKey: null, record: null, isRepaired: false };
  return findOpenableMasterKey(masterKeys, samples.slice(0, MAX_SAMPLES), { passphrase, isThorough });
}

const MAX_SAMPLES = 300;

export interface PassphraseToTry {
  /** Proves the keys of an encrypted wallet, and yields what is derived from them. */
  passphrase?: string | undefined;
  /** Whether a master key that it does not open is also tried with each bit of its salt and rounds changed, which takes some seconds. */
  isThorough?: boolean | undefined;
}

export interface OpenedMasterKey {
  /** 32 bytes, secret; null if no passphrase opened one. `record` is its record. */
  masterKey: Uint8Array | null;
  record: RawRecord | null;
  /** Whether a bit of the record was damaged. */
  isRepaired: boolean;
}

/**
 * Finds the `mkey` record of a damaged file that the passphrase opens, or repairs a bit of one. Returns it with the master key: fill it
 * with zeros after use. Throws as `masterKeyOf` does: `wrong_passphrase` if at least one record could be tried.
 */
export async function findOpenableMasterKey(
  records: readonly RawRecord[],
  samples: readonly EncryptedKey[],
  { passphrase, isThorough = false }: PassphraseToTry & { passphrase: string },
): Promise<OpenedMasterKey> {
  let failure: unknown = null;
  for (const record of records) {
    const masterKeys = recordsByType([record]).of('mkey');
    try {
      const masterKey = await masterKeyOf({ masterKeys, samples }, passphrase);
      return { masterKey, record, isRepaired: false };
    } catch (error) {
      const isWrong = error instanceof FileError && error.code === 'wrong_passphrase';
      failure = isWrong ? error : (failure ?? error);
    }
  }
  const damaged = recordsByType(records).of('mkey');
  for (const one of damaged) {
    const found = await repairMasterKey(one, samples, passphrase);
    if (found) return { masterKey: found.masterKey, record: writeRecord(found.repaired), isRepaired: true };
  }
  let rounds = isThorough && samples.length > 0 ? MOST_ROUNDS : 0;
  for (const one of damaged.flatMap(withOtherBit)) {
    rounds -= one.iterations;
    const masterKey = rounds < 0 ? null : await unlock([one], samples, passphrase);
    if (masterKey) return { masterKey, record: writeRecord(one), isRepaired: true };
  }
  throw failure ?? wrongPassphraseError();
}

/** Half a minute of work: a record with 200,000 rounds needs 15 million. Of one with over 700,000, some bits are not tried. */
const MOST_ROUNDS = 2 ** 26;

/**
 * Repairs a bit of an encrypted master key, which the passphrase and an encrypted key prove. Fill the master key with zeros after use.
 * Null if it is damaged otherwise, or the passphrase is wrong.
 */
export async function repairMasterKey<M extends EncryptedMasterKey>(
  damaged: M,
  samples: readonly EncryptedKey[],
  passphrase: string,
): Promise<{ masterKey: Uint8Array; repaired: M } | null> {
  if (!canBeTried(damaged)) return null;
  const { key, iv } = await stretchPassphrase(passphrase, damaged.salt, damaged.iterations);
  const encrypted = repairBit(damaged.encrypted, { work: MOST_WORK }, (bytes) => {
    const candidate = decrypt(key, iv, bytes);
    const isRight = candidate !== null && decryptsAny(candidate, samples);
    candidate?.fill(0);
    return isRight;
  });
  const masterKey = encrypted && decrypt(key, iv, encrypted);
  key.fill(0);
  return masterKey && { masterKey, repaired: { ...damaged, encrypted } };
}

interface EncryptedKeyCopies {
  key: RecordOfType<'walletdescriptorckey'>;
  /** Number of records with this key. */
  count: number;
}

/** Encrypted keys of descriptors without duplicates, those with the most records first. */
function countEncryptedKeys(records: readonly RawRecord[]): EncryptedKeyCopies[] {
  const found = new Map<string, EncryptedKeyCopies>();
  for (const record of records) {
    const key = recordOf('walletdescriptorckey', record);
    if (!key) continue;
    const name = toLatin1(key.publicKey) + toLatin1(key.encrypted);
    const known = found.get(name) ?? { key, count: 0 };
    known.count += 1;
    found.set(name, known);
  }
  return [...found.values()].sort((one, other) => other.count - one.count);
}

/** Renumbers `mkey` records of several wallets that share an id. */
export function renumberMasterKeys(masterKeys: readonly RawRecord[]): RawRecord[] {
  const ids = new Set(masterKeys.map(({ key }) => toLatin1(key)));
  if (ids.size === masterKeys.length) return [...masterKeys];
  return recordsByType(masterKeys)
    .of('mkey')
    .map((record, at) => writeRecord({ ...record, id: at + 1 }));
}
