/** The private keys of a legacy wallet, proved to be whole, and the scripts that each makes by itself. */
import { AppError } from '../../../shared/errors.ts';
import { say } from '../../../shared/text/say.ts';
import { byteText } from '../bytes/byteText.ts';
import { quickHash160, quickHash256 } from '../bytes/quickHash.ts';
import { sameBytes } from '../bytes/sameBytes.ts';
import { decryptKey, encryptedKeyChecksum, encryptKey } from '../key/crypter.ts';
import { derForms, keyChecksum, readDer, readStoredKey } from '../key/privateKey.ts';
import type { Of } from '../record/recordsByType.ts';
import { readOutputScript } from '../script/script.ts';
import type { LegacyWallet } from './legacyWallet.ts';

export interface OwnKey {
  publicKey: Uint8Array;
  /** The `byteText` of the hash160 of the public key. */
  hash: string;
  metadata: Of<'keymeta'> | null;
  held: HeldKey;
}

/** A private key as records hold it. */
export type HeldKey =
  | { kind: 'plain'; der: Uint8Array; checksum: Uint8Array }
  | { kind: 'encrypted'; encrypted: Uint8Array };

export interface OwnKeys {
  /** Each public key once. */
  all: readonly OwnKey[];
  ofPublicKey(publicKey: Uint8Array): OwnKey | undefined;
  /** By the `byteText` of the hash160 of its public key. */
  ofHash(hash: string): OwnKey | undefined;
  /** By the `byteText` of the hash160 of its p2wpkh script, as p2sh addresses have it. */
  ofNestedHash(hash: string): OwnKey | undefined;
  /** The key that makes an output script by itself: p2pk, p2pkh and, compressed, p2wpkh and p2wpkh in p2sh. */
  ofScript(script: Uint8Array): OwnKey | undefined;
  /** The 32 bytes of a private key, proved to yield its public key. Throws `wallet_error` when it does not. */
  secretOf(key: OwnKey): Uint8Array;
  /** Whether a private key is the one that is held, without arithmetic on the curve. */
  holds(key: OwnKey, secret: Uint8Array): boolean;
}

/**
 * The keys of a wallet. Plain ones are proved by their checksum, or by their public key where they have none, and
 * encrypted ones by the checksum of their encrypted bytes. `masterKey` is null for a wallet without encryption.
 * Throws AppError `not_a_wallet` for damaged keys.
 */
export function ownKeys(legacy: LegacyWallet, masterKey: Uint8Array | null): OwnKeys {
  const byPublicKey = heldKeys(legacy, masterKey);
  const all = [...byPublicKey.values()];
  const byHash = new Map<string, OwnKey>();
  for (const key of all) byHash.set(key.hash, key);
  let byNestedHash: ReadonlyMap<string, OwnKey> | undefined;
  const ofPublicKey = (publicKey: Uint8Array) => byPublicKey.get(byteText(publicKey));
  const ofHash = (hash: string) => byHash.get(hash);
  const ofNestedHash = (hash: string) => {
    byNestedHash ??= nestedHashes(all);
    return byNestedHash.get(hash);
  };
  return {
    all,
    ofPublicKey,
    ofHash,
    ofNestedHash,
    ofScript(script) {
      const output = readOutputScript(script);
      if (output.kind === 'p2pk') return ofPublicKey(output.publicKey);
      if (output.kind === 'p2pkh') return ofHash(byteText(output.keyHash));
      if (output.kind === 'p2sh') return ofNestedHash(byteText(output.scriptHash));
      const key = output.kind === 'p2wpkh' ? ofHash(byteText(output.keyHash)) : undefined;
      return key && isCompressed(key.publicKey) ? key : undefined;
    },
    secretOf: (key) => secretOf(key, masterKey),
    holds: (key, secret) => holds(key, secret, masterKey),
  };
}

export function isCompressed(publicKey: Uint8Array): boolean {
  return publicKey.length === 33;
}

/** A private key (32 bytes) in the form in which a wallet with or without encryption holds it. */
export function holdKey(
  secret: Uint8Array,
  { publicKey, der, checksum }: { publicKey: Uint8Array; der: Uint8Array; checksum: Uint8Array },
  masterKey: Uint8Array | null,
): HeldKey {
  if (!masterKey) return { kind: 'plain', der, checksum };
  return { kind: 'encrypted', encrypted: encryptKey(masterKey, publicKey, secret) };
}

function heldKeys(legacy: LegacyWallet, masterKey: Uint8Array | null): Map<string, OwnKey> {
  const metadata = new Map<string, Of<'keymeta'>>();
  for (const record of legacy.metadata) metadata.set(byteText(record.publicKey), record);
  const keys = new Map<string, OwnKey>();
  let damaged = 0;
  const add = (publicKey: Uint8Array, held: HeldKey | null) => {
    const text = byteText(publicKey);
    if (!held) damaged += 1;
    else if (!keys.has(text)) {
      keys.set(text, {
        publicKey,
        hash: quickHash160(publicKey),
        metadata: metadata.get(text) ?? null,
        held,
      });
    }
  };
  for (const record of legacy.encryptedKeys) add(record.publicKey, heldEncrypted(record));
  for (const record of legacy.keys) add(record.publicKey, heldPlain(record, masterKey));
  if (damaged > 0) throw damagedKeys(damaged);
  return keys;
}

function heldPlain(record: Of<'key'>, masterKey: Uint8Array | null): HeldKey | null {
  const { publicKey, der, checksum } = record;
  if (!masterKey && checksum && isProved(publicKey, der, checksum)) return { kind: 'plain', der, checksum };
  const key = readStoredKey(record);
  return key && holdKey(key.privateKey, { publicKey, der, checksum: keyChecksum(publicKey, der) }, masterKey);
}

/** As `readStoredKey` proves it, for keys in the form in which all releases since 0.8 write them. */
function isProved(publicKey: Uint8Array, der: Uint8Array, checksum: Uint8Array): boolean {
  const { size, start } = isCompressed(publicKey) ? derForms.compressed : derForms.uncompressed;
  if (der.length !== size || !sameBytes(der.subarray(0, start.length), start)) return false;
  const whole = new Uint8Array(publicKey.length + der.length);
  whole.set(publicKey);
  whole.set(der, publicKey.length);
  return quickHash256(whole) === byteText(checksum);
}

/** Wallets before 0.20 have no checksum here. */
function heldEncrypted({ encrypted, checksum }: Of<'ckey'>): HeldKey | null {
  if (checksum && !sameBytes(checksum, encryptedKeyChecksum(encrypted))) return null;
  return { kind: 'encrypted', encrypted };
}

function secretOf({ publicKey, held }: OwnKey, masterKey: Uint8Array | null): Uint8Array {
  if (held.kind === 'plain') {
    const secret = readDer(held.der);
    if (secret) return secret;
    throw damagedKeys(1);
  }
  const secret = masterKey && decryptKey(masterKey, { publicKey, encrypted: held.encrypted });
  if (secret) return secret;
  throw new AppError(
    'wallet_error',
    say(
      'The passphrase is right, and still not all of the wallet’s keys can be decrypted: the file is damaged.',
    ),
    say('The file was not changed. Keep it, and try another copy of this backup.'),
  );
}

function holds({ publicKey, held }: OwnKey, secret: Uint8Array, masterKey: Uint8Array | null): boolean {
  if (held.kind === 'plain') return sameBytes(readDer(held.der) ?? new Uint8Array(), secret);
  // The same key and text always encrypt to the same bytes: the IV is made of the public key.
  return masterKey !== null && sameBytes(encryptKey(masterKey, publicKey, secret), held.encrypted);
}

function nestedHashes(keys: readonly OwnKey[]): Map<string, OwnKey> {
  const found = new Map<string, OwnKey>();
  // OP_0 and the hash.
  const script = new Uint8Array(22);
  script[1] = 20;
  for (const key of keys) {
    if (!isCompressed(key.publicKey)) continue;
    for (let at = 0; at < 20; at += 1) script[at + 2] = key.hash.charCodeAt(at);
    found.set(quickHash160(script), key);
  }
  return found;
}

function damagedKeys(count: number): AppError {
  return new AppError(
    'not_a_wallet',
    say(
      'The wallet file is damaged: {count, plural, one {a private key is} other {# private keys are}} not whole.',
      { count },
    ),
    say('The file was not changed. Keep it, and try another copy of this backup.'),
  );
}
