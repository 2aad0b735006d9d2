/**
 * A record by where it lies in a larger array, such as a file: in a quarter of the memory of two views, of which a
 * wallet with 100,000 keys would need more than a million.
 */
import { equalBytes } from '@noble/curves/utils.js';
import type { RawRecord } from './rawRecord.ts';

export class RecordInPlace implements RawRecord {
  private readonly bytes: Uint8Array;
  private readonly keyStart: number;
  private readonly keyEnd: number;
  private readonly valueStart: number;
  private readonly valueEnd: number;

  constructor(bytes: Uint8Array, keyStart: number, keyEnd: number, valueStart: number, valueEnd: number) {
    this.bytes = bytes;
    this.keyStart = keyStart;
    this.keyEnd = keyEnd;
    this.valueStart = valueStart;
    this.valueEnd = valueEnd;
  }

  get key(): Uint8Array {
    return this.bytes.subarray(this.keyStart, this.keyEnd);
  }

  get value(): Uint8Array {
    return this.bytes.subarray(this.valueStart, this.valueEnd);
  }

  /** Bytes of its key and of its value. */
  get sizes(): { key: number; value: number } {
    return { key: this.keyEnd - this.keyStart, value: this.valueEnd - this.valueStart };
  }

  /** Whether both have the same key and the same value. */
  equals({ bytes, keyStart, keyEnd, valueStart, valueEnd }: RecordInPlace): boolean {
    return (
      isSameRange(this.bytes, this.keyStart, this.keyEnd, bytes, keyStart, keyEnd) &&
      isSameRange(this.bytes, this.valueStart, this.valueEnd, bytes, valueStart, valueEnd)
    );
  }
}

/** In the bytes, without making views of them. */
export function isSameRecord(one: RawRecord, other: RawRecord): boolean {
  if (one instanceof RecordInPlace && other instanceof RecordInPlace) return one.equals(other);
  return equalBytes(one.key, other.key) && equalBytes(one.value, other.value);
}

/** Bytes of a record's key and of its value. */
export function sizesOf(record: RawRecord): { key: number; value: number } {
  if (record instanceof RecordInPlace) return record.sizes;
  return { key: record.key.length, value: record.value.length };
}

function isSameRange(
  one: Uint8Array,
  oneStart: number,
  oneEnd: number,
  other: Uint8Array,
  otherStart: number,
  otherEnd: number,
): boolean {
  if (oneEnd - oneStart !== otherEnd - otherStart) return false;
  for (let at = oneStart, there = otherStart; at < oneEnd; at += 1, there += 1)
    if (one[at] !== other[there]) return false;
  return true;
}

/** The record of a key and a value that may both be views of the same larger array; of others, two views. */
export function recordIn(whole: Uint8Array, key: Uint8Array, value: Uint8Array): RawRecord {
  if (key.buffer !== whole.buffer || value.buffer !== whole.buffer) return { key, value };
  const keyStart = key.byteOffset - whole.byteOffset;
  const valueStart = value.byteOffset - whole.byteOffset;
  return new RecordInPlace(whole, keyStart, keyStart + key.length, valueStart, valueStart + value.length);
}
