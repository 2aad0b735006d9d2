/**
 * Bitcoin's serialization (`serialize.h`): coders for numbers, sizes, byte strings, texts and hashes, and for structures of
 * them. A structure is declared once, for reading and writing.
 */
import { hexToBytes } from '@noble/hashes/utils.js';
import { decodeUtf8, encodeUtf8 } from './textCoding.ts';

export interface Coder<T> {
  /** `before`: the preceding fields of its structure. Throws RangeError for invalid bytes. */
  read(from: ByteReader, before: Fields): T;
  /** `fields`: all fields of its structure. Throws RangeError for a value that it cannot represent. */
  write(to: ByteWriter, value: T, fields: Fields): void;
}

/** The coders of a structure's fields, in their order. */
type Shape<T> = { readonly [K in keyof T]: Coder<T[K]> };
export type ValuesOf<S> = { -readonly [K in keyof S]: S[K] extends Coder<infer T> ? T : never };

type Fields = Readonly<Record<string, unknown>>;
type AnyShape = Readonly<Record<string, Coder<unknown>>>;

/** Reads bytes in order. Every method throws RangeError if too few bytes are left. */
export class ByteReader {
  /** Starts at the offset `at`. */
  constructor(
    private readonly bytes: Uint8Array,
    private at = 0,
  ) {}

  get left(): number {
    return this.bytes.length - this.at;
  }

  /** A view of the next bytes. */
  take(size: number): Uint8Array {
    const start = this.at;
    const end = start + size;
    if (end > this.bytes.length) throw new RangeError('the bytes end too soon');
    this.at = end;
    return this.bytes.subarray(start, end);
  }

  /** A view of the last bytes that were read. */
  latest(size: number): Uint8Array {
    return this.bytes.subarray(this.at - size, this.at);
  }

  byte(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined) throw new RangeError('the bytes end too soon');
    this.at += 1;
    return byte;
  }

  uint16(): number {
    return this.byte() + this.byte() * 0x100;
  }

  uint32(): number {
    return this.uint16() + this.uint16() * 0x10000;
  }

  /** A length or count in 1, 3, 5 or 9 bytes. Throws RangeError for a longer form than needed, and above `MAX_SIZE`. */
  size(): number {
    const first = this.byte();
    if (first < LONG_SIZE) return first;
    const size = first === LONG_SIZE ? this.uint16() : this.uint32();
    if (size < (first === LONG_SIZE ? LONG_SIZE : 0x10000)) throw new RangeError('size longer than needed');
    if (first > LONG_SIZE + 1 || size > MAX_SIZE) throw new RangeError('size too large');
    return size;
  }
}

/**
 * Writes many byte strings into a few large arrays, because a separate array for each would take more memory than its
 * content.
 */
export class ByteWriter {
  private piece: Uint8Array = new Uint8Array(FIRST_PIECE);
  private start = 0;
  private at = 0;

  /** Number of bytes written since the last `take`. */
  get size(): number {
    return this.at - this.start;
  }

  /** The position of the bytes written since the last call. */
  take(): { piece: Uint8Array; start: number; end: number } {
    const { piece, start, at: end } = this;
    this.start = end;
    return { piece, start, end };
  }

  /** An unsigned integer, little endian. */
  uint(value: number, size: number): void {
    if (!Number.isInteger(value) || value < 0 || value >= 2 ** (8 * size))
      throw new RangeError('no such number');
    this.reserve(size);
    for (let rest = value, left = size; left > 0; left -= 1) {
      this.piece[this.at] = rest % 0x100;
      this.at += 1;
      rest = Math.floor(rest / 0x100);
    }
  }

  bytes(value: Uint8Array): void {
    this.reserve(value.length);
    this.piece.set(value, this.at);
    this.at += value.length;
  }

  /** A length or count in the shortest form. */
  writeSize(size: number): void {
    if (size > MAX_SIZE) throw new RangeError('size too large');
    const bytes = size < LONG_SIZE ? 1 : size <= 0xffff ? 2 : 4;
    if (bytes > 1) this.uint(bytes === 2 ? LONG_SIZE : LONG_SIZE + 1, 1);
    this.uint(size, bytes);
  }

  private reserve(size: number): void {
    if (this.at + size <= this.piece.length) return;
    const unfinished = this.piece.subarray(this.start, this.at);
    const usual = Math.min(2 * this.piece.length, MAX_PIECE_SIZE);
    this.piece = new Uint8Array(Math.max(usual, 2 * (unfinished.length + size)));
    this.piece.set(unfinished);
    this.start = 0;
    this.at = unfinished.length;
  }
}

const FIRST_PIECE = 0x100;
const MAX_PIECE_SIZE = 0x10000;
/** The largest size that Bitcoin Core accepts (`MAX_SIZE`). It bounds the memory that a length can claim. */
const MAX_SIZE = 0x02000000;
/** Sizes from here on take more than one byte. */
const LONG_SIZE = 0xfd;

/** The bytes of a value. Throws RangeError for a value that the coder cannot represent. */
export function encode<T>(coder: Coder<T>, value: T): Uint8Array {
  const to = new ByteWriter();
  coder.write(to, value, NONE);
  const { piece, start, end } = to.take();
  return piece.slice(start, end);
}

const NONE: Fields = {};

export const uint8: Coder<number> = { read: (from) => from.byte(), write: (to, value) => to.uint(value, 1) };

export const uint32: Coder<number> = {
  read: (from) => from.uint32(),
  write: (to, value) => to.uint(value, 4),
};

export const int32: Coder<number> = {
  read: (from) => from.uint32() | 0,
  write: (to, value) => to.uint(value < 0 ? value + 2 ** 32 : value, 4),
};

export const uint64: Coder<bigint> = {
  read: (from) => BigInt(from.uint32()) + (BigInt(from.uint32()) << 32n),
  write(to, value) {
    to.uint(Number(value & 0xffffffffn), 4);
    to.uint(Number(value >> 32n), 4);
  },
};

export const int64: Coder<bigint> = {
  read(from) {
    const low = from.uint32();
    const high = from.uint32() | 0;
    const value = high * 2 ** 32 + low;
    // One small BigInt instead of four: a large wallet has millions of amounts.
    return Number.isSafeInteger(value) ? BigInt(value) : (BigInt(high) << 32n) + BigInt(low);
  },
  write: (to, value) => uint64.write(to, BigInt.asUintN(64, value), NONE),
};

/** A signed integer in eight bytes, most often Unix seconds, of which 0 and 1 mean "unknown". */
export const int64AsNumber: Coder<number> = {
  read(from) {
    const low = from.uint32();
    const value = (from.uint32() | 0) * 2 ** 32 + low;
    if (!Number.isSafeInteger(value)) throw new RangeError('the number is too large');
    return value;
  },
  write(to, value) {
    const high = Math.floor(value / 2 ** 32);
    to.uint(value - high * 2 ** 32, 4);
    int32.write(to, high, NONE);
  },
};

export const bool: Coder<boolean> = {
  read(from) {
    const byte = from.byte();
    if (byte > 1) throw new RangeError('neither true nor false');
    return byte === 1;
  },
  write: (to, value) => to.uint(value ? 1 : 0, 1),
};

/** A byte string of fixed size. Reading returns a view, as for all byte strings. */
export function bytes(size: number): Coder<Uint8Array> {
  return {
    read: (from) => from.take(size),
    write(to, value) {
      if (value.length !== size) throw new RangeError('too many bytes or too few');
      to.bytes(value);
    },
  };
}

/** All bytes that are left. */
export const rest: Coder<Uint8Array> = {
  read: (from) => from.take(from.left),
  write: (to, value) => to.bytes(value),
};

/** A byte string after its length. */
export const bytesWithSize: Coder<Uint8Array> = {
  read: (from) => from.take(from.size()),
  write(to, value) {
    to.writeSize(value.length);
    to.bytes(value);
  },
};

/** A hash in displayed form: hex, the last byte first. */
export const hash: Coder<string> = {
  read: (from) => Buffer.from(from.take(32)).reverse().toString('hex'),
  write: (to, value) => bytes(32).write(to, hexToBytes(value).reverse(), NONE),
};

/** UTF-8 text after its length in bytes. */
export const text: Coder<string> = {
  read: (from) => decodeUtf8(bytesWithSize.read(from, NONE)),
  write: (to, value) => bytesWithSize.write(to, encodeUtf8(value), NONE),
};

/** Items after their count. Throws RangeError for more than `most` items. */
export function list<T>(item: Coder<T>, most = MAX_SIZE): Coder<T[]> {
  return {
    read(from) {
      const count = from.size();
      if (count > most) throw new RangeError('too many items');
      const items: T[] = [];
      for (let at = 0; at < count; at += 1) items.push(item.read(from, NONE));
      return items;
    },
    write(to, items) {
      to.writeSize(items.length);
      for (const one of items) item.write(to, one, NONE);
    },
  };
}

export function struct<T>(shape: Shape<T>): Coder<T>;
export function struct(shape: AnyShape): Coder<Record<string, unknown>> {
  const fields = Object.entries(shape);
  return {
    read: (from) => readFields(fields, from, {}),
    write: (to, value) => writeFields(fields, to, value),
  };
}

/** A field that exists from a version on, by the structure's field `version`; null in older ones. */
export function since<T>(version: number, inner: Coder<T>): Coder<T | null> {
  const isThere = (fields: Fields) => Number(fields.version) >= version;
  return {
    read: (from, before) => (isThere(before) ? inner.read(from, NONE) : null),
    write(to, value, fields) {
      if (isThere(fields) !== (value !== null)) throw new RangeError('version and fields disagree');
      if (value !== null) inner.write(to, value, NONE);
    },
  };
}

/** A last field that older wallets lack; null if too few bytes are left for it. */
export function atEnd<T>(inner: Coder<T>, size: number): Coder<T | null> {
  return {
    read: (from) => (from.left >= size ? inner.read(from, NONE) : null),
    write(to, value) {
      if (value !== null) inner.write(to, value, NONE);
    },
  };
}

/** The coders of fields by name. */
type NamedCoders = readonly (readonly [name: string, coder: Coder<unknown>])[];

/** Reads fields into an object. Throws RangeError. */
export function readFields(
  fields: NamedCoders,
  from: ByteReader,
  into: Record<string, unknown>,
): Record<string, unknown> {
  for (const [name, coder] of fields) into[name] = coder.read(from, into);
  return into;
}

export function writeFields(fields: NamedCoders, to: ByteWriter, values: Fields): void {
  for (const [name, coder] of fields) coder.write(to, values[name], values);
}
