/**
 * Private keys of damaged records, proved by arithmetic: a key counts where its private key yields its public key, which of
 * an encrypted one only the master key tells. A single bit that was flipped is found by the checksum. Sources:
 * `CWalletDB::WriteKey` and `WriteCryptedKey` of Bitcoin Core.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { equalBytes } from '@noble/curves/utils.js';
import { byteText } from '../bytes/byteText.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { decryptKey, encryptedKeyChecksum } from '../key/crypter.ts';
import { belongsTo, derForms, keyChecksum, makeStoredKey, readDer } from '../key/privateKey.ts';
import { recordOf, writeRecord } from '../record/records.ts';

export interface KeyProofs {
  /** 32 bytes, or null where the wallet is not encrypted or its passphrase is not known. */
  masterKey: Uint8Array | null;
  /** How many more single bits may be looked for: each takes some hundred hashes. */
  mends: number;
}

export type KeyVerdict =
  /** `record` is the one found, or a whole one in its place. */
  | { verdict: 'proved'; record: RawRecord; publicKey: Uint8Array; mended: boolean }
  | { verdict: 'unproved'; publicKey: Uint8Array }
  | { verdict: 'damaged' };

/** On a record of the type `key`, whatever is left of it. */
export function provePlainKey(found: RawRecord, proofs: KeyProofs): KeyVerdict {
  const named = publicKeyIn(found.key, PLAIN_PREFIX);
  for (const form of FORMS) {
    const secret = found.value.slice(form.secret, form.secret + 32);
    const own = found.value.slice(form.publicKey, form.publicKey + form.publicSize);
    const publicKey = [named, own].find((candidate) => candidate && belongsTo(secret, candidate));
    if (publicKey) return proved(found, secret, publicKey, recordOf('key', found)?.publicKey);
    const mended =
      named && named.length === form.publicSize ? mendPlain(found.value, named, form, proofs) : null;
    if (mended && named) return proved(found, mended, named, undefined);
  }
  return { verdict: 'damaged' };
}

/** On a record of the type `ckey`. */
export function proveEncryptedKey(found: RawRecord, proofs: KeyProofs): KeyVerdict {
  const record = recordOf('ckey', found);
  if (!record || record.encrypted.length !== ENCRYPTED_SIZE || !isPoint(record.publicKey))
    return { verdict: 'damaged' };
  const { publicKey, checksum } = record;
  const isWhole = checksum !== null && equalBytes(checksum, encryptedKeyChecksum(record.encrypted));
  const encrypted =
    isWhole || checksum === null
      ? record.encrypted
      : mendBit(record.encrypted, 0, ENCRYPTED_SIZE, proofs, (bytes) =>
          equalBytes(checksum, encryptedKeyChecksum(bytes)),
        );
  if (!encrypted) return { verdict: 'damaged' };
  const mended = encrypted !== record.encrypted;
  const whole = mended ? writeRecord({ type: 'ckey', publicKey, encrypted, checksum }) : found;
  if (proofs.masterKey) {
    const secret = decryptKey(proofs.masterKey, { publicKey, encrypted });
    secret?.fill(0);
    return secret ? { verdict: 'proved', record: whole, publicKey, mended } : { verdict: 'damaged' };
  }
  return { verdict: 'unproved', publicKey };
}

/** On records of the types `wkey` and `walletdescriptorkey`, which hold a plain key too. */
export function proveOtherKey(found: RawRecord, type: 'wkey' | 'walletdescriptorkey'): KeyVerdict {
  const record = recordOf(type, found);
  if (!record && type === 'wkey') return proveUnversioned(found);
  const secret = record && readDer(record.der);
  if (!record || !secret || !belongsTo(secret, record.publicKey)) return { verdict: 'damaged' };
  return { verdict: 'proved', record: found, publicKey: record.publicKey, mended: false };
}

/** A `wkey` record whose value begins with its key, without the version before it: a plain key comes of it. */
function proveUnversioned({ key, value }: RawRecord): KeyVerdict {
  for (const [start, { size }] of [
    [1, derForms.compressed],
    [3, derForms.uncompressed],
  ] as const) {
    const made = recordOfDer(value.subarray(start, start + size));
    if (made && byteText(key).endsWith(byteText(made.publicKey)))
      return { verdict: 'proved', ...made, mended: false };
  }
  return { verdict: 'damaged' };
}

/** On a record of the type `walletdescriptorckey`, which only its passphrase proves. */
export function proveDescriptorKey(found: RawRecord, { masterKey }: KeyProofs): KeyVerdict {
  const record = recordOf('walletdescriptorckey', found);
  if (!record || !isPoint(record.publicKey)) return { verdict: 'damaged' };
  if (!masterKey) return { verdict: 'unproved', publicKey: record.publicKey };
  const secret = decryptKey(masterKey, record);
  secret?.fill(0);
  if (!secret) return { verdict: 'damaged' };
  return { verdict: 'proved', record: found, publicKey: record.publicKey, mended: false };
}

/** What a DER form says itself that its public key is. */
export function publicKeyInDer(der: Uint8Array): Uint8Array {
  return der.slice(der.length - (der.length === derForms.compressed.size ? 33 : 65));
}

/** The whole record of a DER form that stands alone; null where its keys do not fit each other. */
export function recordOfDer(der: Uint8Array): { record: RawRecord; publicKey: Uint8Array } | null {
  const publicKey = publicKeyInDer(der);
  const secret = readDer(der);
  if (!secret || !belongsTo(secret, publicKey)) return null;
  return {
    record: writeRecord({ type: 'key', publicKey, der: der.slice(), checksum: keyChecksum(publicKey, der) }),
    publicKey,
  };
}

/** The key record of a private key of 32 bytes. */
export function plainKeyRecord(privateKey: Uint8Array, compressed: boolean): RawRecord {
  return writeRecord({ type: 'key', ...makeStoredKey({ privateKey, compressed }) });
}

/** Whether bytes are a public key: of its size, and on the curve. */
export function isPoint(bytes: Uint8Array): boolean {
  try {
    secp256k1.Point.fromBytes(bytes);
    return bytes.length === 33 || bytes.length === 65;
  } catch {
    return false;
  }
}

/** Where the parts of a value stand that has a DER form after its size. */
const FORMS = [
  { secret: 9, publicKey: 182, publicSize: 33, size: 214, der: 1 },
  { secret: 12, publicKey: 217, publicSize: 65, size: 279, der: 3 },
] as const;
type Form = (typeof FORMS)[number];

const PLAIN_PREFIX = '\x03key';
const ENCRYPTED_SIZE = 48;

function publicKeyIn(key: Uint8Array, prefix: string): Uint8Array | null {
  const size = key[prefix.length] ?? 0;
  const bytes = key.subarray(prefix.length + 1);
  return byteText(key.subarray(0, prefix.length)) === prefix &&
    bytes.length === size &&
    (size === 33 || size === 65)
    ? bytes
    : null;
}

function proved(
  found: RawRecord,
  secret: Uint8Array,
  publicKey: Uint8Array,
  written: Uint8Array | undefined,
): KeyVerdict {
  const parsed = recordOf('key', found);
  const isWhole =
    parsed !== null &&
    written !== undefined &&
    equalBytes(written, publicKey) &&
    equalBytes(readDer(parsed.der) ?? new Uint8Array(), secret) &&
    (parsed.checksum === null || equalBytes(parsed.checksum, keyChecksum(publicKey, parsed.der)));
  const record = isWhole ? found : plainKeyRecord(secret, publicKey.length === 33);
  return { verdict: 'proved', record, publicKey: publicKey.slice(), mended: !isWhole };
}

/** The private key with one bit turned back, as the checksum of public key and DER proves it. */
function mendPlain(
  value: Uint8Array,
  publicKey: Uint8Array,
  form: Form,
  proofs: KeyProofs,
): Uint8Array | null {
  const der = value.subarray(form.der, form.der + form.size);
  const checksum = value.subarray(form.der + form.size, form.der + form.size + 32);
  if (der.length !== form.size || checksum.length !== 32) return null;
  const start = form.secret - form.der;
  const whole = mendBit(der, start, start + 32, proofs, (bytes) =>
    equalBytes(checksum, keyChecksum(publicKey, bytes)),
  );
  const secret = whole?.slice(start, start + 32) ?? null;
  return secret && belongsTo(secret, publicKey) ? secret : null;
}

/** A copy with one bit of a range turned, for which a proof holds. */
function mendBit(
  bytes: Uint8Array,
  start: number,
  end: number,
  proofs: KeyProofs,
  holds: (bytes: Uint8Array) => boolean,
): Uint8Array | null {
  if (proofs.mends <= 0) return null;
  proofs.mends -= 1;
  const copy = bytes.slice();
  for (let at = start; at < end; at += 1) {
    const before = copy[at] ?? 0;
    for (let bit = 1; bit < 0x100; bit *= 2) {
      copy[at] = before ^ bit;
      if (holds(copy)) return copy;
    }
    copy[at] = before;
  }
  return null;
}
