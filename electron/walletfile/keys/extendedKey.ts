/** Extended keys (BIP 32): their text and record forms, and the derivation of child keys. */
import { createHmac } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { equalBytes } from '@noble/curves/utils.js';
import { bytesToHex, concatBytes, createView, utf8ToBytes } from '@noble/hashes/utils.js';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { Network } from '../../../shared/model/network.ts';
import { orNull, rememberLatest } from '../bytes/once.ts';
import { base58check } from '../bytes/quickHash.ts';
import { hash160 } from '../script/script.ts';
import { isPrivateKey, isPublicKey, publicKeyOf, tweakedPublicKey } from './publicKey.ts';

/** A public node of a key tree. `parentFingerprint` and `childNumber` are unsigned 32-bit numbers. */
export interface ExtendedPublicKey {
  depth: number;
  parentFingerprint: number;
  childNumber: number;
  /** 32 bytes. */
  chainCode: Uint8Array;
  /** 33 bytes. */
  publicKey: Uint8Array;
}

/** A node with its private key (32 bytes), from which all keys below it can be derived. */
export interface ExtendedPrivateKey extends ExtendedPublicKey {
  privateKey: Uint8Array;
}

/** The offset of hardened child numbers. */
export const HARDENED = 0x80000000;

/** Extended keys have 111 characters. The limit keeps the decoder fast on long input. */
export const MAX_EXTENDED_KEY_LENGTH = 120;

/** The most steps below a root: BIP 32 stores the depth in one byte. */
export const MAX_STEPS = 255;

/** The root of the key tree of a seed of 16 to 64 bytes (the legacy wallet's seed is a private key of 32). */
export function extendedKeyOfSeed(seed: Uint8Array): ExtendedPrivateKey {
  const derived = hmacSha512(utf8ToBytes('Bitcoin seed'), seed);
  const privateKey = derived.slice(0, 32);
  const publicKey = publicKeyOf(privateKey);
  const place = { depth: 0, parentFingerprint: 0, childNumber: 0 };
  return { ...place, chainCode: derived.slice(32), privateKey, publicKey };
}

/** The latest public key and its text: the descriptors of a wallet have one root, and Base58 takes most of their time. */
let latest: { readonly text: string; readonly version: number; readonly key: ExtendedPublicKey } | null =
  null;

/** Reads an `xpub…`, `xprv…`, `tpub…` or `tprv…`. Null for any other text, or a key of another network. */
export function readExtendedKey(
  text: string,
  network: Network,
): ExtendedPublicKey | ExtendedPrivateKey | null {
  if (text.length > MAX_EXTENDED_KEY_LENGTH) return null;
  const versions = versionsOf(network);
  if (latest?.text === text && latest.version === versions.public) return latest.key;
  const bytes = orNull(() => base58check.decode(text));
  if (bytes?.length !== 4 + RECORD_LENGTH) return null;
  const isPrivate = bytes[45] === 0;
  if (createView(bytes).getUint32(0) !== (isPrivate ? versions.private : versions.public)) return null;
  const record = bytes.slice(4);
  if (!isPrivate) {
    const key = readExtendedPublicKeyRecord(record);
    if (key !== null) latest = { text, version: versions.public, key };
    return key;
  }
  const privateKey = record.slice(42);
  if (!isPrivateKey(privateKey)) return null;
  const key = { ...readRecord(record), publicKey: publicKeyOf(privateKey), privateKey };
  return hasValidParent(key) ? key : null;
}

/** The `xpub…` or `tpub…` of a key. */
export function writeExtendedPublicKey(key: ExtendedPublicKey, network: Network): string {
  const version = versionsOf(network).public;
  if (latest?.key === key && latest.version === version) return latest.text;
  return encode(version, extendedPublicKeyRecord(key));
}

/** The `xprv…` or `tprv…` of a key, which is a secret. */
export function writeExtendedPrivateKey(key: ExtendedPrivateKey, network: Network): string {
  const secret = concatBytes(Uint8Array.of(0), key.privateKey);
  return encode(versionsOf(network).private, record(key, secret));
}

/** The 74 bytes of a public node in wallet files, without its network. */
export function extendedPublicKeyRecord(key: ExtendedPublicKey): Uint8Array {
  return record(key, key.publicKey);
}

/** The reverse of `extendedPublicKeyRecord`. Null for bytes that are not a valid key. */
export function readExtendedPublicKeyRecord(bytes: Uint8Array): ExtendedPublicKey | null {
  if (bytes.length !== RECORD_LENGTH) return null;
  const key = { ...readRecord(bytes), publicKey: bytes.slice(41) };
  return hasValidParent(key) && isPublicKey(key.publicKey) ? key : null;
}

export function isSameNode(one: ExtendedPublicKey, other: ExtendedPublicKey): boolean {
  return equalBytes(extendedPublicKeyRecord(one), extendedPublicKeyRecord(other));
}

/** The fields before the key. */
function readRecord(bytes: Uint8Array): Omit<ExtendedPublicKey, 'publicKey'> {
  const view = createView(bytes);
  return {
    depth: view.getUint8(0),
    parentFingerprint: view.getUint32(1),
    childNumber: view.getUint32(5),
    chainCode: bytes.slice(9, 41),
  };
}

/** A root has no parent (`CExtPubKey::Decode`). */
function hasValidParent({ depth, parentFingerprint, childNumber }: ExtendedPublicKey): boolean {
  return depth > 0 || (parentFingerprint === 0 && childNumber === 0);
}

/** The same node without its private key. */
export function withoutPrivateKey(key: ExtendedPublicKey): ExtendedPublicKey {
  const { depth, parentFingerprint, childNumber, chainCode, publicKey } = key;
  return { depth, parentFingerprint, childNumber, chainCode, publicKey };
}

/**
 * The node at the end of a path of child numbers. Throws `bad_input` for a hardened step from a public key, and for a path longer
 * than 255 steps.
 */
export function deriveChild(key: ExtendedPrivateKey, path: readonly number[]): ExtendedPrivateKey;
export function deriveChild(key: ExtendedPublicKey, path: readonly number[]): ExtendedPublicKey;
export function deriveChild(key: ExtendedPublicKey | ExtendedPrivateKey, path: readonly number[]) {
  if (path.length === 0) return key;
  try {
    return 'privateKey' in key ? path.reduce(privateChild, key) : path.reduce(publicChild, key);
  } catch {
    const isTooLong = 'privateKey' in key || path.every((child) => child < HARDENED);
    throw new FileError('bad_input', { code: isTooLong ? 'key_path_too_long' : 'private_key_needed' });
  }
}

/** Returns a function that derives the private key (32 bytes) and the chain code of a child, by its number. */
export function privateChildDeriver(
  parent: ExtendedPrivateKey,
): (childNumber: number) => { privateKey: Uint8Array; chainCode: Uint8Array } {
  const { Fn } = secp256k1.Point;
  const parentNumber = Fn.fromBytes(parent.privateKey);
  const data = new Uint8Array(37);
  return (childNumber) => {
    data.fill(0);
    if (childNumber < HARDENED) data.set(parent.publicKey);
    else data.set(parent.privateKey, 1);
    createView(data).setUint32(33, childNumber, false);
    const derived = hmacSha512(parent.chainCode, data);
    // Fn throws for numbers beyond the order of the curve. The chance is 1 in 2^127.
    const privateKey = Fn.toBytes(Fn.add(Fn.fromBytes(derived.subarray(0, 32)), parentNumber));
    return { privateKey, chainCode: derived.slice(32) };
  };
}

/**
 * Returns a function that derives the public key (33 bytes) of an unhardened child, by its number. Caches keys, because the app
 * derives a wallet's keys several times: for an inspection, a plan and the proof.
 */
export function publicChildDeriver(parent: ExtendedPublicKey): (childNumber: number) => Uint8Array {
  const derive = derivePublic(parent);
  const known = derivedBelow(bytesToHex(concatBytes(parent.publicKey, parent.chainCode)), () => new Map());
  return (childNumber) => {
    const before = known.get(childNumber);
    if (before !== undefined) return before;
    const { publicKey } = derive(childNumber);
    if (known.size < MAX_REMEMBERED) known.set(childNumber, publicKey);
    return publicKey;
  };
}

/**
 * The public keys of a parent by child number, by its public key and chain code. A cached key takes about 200 bytes, so 40 parents
 * with 2,000 keys each take 16 MB.
 */
const derivedBelow = rememberLatest<Map<number, Uint8Array>>(40);
const MAX_REMEMBERED = 2000;

function derivePublic(parent: ExtendedPublicKey) {
  const data = concatBytes(parent.publicKey, new Uint8Array(4));
  return (childNumber: number) => {
    createView(data).setUint32(33, childNumber, false);
    const derived = hmacSha512(parent.chainCode, data);
    const publicKey = tweakedPublicKey(parent.publicKey, derived.subarray(0, 32));
    return { publicKey, chainCode: derived.slice(32) };
  };
}

/** The fingerprint that names a key in key origins: the first four bytes of its hash160 in hex. */
export function fingerprintOf(publicKey: Uint8Array): string {
  return bytesToHex(hash160(publicKey).subarray(0, 4));
}

/**
 * The child numbers of a path such as `m/84h/1'/0H/0`, with or without `m`; hardened ones include `HARDENED`. Null for a path with
 * too many steps, or a step that is not a number below 2^31 with at most one mark.
 */
export function readPath(text: string): number[] | null {
  if (text.length > MAX_PATH_TEXT_LENGTH) return null;
  const steps = text.replace(/^m(?=\/|$)/, '').replace(/^\//, '');
  if (steps === '') return text === '' || text === 'm' ? [] : null;
  const path: number[] = [];
  for (const step of steps.split('/')) {
    const [, digits = '', mark] = /^(\d{1,10})([h'H])?$/.exec(step) ?? [];
    const number = Number(digits);
    if (digits === '' || number >= HARDENED) return null;
    path.push(mark === undefined ? number : number + HARDENED);
  }
  return path.length > MAX_STEPS ? null : path;
}

/** Writes child numbers as `/84h/1h/0h`. Empty without steps. */
export function writePath(path: readonly number[], mark: HardenedMark = 'h'): string {
  return path.map((child) => (child < HARDENED ? `/${child}` : `/${child - HARDENED}${mark}`)).join('');
}

/** The mark of a hardened step in text. */
export type HardenedMark = 'h' | "'";

/** `m`, and a slash, ten digits and a mark for each step. */
const MAX_PATH_TEXT_LENGTH = 1 + 12 * MAX_STEPS;
const RECORD_LENGTH = 74;

const mainVersions = { public: 0x0488b21e, private: 0x0488ade4 };
const testVersions = { public: 0x043587cf, private: 0x04358394 };

/** The first four bytes of extended keys, as numbers. */
export function versionsOf(network: Network): { public: number; private: number } {
  return network === 'main' ? mainVersions : testVersions;
}

function privateChild(parent: ExtendedPrivateKey, childNumber: number): ExtendedPrivateKey {
  const { privateKey, chainCode } = privateChildDeriver(parent)(childNumber);
  return { ...placeBelow(parent, childNumber), chainCode, privateKey, publicKey: publicKeyOf(privateKey) };
}

function publicChild(parent: ExtendedPublicKey, childNumber: number): ExtendedPublicKey {
  if (childNumber >= HARDENED) throw new RangeError('hardened');
  return { ...placeBelow(parent, childNumber), ...derivePublic(parent)(childNumber) };
}

function placeBelow(parent: ExtendedPublicKey, childNumber: number) {
  if (parent.depth >= MAX_STEPS) throw new RangeError('too deep');
  const parentFingerprint = createView(hash160(parent.publicKey)).getUint32(0, false);
  return { depth: parent.depth + 1, parentFingerprint, childNumber };
}

/** 64 bytes. Node's own HMAC is fast from the first call on. */
function hmacSha512(key: Uint8Array, data: Uint8Array): Uint8Array {
  return new Uint8Array(createHmac('sha512', key).update(data).digest());
}

function record(key: ExtendedPublicKey, keyBytes: Uint8Array): Uint8Array {
  return concatBytes(
    Uint8Array.of(key.depth),
    uint32(key.parentFingerprint),
    uint32(key.childNumber),
    key.chainCode,
    keyBytes,
  );
}

function encode(version: number, bytes: Uint8Array): string {
  return base58check.encode(concatBytes(uint32(version), bytes));
}

function uint32(number: number): Uint8Array {
  const bytes = new Uint8Array(4);
  createView(bytes).setUint32(0, number, false);
  return bytes;
}
