/** Writes journals of SQLite files by SQLite's documentation, and runs SQLite's own recovery for comparison. */
import type { Database, SqlJsStatic } from 'sql.js';
import { loadSqlite } from '../sqliteDatabase.ts';

interface JournalOptions {
  nonce?: number;
  sectorSize?: number;
  pageSize?: number;
  /** The number of pages after each header. */
  perHeader?: number;
  /** A wrong page count for the headers. */
  counted?: number;
  /** A wrong number of pages of the database before the change. */
  pages?: number;
}

/** A journal with these pages (from 1) of the database as it was before a change. */
export function journalOf(
  before: Uint8Array,
  numbers: readonly number[],
  options: JournalOptions = {},
): Buffer {
  const { nonce = 0x12345678, sectorSize = 512, pageSize = pageSizeOf(before) } = options;
  const { perHeader = numbers.length, pages = before.length / pageSize } = options;
  const parts: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer) => {
    parts.push(part);
    length += part.length;
  };
  for (let start = 0; start === 0 || start < numbers.length; start += Math.max(1, perHeader)) {
    add(Buffer.alloc(Math.ceil(length / sectorSize) * sectorSize - length));
    const own = numbers.slice(start, start + perHeader);
    const header = Buffer.alloc(sectorSize);
    header.set([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]);
    [options.counted ?? own.length, nonce, pages, sectorSize, pageSize].forEach((word, place) => {
      header.writeUInt32BE(word, 8 + 4 * place);
    });
    add(header);
    for (const number of own) {
      const record = Buffer.alloc(pageSize + 8);
      record.writeUInt32BE(number);
      const page = pageOf(before, number, pageSize);
      record.set(page, 4);
      let sum = nonce;
      for (let at = pageSize - 200; at > 0; at -= 200) sum = (sum + (page[at] ?? 0)) >>> 0;
      record.writeUInt32BE(sum, 4 + pageSize);
      add(record);
    }
  }
  return Buffer.concat(parts);
}

/** The end of a journal that names a super-journal. */
export function superJournal(name: string): Buffer {
  const bytes = Buffer.from(name);
  const end = Buffer.alloc(20 + bytes.length);
  // The number of the page that holds the lock byte, for pages of 4096 bytes.
  end.writeUInt32BE(0x40000000 / 4096 + 1);
  end.set(bytes, 4);
  end.writeUInt32BE(bytes.length, 4 + bytes.length);
  end.writeUInt32BE(
    bytes.reduce((sum, byte) => sum + byte, 0),
    8 + bytes.length,
  );
  end.set([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7], 12 + bytes.length);
  return end;
}

interface Frame {
  number: number;
  page: Uint8Array;
  /** In the last frame of a change: pages of the database after it. */
  commit?: number;
  /** Whether it has another salt, as left by an earlier log. */
  old?: boolean;
}

/** A write-ahead log of these frames. */
export function logOf(
  pageSize: number,
  frames: readonly Frame[],
  { isLittle = true, version = 3007000 } = {},
): Buffer {
  const header = Buffer.alloc(32);
  [isLittle ? 0x377f0682 : 0x377f0683, version, pageSize, 0, 0xaabbccdd, 0x11223344].forEach(
    (word, place) => {
      header.writeUInt32BE(word, 4 * place);
    },
  );
  let sum: [number, number] = [0, 0];
  const over = (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; at += 8) {
      const read = (place: number) => (isLittle ? bytes.readUInt32LE(place) : bytes.readUInt32BE(place));
      const one = (sum[0] + read(at) + sum[1]) >>> 0;
      sum = [one, (sum[1] + read(at + 4) + one) >>> 0];
    }
  };
  over(header.subarray(0, 24));
  header.writeUInt32BE(sum[0], 24);
  header.writeUInt32BE(sum[1], 28);
  const parts = [header];
  for (const { number, page, commit = 0, old = false } of frames) {
    const frame = Buffer.alloc(24 + pageSize);
    frame.writeUInt32BE(number);
    frame.writeUInt32BE(commit, 4);
    frame.writeUInt32BE(old ? 0xaabbccdc : 0xaabbccdd, 8);
    frame.writeUInt32BE(0x11223344, 12);
    frame.set(page, 24);
    over(frame.subarray(0, 8));
    over(frame.subarray(24));
    frame.writeUInt32BE(sum[0], 16);
    frame.writeUInt32BE(sum[1], 20);
    parts.push(frame);
  }
  return Buffer.concat(parts);
}

/** A page of a database, from 1. Pages after its end are zeros. */
export function pageOf(database: Uint8Array, number: number, pageSize = pageSizeOf(database)): Uint8Array {
  const page = new Uint8Array(pageSize);
  page.set(database.subarray((number - 1) * pageSize, number * pageSize));
  return page;
}

function pageSizeOf(database: Uint8Array): number {
  return Buffer.from(database.subarray(16, 18)).readUInt16BE() || 0x10000;
}

let opened = 0;

/** The database after SQLite's own recovery of the files under these names. */
export async function recoverBySqlite(
  database: Uint8Array,
  beside: { journal?: Uint8Array; wal?: Uint8Array },
): Promise<Uint8Array> {
  const sqlite = await loadSqlite();
  opened += 1;
  const name = `recovered_${opened}`;
  // sql.js changes the array that it receives.
  const others: Database[] = [];
  if (beside.journal) others.push(new (named(sqlite, `${name}-journal`))(Uint8Array.from(beside.journal)));
  if (beside.wal) others.push(new (named(sqlite, `${name}-wal`))(Uint8Array.from(beside.wal)));
  const whole = new (named(sqlite, name))(Uint8Array.from(database));
  // A log needs shared memory, except with exclusive access to the file.
  whole.run('PRAGMA locking_mode = EXCLUSIVE');
  // SQLite's checksums skip most bytes, so a restored page may have an invalid schema.
  whole.run('PRAGMA writable_schema = ON');
  whole.exec('PRAGMA user_version');
  try {
    return whole.export();
  } finally {
    whole.close();
    for (const other of others) {
      try {
        other.close();
      } catch {
        // SQLite has removed it: it was used.
      }
    }
  }
}

/** sql.js gives its files random names. A setter that ignores them keeps ours. */
function named({ Database }: SqlJsStatic, name: string) {
  return class extends Database {
    get filename() {
      return name;
    }
    set filename(_chance: string) {}
  };
}
