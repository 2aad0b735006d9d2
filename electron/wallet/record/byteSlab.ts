/**
 * Room for many small records in few large pieces: each piece of memory of its own would cost more than what is
 * written into it.
 */
import type { RawRecord } from '../database/rawRecord.ts';
import { RecordInPlace } from '../database/recordInPlace.ts';

export class ByteSlab {
  private piece: Uint8Array = new Uint8Array(PIECE);
  private at = 0;

  /** A record whose key and value are these parts in a row. */
  record(key: readonly Uint8Array[], value: readonly Uint8Array[]): RawRecord {
    const size = sizeOf(key) + sizeOf(value);
    if (this.at + size > this.piece.length) {
      this.piece = new Uint8Array(Math.max(PIECE, size));
      this.at = 0;
    }
    const keyStart = this.at;
    const valueStart = this.put(key);
    const valueEnd = this.put(value);
    return new RecordInPlace(this.piece, keyStart, valueStart, valueStart, valueEnd);
  }

  private put(parts: readonly Uint8Array[]): number {
    for (const part of parts) {
      this.piece.set(part, this.at);
      this.at += part.length;
    }
    return this.at;
  }
}

const PIECE = 0x10000;

function sizeOf(parts: readonly Uint8Array[]): number {
  let size = 0;
  for (const part of parts) size += part.length;
  return size;
}
