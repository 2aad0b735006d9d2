/**
 * The forms of private keys: in wallet records (DER, 214 or 279 bytes) and for people (WIF). Also proves that a stored key is
 * undamaged.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { equalBytes } from '@noble/curves/utils.js';
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import type { Network } from '../../../shared/model/network.ts';
import { orNull } from '../bytes/once.ts';
import { base58check, quickHash256 } from '../bytes/quickHash.ts';
import { fromLatin1, toLatin1 } from '../bytes/textCoding.ts';
import { chainParameters } from '../script/address.ts';
import { isPrivateKey, publicKeyOf } from './publicKey.ts';

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
 * The private key of a record, or null for a damaged record. The checksum proves the public key and the DER form. Without a
 * checksum, derives the public key and compares it.
 */
export function readStoredKey(
  { publicKey, der, checksum }: StoredKey,
  fits: (privateKey: Uint8Array, publicKey: Uint8Array) => boolean = yieldsPublicKey,
): PrivateKey | null {
  const privateKey = readDer(der);
  if (!privateKey) return null;
  const isProved = hasRightChecksum({ publicKey, der, checksum }) ?? fits(privateKey, publicKey);
  return isProved ? { privateKey, compressed: publicKey.length === 33 } : null;
}

/** Null for a record without a checksum. */
export function hasRightChecksum(key: StoredKey): boolean | null {
  const { publicKey, der, checksum } = key;
  return checksum && hasChecksum(key) ? toLatin1(checksum) === checksumText(publicKey, der) : null;
}

/** A checksum of zeros means none (`LoadKey` in `walletdb.cpp`). */
export function hasChecksum({ checksum }: StoredKey): boolean {
  return checksum?.some((byte) => byte !== 0) ?? false;
}

/** The fields of a new record for a private key. */
export function makeStoredKey({ privateKey, compressed }: PrivateKey): StoredKey & { checksum: Uint8Array } {
  return storedKeyOf(privateKey, publicKeyOf(privateKey, compressed));
}

/** The same for a key whose public key is known, which saves the derivation. */
export function storedKeyOf(privateKey: Uint8Array, publicKey: Uint8Array) {
  const der = writeDer(privateKey, publicKey);
  return { publicKey, der, checksum: keyChecksum(publicKey, der) };
}

/** Whether a private key (32 bytes) yields this public key (33 or 65 bytes). */
export function yieldsPublicKey(privateKey: Uint8Array, publicKey: Uint8Array): boolean {
  if (!isPrivateKey(privateKey)) return false;
  return equalBytes(publicKeyOf(privateKey, publicKey.length === 33), publicKey);
}

/** The checksum of a plain key's record: double SHA-256 of public key and DER. */
export function keyChecksum(publicKey: Uint8Array, der: Uint8Array): Uint8Array {
  return fromLatin1(checksumText(publicKey, der));
}

/** The same as `toLatin1`. Node takes these bytes from memory that other buffers share, so they must not stay there. */
function checksumText(publicKey: Uint8Array, der: Uint8Array): string {
  const both = Buffer.concat([publicKey, der]);
  const text = quickHash256(both);
  both.fill(0);
  return text;
}

/**
 * The 32 bytes of a private key in DER form (SEC 1, C.4), or null. As lenient as `ec_seckey_import_der`: it ignores everything
 * after the number, and pads a shorter number with zeros on the left.
 */
export function readDer(der: Uint8Array): Uint8Array | null {
  const [sequence, sizeOfLength] = der;
  if (sequence !== SEQUENCE || (sizeOfLength !== 0x81 && sizeOfLength !== 0x82)) return null;
  const start = sizeOfLength === 0x81 ? 3 : 4;
  if (start > der.length) return null;
  const [, , first = 0, second = 0] = der;
  if (start + (start === 3 ? first : first * 0x100 + second) > der.length) return null;
  const length = der[start + 4];
  if (!VERSION_AND_KEY.every((byte, at) => der[start + at] === byte) || length === undefined || length > 32)
    return null;
  const number = der.subarray(start + 5, start + 5 + length);
  if (number.length !== length) return null;
  const privateKey = new Uint8Array(32);
  privateKey.set(number, 32 - length);
  return isPrivateKey(privateKey) ? privateKey : null;
}

/** The DER form as Bitcoin Core writes it, with the curve's parameters: 214 bytes compressed, else 279. */
function writeDer(privateKey: Uint8Array, publicKey: Uint8Array): Uint8Array {
  const { start, parameters } = publicKey.length === 33 ? derForms.compressed : derForms.uncompressed;
  return concatBytes(start, privateKey, parameters, publicKey);
}

const { p, n, Gx, Gy } = secp256k1.Point.CURVE();
const [prime, order, x, y] = [p, n, Gx, Gy].map((number) => number.toString(16));
/** From the version of the parameters to the coefficients of the curve. */
const curve = `020101302c06072a8648ce3d0101022100${prime}300604010004010704`;

/**
 * The parts of that form: the bytes before the 32 bytes of the number, those between the number and the public key, and the total
 * size. Source: `ec_seckey_export_der` in `key.cpp`.
 */
export const derForms = {
  compressed: {
    size: 214,
    start: hexToBytes('3081d30201010420'),
    parameters: hexToBytes(`a08185308182${curve}2102${x}022100${order}020101a124032200`),
  },
  uncompressed: {
    size: 279,
    start: hexToBytes('308201130201010420'),
    parameters: hexToBytes(`a081a53081a2${curve}4104${x}${y}022100${order}020101a144034200`),
  },
} as const;

const SEQUENCE = 0x30;

/**
 * The same forms with the start for every length of the number that a wallet is likely to have: OpenSSL before 1.0.2, and so releases
 * before 0.10, left out leading zeros (`i2d_ECPrivateKey`), which one key in 256 has.
 */
export const readableDerForms = [0, 1, 2].flatMap((zeros) =>
  Object.values(derForms).map(({ size, start, parameters }) => ({
    size: size - zeros,
    /** The length of the number in bytes. */
    length: 32 - zeros,
    // Its last byte is the length of the number, and the sixth from the end is that of the whole form.
    start: start.map((byte, at) =>
      at === start.length - 1 || at === start.length - 6 ? byte - zeros : byte,
    ),
    /** Bytes from the start of the form to the public key. */
    publicKey: start.length + 32 - zeros + parameters.length,
    parameters,
  })),
);

/** Version 1, and the tag of the octets that follow. */
const VERSION_AND_KEY = Uint8Array.of(0x02, 0x01, 0x01, 0x04);

/** Reads a private key in WIF. Null for any other text, or a key of another network. */
export function readWif(text: string, network: Network): PrivateKey | null {
  if (!WIF_FORM.test(text)) return null;
  const data = orNull(() => base58check.decode(text));
  if (!data || data[0] !== chainParameters[network].wif) return null;
  const compressed = data.length === 34 && data[33] === 1;
  if (!compressed && data.length !== 33) return null;
  const privateKey = data.slice(1, 33);
  return isPrivateKey(privateKey) ? { privateKey, compressed } : null;
}

/** Writes a private key in WIF, which is a secret. */
export function writeWif({ privateKey, compressed }: PrivateKey, network: Network): string {
  const mark = compressed ? Uint8Array.of(1) : new Uint8Array();
  return base58check.encode(concatBytes(Uint8Array.of(chainParameters[network].wif), privateKey, mark));
}

/** The version byte decides the first character. A text can have thousands of other words, which Base58 decodes slowly. */
const WIF_FORM = /^(?:[59][1-9A-HJ-NP-Za-km-z]{50}|[KLc][1-9A-HJ-NP-Za-km-z]{51})$/;
