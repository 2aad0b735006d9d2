/** Reads bytes in their order, without a declared shape: for the records that a wallet has by the thousand. */
export class ByteCursor {
  private readonly bytes: Uint8Array;
  private at: number;

  constructor(bytes: Uint8Array, start = 0) {
    this.bytes = bytes;
    this.at = start;
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  /** A view of the next bytes. Throws RangeError where there are too few, as all methods do. */
  take(size: number): Uint8Array {
    const start = this.at;
    const end = start + size;
    if (end > this.bytes.length) throw new RangeError('the bytes end too soon');
    this.at = end;
    return this.bytes.subarray(start, end);
  }

  /** A compact size of at most 65,535, which is all that such records hold, and a view of as many bytes. */
  takeSized(): Uint8Array {
    return this.take(this.size());
  }

  size(): number {
    const first = this.byte();
    if (first < 0xfd) return first;
    const size = this.byte() + this.byte() * 0x100;
    if (first !== 0xfd || size < 0xfd) throw new RangeError('the size is not what it could be');
    return size;
  }

  byte(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined) throw new RangeError('the bytes end too soon');
    this.at += 1;
    return byte;
  }

  uint32(): number {
    return this.byte() + this.byte() * 0x100 + this.byte() * 0x10000 + this.byte() * 0x1000000;
  }

  int32(): number {
    return this.uint32() | 0;
  }

  /** Eight bytes, signed. Throws for what is beyond the whole numbers that a number holds. */
  int64(): number {
    const low = this.uint32();
    const value = this.int32() * 0x100000000 + low;
    if (!Number.isSafeInteger(value)) throw new RangeError('the number is too large');
    return value;
  }
}
