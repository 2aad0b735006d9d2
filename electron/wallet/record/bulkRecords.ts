/**
 * The records that a wallet has by the thousand, read and written by hand: the declared shapes of `records.ts` take
 * ten times as long. What is read and written here is equal to theirs.
 */
import { ByteCursor } from '../bytes/byteCursor.ts';
import { bytesOf } from '../bytes/byteText.ts';
import { textOfBytes } from '../bytes/serialization.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { MOST_STEPS } from '../key/extendedKey.ts';
import { ByteSlab } from './byteSlab.ts';
import type { Of } from './recordsByType.ts';

/** A `key` record. Throws RangeError when its bytes are not what they should be, as all of these do. */
export function readKey({ key, value }: RawRecord): Of<'key'> {
  const bytes = new ByteCursor(value);
  return {
    type: 'key',
    publicKey: publicKeyIn(key, KEY.length),
    der: bytes.takeSized(),
    checksum: checksumAtEnd(bytes),
    ...trailing(bytes),
  };
}

/** A `ckey` record. */
export function readEncryptedKey({ key, value }: RawRecord): Of<'ckey'> {
  const bytes = new ByteCursor(value);
  return {
    type: 'ckey',
    publicKey: publicKeyIn(key, ENCRYPTED_KEY.length),
    encrypted: bytes.takeSized(),
    checksum: checksumAtEnd(bytes),
    ...trailing(bytes),
  };
}

/** A `keymeta` record. */
export function readKeyMetadata({ key, value }: RawRecord): Of<'keymeta'> {
  const publicKey = publicKeyIn(key, KEY_METADATA.length);
  const bytes = new ByteCursor(value);
  const version = bytes.int32();
  const createTime = bytes.int64();
  const hd = version >= 10 ? { keyPath: textOfBytes(bytes.takeSized()), seedId: bytes.take(20) } : null;
  const origin = version >= 12 ? readOrigin(bytes) : null;
  return { type: 'keymeta', publicKey, version, createTime, hd, origin, ...trailing(bytes) };
}

/** The address in the key of a `name`, `purpose` or `destdata` record, in bytes of UTF-8. Never throws. */
export function readAddress({ key }: RawRecord): Uint8Array {
  const start = 2 + (key[0] ?? 0);
  return key.subarray(start, start + (key[start - 1] ?? 0));
}

/** Whether a `name` or `purpose` record is whole. False also for one that is too unusual to tell at a glance. */
export function isAddressRecord({ key, value }: RawRecord): boolean {
  const address = 2 + (key[0] ?? 0);
  return key.length === address + shortSize(key[address - 1]) && value.length === 1 + shortSize(value[0]);
}

/** NaN for what takes more than one byte. */
function shortSize(first: number | undefined): number {
  return first !== undefined && first < LONG ? first : Number.NaN;
}

/** Whether the value of a `name` or `purpose` record is this text, given in bytes of UTF-8. */
export function hasText({ value }: RawRecord, text: Uint8Array): boolean {
  if (value[0] !== text.length || value.length <= text.length) return false;
  for (let at = 0; at < text.length; at += 1) if (value[at + 1] !== text[at]) return false;
  return true;
}

/** A `walletdescriptor` record. */
export function readDescriptor({ key, value }: RawRecord): Of<'walletdescriptor'> {
  const bytes = new ByteCursor(value);
  return {
    type: 'walletdescriptor',
    descriptorId: atEnd(new ByteCursor(key, DESCRIPTOR.length), (cursor) => cursor.take(ID_SIZE)),
    descriptor: textOfBytes(bytes.takeSized()),
    createTime: bytes.int64(),
    nextIndex: bytes.int32(),
    rangeStart: bytes.int32(),
    rangeEnd: bytes.int32(),
    ...trailing(bytes),
  };
}

/** A `walletdescriptorkey` record. */
export function readDescriptorKey({ key, value }: RawRecord): Of<'walletdescriptorkey'> {
  const bytes = new ByteCursor(value);
  return {
    type: 'walletdescriptorkey',
    ...descriptorKeyIn(key, DESCRIPTOR_KEY.length),
    der: bytes.takeSized(),
    checksum: bytes.take(CHECKSUM_SIZE),
    ...trailing(bytes),
  };
}

/** A `walletdescriptorckey` record. */
export function readEncryptedDescriptorKey({ key, value }: RawRecord): Of<'walletdescriptorckey'> {
  const bytes = new ByteCursor(value);
  return {
    type: 'walletdescriptorckey',
    ...descriptorKeyIn(key, DESCRIPTOR_ENCRYPTED_KEY.length),
    encrypted: bytes.takeSized(),
    ...trailing(bytes),
  };
}

/** A `walletdescriptorcache` record. */
export function readDescriptorCache({ key, value }: RawRecord): Of<'walletdescriptorcache'> {
  const ids = new ByteCursor(key, CACHE.length);
  return {
    type: 'walletdescriptorcache',
    descriptorId: ids.take(ID_SIZE),
    keyIndex: ids.uint32(),
    derivationIndex: ids.left > 0 ? ids.uint32() : null,
    extendedPublicKey: new ByteCursor(value).takeSized(),
  };
}

/** The fields of a `walletdescriptor` record whose range starts at 0. */
type DescriptorFields = Omit<Of<'walletdescriptor'>, 'type' | 'rangeStart' | 'trailing'>;

/** Writes records of descriptors, all of them into few large pieces of memory. */
export class DescriptorWriter {
  private readonly slab = new ByteSlab();

  /** A `walletdescriptor` record. Its text is ASCII and short of 64 KiB. */
  descriptor(fields: DescriptorFields): RawRecord {
    const { descriptorId, descriptor, createTime, nextIndex, rangeEnd } = fields;
    const numbers = new DataView(new ArrayBuffer(20));
    numbers.setUint32(0, createTime % 2 ** 32, true);
    numbers.setUint32(4, Math.floor(createTime / 2 ** 32), true);
    numbers.setInt32(8, nextIndex, true);
    numbers.setInt32(16, rangeEnd, true);
    return this.slab.record(
      [DESCRIPTOR, descriptorId],
      [sizeOf(descriptor.length), bytesOf(descriptor), new Uint8Array(numbers.buffer)],
    );
  }

  /** A `walletdescriptorkey` record: a private key in DER form and the checksum of it and its public key. */
  key(
    id: Uint8Array,
    publicKey: Uint8Array,
    { der, checksum }: { der: Uint8Array; checksum: Uint8Array },
  ): RawRecord {
    return this.slab.record(
      [DESCRIPTOR_KEY, id, sizeOf(publicKey.length), publicKey],
      [sizeOf(der.length), der, checksum],
    );
  }

  /** A `walletdescriptorckey` record. */
  encryptedKey(id: Uint8Array, publicKey: Uint8Array, encrypted: Uint8Array): RawRecord {
    return this.slab.record(
      [DESCRIPTOR_ENCRYPTED_KEY, id, sizeOf(publicKey.length), publicKey],
      [sizeOf(encrypted.length), encrypted],
    );
  }

  /** A `walletdescriptorcache` record of one child: the 74 bytes of its extended public key. */
  childKey(id: Uint8Array, keyIndex: number, child: number, extendedKey: Uint8Array): RawRecord {
    const indexes = new DataView(new ArrayBuffer(8));
    indexes.setUint32(0, keyIndex, true);
    indexes.setUint32(4, child, true);
    return this.slab.record(
      [CACHE, id, new Uint8Array(indexes.buffer)],
      [sizeOf(extendedKey.length), extendedKey],
    );
  }
}

const CHECKSUM_SIZE = 32;
const ID_SIZE = 32;
const KEY = typePrefix('key');
const ENCRYPTED_KEY = typePrefix('ckey');
const KEY_METADATA = typePrefix('keymeta');
const DESCRIPTOR = typePrefix('walletdescriptor');
const DESCRIPTOR_KEY = typePrefix('walletdescriptorkey');
const DESCRIPTOR_ENCRYPTED_KEY = typePrefix('walletdescriptorckey');
const CACHE = typePrefix('walletdescriptorcache');

function publicKeyIn(key: Uint8Array, start: number): Uint8Array {
  return atEnd(new ByteCursor(key, start), (cursor) => cursor.takeSized());
}

function descriptorKeyIn(key: Uint8Array, start: number) {
  const ids = new ByteCursor(key, start);
  return { descriptorId: ids.take(ID_SIZE), publicKey: atEnd(ids, (cursor) => cursor.takeSized()) };
}

/** The last field of a key, after which nothing may come. */
function atEnd(key: ByteCursor, read: (key: ByteCursor) => Uint8Array): Uint8Array {
  const field = read(key);
  if (key.left > 0) throw new RangeError('the key is too long');
  return field;
}

function checksumAtEnd(value: ByteCursor): Uint8Array | null {
  return value.left >= CHECKSUM_SIZE ? value.take(CHECKSUM_SIZE) : null;
}

function readOrigin(value: ByteCursor) {
  const fingerprint = value.take(4);
  const steps = value.size();
  if (steps > MOST_STEPS) throw new RangeError('the path is deeper than any key');
  const path = Array.from({ length: steps }, () => value.uint32());
  const known = value.byte();
  if (known > 1) throw new RangeError('neither yes nor no');
  return { fingerprint, path, known: known === 1 };
}

function trailing(value: ByteCursor): { trailing?: Uint8Array } {
  return value.left > 0 ? { trailing: value.take(value.left) } : {};
}

/** Sizes from this on take three bytes. */
const LONG = 0xfd;
const SHORT_SIZES = Array.from({ length: LONG }, (_, size) => Uint8Array.of(size));

/** A compact size below 64 KiB. */
function sizeOf(length: number): Uint8Array {
  return SHORT_SIZES[length] ?? Uint8Array.of(LONG, length & 0xff, length >> 8);
}

/** How keys of a type start. */
function typePrefix(name: string): Uint8Array {
  return Uint8Array.from([name.length, ...new TextEncoder().encode(name)]);
}
