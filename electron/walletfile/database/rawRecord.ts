/** The entries of a wallet file's database as bytes. Both kinds of file hold the same entries. */
import type { FileProblem, InspectedFile } from '../../../shared/model/inspection.ts';
import type { Network } from '../../../shared/model/network.ts';
import type { ByteSource } from '../bytes/byteSource.ts';

export interface RawRecord {
  key: Uint8Array;
  value: Uint8Array;
}

/** All records of a file, and its format. */
export interface Entries {
  /** Mostly views of the file's bytes, which must not change, or RecordInFile for a file on a disk. */
  records: RawRecord[];
  /** How many records, from the first on, are in the file's own tree. The others come from pages that a broken tree does not reach. */
  countInTree: number;
  format: InspectedFile['format'];
  /** The network in a descriptor wallet's header; null if it is unknown, and for legacy wallets. */
  network: Network | null;
  problems: readonly FileProblem[];
}

/**
 * How to treat damage. `refuse` throws at the first fault, for work that needs the whole wallet. `salvage` reads as much as
 * possible, and lists the rest in `problems`.
 */
export type DamageMode = 'refuse' | 'salvage';

/**
 * A record by its offsets in a larger array, such as a file. It takes a quarter of the memory of two views: a wallet with
 * 100,000 keys would need more than a million views.
 */
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

  get keySize(): number {
    return this.keyEnd - this.keyStart;
  }

  get valueSize(): number {
    return this.valueEnd - this.valueStart;
  }

  /** See `compareKeys`. Makes no views. */
  compareKey(other: RecordInPlace): number {
    const { bytes, keyStart } = this;
    const { bytes: otherBytes, keyStart: otherStart } = other;
    const common = Math.min(this.keySize, other.keySize);
    for (let at = 0; at < common; at += 1) {
      const difference = (bytes[keyStart + at] ?? 0) - (otherBytes[otherStart + at] ?? 0);
      if (difference !== 0) return difference;
    }
    return this.keySize - other.keySize;
  }

  /** Whether the other has the same key and value. Makes no views of values in place. */
  equals(other: RecordInPlace): boolean {
    return (
      this.keySize === other.keySize &&
      this.valueSize === other.valueSize &&
      hasSameBytes(this.bytes, this.keyStart, other.bytes, other.keyStart, this.keySize) &&
      other.hasValueAt(this.bytes, this.valueStart, this.valueSize)
    );
  }

  /** Whether the value is these bytes. `size`: of the value. */
  protected hasValueAt(bytes: Uint8Array, start: number, size: number): boolean {
    return hasSameBytes(bytes, start, this.bytes, this.valueStart, size);
  }
}

/** Negative, 0 or positive, as two keys compare (`memcmp`, a prefix before the longer key). */
export function compareKeys(one: RawRecord, other: RawRecord): number {
  if (one instanceof RecordInPlace && other instanceof RecordInPlace) return one.compareKey(other);
  return Buffer.compare(one.key, other.key);
}

/** A record that a migration wrote, whose bytes nothing but its file needs. */
export class WrittenRecord extends RecordInPlace {}

/** A record that a migration wrote, with the value of another record, which is not copied: it may be a private key. */
export class RecordWithValueOf extends WrittenRecord {
  constructor(
    bytes: Uint8Array,
    keyStart: number,
    keyEnd: number,
    private readonly other: RawRecord,
  ) {
    super(bytes, keyStart, keyEnd, 0, valueSizeOf(other));
  }

  override get value(): Uint8Array {
    return this.other.value;
  }

  protected override hasValueAt(bytes: Uint8Array, start: number, size: number): boolean {
    return hasSameBytes(bytes, start, this.value, 0, size);
  }
}

function hasSameBytes(one: Uint8Array, start: number, other: Uint8Array, otherStart: number, size: number) {
  const { compare } = Buffer.prototype;
  return compare.call(one, other, otherStart, otherStart + size, start, start + size) === 0;
}

/** A record of a file that is too large for memory. Reads its bytes each time they are needed. */
export class RecordInFile implements RawRecord {
  constructor(
    private readonly source: ByteSource,
    /** Offset in the file. */
    readonly keyStart: number,
    private readonly keyEnd: number,
    private readonly valueStart: number,
    protected readonly valueEnd: number,
  ) {}

  get key(): Uint8Array {
    return this.source.read(this.keyStart, this.keyEnd - this.keyStart);
  }

  get value(): Uint8Array {
    return this.readValue(this.valueStart, this.valueEnd);
  }

  get keySize(): number {
    return this.keyEnd - this.keyStart;
  }

  get valueSize(): number {
    return this.valueEnd - this.valueStart;
  }

  protected readValue(start: number, end: number): Uint8Array {
    return this.source.read(start, end - start);
  }
}

/** `one` must own its value: a `RecordWithValueOf` has no offset of it. */
export function isSameRecord(one: RawRecord, other: RawRecord): boolean {
  if (one instanceof RecordInPlace && other instanceof RecordInPlace) return one.equals(other);
  return Buffer.compare(one.key, other.key) === 0 && Buffer.compare(one.value, other.value) === 0;
}

/** The size of the key in bytes, without a view. */
export function keySizeOf(record: RawRecord): number {
  return record instanceof RecordInPlace || record instanceof RecordInFile
    ? record.keySize
    : record.key.length;
}

/** The size of the value in bytes, without a view. */
export function valueSizeOf(record: RawRecord): number {
  return record instanceof RecordInPlace || record instanceof RecordInFile
    ? record.valueSize
    : record.value.length;
}

/** A record that takes less memory if key and value are both views of `whole`. */
export function recordIn(whole: Uint8Array, key: Uint8Array, value: Uint8Array): RawRecord {
  if (key.buffer !== whole.buffer || value.buffer !== whole.buffer) return { key, value };
  const keyStart = key.byteOffset - whole.byteOffset;
  const valueStart = value.byteOffset - whole.byteOffset;
  return new RecordInPlace(whole, keyStart, keyStart + key.length, valueStart, valueStart + value.length);
}
