/** Whether a wallet's private keys are encrypted, and the records on which the app tries a passphrase. */
import { equalBytes } from '@noble/curves/utils.js';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { PassphraseVerdict } from '../../../shared/model/inspection.ts';
import { applyVariant, variantsOf } from '../../../shared/model/passphraseVariants.ts';
import { toLatin1 } from '../bytes/textCoding.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import {
  cutAtZero,
  type EncryptedKey,
  type EncryptedMasterKey,
  encryptedKeyChecksum,
  noticeableSecondsPerTry,
  passphraseNeededError,
  unlock,
  wrongPassphraseError,
} from '../keys/crypter.ts';
import { parseRecord, type RecordsByType, typeIn } from './records.ts';

/** Plain data that another thread can receive. */
export interface Encryption {
  readonly masterKeys: readonly EncryptedMasterKey[];
  /** Encrypted keys. The right master key decrypts at least one of them to its own public key. */
  readonly samples: readonly EncryptedKey[];
}

/** Null for a wallet without encryption. */
export function encryptionOf(records: RecordsByType): Encryption | null {
  // Copies, because sending a view to another thread would send the whole file.
  const masterKeys = records.of('mkey').map(({ encrypted, salt, derivationMethod, iterations }) => ({
    encrypted: encrypted.slice(),
    salt: salt.slice(),
    derivationMethod,
    iterations,
  }));
  const samples = samplesOf(records);
  if (masterKeys.length === 0 && samples.length === 0) return null;
  return { masterKeys, samples };
}

/**
 * Sorts keys first that have a right checksum and that other records name. Returns several, because a damaged key, or another
 * wallet's key in this file, would make every passphrase look wrong.
 */
function samplesOf(records: RecordsByType): EncryptedKey[] {
  const keys = records.of('ckey');
  const proved = keys.filter(
    ({ encrypted, checksum }) => checksum !== null && equalBytes(checksum, encryptedKeyChecksum(encrypted)),
  );
  const whole = proved.length > 0 ? proved : keys;
  const names = whole.length > 0 ? [...records.of('keymeta'), ...records.of('pool')] : [];
  const named = new Set(names.map(({ publicKey }) => toLatin1(publicKey)));
  const isNamed = ({ publicKey }: EncryptedKey) => named.has(toLatin1(publicKey));
  const inOrder = [
    ...whole.filter(isNamed),
    ...whole.filter((key) => !isNamed(key)),
    ...records.of('walletdescriptorckey'),
  ];
  return sampled(inOrder).map(({ publicKey, encrypted }) => ({
    publicKey: publicKey.slice(),
    encrypted: encrypted.slice(),
  }));
}

/** A try of a sample takes some microseconds, and happens only if the padding is right. */
const MAX_SAMPLES = 300;

/** The first keys, and an even selection of the rest. */
function sampled<T>(keys: readonly T[]): T[] {
  const first = keys.slice(0, MAX_SAMPLES / 2);
  const rest = keys.slice(first.length);
  const step = Math.max(1, Math.ceil(rest.length / (MAX_SAMPLES / 2)));
  return [...first, ...rest.filter((_, at) => at % step === 0)];
}

/**
 * Tries the passphrase and, if it has a zero byte, the part before that. Always tries both, so that a right passphrase takes as long
 * as a wrong one. The master key (32 bytes) is secret: fill it with zeros after use. `error`: why the encryption cannot be tried.
 */
export async function tryPassphrase(
  encryption: Encryption | null,
  passphrase: string | undefined,
): Promise<{ verdict: PassphraseVerdict; masterKey: Uint8Array | null; error?: FileError }> {
  if (encryption === null) return { verdict: 'not-encrypted', masterKey: null };
  if (passphrase === undefined) return { verdict: 'not-tried', masterKey: null };
  const whole = await tryOnce(encryption, passphrase);
  const cut = cutAtZero(passphrase);
  const start = cut === null ? WRONG : await tryOnce(encryption, cut);
  if (whole.verdict !== 'wrong') {
    start.masterKey?.fill(0);
    return whole;
  }
  return start.verdict === 'right' ? { ...start, verdict: 'right-cut-at-zero' } : start;
}

/** Like `tryPassphrase`, without the master key. Of a wrong passphrase it also tries the variants. */
export async function judgePassphrase(
  encryption: Encryption | null,
  passphrase: string | undefined,
): Promise<PassphraseVerdict> {
  const { verdict, masterKey } = await tryPassphrase(encryption, passphrase);
  masterKey?.fill(0);
  if (verdict !== 'wrong' || encryption === null || passphrase === undefined) return verdict;
  return variantVerdict(encryption, passphrase);
}

/** Which variant of a wrong passphrase is right; `wrong` if none is. */
export async function variantVerdict(encryption: Encryption, passphrase: string): Promise<PassphraseVerdict> {
  // Every passphrase has this variant, so it would double a long wait.
  const isLong = noticeableSecondsPerTry(encryption.masterKeys) !== null;
  for (const variant of variantsOf(passphrase).filter((each) => each !== 'spaced' || !isLong)) {
    const tried = await tryOnce(encryption, applyVariant(variant, passphrase));
    tried.masterKey?.fill(0);
    if (tried.verdict === 'right') return `right-${variant}`;
  }
  return 'wrong';
}

/**
 * The master key (32 bytes, secret: fill it with zeros after use). Throws `wallet_unlock_needed` without a passphrase,
 * `wrong_passphrase`, and `not_a_wallet` or `beyond_limits` for an encryption that cannot be tried.
 */
export async function masterKeyOf(
  encryption: Encryption,
  passphrase: string | undefined,
): Promise<Uint8Array> {
  // No wallet has an empty passphrase.
  if (!passphrase) throw passphraseNeededError();
  const { masterKey, error } = await tryPassphrase(encryption, passphrase);
  if (masterKey) return masterKey;
  throw error ?? wrongPassphraseError();
}

/** The index of the first right passphrase; null if all are wrong. Throws as `unlock` does. */
export async function findRightPassphrase(
  { masterKeys, samples }: Encryption,
  passphrases: readonly Uint8Array[],
): Promise<number | null> {
  for (const [at, passphrase] of passphrases.entries()) {
    const masterKey = await unlock(masterKeys, samples, passphrase);
    masterKey?.fill(0);
    if (masterKey) return at;
  }
  return null;
}

interface TryResult {
  verdict: 'right' | 'wrong' | 'cannot-be-tried' | 'too-many-rounds';
  masterKey: Uint8Array | null;
  error?: FileError;
}

const WRONG: TryResult = { verdict: 'wrong', masterKey: null };

async function tryOnce({ masterKeys, samples }: Encryption, passphrase: string): Promise<TryResult> {
  try {
    const masterKey = await unlock(masterKeys, samples, passphrase);
    return masterKey ? { verdict: 'right', masterKey } : WRONG;
  } catch (error) {
    return { verdict: verdictOf(error), masterKey: null, ...(error instanceof FileError && { error }) };
  }
}

/** What the error of a try says about the passphrase. Throws any other error. */
export function verdictOf(error: unknown): Exclude<TryResult['verdict'], 'right'> {
  const code = error instanceof FileError ? error.code : null;
  if (code === 'wrong_passphrase') return 'wrong';
  if (code === 'not_a_wallet') return 'cannot-be-tried';
  if (code === 'beyond_limits') return 'too-many-rounds';
  throw error;
}

export const PLAIN_TYPES: ReadonlySet<string> = new Set(['key', 'wkey', 'walletdescriptorkey']);
export const ENCRYPTED_TYPES: ReadonlySet<string> = new Set(['ckey', 'walletdescriptorckey']);

/**
 * Whether a wallet's private keys are encrypted. An undamaged wallet has keys of one kind. A damaged file may contain pages of another
 * wallet with keys of the other kind, which must not decide.
 *
 * `tree`: the records that the wallet's own tree reaches. `others`: all other records, in order of certainty. The tree decides. If
 * it has no keys, encrypted keys must outnumber plain keys by more than three to one: plain keys can be saved without a
 * passphrase, so a wrong guess costs nothing. `belongs`: whether another record connects a public key to the wallet.
 */
export function hasEncryptedKeys(
  tree: readonly RawRecord[],
  others: readonly (readonly RawRecord[])[],
  belongs: (publicKey: Uint8Array) => boolean = () => true,
): boolean {
  const own = keysIn(tree, () => true);
  if (own.plain + own.encrypted > 0) return own.encrypted > own.plain;
  if (hasMasterKey(tree)) return true;
  for (const records of others) {
    const { plain, encrypted } = keysIn(records, belongs);
    if (plain + encrypted > 0) return encrypted > ENCRYPTED_PER_PLAIN * plain;
  }
  return others.some(hasMasterKey);
}

const ENCRYPTED_PER_PLAIN = 3;

/** Counts the public keys that have a private key of each kind. */
function keysIn(records: readonly RawRecord[], belongs: (publicKey: Uint8Array) => boolean) {
  const plain = new Set<string>();
  const encrypted = new Set<string>();
  for (const { key, value } of records) {
    const type = typeIn(key);
    const isPlain = PLAIN_TYPES.has(type);
    if (!isPlain && !ENCRYPTED_TYPES.has(type)) continue;
    const record = parseRecord(key, value);
    if (!('publicKey' in record) || (!type.startsWith('walletdescriptor') && !belongs(record.publicKey)))
      continue;
    (isPlain ? plain : encrypted).add(toLatin1(record.publicKey));
  }
  return { plain: plain.size, encrypted: encrypted.size };
}

function hasMasterKey(records: readonly RawRecord[]): boolean {
  return records.some(({ key }) => typeIn(key) === 'mkey');
}

/** The records without private keys of the other kind, and without master keys if the keys are plain. `dropped`: number of dropped keys. */
export function withoutForeignKeys(
  tree: readonly RawRecord[],
  orphaned: readonly RawRecord[],
): { records: readonly RawRecord[]; dropped: number } {
  if (orphaned.length === 0) return { records: tree, dropped: 0 };
  const isEncrypted = hasEncryptedKeys(tree, [orphaned]);
  const others = isEncrypted ? PLAIN_TYPES : ENCRYPTED_TYPES;
  const all = [...tree, ...orphaned];
  const records = all.filter(({ key }) => {
    const type = typeIn(key);
    return !others.has(type) && (isEncrypted || type !== 'mkey');
  });
  return { records, dropped: all.filter(({ key }) => others.has(typeIn(key))).length };
}
