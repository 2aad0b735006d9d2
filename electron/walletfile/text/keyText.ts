/**
 * Reads a single key in the forms that people keep: WIF, BIP 38 and mini keys, and descriptors and extended keys of other programs,
 * which it rewrites in the form that Bitcoin Core reads.
 */
import { createDecipheriv, scryptSync } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, createView, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';
import type { KeyDamage } from '../../../shared/model/findings/textLines.ts';
import type { Network } from '../../../shared/model/network.ts';
import { orNull } from '../bytes/once.ts';
import { base58check, endsWithChecksum, quickHash160, quickHash256 } from '../bytes/quickHash.ts';
import { fromLatin1, toLatin1 } from '../bytes/textCoding.ts';
import { withoutChecksum } from '../descriptor/checksum.ts';
import { MAX_EXTENDED_KEY_LENGTH, versionsOf } from '../keys/extendedKey.ts';
import { makeStoredKey, type PrivateKey, readWif } from '../keys/privateKey.ts';
import { isPrivateKey, publicKeyOf } from '../keys/publicKey.ts';
import { nestedHash } from '../legacy/legacyKeys.ts';
import { addressOf, hashesIn } from '../script/address.ts';
import { hash160, makeOutputScript, readOutputScript } from '../script/script.ts';

export interface KeyTextOptions {
  /** Ignores keys of other networks; undefined accepts keys of all networks. */
  network?: Network | undefined;
  /** For BIP 38 keys. */
  passphrase?: string | undefined;
}

/** `sealed`: a BIP 38 key, and no passphrase; `wrong`: a BIP 38 key with another passphrase. Null for any other text. */
export function readKeyText(text: string, options: KeyTextOptions): PrivateKey | 'sealed' | 'wrong' | null {
  for (const network of networksOf(options)) {
    const key = readWif(text, network);
    if (key) return key;
  }
  return readMiniKey(text) ?? readSealed(text, options);
}

/** Whether it is a single key, with or without its type. */
export function isKey(text: string | undefined): boolean {
  return text !== undefined && text !== '' && readKeyText(withoutType(text), {}) !== null;
}

/** A key or an address without the type that Electrum writes before it, or the scheme of a link. */
export function withoutType(text: string): string {
  return text.replace(/^(?:p2\w+(?:-p2sh)?|bitcoin):\s*/i, '');
}

export interface RawKey {
  /** 64 digits. */
  readonly hex: string;
  /** Undefined if the text does not say. */
  readonly compressed?: boolean | undefined;
}

/** A private key in hex, as it is or as the content of a WIF, or in base64. Null for other texts. */
export function readRawKey(text: string): RawKey | null {
  // `openssl` writes a zero byte before a number with its highest bit set.
  const digits = text.replace(/^0x|^00(?=[0-9a-f]{64}$)/i, '');
  const [, hex, mark, checksum] = WIF_CONTENT.exec(digits) ?? [];
  if (HEX_64.test(digits)) return { hex: digits };
  if (hex !== undefined && (checksum === undefined || endsWithChecksum(hexToBytes(digits))))
    return { hex, compressed: mark !== undefined };
  return /^[\w+/-]{43}=$/.test(text) ? { hex: Buffer.from(text, 'base64').toString('hex') } : null;
}

export const HEX_64 = /^[0-9a-f]{64}$/i;
/** A version, the key, a mark for a compressed public key, and a checksum. */
const WIF_CONTENT = /^(?:80|ef)([0-9a-f]{64})(01)?([0-9a-f]{8})?$/i;

/**
 * The line at an index with its first groups of digits joined that may be a private key in hex, as in `0c:5f:…`, and with those of the
 * lines below that have nothing else. `end`: the index after the last line.
 */
export function withJoinedGroups(
  lines: readonly { text: string }[],
  at: number,
): { text: string; end: number } {
  const [text = '', ...below] = lines.slice(at, at + 1 + LINES_BELOW).map((line) => line.text);
  const other = below.findIndex((line) => !ONLY_GROUPS.test(line));
  const whole = [text, ...below.slice(0, other < 0 ? below.length : other)];
  const joined = joinGroups(text);
  return { text: joined === text ? joinGroups(whole.join('\n')) : joined, end: at + whole.length };
}

const ONLY_GROUPS = /^[\s>|]*[0-9a-f]{2,32}(?:[\s:.-]{1,3}[0-9a-f]{2,32})*[\s:.-]*$/i;

function joinGroups(text: string): string {
  for (const { 0: sequence, index: offset } of text.matchAll(HEX_GROUPS)) {
    const words = [...sequence.matchAll(/[0-9a-z]+/gi)];
    for (const [first, word] of words.entries()) {
      const [size, start] = [word[0].length, word.index];
      const next = words.slice(first, first + MAX_GROUPS);
      const other = next.findIndex(({ 0: { length } }) => length !== size);
      const isShorter = (next[other]?.[0].length ?? size) < size;
      const groups = other < 0 ? next : next.slice(0, other + (isShorter ? 1 : 0));
      const digits = groups.map(([group]) => group).join('');
      const end = (groups.at(-1)?.index ?? 0) + (groups.at(-1)?.[0].length ?? 0);
      if (groups.length > 1 && digits.length >= 60 && digits.length <= 76)
        return text.slice(0, offset + start) + digits + text.slice(offset + end);
    }
  }
  return text;
}

/** Words that have one letter at most that no number in hex has. */
const HEX_GROUPS = new RegExp(
  '(?<![0-9a-z])WORD(?:[\\s:.-]{1,8}WORD)+(?![0-9a-z])'.replaceAll(
    'WORD',
    '(?=[g-z]?[0-9a-f])[0-9a-f]*(?:[g-z][0-9a-f]*)?',
  ),
  'gi',
);
/** Bytes of a WIF. */
const MAX_GROUPS = 38;
const LINES_BELOW = 4;

/** What is wrong with 64 digits that somebody mistyped; null for other words and for public keys. */
export function hexDamage(text: string): Omit<KeyDamage, 'column'> | null {
  const wrong = [...text.matchAll(/[^0-9a-f]/gi)];
  const [first] = wrong;
  if (wrong.length > 2 || /^0[23][0-9a-f]{64}$/i.test(text)) return null;
  if (first && text.length === 64) return { why: 'letter', letter: first[0] };
  return { why: 'length' };
}

/**
 * The private keys in hex, if they are of Bitcoin's curve, that `openssl` writes in base64 (RFC 5915, RFC 5958) and that start on the
 * line at an index. `end`: the index after the last line of each.
 */
export function keysInPem(lines: readonly { text: string }[], at: number): { hex: string; end: number }[] {
  if (lines[at]?.text.includes('-----BEGIN') !== true) return [];
  const whole = lines.slice(at, at + 10).map(({ text }) => text.trim());
  return [...whole.join('\n').matchAll(PEM)].flatMap(({ 0: block, 2: content = '', index }) => {
    const der = Buffer.from(content.replace(NO_BASE64, ''), 'base64').toString('hex');
    const [, hex] = (der.includes(SECP256K1) && PEM_KEY.exec(der)) || [];
    const startsHere = index < (whole[0] ?? '').length;
    return hex !== undefined && startsHere ? { hex, end: at + block.split('\n').length } : [];
  });
}

const PEM = /-----BEGIN ((?:EC )?PRIVATE KEY)-----([\s\S]{1,1000}?)-----END \1-----/g;
/** The ends of lines in JSON, and the numbers of lines. The decoder skips other marks. */
const NO_BASE64 = /\\[nr]|^\W*\d{1,6}[:.)\s]/gm;
/** The id of its curve in DER. */
const SECP256K1 = '06052b8104000a';
const PEM_KEY = /0201010420([0-9a-f]{64})/;

/**
 * The multisig scripts that start on the line at an index, in hex or as the request to a node for one. `end`: the index after the last
 * line of each.
 */
export function multisigsOn(
  lines: readonly { text: string }[],
  at: number,
): { script: Uint8Array; end: number }[] {
  const { text = '' } = lines[at] ?? {};
  const starts = [...text.matchAll(MULTISIG_START)];
  if (starts.length === 0) return [];
  const whole = lines.slice(at, at + MULTISIG_LINES).map((line) => line.text);
  const below = whole.join('\n');
  return starts.flatMap(({ index }) => {
    MULTISIG.lastIndex = index;
    const [found = '', required, list = ''] = MULTISIG.exec(below) ?? [];
    const publicKeys = (list.match(PUBLIC_KEY) ?? []).map((hex) => hexToBytes(hex));
    const script =
      required === undefined
        ? orNull(() => hexToBytes(found.replace(/[^0-9a-f]/gi, '')))
        : makeOutputScript({ kind: 'multisig', required: Number(required), publicKeys });
    const isWhole = script !== null && readOutputScript(script).kind === 'multisig';
    return isWhole ? [{ script, end: at + found.split('\n').length }] : [];
  });
}

const MULTISIG_START = /(?<![0-9a-z])5[1-9a-f][24]10[2-4]|(?:create|add)multisig/gi;
/** In hex, which mail programs wrap, or the number of signatures and the keys in `createmultisig` or `addmultisigaddress`. */
const MULTISIG =
  /5[1-9a-f][24]10[2-4](?:[0-9a-f]|=?\n[ \t>|]*)+?ae(?![0-9a-z])|(?:create|add)multisig\w{0,20}\W{1,40}(?:(?:params|nrequired)\W{1,40})?(\d{1,2})\b([^\]]{66,3000})/iy;
const PUBLIC_KEY = /(?<![0-9a-z])(?:0[23][0-9a-f]{64}|04[0-9a-f]{128})(?![0-9a-z])/gi;
const MULTISIG_LINES = 30;

/** A private key of 32 bytes in Base58, in hex; null for another text. */
export function rawBase58(text = ''): string | null {
  const bytes = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) ? orNull(() => base58.decode(text)) : null;
  return bytes?.length === 32 ? bytesToHex(bytes) : null;
}

/** Reads a private key in hex, as pywallet writes it. */
export function readHexKey(text: string, compressed: boolean): PrivateKey | null {
  const privateKey = HEX_64.test(text) ? hexToBytes(text) : null;
  return privateKey && isPrivateKey(privateKey) ? { privateKey, compressed } : null;
}

/** The forms of a key in hex, compressed and not. Empty for other texts. */
export function formsOf(hex: string): PrivateKey[] {
  return [true, false].flatMap((form) => readHexKey(hex, form) ?? []);
}

/** The forms of a key, compressed or not, that have one of the addresses. */
export function formsFor(forms: readonly PrivateKey[], addresses: readonly string[]): PrivateKey[] {
  const hashes = new Set(addresses.flatMap((address) => hashesIn(address)));
  return forms.filter((key) => {
    const hash = quickHash160(makeStoredKey(key).publicKey);
    return hashes.has(hash) || (key.compressed && hashes.has(nestedHash(hash)));
  });
}

function networksOf({ network }: KeyTextOptions): readonly Network[] {
  return network === undefined ? ['main', 'testnet3'] : [network];
}

/** A mini key, as on Casascius coins: 22, 26 or 30 characters. Its hash with a question mark starts with a zero byte. */
function readMiniKey(text: string): PrivateKey | null {
  if (!/^S[1-9A-HJ-NP-Za-km-z]{21}(?:[1-9A-HJ-NP-Za-km-z]{4}){0,2}$/.test(text)) return null;
  if (sha256(utf8ToBytes(`${text}?`))[0] !== 0) return null;
  return { privateKey: sha256(utf8ToBytes(text)), compressed: false };
}

function readSealed(text: string, options: KeyTextOptions): PrivateKey | 'sealed' | 'wrong' | null {
  const sealed = readSealedKey(text);
  if (!sealed) return null;
  if (options.passphrase === undefined) return 'sealed';
  for (const network of networksOf(options)) {
    const key = openSealedKey(sealed, options.passphrase, network);
    if (key) return key;
  }
  return 'wrong';
}

/** The fields of a BIP 38 key. */
interface SealedKey {
  /** Whether another person than the owner of the passphrase made the key (EC multiplication). */
  multiplied: boolean;
  compressed: boolean;
  /** Whether it contains a lot and a sequence number. */
  hasLot: boolean;
  addressHash: Uint8Array;
  /** The 32 bytes after the address hash. */
  body: Uint8Array;
}

/** Null for any other text. */
function readSealedKey(text: string): SealedKey | null {
  if (!/^6P[1-9A-HJ-NP-Za-km-z]{56}$/.test(text)) return null;
  const bytes = orNull(() => base58check.decode(text));
  const [first, kind, flags = 0] = bytes ?? [];
  if (bytes?.length !== 39 || first !== 1 || (kind !== 0x42 && kind !== 0x43)) return null;
  return {
    multiplied: kind === 0x43,
    compressed: (flags & 0x20) !== 0,
    hasLot: (flags & 0x04) !== 0,
    addressHash: bytes.subarray(3, 7),
    body: bytes.subarray(7),
  };
}

/** Null for a wrong passphrase or another network. Takes about a second. */
function openSealedKey(sealed: SealedKey, passphrase: string, network: Network): PrivateKey | null {
  const secret = utf8ToBytes(passphrase.normalize('NFC'));
  const privateKey = orNull(() =>
    sealed.multiplied ? openMultiplied(sealed, secret) : openPlain(sealed, secret),
  );
  if (!privateKey || !isPrivateKey(privateKey)) return null;
  const publicKey = publicKeyOf(privateKey, sealed.compressed);
  const address = addressOf(makeOutputScript({ kind: 'p2pkh', keyHash: hash160(publicKey) }), network) ?? '';
  if (!quickHash256(utf8ToBytes(address)).startsWith(toLatin1(sealed.addressHash))) return null;
  return { privateKey, compressed: sealed.compressed };
}

const SLOW = { N: 16384, r: 8, p: 8 };

function openPlain({ addressHash, body }: SealedKey, secret: Uint8Array): Uint8Array {
  const derived = scryptSync(secret, addressHash, 64, SLOW);
  return xor(decrypt(derived.subarray(32), body), derived.subarray(0, 32));
}

function openMultiplied({ addressHash, body, hasLot }: SealedKey, secret: Uint8Array): Uint8Array {
  const entropy = body.subarray(0, 8);
  const before = scryptSync(secret, hasLot ? entropy.subarray(0, 4) : entropy, 32, SLOW);
  const factor = hasLot ? fromLatin1(quickHash256(concatBytes(before, entropy))) : before;
  const point = publicKeyOf(factor);
  const derived = scryptSync(point, concatBytes(addressHash, entropy), 64, { N: 1024, r: 1, p: 1 });
  const [mask, key] = [derived.subarray(0, 32), derived.subarray(32)];
  const second = xor(decrypt(key, body.subarray(16, 32)), mask.subarray(16));
  const first = xor(
    decrypt(key, concatBytes(body.subarray(8, 16), second.subarray(0, 8))),
    mask.subarray(0, 16),
  );
  const { Fn } = secp256k1.Point;
  const other = fromLatin1(quickHash256(concatBytes(first, second.subarray(8))));
  return Fn.toBytes(Fn.mul(Fn.fromBytes(factor), Fn.fromBytes(other)));
}

function decrypt(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const decipher = createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  return concatBytes(decipher.update(bytes), decipher.final());
}

function xor(one: Uint8Array, other: Uint8Array): Uint8Array {
  return one.map((byte, at) => byte ^ (other[at] ?? 0));
}

interface TypedKey {
  /** `xpub…`, `xprv…`, `tpub…` or `tprv…` of the same key. */
  readonly plain: string;
  /** The purpose (BIP 49 or 84); `multisig`: one of several keys of a script. Null for a key without a type. */
  readonly use: 49 | 84 | 'multisig' | null;
}

/** Reads a typed extended key, such as a zpub. Returns any other text unchanged. */
export function readTypedKey(text: string): TypedKey {
  const untyped = { plain: text, use: null };
  const bytes = text.length > MAX_EXTENDED_KEY_LENGTH ? null : orNull(() => base58check.decode(text));
  if (bytes?.length !== 78) return untyped;
  const version = createView(bytes).getUint32(0, false);
  const found = VERSIONS.find((one) => one.public === version || one.private === version);
  if (!found) return untyped;
  const plain = versionsOf(found.network)[found.public === version ? 'public' : 'private'];
  const head = new Uint8Array(4);
  createView(head).setUint32(0, plain, false);
  return { plain: base58check.encode(concatBytes(head, bytes.subarray(4))), use: found.use };
}

/**
 * The descriptors of a text in Bitcoin Core's form: typed keys as plain ones, `/**` (BIP 129) as two paths, and one descriptor for
 * each path of a multipath one (BIP 389). Keeps the checksum of a text that needs no change: it is valid for the whole text only.
 * Throws `bad_input` for a wrong checksum.
 */
export function plainDescriptors(text: string): string[] {
  const body = withoutChecksum(text, 'optional');
  const plain = body
    .replace(/[tuvxyzUVYZ](?:prv|pub)[1-9A-HJ-NP-Za-km-z]{100,110}/g, (key) => readTypedKey(key).plain)
    .replaceAll('/**', '/<0;1>/*');
  const several = /<([\dh';]{1,60})>/;
  const [, first] = several.exec(plain) ?? [];
  if (first === undefined) return [plain === body ? text : plain];
  return first
    .split(';')
    .map((_, at) =>
      plain.replace(new RegExp(several, 'g'), (_whole, steps: string) => steps.split(';')[at] ?? ''),
    );
}

/** A descriptor with the marks of hardened steps that its checksum is for: people write `h` for `'`, and programs other quotation marks. */
export function withRightMarks(text: string): string {
  const plain = text.replace(/(\/(?:\d+|\*))[’‘′`´]/g, "$1'");
  const isRight = (one: string) => orNull(() => withoutChecksum(one, 'optional')) !== null;
  const forms = [plain, plain.replace(/(\/(?:\d+|\*))'/g, '$1h'), plain.replace(/(\/(?:\d+|\*))h/g, "$1'")];
  return forms.find(isRight) ?? plain;
}

/** Registered at https://github.com/satoshilabs/slips/blob/master/slip-0132.md: ypub, zpub, Ypub, Zpub, upub, vpub, Upub, Vpub. */
const VERSIONS = [
  { network: 'main', use: 49, public: 0x049d7cb2, private: 0x049d7878 },
  { network: 'main', use: 84, public: 0x04b24746, private: 0x04b2430c },
  { network: 'main', use: 'multisig', public: 0x0295b43f, private: 0x0295b005 },
  { network: 'main', use: 'multisig', public: 0x02aa7ed3, private: 0x02aa7a99 },
  { network: 'testnet3', use: 49, public: 0x044a5262, private: 0x044a4e28 },
  { network: 'testnet3', use: 84, public: 0x045f1cf6, private: 0x045f18bc },
  { network: 'testnet3', use: 'multisig', public: 0x024289ef, private: 0x024285b5 },
  { network: 'testnet3', use: 'multisig', public: 0x02575483, private: 0x02575048 },
] as const;
