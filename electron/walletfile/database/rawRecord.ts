/** The entries of a wallet file's database, before anything is known of them. Both kinds of file hold the same. */
import type { FileProblem, InspectedFile } from '../../../shared/model/inspection.ts';
import type { Network } from '../../../shared/model/network.ts';

export interface RawRecord {
  key: Uint8Array;
  value: Uint8Array;
}

/** All of a file's, and what the file is. */
export interface Entries {
  /** Mostly views of the file's bytes, so keep those unchanged. */
  records: RawRecord[];
  /** How many of them, the first ones, its own tree reaches: the others stood on pages that a broken tree does not reach. */
  reached: number;
  format: InspectedFile['format'];
  /** As a descriptor wallet's head says; null where it does not, and for legacy wallets. */
  network: Network | null;
  problems: readonly FileProblem[];
}

/**
 * What to do about damage. `refuse` throws at the first, for work that needs the whole wallet. `salvage` reads all that
 * can be read, and tells in `problems` what could not.
 */
export type OnDamage = 'refuse' | 'salvage';

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
