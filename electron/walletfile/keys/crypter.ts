/** Decrypts wallets: a passphrase opens the master key, which opens each private key. */
import { type Cipheriv, createCipheriv, createDecipheriv, type Decipheriv, hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import { once } from '../bytes/once.ts';
import { quickHash256 } from '../bytes/quickHash.ts';
import { fromLatin1 } from '../bytes/textCoding.ts';
import { yieldsPublicKey } from './privateKey.ts';
import { withoutHybridForm } from './publicKey.ts';

/** The fields of an `mkey` record. */
export interface EncryptedMasterKey {
  /** 48 bytes: a key of 32 and its padding. */
  encrypted: Uint8Array;
  /** 8 bytes. */
  salt: Uint8Array;
  derivationMethod: number;
  iterations: number;
}

/** Bytes of an encrypted private key or master key: 32 and their padding. */
export const ENCRYPTED_SIZE = 48;

/** The fields of a `ckey` or `walletdescriptorckey` record. */
export interface EncryptedKey {
  publicKey: Uint8Array;
  encrypted: Uint8Array;
}

/**
 * Tries a passphrase on a wallet: a text as UTF-8, or bytes, for passphrases in the encodings of old systems. Returns the master
 * key (32 secret bytes, to be filled with zeros after use), or null for a wrong passphrase.
 *
 * `samples`: encrypted keys of the wallet. One of them must decrypt to its own public key; a damaged file may hold keys of another
 * wallet too. Without samples, only the padding proves the passphrase, which 1 in 256 wrong ones pass.
 *
 * Derives every master key even after a match, so that right and wrong passphrases take the same time: about half a second for a
 * recent wallet. Yields to the event loop in between. Throws `not_a_wallet` for a master key that cannot be tried, and
 * `beyond_limits` for more rounds than any release uses.
 */
export async function unlock(
  masterKeys: readonly EncryptedMasterKey[],
  samples: readonly EncryptedKey[],
  passphrase: string | Uint8Array,
): Promise<Uint8Array | null> {
  let found: Uint8Array | null = null;
  const usable = masterKeys.filter(canBeTried);
  // Wallets have one master key, or a few. A file with thousands of them would keep the app busy for days.
  if (totalIterations(usable) > MAX_ITERATIONS) throw tooManyRoundsError(totalIterations(usable));
  for (const key of usable) {
    const candidate = await openMasterKey(key, passphrase);
    const fits = candidate !== null && (samples.length === 0 || decryptsAny(candidate, samples));
    if (fits && found === null) found = candidate;
    else candidate?.fill(0);
  }
  if (found || (usable.length === masterKeys.length && masterKeys.length > 0)) return found;
  const most = Math.max(...masterKeys.map(({ iterations }) => iterations));
  throw most > MAX_ITERATIONS ? tooManyRoundsError(most) : cannotBeTriedError();
}

/**
 * About how many seconds one try of a passphrase takes on this computer. Null if it takes a moment, or exceeds the limit. The first
 * call measures the computer's speed.
 */
export function noticeableSecondsPerTry(masterKeys: readonly EncryptedMasterKey[]): number | null {
  const rounds = totalIterations(masterKeys.filter(canBeTried));
  if (rounds < MANY_ITERATIONS || rounds > MAX_ITERATIONS) return null;
  const seconds = Math.round(rounds * secondsPerRound());
  return seconds < LONG_TRY ? null : seconds;
}

/**
 * The part of a passphrase before its first zero byte; null without one. Releases before 25 used only that part, so it is worth a
 * second try.
 */
export function cutAtZero(passphrase: string): string | null {
  const zero = passphrase.indexOf('\0');
  return zero < 0 ? null : passphrase.slice(0, zero);
}

/**
 * The private key (32 bytes) of an encrypted key, or null if the master key or the bytes are wrong. Like `DecryptKey`, accepts a
 * public key in hybrid form.
 */
export function decryptKey(
  masterKey: Uint8Array,
  { publicKey, encrypted }: EncryptedKey,
  fits: (privateKey: Uint8Array, publicKey: Uint8Array) => boolean = yieldsPublicKey,
): Uint8Array | null {
  const privateKey = decrypt(masterKey, keyIv(publicKey), encrypted);
  if (!privateKey || fits(privateKey, withoutHybridForm(publicKey))) return privateKey;
  privateKey.fill(0);
  return null;
}

/** Encrypts a private key (32 bytes) to the 48 bytes in `ckey` and `walletdescriptorckey` records. */
export function encryptKey(masterKey: Uint8Array, publicKey: Uint8Array, privateKey: Uint8Array): Uint8Array {
  return resultOf(createCipheriv(AES, masterKey, keyIv(publicKey)), privateKey);
}

/** The checksum of a `ckey` record: double SHA-256 of the encrypted bytes. */
export function encryptedKeyChecksum(encrypted: Uint8Array): Uint8Array {
  return fromLatin1(quickHash256(encrypted));
}

/** Whether the master key decrypts one of the keys to its own private key. */
export function decryptsAny(masterKey: Uint8Array, samples: readonly EncryptedKey[]): boolean {
  return samples.some((sample) => {
    const privateKey = decryptKey(masterKey, sample);
    privateKey?.fill(0);
    return privateKey !== null;
  });
}

/** The only derivation method of any release. */
export const ITERATED_SHA512 = 0;
/**
 * The limit for all master keys together. Releases choose as many rounds as take 0.1 seconds, some hundred thousand. A file with
 * far more is damaged or hostile.
 */
const MAX_ITERATIONS = 50_000_000;
/** Fewer rounds take a moment on any computer. */
const MANY_ITERATIONS = 1_000_000;
/** Seconds. The user should be warned before a try that takes this long. */
const LONG_TRY = 3;
const ITERATIONS_PER_BURST = 5000;
/** About 30 ms of work between two turns of the event loop. */
const ITERATIONS_PER_TURN = 20_000;

function totalIterations(masterKeys: readonly EncryptedMasterKey[]): number {
  return masterKeys.reduce((sum, { iterations }) => sum + iterations, 0);
}

/** Seconds that one try of a passphrase takes on one core. Throws as `unlock` does, and `not_a_wallet` without samples. */
export function secondsPerTry(
  masterKeys: readonly EncryptedMasterKey[],
  samples: readonly EncryptedKey[],
): number {
  const rounds = totalIterations(masterKeys.filter(canBeTried));
  if (rounds > MAX_ITERATIONS) throw tooManyRoundsError(rounds);
  if (rounds === 0 || samples.length === 0) throw cannotBeTriedError();
  return rounds * secondsPerRound();
}

/** The fastest of five bursts: the first ones are slow, and other programs delay some. */
const secondsPerRound = once(() => {
  let quickest = Number.POSITIVE_INFINITY;
  const digest = hash('sha512', '', 'buffer');
  for (let burst = 0; burst < 5; burst += 1) {
    const since = performance.now();
    rehash(digest, ITERATIONS_PER_BURST);
    quickest = Math.min(quickest, performance.now() - since);
  }
  return quickest / 1000 / ITERATIONS_PER_BURST;
});

/** Whether a passphrase can open a master key: Bitcoin Core refuses any other (`CCrypter::SetKeyFromPassphrase`, `CCrypter::Decrypt`). */
export function isOpenable({ encrypted, salt, derivationMethod, iterations }: EncryptedMasterKey): boolean {
  const isWhole = encrypted.length === ENCRYPTED_SIZE && salt.length === 8;
  return isWhole && derivationMethod === ITERATED_SHA512 && iterations >= 1;
}

/** Whether the app tries a passphrase: a master key with more rounds than a release chooses is damaged. */
export function canBeTried(masterKey: EncryptedMasterKey): boolean {
  return isOpenable(masterKey) && masterKey.iterations <= MAX_ITERATIONS;
}

/** The number without its highest bit, if a release chooses what is left; otherwise unchanged, as an own build may choose it. */
export function likelyIterations(iterations: number): number {
  const rest = iterations - 2 ** Math.floor(Math.log2(iterations));
  return iterations > MAX_ITERATIONS && mayBeChosen(rest) ? rest : iterations;
}

/** Whether a release chooses as many rounds: at least `CMasterKey::DEFAULT_DERIVE_ITERATIONS`, and what takes 0.1 seconds. */
function mayBeChosen(iterations: number): boolean {
  return iterations >= 25_000 && iterations <= 2_000_000;
}

/** Master keys of which one bit of the salt or of the number of rounds may have been damaged, those with the fewest rounds first. */
export function withOtherBit<T extends EncryptedMasterKey>(damaged: T): T[] {
  const { salt, iterations } = damaged;
  const salts = Array.from({ length: 8 * salt.length }, (_, bit) => {
    const at = Math.floor(bit / 8);
    return { ...damaged, salt: salt.with(at, (salt[at] ?? 0) ^ (1 << (bit % 8))) };
  });
  const rounds = Array.from({ length: 31 }, (_, bit) => ({
    ...damaged,
    iterations: iterations ^ (1 << bit),
  }));
  return [...salts, ...rounds]
    .filter((one) => mayBeChosen(one.iterations) && isOpenable(one))
    .sort((one, other) => one.iterations - other.iterations);
}

async function openMasterKey(
  { encrypted, salt, iterations }: EncryptedMasterKey,
  passphrase: string | Uint8Array,
): Promise<Uint8Array | null> {
  const { key, iv } = await stretchPassphrase(passphrase, salt, iterations);
  const masterKey = decrypt(key, iv, encrypted);
  key.fill(0);
  return masterKey;
}

/** The AES key and IV of a passphrase. Source: `CCrypter::BytesToKeySHA512AES`. */
export async function stretchPassphrase(
  passphrase: string | Uint8Array,
  salt: Uint8Array,
  iterations: number,
): Promise<{ key: Uint8Array; iv: Uint8Array }> {
  const bytes = typeof passphrase === 'string' ? utf8ToBytes(passphrase) : passphrase;
  const secret = concatBytes(bytes, salt);
  const digest = hash('sha512', secret, 'buffer');
  secret.fill(0);
  for (let left = iterations - 1; left > 0; left -= ITERATIONS_PER_TURN) {
    rehash(digest, Math.min(left, ITERATIONS_PER_TURN));
    if (left > ITERATIONS_PER_TURN) await setImmediate();
  }
  const key = Uint8Array.from(digest.subarray(0, 32));
  const iv = Uint8Array.from(digest.subarray(32, 48));
  digest.fill(0);
  return { key, iv };
}

/**
 * Hashes a digest repeatedly, in place. Node returns a digest as a string in less than half the time of a buffer: see the benchmark
 * `passphrase`.
 */
function rehash(digest: Buffer, rounds: number): void {
  for (let done = 0; done < rounds; done += 1) digest.write(hash('sha512', digest, 'binary'), 'latin1');
}

function keyIv(publicKey: Uint8Array): Uint8Array {
  return fromLatin1(quickHash256(publicKey)).subarray(0, 16);
}

const AES = 'aes-256-cbc';

function resultOf(cipher: Cipheriv | Decipheriv, bytes: Uint8Array): Uint8Array {
  const start = cipher.update(bytes);
  try {
    return concatBytes(start, cipher.final());
  } finally {
    // It may be a private key.
    start.fill(0);
  }
}

/** Decrypts 32 bytes. Null for wrong padding, which is usual under a wrong key, or another length. */
export function decrypt(key: Uint8Array, iv: Uint8Array, encrypted: Uint8Array): Uint8Array | null {
  if (encrypted.length !== ENCRYPTED_SIZE) return null;
  // OpenSSL's own check of the padding takes ten times as long if it fails.
  const padded = resultOf(createDecipheriv(AES, key, iv).setAutoPadding(false), encrypted);
  const isRight = padded.subarray(32).every((byte) => byte === ENCRYPTED_SIZE - 32);
  const secret = isRight ? padded.slice(0, 32) : null;
  padded.fill(0);
  return secret;
}

function cannotBeTriedError(): FileError {
  return new FileError('not_a_wallet', { code: 'encryption_record_damaged' });
}

function tooManyRoundsError(rounds: number): FileError {
  return new FileError('beyond_limits', { code: 'too_many_rounds', rounds });
}

export function passphraseNeededError(): FileError {
  return new FileError('wallet_unlock_needed', { code: 'passphrase_needed' });
}

export function wrongPassphraseError(
  code: 'passphrase_wrong' | 'passphrase_wrong_after_zero' = 'passphrase_wrong',
): FileError {
  return new FileError('wrong_passphrase', { code });
}
