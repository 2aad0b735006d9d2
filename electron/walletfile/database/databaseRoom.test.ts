import { describe, expect, it } from 'vitest';
import type { RawRecord } from './rawRecord.ts';
import { DatabaseRoom, roomFor, writeSqlite, writtenIn } from './writeSqlite.ts';

/** As long as a database with one table and nothing in it. */
const EMPTY = new Uint8Array(2 * 4096);

function sampleRecords(count: number, size: number): RawRecord[] {
  return Array.from({ length: count }, (_, number) => ({
    key: new TextEncoder().encode(`key ${number}`),
    value: new Uint8Array(size).fill(number),
  }));
}

describe('the room for a database', () => {
  it.each([
    [200, 100],
    [5000, 40],
    [20_000, 200],
  ])('is used by SQLite as the file itself: %i records of %i bytes', async (count, size) => {
    const records = sampleRecords(count, size);
    const written = await writeSqlite(records, 'regtest');
    expect(written.length % 4096).toBe(0);
    // Not a copy: what was left over is behind it.
    expect(written.buffer.byteLength).toBe(roomFor(records, EMPTY).length);
  });

  it('is not taken for a database that was written elsewhere', async () => {
    const file = await writeSqlite(sampleRecords(100, 40), 'regtest');
    const room = new DatabaseRoom(new ArrayBuffer(file.length));
    room.set(file);
    expect(writtenIn(room, file.length / 4096)).toEqual(Uint8Array.from(file));
    expect(writtenIn(room, file.length / 4096 + 1)).toBeNull();
    expect(writtenIn(new DatabaseRoom(new ArrayBuffer(file.length)), file.length / 4096)).toBeNull();
  });

  it('may be too small', async () => {
    // Rows that fill half a page and a bit leave the other half empty.
    const records = sampleRecords(300, 2100);
    const written = await writeSqlite(records, 'regtest');
    expect(written.length).toBeGreaterThan(roomFor(records, EMPTY).length);
  });
});
