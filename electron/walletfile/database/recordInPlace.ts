/**
 * A record by where it lies in a larger array, such as a file: in a quarter of the memory of two views, of which a
 * wallet with 100,000 keys would need more than a million.
 */
import type { RawRecord } from './rawRecord.ts';

export class RecordInPlace implements RawRecord {
  constructor(
    private readonly bytes: Uint8Array,
    private readonly keyStart: number,
    private readonly keyEnd: number,
    private readonly valueStart: number,
    private readonly valueEnd: number,
  ) {}

  get key(): Uint8Array {
    return this.bytes.subarray(this.keyStart, this.keyEnd);
  }

  get value(): Uint8Array {
    return this.bytes.subarray(this.valueStart, this.valueEnd);
  }
}

export function isSameRecord(one: RawRecord, other: RawRecord): boolean {
  return Buffer.compare(one.key, other.key) === 0 && Buffer.compare(one.value, other.value) === 0;
}

/** The record of a key and a value that may both be views of the same larger array; of others, two views. */
export function recordIn(whole: Uint8Array, key: Uint8Array, value: Uint8Array): RawRecord {
  if (key.buffer !== whole.buffer || value.buffer !== whole.buffer) return { key, value };
  const keyStart = key.byteOffset - whole.byteOffset;
  const valueStart = value.byteOffset - whole.byteOffset;
  return new RecordInPlace(whole, keyStart, keyStart + key.length, valueStart, valueStart + value.length);
}
