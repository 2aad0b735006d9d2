/**
 * The memory that a new database is written into: large enough from the start and handed out as it is. The file of a
 * growing database is copied again and again, and once more when it is exported; of a large wallet that takes longer
 * than all else, and twice the memory.
 */
import type { RawRecord } from './rawRecord.ts';
import { sizesOf } from './recordInPlace.ts';

/** What SQLite takes for a file with an empty database in it. */
export class DatabaseRoom extends Uint8Array<ArrayBuffer> {
  /** sql.js asks for a copy, and uses it as the file. */
  override slice(): this {
    return this;
  }
}

/** Room for these records behind an empty database. Where they need more after all, the file has to grow. */
export function roomFor(records: readonly RawRecord[], empty: Uint8Array): DatabaseRoom {
  let size = 0;
  // Keys stand in the table and in the index.
  for (const record of records) {
    const { key, value } = sizesOf(record);
    size += 2 * key + value + ROW_FRAME;
  }
  const room = new DatabaseRoom(new ArrayBuffer(empty.length + SPARE + Math.ceil(size * PAGE_FRAME)));
  room.set(empty);
  return room;
}

/**
 * The database of so many pages that was written into the room; null when it is not there, because the room was too
 * small or another file was used. Layout: "The Database Header" of SQLite's file format.
 */
export function writtenIn(room: DatabaseRoom, pages: number): Uint8Array | null {
  const header = new DataView(room.buffer);
  const size = pages * header.getUint16(16);
  return header.getUint32(28) === pages && size <= room.length ? new Uint8Array(room.buffer, 0, size) : null;
}

/** Bytes that a row takes besides its key and value, and how much more pages take than what is in them. */
const ROW_FRAME = 20;
const PAGE_FRAME = 1.04;
/** Of a small database, the pages that are hardly begun. */
const SPARE = 0x10000;
