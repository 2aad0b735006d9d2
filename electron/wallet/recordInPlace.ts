/**
 * A record by where it lies in a larger array, such as a file: in a quarter of the memory of two views, of which a
 * wallet with 100,000 keys would need more than a million.
 */
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
}

/** A function that turns records into this form. Those whose key and value lie in two arrays stay as they are. */
export function placer(): (record: RawRecord) => RawRecord {
  let whole: Uint8Array = new Uint8Array();
  return (record) => {
    const { key, value } = record;
    if (key.buffer !== value.buffer) return record;
    if (whole.buffer !== key.buffer) whole = new Uint8Array(key.buffer);
    const { byteOffset: keyStart, byteLength: keyLength } = key;
    const { byteOffset: valueStart, byteLength: valueLength } = value;
    return new RecordInPlace(whole, keyStart, keyStart + keyLength, valueStart, valueStart + valueLength);
  };
}
