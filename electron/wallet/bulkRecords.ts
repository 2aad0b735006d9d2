/**
 * The records that a wallet has by the thousand, read and written by hand: the declared shapes of `records.ts` take
 * ten times as long. What is read and written here is equal to theirs.
 */
import { ByteCursor } from './byteCursor.ts';
import type { RawRecord } from './rawRecord.ts';
import type { Of } from './recordsByType.ts';
import { textOfBytes } from './serialization.ts';

/** A `key` record. Null when it is damaged, as with all of these. */
export function readKey(record: RawRecord): Of<'key'> | null {
  return readOrNull(() => {
    const publicKey = publicKeyIn(record, 'key');
    const value = new ByteCursor(record.value);
    const der = value.takeSized();
    const checksum = checksumAtEnd(value);
    return { type: 'key', publicKey, der, checksum, ...trailing(value) };
  });
}

/** A `ckey` record. */
export function readEncryptedKey(record: RawRecord): Of<'ckey'> | null {
  return readOrNull(() => {
    const publicKey = publicKeyIn(record, 'ckey');
    const value = new ByteCursor(record.value);
    const encrypted = value.takeSized();
    const checksum = checksumAtEnd(value);
    return { type: 'ckey', publicKey, encrypted, checksum, ...trailing(value) };
  });
}

/** A `keymeta` record. */
export function readKeyMetadata(record: RawRecord): Of<'keymeta'> | null {
  return readOrNull(() => {
    const publicKey = publicKeyIn(record, 'keymeta');
    const value = new ByteCursor(record.value);
    const version = value.int32();
    const createTime = value.int64();
    const hd = version >= 10 ? { keyPath: textOfBytes(value.takeSized()), seedId: value.take(20) } : null;
    const origin = version >= 12 ? readOrigin(value) : null;
    return { type: 'keymeta', publicKey, version, createTime, hd, origin, ...trailing(value) };
  });
}

/** The address in the key of a `name`, `purpose` or `destdata` record, in bytes of UTF-8. */
export function readAddress({ key }: RawRecord): Uint8Array | null {
  return readOrNull(() => new ByteCursor(key, 1 + (key[0] ?? 0)).takeSized());
}

/** The text in the value of a `name` or `purpose` record. */
export function readText({ value }: RawRecord): string | null {
  return readOrNull(() => textOfBytes(new ByteCursor(value).takeSized()));
}

/** A `walletdescriptor` record. */
export function readDescriptor({ key, value }: RawRecord): Of<'walletdescriptor'> | null {
  return readOrNull(() => {
    const descriptorId = new ByteCursor(key, DESCRIPTOR.length).take(ID_SIZE);
    const bytes = new ByteCursor(value);
    const descriptor = textOfBytes(bytes.takeSized());
    const createTime = bytes.int64();
    const [nextIndex, rangeStart, rangeEnd] = [bytes.int32(), bytes.int32(), bytes.int32()];
    return {
      type: 'walletdescriptor',
      descriptorId,
      descriptor,
      createTime,
      nextIndex,
      rangeStart,
      rangeEnd,
    };
  });
}

/** A `walletdescriptorkey` record. */
export function readDescriptorKey({ key, value }: RawRecord): Of<'walletdescriptorkey'> | null {
  return readOrNull(() => {
    const ids = new ByteCursor(key, DESCRIPTOR_KEY.length);
    const bytes = new ByteCursor(value);
    return {
      type: 'walletdescriptorkey',
      descriptorId: ids.take(ID_SIZE),
      publicKey: ids.takeSized(),
      der: bytes.takeSized(),
      checksum: bytes.take(CHECKSUM_SIZE),
    };
  });
}

/** A `walletdescriptorckey` record. */
export function readEncryptedDescriptorKey({ key, value }: RawRecord): Of<'walletdescriptorckey'> | null {
  return readOrNull(() => {
    const ids = new ByteCursor(key, DESCRIPTOR_ENCRYPTED_KEY.length);
    return {
      type: 'walletdescriptorckey',
      descriptorId: ids.take(ID_SIZE),
      publicKey: ids.takeSized(),
      encrypted: new ByteCursor(value).takeSized(),
    };
  });
}

/** A `walletdescriptorcache` record. */
export function readDescriptorCache({ key, value }: RawRecord): Of<'walletdescriptorcache'> | null {
  return readOrNull(() => {
    const ids = new ByteCursor(key, CHILD_CACHE.length);
    return {
      type: 'walletdescriptorcache',
      descriptorId: ids.take(ID_SIZE),
      keyIndex: ids.uint32(),
      derivationIndex: ids.left > 0 ? ids.uint32() : null,
      extendedPublicKey: new ByteCursor(value).takeSized(),
    };
  });
}

/** The fields of a `walletdescriptor` record whose range starts at 0. */
export type DescriptorFields = Omit<Of<'walletdescriptor'>, 'type' | 'rangeStart' | 'trailing'>;

/** A `walletdescriptor` record. Its text is ASCII. */
export function writeDescriptor(fields: DescriptorFields): RawRecord {
  const { descriptorId, descriptor, createTime, nextIndex, rangeEnd } = fields;
  const sized = withSize(Buffer.from(descriptor, 'latin1'));
  const value = new Uint8Array(sized.length + 20);
  value.set(sized);
  const numbers = new DataView(value.buffer, sized.length);
  numbers.setBigUint64(0, BigInt(createTime), true);
  numbers.setInt32(8, nextIndex, true);
  numbers.setInt32(16, rangeEnd, true);
  return { key: join(DESCRIPTOR, descriptorId), value };
}

/** A `walletdescriptorkey` record: a private key in DER form and the checksum of it and its public key. */
export function writeDescriptorKey(
  id: Uint8Array,
  publicKey: Uint8Array,
  { der, checksum }: { der: Uint8Array; checksum: Uint8Array },
): RawRecord {
  return { key: join(DESCRIPTOR_KEY, id, withSize(publicKey)), value: join(withSize(der), checksum) };
}

/** A `walletdescriptorckey` record. */
export function writeEncryptedDescriptorKey(
  id: Uint8Array,
  publicKey: Uint8Array,
  encrypted: Uint8Array,
): RawRecord {
  return { key: join(DESCRIPTOR_ENCRYPTED_KEY, id, withSize(publicKey)), value: withSize(encrypted) };
}

/** A `walletdescriptorcache` record of one child: the 74 bytes of its extended public key. */
export function writeChildCache(
  id: Uint8Array,
  keyIndex: number,
  child: number,
  extendedKey: Uint8Array,
): RawRecord {
  const indexes = new DataView(new ArrayBuffer(8));
  indexes.setUint32(0, keyIndex, true);
  indexes.setUint32(4, child, true);
  return { key: join(CHILD_CACHE, id, new Uint8Array(indexes.buffer)), value: withSize(extendedKey) };
}

const CHECKSUM_SIZE = 32;
const ID_SIZE = 32;
const DESCRIPTOR = typePrefix('walletdescriptor');
const DESCRIPTOR_KEY = typePrefix('walletdescriptorkey');
const DESCRIPTOR_ENCRYPTED_KEY = typePrefix('walletdescriptorckey');
const CHILD_CACHE = typePrefix('walletdescriptorcache');

function readOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function publicKeyIn({ key }: RawRecord, type: string): Uint8Array {
  const cursor = new ByteCursor(key, 1 + type.length);
  const publicKey = cursor.takeSized();
  if (cursor.left > 0) throw new RangeError('the key is too long');
  return publicKey;
}

function checksumAtEnd(value: ByteCursor): Uint8Array | null {
  return value.left >= CHECKSUM_SIZE ? value.take(CHECKSUM_SIZE) : null;
}

function readOrigin(value: ByteCursor) {
  const fingerprint = value.take(4);
  const path = Array.from({ length: value.size() }, () => value.uint32());
  const known = value.byte();
  if (known > 1) throw new RangeError('neither yes nor no');
  return { fingerprint, path, known: known === 1 };
}

function trailing(value: ByteCursor): { trailing?: Uint8Array } {
  return value.left > 0 ? { trailing: value.take(value.left) } : {};
}

/** Bytes after their number. */
function withSize(bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  return length < 0xfd
    ? join(Uint8Array.of(length), bytes)
    : join(Uint8Array.of(0xfd, length & 0xff, length >> 8), bytes);
}

function join(...parts: Uint8Array[]): Uint8Array {
  let size = 0;
  for (const part of parts) size += part.length;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** How keys of a type start. */
function typePrefix(name: string): Uint8Array {
  return withSize(Buffer.from(name, 'latin1'));
}
