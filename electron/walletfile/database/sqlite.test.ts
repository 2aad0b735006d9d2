import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import type { Database } from 'sql.js';
import { describe, expect, it, vi } from 'vitest';
import { AppError } from '../../../shared/model/errors.ts';
import { networks } from '../../../shared/model/network.ts';
import { descriptorNames, recordTexts as texts, walletFile } from '../testing/wallets.ts';
import type { RawRecord } from './rawRecord.ts';
import { loadSqlite } from './sqliteDatabase.ts';
import { bufferFor, DatabaseBuffer, readSqlite, writeSqlite, writtenIn } from './walletDatabase.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);
const many = Array.from({ length: 2000 }, (_, number) => ({
  key: new TextEncoder().encode(`key ${number}`),
  value: new Uint8Array(60).fill(number),
}));
async function madeWith(work: (database: Database) => void): Promise<Uint8Array> {
  const { Database } = await loadSqlite();
  const database = new Database();
  work(database);
  const file = database.export();
  database.close();
  return file;
}

describe('a descriptor wallet file', () => {
  it.each(descriptorNames)('%s is of regtest and whole', async (name) => {
    const { records, ...file } = await readSqlite(walletFile(name));
    expect(file).toEqual({
      format: { kind: 'sqlite', pageSize: 4096, applicationId: 0xfabfb5da, userVersion: 0 },
      network: 'regtest',
      problems: [],
      countInTree: records.length,
    });
    expect(records.length).toBeGreaterThan(60);
  });

  it.each(networks)('is written for %s as it is read', async (network) => {
    const { records } = await readSqlite(walletFile('descriptor-hd'));
    const written = await writeSqlite(records, network);
    expect(Buffer.from(written.subarray(0, 18)).toString('latin1')).toBe('SQLite format 3\0\x10\x00');
    const read = await readSqlite(written);
    expect(read).toMatchObject({ network, format: { userVersion: 0 }, problems: [] });
    expect(texts(read.records)).toEqual(texts(records));
  });

  it('has the table and the index that a node makes', async () => {
    const schemaOf = async (file: Uint8Array) => {
      const { Database } = await loadSqlite();
      const database = new Database(file);
      const [checked] = database.exec('PRAGMA integrity_check');
      const [schema] = database.exec('SELECT type, name, tbl_name, sql FROM sqlite_schema');
      const [plan] = database.exec("EXPLAIN QUERY PLAN SELECT value FROM main WHERE key = x'01'");
      const twice = () => database.run('INSERT INTO main SELECT key, value FROM main LIMIT 1');
      expect(twice).toThrow('UNIQUE constraint failed: main.key');
      database.close();
      return { checked, schema, plan: plan?.values[0]?.at(-1) };
    };
    const written = await schemaOf(await writeSqlite(many, 'regtest'));
    expect(written).toEqual(await schemaOf(walletFile('descriptor-hd')));
    expect(written.plan).toBe('SEARCH main USING INDEX sqlite_autoindex_main_1 (key=?)');
  });

  it('has the network’s magic bytes as SQLite’s application id', async () => {
    const written = await writeSqlite([], 'main');
    expect([...written.subarray(68, 72)]).toEqual([0xf9, 0xbe, 0xb4, 0xd9]);
  });

  it('keeps empty values and views of a larger whole', async () => {
    const records = [
      { key: bytes(1), value: bytes() },
      { key: bytes(0, 2, 3, 0).subarray(1, 3), value: bytes(9, 8, 7).subarray(1) },
    ];
    const read = await readSqlite(await writeSqlite(records, 'regtest'));
    expect(read.records.map(({ key, value }) => [key, value])).toEqual([
      [bytes(1), bytes()],
      [bytes(2, 3), bytes(8, 7)],
    ]);
  });

  it('is not written with the same key twice', async () => {
    const record = { key: bytes(1), value: bytes(2) };
    await expect(writeSqlite([record, record], 'main')).rejects.toMatchObject({ code: 'internal' });
  });

  it('of a custom signet has no network', async () => {
    const file = await writeSqlite([], 'signet');
    file.set([1, 2, 3, 4], 68);
    const read = await readSqlite(file);
    expect(read).toMatchObject({ format: { applicationId: 0x01020304 }, network: null });
    expect(read.problems).toEqual([expect.objectContaining({ lost: false })]);
  });

  it('in write-ahead mode is read with a note', async () => {
    const file = walletFile('descriptor-hd');
    file.fill(2, 18, 20);
    const { records, problems } = await readSqlite(file);
    expect(texts(records)).toEqual(texts((await readSqlite(walletFile('descriptor-hd'))).records));
    expect(problems).toEqual([expect.objectContaining({ finding: { code: 'changes_in_wal' } })]);
    expect(file[18]).toBe(2);
  });

  it('is read by an SQLite that was compiled before', async () => {
    const wasm = createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm');
    vi.resetModules();
    const fresh = { ...(await import('./sqliteDatabase.ts')), ...(await import('./walletDatabase.ts')) };
    const compile = vi.fn(() => WebAssembly.compile(readFileSync(wasm)));
    fresh.takeSqliteFrom(compile);
    await expect(fresh.readSqlite(walletFile('legacy-hd'))).rejects.toMatchObject({ code: 'not_a_wallet' });
    expect(compile).not.toHaveBeenCalled();
    expect((await fresh.readSqlite(walletFile('descriptor-hd'))).records).toHaveLength(64);
    expect(compile).toHaveBeenCalledOnce();
  });
});

describe('a file that is not a descriptor wallet', () => {
  it.each([
    ['empty', () => bytes()],
    ['a legacy wallet', () => walletFile('legacy-hd')],
    ['the start of one', () => walletFile('descriptor-hd').slice(0, 99)],
    ['another database', () => madeWith((database) => database.run('CREATE TABLE main(a, b)'))],
    ['a database without tables', () => madeWith((database) => database.run('PRAGMA user_version = 1'))],
    [
      'a view that never ends',
      () =>
        madeWith((database) =>
          database.run(
            'CREATE VIEW main AS WITH RECURSIVE n(key) AS (VALUES(1) UNION ALL SELECT key FROM n) SELECT key, key AS value FROM n',
          ),
        ),
    ],
  ])('%s is refused', async (_, make) => {
    for (const mode of ['refuse', 'salvage'] as const) {
      const refusal = readSqlite(await make(), mode);
      await expect(refusal).rejects.toBeInstanceOf(AppError);
      await expect(refusal).rejects.toMatchObject({ code: 'not_a_wallet' });
    }
  });
});

describe('a damaged descriptor wallet file', () => {
  it('is refused, or read before and after the damage', async () => {
    const file = await writeSqlite(many, 'regtest');
    const leaves = Array.from({ length: file.length / 4096 }, (_, page) => page).filter(
      (page) =>
        file[page * 4096] === 13 &&
        Buffer.from(file.subarray(page * 4096, (page + 1) * 4096)).includes('key'),
    );
    const middle = leaves[Math.floor(leaves.length / 2)] ?? 0;
    file.fill(0xee, middle * 4096, (middle + 1) * 4096);
    await expect(readSqlite(file)).rejects.toMatchObject({ code: 'not_a_wallet' });
    const { records, problems } = await readSqlite(file, 'salvage');
    expect(problems.some(({ lost }) => lost)).toBe(true);
    const kept = texts(records);
    expect(kept.length).toBeGreaterThan(1900);
    expect(kept.length).toBeLessThan(2000);
    expect(texts(many).filter((record) => kept.includes(record))).toEqual(kept);
  });

  it('with an entry that is not a blob yields the others', async () => {
    const file = await madeWith((database) => {
      database.run('CREATE TABLE main(key BLOB PRIMARY KEY NOT NULL, value BLOB NOT NULL)');
      database.run("INSERT INTO main VALUES (x'01', x'02'), ('text', 7), (x'03', x'04')");
    });
    await expect(readSqlite(file)).rejects.toMatchObject({ code: 'not_a_wallet' });
    const { records } = await readSqlite(file, 'salvage');
    expect(records.map(({ key }) => key[0])).toEqual([1, 3]);
  });

  it.each(['refuse', 'salvage'] as const)(
    'is either read or refused, whatever its bytes (%s)',
    async (mode) => {
      const edit = fc.record({ at: fc.nat(28_671), byte: fc.nat(255) });
      const base = walletFile('descriptor-hd');
      await fc.assert(
        fc.asyncProperty(fc.array(edit, { maxLength: 40 }), fc.nat(60_000), async (edits, cut) => {
          const broken = Uint8Array.from(base.subarray(0, cut % 3 === 0 ? cut : base.length));
          for (const { at, byte } of edits) if (at < broken.length) broken[at] = byte;
          for (const { at, byte } of edits.slice(0, 2))
            if (broken.length > 200) broken[16 + (at % 92)] = byte;
          try {
            expect((await readSqlite(broken, mode)).records.length).toBeLessThan(1000);
          } catch (error) {
            expect(error).toBeInstanceOf(AppError);
          }
        }),
        { numRuns: 80 },
      );
    },
  );
});

/** The length of a database with one empty table. */
const EMPTY = new Uint8Array(2 * 4096);

function sampleRecords(count: number, size: number): RawRecord[] {
  return Array.from({ length: count }, (_, number) => ({
    key: new TextEncoder().encode(`key ${number}`),
    value: new Uint8Array(size).fill(number),
  }));
}

describe('the buffer for a database', () => {
  it.each([
    [200, 100],
    [5000, 40],
    [20_000, 200],
  ])('is used by SQLite as the file itself: %i records of %i bytes', async (count, size) => {
    const records = sampleRecords(count, size);
    const written = await writeSqlite(records, 'regtest');
    expect(written.length % 4096).toBe(0);
    // Not a copy: the remaining bytes follow it.
    expect(written.buffer.byteLength).toBe(bufferFor(records, EMPTY).length);
  });

  it('is not mistaken for a database that was written elsewhere', async () => {
    const file = await writeSqlite(sampleRecords(100, 40), 'regtest');
    const buffer = new DatabaseBuffer(new ArrayBuffer(file.length));
    buffer.set(file);
    expect(writtenIn(buffer, file.length / 4096)).toEqual(Uint8Array.from(file));
    expect(writtenIn(buffer, file.length / 4096 + 1)).toBeNull();
    expect(writtenIn(new DatabaseBuffer(new ArrayBuffer(file.length)), file.length / 4096)).toBeNull();
  });

  it('may be too small', async () => {
    // Rows that fill half a page and a bit leave the other half empty.
    const records = sampleRecords(300, 2100);
    const written = await writeSqlite(records, 'regtest');
    expect(written.length).toBeGreaterThan(bufferFor(records, EMPTY).length);
  });
});
