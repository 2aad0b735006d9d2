/** Writes descriptor wallet files, which are SQLite databases of one table. */
import type { Database } from 'sql.js';
import type { Network } from '../../../shared/model/network.ts';
import { applicationIds } from './fileStart.ts';
import { unexpected } from './problemLog.ts';
import type { RawRecord } from './rawRecord.ts';
import { WALLET_TABLE, withDatabase } from './sqliteDatabase.ts';

/** The bytes of a new descriptor wallet file. Throws `internal` when two records have the same key. */
export async function writeSqlite(records: readonly RawRecord[], network: Network): Promise<Uint8Array> {
  const empty = await withDatabase(null, unwritable, (database) => {
    database.run('PRAGMA page_size = 4096');
    // SQLite takes the number as signed.
    database.run(`PRAGMA application_id = ${applicationIds[network] | 0}`);
    database.run('PRAGMA user_version = 0');
    database.run(TABLE_WITHOUT_INDEX);
    return database.export();
  });
  const room = roomFor(records, empty);
  return withDatabase(room, unwritable, (database) => {
    // A file that fails half-way is thrown away, so no way back has to be kept while it is made.
    database.run('PRAGMA journal_mode = OFF');
    database.run('PRAGMA temp_store = MEMORY');
    database.run('BEGIN');
    insertAll(database, records);
    addIndex(database);
    database.run('COMMIT');
    const pages = database.exec('PRAGMA page_count')[0]?.values[0]?.[0];
    return writtenIn(room, Number(pages)) ?? database.export();
  });
}

const TABLE_WITHOUT_INDEX = 'CREATE TABLE main(key BLOB NOT NULL, value BLOB NOT NULL)';

/** Many rows with each statement, which takes half the time of one by one. */
function insertAll(database: Database, records: readonly RawRecord[]): void {
  const whole = records.length - (records.length % ROWS_AT_ONCE);
  insertBatches(database, records.slice(0, whole), ROWS_AT_ONCE);
  insertBatches(database, records.slice(whole), 1);
}

function insertBatches(database: Database, records: readonly RawRecord[], size: number): void {
  const insert = database.prepare(`INSERT INTO main VALUES ${Array(size).fill('(?, ?)').join()}`);
  let values: Uint8Array[] = [];
  for (const { key, value } of records) {
    values.push(key, value);
    if (values.length < 2 * size) continue;
    insert.run(values);
    values = [];
  }
  insert.free();
}

const ROWS_AT_ONCE = 32;

/**
 * Makes the primary key of a table that is full. SQLite sorts all keys at once and fills one page after the other; an
 * index that is there from the start is written all over for each row, in twice the time and ten times the memory.
 * Only its own schema can say that such an index is the primary key's.
 */
function addIndex(database: Database): void {
  database.run('CREATE UNIQUE INDEX made ON main(key)');
  database.run('PRAGMA writable_schema = ON');
  database.run("UPDATE sqlite_schema SET sql = ? WHERE name = 'main'", [WALLET_TABLE]);
  database.run("UPDATE sqlite_schema SET name = 'sqlite_autoindex_main_1', sql = NULL WHERE name = 'made'");
  database.run('PRAGMA writable_schema = OFF');
}

const unwritable = () => unexpected({ code: 'wallet_not_written' });

/**
 * What SQLite takes for a file with an empty database in it: memory that is large enough from the start and handed out
 * as it is. The file of a growing database is copied again and again, and once more when it is exported; of a large
 * wallet that takes longer than all else, and twice the memory.
 */
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
  for (const { key, value } of records) size += 2 * key.length + value.length + ROW_FRAME;
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
