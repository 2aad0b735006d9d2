/** What of a wallet's encryption a passphrase is tried on. */
import { equalBytes } from '@noble/curves/utils.js';
import { AppError } from '../../../shared/errors.ts';
import type { PassphraseVerdict } from '../../../shared/inspection.ts';
import { byteText } from '../bytes/byteText.ts';
import {
  cutAtZero,
  type EncryptedKey,
  type EncryptedMasterKey,
  encryptedKeyChecksum,
  unlock,
  wrongPassphrase,
} from '../key/crypter.ts';
import type { RecordsByType } from './recordsByType.ts';

/** Plain data, so that it can be given to another thread. */
export interface Encryption {
  readonly masterKeys: readonly EncryptedMasterKey[];
  /** One key that must decrypt to its own public key; null where the file has none. */
  readonly sample: EncryptedKey | null;
}

/** Null for a wallet without encryption. */
export function encryptionOf(records: RecordsByType): Encryption | null {
  // Copies: the records are views, and a view takes the whole file along to the other thread.
  const masterKeys = records.of('mkey').map(({ encrypted, salt, derivationMethod, iterations }) => ({
    encrypted: encrypted.slice(),
    salt: salt.slice(),
    derivationMethod,
    iterations,
  }));
  const sample = sampleOf(records);
  if (masterKeys.length === 0 && sample === null) return null;
  const copied = sample && { publicKey: sample.publicKey.slice(), encrypted: sample.encrypted.slice() };
  return { masterKeys, sample: copied };
}

/**
 * A key that its checksum proves and that other records name, where there is one: a damaged key, or one of another wallet
 * in a page of this one, would make each passphrase look wrong.
 */
function sampleOf(records: RecordsByType): EncryptedKey | null {
  const keys = records.of('ckey');
  const proved = keys.filter(
    ({ encrypted, checksum }) => checksum !== null && equalBytes(checksum, encryptedKeyChecksum(encrypted)),
  );
  const whole = proved.length > 0 ? proved : keys;
  const named = new Set(
    [...records.of('keymeta'), ...records.of('pool')].map(({ publicKey }) => byteText(publicKey)),
  );
  const known = whole.find(({ publicKey }) => named.has(byteText(publicKey)));
  return known ?? whole[0] ?? records.of('walletdescriptorckey')[0] ?? null;
}

/**
 * Tries the passphrase and, where it has a zero byte, what is before that. Both are tried whatever comes of the
 * first, so that a right one takes as long as a wrong one. The master key (32 bytes) of a right one is secret: fill it with
 * zeros after use.
 */
export async function tryPassphrase(
  encryption: Encryption | null,
  passphrase: string | undefined,
): Promise<{ verdict: PassphraseVerdict; masterKey: Uint8Array | null }> {
  if (encryption === null) return { verdict: 'not-encrypted', masterKey: null };
  if (passphrase === undefined) return { verdict: 'not-tried', masterKey: null };
  const whole = await tried(encryption, passphrase);
  const cut = cutAtZero(passphrase);
  const start = cut === null ? WRONG : await tried(encryption, cut);
  if (whole.verdict !== 'wrong') {
    start.masterKey?.fill(0);
    return whole;
  }
  return start.verdict === 'right' ? { ...start, verdict: 'right-cut-at-zero' } : start;
}

/** Only what came of it. */
export async function passphraseVerdict(
  encryption: Encryption | null,
  passphrase: string | undefined,
): Promise<PassphraseVerdict> {
  const { verdict, masterKey } = await tryPassphrase(encryption, passphrase);
  masterKey?.fill(0);
  return verdict;
}

/**
 * The master key (32 bytes, secret: fill it with zeros after use). Throws `wrong_passphrase`, and `not_a_wallet`
 * or `beyond_limits` for an encryption that cannot be tried.
 */
export async function masterKeyOf(
  { masterKeys, sample }: Encryption,
  passphrase: string,
): Promise<Uint8Array> {
  const cut = cutAtZero(passphrase);
  const whole = await unlock(masterKeys, sample, passphrase);
  const start = cut === null ? null : await unlock(masterKeys, sample, cut);
  if (whole) start?.fill(0);
  const masterKey = whole ?? start;
  if (!masterKey) throw wrongPassphrase();
  return masterKey;
}

/** Where among the passphrases, as bytes, the first is that fits; null for none. Throws as `unlock` does. */
export async function firstThatFits(
  { masterKeys, sample }: Encryption,
  passphrases: readonly Uint8Array[],
): Promise<number | null> {
  for (const [at, passphrase] of passphrases.entries()) {
    const masterKey = await unlock(masterKeys, sample, passphrase);
    masterKey?.fill(0);
    if (masterKey) return at;
  }
  return null;
}

interface Tried {
  verdict: 'right' | 'wrong' | 'cannot-be-tried' | 'too-many-rounds';
  masterKey: Uint8Array | null;
}

const WRONG: Tried = { verdict: 'wrong', masterKey: null };

async function tried({ masterKeys, sample }: Encryption, passphrase: string): Promise<Tried> {
  try {
    const masterKey = await unlock(masterKeys, sample, passphrase);
    return masterKey ? { verdict: 'right', masterKey } : WRONG;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_a_wallet')
      return { verdict: 'cannot-be-tried', masterKey: null };
    if (error instanceof AppError && error.code === 'beyond_limits')
      return { verdict: 'too-many-rounds', masterKey: null };
    throw error;
  }
}
