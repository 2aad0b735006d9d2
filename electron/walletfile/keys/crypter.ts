/** The encryption of wallets: from a passphrase to the master key, and from that to each private key. */
import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { cbc } from '@noble/ciphers/aes.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import { bytesOf } from '../bytes/byteText.ts';
import { once, orNull } from '../bytes/once.ts';
import { quickHash256 } from '../bytes/quickHash.ts';
import { belongsTo } from './privateKey.ts';
import { usualForm } from './publicKey.ts';

/** The fields of an `mkey` record. */
export interface EncryptedMasterKey {
  /** 48 bytes: a key of 32 and its padding. */
  encrypted: Uint8Array;
  /** 8 bytes. */
  salt: Uint8Array;
  derivationMethod: number;
  iterations: number;
}

/** The fields of a `ckey` or `walletdescriptorckey` record. */
export interface EncryptedKey {
  publicKey: Uint8Array;
  encrypted: Uint8Array;
}

/**
 * Tries a passphrase on a wallet: a text as UTF-8, or the bytes that an old system made of one. `samples` are
 * encrypted keys of it, one of which must decrypt to its own public key: a damaged file can have keys of another wallet
 * in it. Without any, only the padding proves the passphrase (1 in 256 wrong ones pass).
 * Every master key is derived in full whether or not one fitted, so that all answers take the same time: about
 * half a second for a wallet of our days. The event loop is let go on in between.
 * Gives the master key (32 bytes, secret: fill it with zeros after use), and null for a wrong passphrase.
 * Throws `not_a_wallet` for a master key that cannot be tried, `beyond_limits` for more rounds than any release asks
 * for.
 */
export async function unlock(
  masterKeys: readonly EncryptedMasterKey[],
  samples: readonly EncryptedKey[],
  passphrase: string | Uint8Array,
): Promise<Uint8Array | null> {
  let found: Uint8Array | null = null;
  const usable = masterKeys.filter(canBeTried);
  // A wallet has one master key, or a few. A file with thousands of them would keep the app busy for days.
  if (roundsOf(usable) > MOST_ITERATIONS) throw tooManyRounds(roundsOf(usable));
  for (const key of usable) {
    const candidate = await decryptMasterKey(key, passphrase);
    const fits = candidate !== null && (samples.length === 0 || opensOne(candidate, samples));
    if (fits && found === null) found = candidate;
    else candidate?.fill(0);
  }
  if (found || (usable.length === masterKeys.length && masterKeys.length > 0)) return found;
  const most = Math.max(...masterKeys.map(({ iterations }) => iterations));
  throw most > MOST_ITERATIONS ? tooManyRounds(most) : cannotBeTried();
}

/**
 * About how many seconds a try of a passphrase takes on this computer; null where that is a moment, or more than is
 * ever tried. A burst of rounds is measured for it, the first time.
 */
export function secondsPerTry(masterKeys: readonly EncryptedMasterKey[]): number | null {
  const rounds = roundsOf(masterKeys.filter(canBeTried));
  if (rounds < MANY_ITERATIONS || rounds > MOST_ITERATIONS) return null;
  const seconds = Math.round(rounds * secondsPerRound());
  return seconds < LONG_TRY ? null : seconds;
}

/**
 * What releases before 25 made of a passphrase with a zero byte: all before it. Null when there is none.
 * Worth a second try where the whole passphrase is wrong.
 */
export function cutAtZero(passphrase: string): string | null {
  const zero = passphrase.indexOf('\0');
  return zero < 0 ? null : passphrase.slice(0, zero);
}

/**
 * The private key (32 bytes) of an encrypted key, or null when the master key or the bytes are wrong. As `DecryptKey` does, it
 * takes a public key of hybrid form for what it stands for.
 */
export function decryptKey(masterKey: Uint8Array, { publicKey, encrypted }: EncryptedKey): Uint8Array | null {
  const privateKey = decrypt(masterKey, keyIv(publicKey), encrypted);
  if (!privateKey || belongsTo(privateKey, usualForm(publicKey))) return privateKey;
  privateKey.fill(0);
  return null;
}

/** A private key of 32 bytes as `ckey` and `walletdescriptorckey` records hold it: 48 bytes. */
export function encryptKey(masterKey: Uint8Array, publicKey: Uint8Array, privateKey: Uint8Array): Uint8Array {
  return cbc(masterKey, keyIv(publicKey)).encrypt(privateKey);
}

/** The checksum of a `ckey` record: double SHA-256 of the encrypted bytes. */
export function encryptedKeyChecksum(encrypted: Uint8Array): Uint8Array {
  return bytesOf(quickHash256(encrypted));
}

function opensOne(masterKey: Uint8Array, samples: readonly EncryptedKey[]): boolean {
  return samples.some((sample) => {
    const privateKey = decryptKey(masterKey, sample);
    privateKey?.fill(0);
    return privateKey !== null;
  });
}

const ITERATED_SHA512 = 0;
/**
 * Of all master keys together. Releases choose what takes a tenth of a second, which is some hundred thousand. Far above
 * that, a file is damaged or made to stop the app.
 */
const MOST_ITERATIONS = 50_000_000;
/** Fewer take a moment on any computer. */
const MANY_ITERATIONS = 1_000_000;
/** Seconds that are worth telling beforehand. */
const LONG_TRY = 3;
const ITERATIONS_PER_BURST = 5000;
/** About 30 ms of work between two turns of the event loop. */
const ITERATIONS_PER_TURN = 20_000;

function roundsOf(masterKeys: readonly EncryptedMasterKey[]): number {
  return masterKeys.reduce((sum, { iterations }) => sum + iterations, 0);
}

/**
 * Seconds that one try of a passphrase takes on one core. Throws as `unlock` does, and `not_a_wallet` where no
 * key can prove that a passphrase fits.
 */
export function timeOfTry(
  masterKeys: readonly EncryptedMasterKey[],
  samples: readonly EncryptedKey[],
): number {
  const rounds = roundsOf(masterKeys.filter(canBeTried));
  if (rounds > MOST_ITERATIONS) throw tooManyRounds(rounds);
  if (rounds === 0 || samples.length === 0) throw cannotBeTried();
  return rounds * secondsPerRound();
}

/** The quickest of a few bursts: the first ones are slow, and other programs hold some of them up. */
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

function canBeTried({ salt, derivationMethod, iterations }: EncryptedMasterKey): boolean {
  const iterationsFit = iterations >= 1 && iterations <= MOST_ITERATIONS;
  return derivationMethod === ITERATED_SHA512 && salt.length === 8 && iterationsFit;
}

async function decryptMasterKey(
  { encrypted, salt, iterations }: EncryptedMasterKey,
  passphrase: string | Uint8Array,
): Promise<Uint8Array | null> {
  const { key, iv } = await deriveKey(passphrase, salt, iterations);
  const masterKey = decrypt(key, iv, encrypted);
  key.fill(0);
  return masterKey;
}

/** AES key and IV of a passphrase, or of its bytes, as `CCrypter::BytesToKeySHA512AES` makes them. */
export async function deriveKey(
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
 * Hashes a digest again and again, in its place. Node gives a digest as a string in less than half of the time in which it
 * makes a buffer for it: see the benchmark `passphrase`.
 */
function rehash(digest: Buffer, rounds: number): void {
  for (let done = 0; done < rounds; done += 1) digest.write(hash('sha512', digest, 'binary'), 'latin1');
}

function keyIv(publicKey: Uint8Array): Uint8Array {
  return bytesOf(quickHash256(publicKey)).subarray(0, 16);
}

/** 32 bytes. Null for bytes whose padding is wrong, as they have it under a wrong key, and for what is no key. */
function decrypt(key: Uint8Array, iv: Uint8Array, encrypted: Uint8Array): Uint8Array | null {
  const secret = orNull(() => cbc(key, iv).decrypt(encrypted));
  if (!secret || secret.length === 32) return secret;
  secret.fill(0);
  return null;
}

function cannotBeTried(): FileError {
  return new FileError('not_a_wallet', { code: 'encryption_record_damaged' });
}

function tooManyRounds(rounds: number): FileError {
  return new FileError('beyond_limits', { code: 'too_many_rounds', rounds });
}

/** The error where the passphrase of an encrypted wallet is not given. */
export function passphraseNeeded(): FileError {
  return new FileError('wallet_unlock_needed', { code: 'passphrase_needed' });
}

/** The error for a passphrase that no master key fits. */
export function wrongPassphrase(
  code: 'passphrase_wrong' | 'passphrase_wrong_after_zero' = 'passphrase_wrong',
): FileError {
  return new FileError('wrong_passphrase', { code });
}
