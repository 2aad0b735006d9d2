/** Private keys as wallet records hold them: a DER form of 214 or 279 bytes, and the proof that one is whole. */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToNumberBE, equalBytes, numberToBytesBE } from '@noble/curves/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { createBase58check } from '@scure/base';
import type { Network } from '../../../shared/network.ts';
import { orNull } from '../bytes/once.ts';
import { publicKeyOf } from './publicKey.ts';

/** A private key (32 bytes) and whether its public key is written compressed. */
export interface PrivateKey {
  privateKey: Uint8Array;
  compressed: boolean;
}

/** The fields of a `key` or `walletdescriptorkey` record that prove a private key. */
export interface StoredKey {
  publicKey: Uint8Array;
  der: Uint8Array;
  /** Null in wallets before 0.8. */
  checksum: Uint8Array | null;
}

/**
 * The private key of a record, or null when the record is damaged. The checksum over public key and DER proves
 * both; where there is none, the public key is derived and compared.
 */
export function readStoredKey({ publicKey, der, checksum }: StoredKey): PrivateKey | null {
  const privateKey = readDer(der);
  if (!privateKey) return null;
  const compressed = publicKey.length === 33;
  const proved = checksum?.some((byte) => byte !== 0)
    ? equalBytes(checksum, keyChecksum(publicKey, der))
    : belongsTo(privateKey, publicKey);
  return proved ? { privateKey, compressed } : null;
}

/** The fields of a new record for a private key of 32 bytes. `publicKey` where it is known already. */
export function makeStoredKey(
  key: PrivateKey,
  publicKey: Uint8Array = publicKeyOf(key.privateKey, key.compressed),
): StoredKey & { checksum: Uint8Array } {
  const der = writeDer(key, publicKey);
  return { publicKey, der, checksum: keyChecksum(publicKey, der) };
}

/** Whether a private key of 32 bytes yields this public key (33 or 65 bytes). */
export function belongsTo(privateKey: Uint8Array, publicKey: Uint8Array): boolean {
  if (!secp256k1.utils.isValidSecretKey(privateKey)) return false;
  return equalBytes(publicKeyOf(privateKey, publicKey.length === 33), publicKey);
}

/** The checksum of a plain key's record: double SHA-256 of public key and DER. */
export function keyChecksum(publicKey: Uint8Array, der: Uint8Array): Uint8Array {
  return sha256(sha256(concatBytes(publicKey, der)));
}

/**
 * The 32 bytes of a private key in DER form (SEC 1, C.4), or null. As lenient as `ec_seckey_import_der`: what
 * follows the number is not looked at, and a shorter number is filled with zeros on the left.
 */
export function readDer(der: Uint8Array): Uint8Array | null {
  const [sequence, sizeOfLength] = der;
  if (sequence !== SEQUENCE || (sizeOfLength !== 0x81 && sizeOfLength !== 0x82)) return null;
  const start = sizeOfLength === 0x81 ? 3 : 4;
  if (start > der.length) return null;
  if (start + Number(bytesToNumberBE(der.subarray(2, start))) > der.length) return null;
  const length = der[start + 4];
  if (!equalBytes(der.subarray(start, start + 4), VERSION_AND_KEY) || length === undefined || length > 32)
    return null;
  const number = der.subarray(start + 5, start + 5 + length);
  if (number.length !== length) return null;
  const privateKey = new Uint8Array(32);
  privateKey.set(number, 32 - length);
  return secp256k1.utils.isValidSecretKey(privateKey) ? privateKey : null;
}

/** The DER form as Bitcoin Core writes it, with the curve's parameters: 214 bytes compressed, else 279. */
export function writeDer(
  key: PrivateKey,
  publicKey: Uint8Array = publicKeyOf(key.privateKey, key.compressed),
): Uint8Array {
  const { privateKey, compressed } = key;
  const { p, n } = secp256k1.Point.CURVE();
  const field = der(SEQUENCE, der(OBJECT_ID, PRIME_FIELD), integer(p));
  const curve = der(SEQUENCE, der(OCTETS, Uint8Array.of(0)), der(OCTETS, Uint8Array.of(7)));
  const generator = der(OCTETS, secp256k1.Point.BASE.toBytes(compressed));
  const parameters = der(SEQUENCE, integer(1n), field, curve, generator, integer(n), integer(1n));
  return der(
    SEQUENCE,
    integer(1n),
    der(OCTETS, privateKey),
    der(PARAMETERS, parameters),
    der(PUBLIC_KEY, der(BITS, Uint8Array.of(0), publicKey)),
  );
}

/** How that form starts, up to the 32 bytes of the number, and how long it is. */
export const derForms = {
  compressed: { size: 214, start: hexToBytes('3081d30201010420') },
  uncompressed: { size: 279, start: hexToBytes('308201130201010420') },
} as const;

const SEQUENCE = 0x30;
const OCTETS = 0x04;
const BITS = 0x03;
const OBJECT_ID = 0x06;
const PARAMETERS = 0xa0;
const PUBLIC_KEY = 0xa1;
/** 1.2.840.10045.1.1 */
const PRIME_FIELD = Uint8Array.of(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x01, 0x01);
/** Version 1, and the tag of the octets that follow. */
const VERSION_AND_KEY = Uint8Array.of(0x02, 0x01, 0x01, OCTETS);

function der(tag: number, ...contents: Uint8Array[]): Uint8Array {
  const content = concatBytes(...contents);
  const { length } = content;
  if (length < 0x80) return concatBytes(Uint8Array.of(tag, length), content);
  if (length < 0x100) return concatBytes(Uint8Array.of(tag, 0x81, length), content);
  return concatBytes(Uint8Array.of(tag, 0x82, length >> 8, length & 0xff), content);
}

/** A positive number; a leading zero keeps the sign bit clear. */
function integer(value: bigint): Uint8Array {
  const bytes = numberToBytesBE(value, value === 1n ? 1 : 33);
  return der(0x02, bytes);
}

/** The key of a text, or null when the text is not the import format of a key of this network. */
export function readWif(text: string, network: Network): PrivateKey | null {
  if (text.length > LONGEST_WIF) return null;
  const data = orNull(() => base58check.decode(text));
  if (!data || data[0] !== versionOf(network)) return null;
  const compressed = data.length === 34 && data[33] === 1;
  if (!compressed && data.length !== 33) return null;
  const privateKey = data.slice(1, 33);
  return secp256k1.utils.isValidSecretKey(privateKey) ? { privateKey, compressed } : null;
}

/** The import format of a private key of 32 bytes. What comes out is a secret. */
export function writeWif({ privateKey, compressed }: PrivateKey, network: Network): string {
  const mark = compressed ? Uint8Array.of(1) : new Uint8Array();
  return base58check.encode(concatBytes(Uint8Array.of(versionOf(network)), privateKey, mark));
}

const base58check = createBase58check(sha256);
/** They have 52 characters at the most. Keeps the decoder from long work on long input. */
const LONGEST_WIF = 60;

function versionOf(network: Network): number {
  return network === 'main' ? 128 : 239;
}
