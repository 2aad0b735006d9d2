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
import { LOCK_PAGE, PageFiller, PageWriter } from './sqlitePages.ts';
import { TABLE_PAGE } from './sqliteWalk.ts';
import { readSqlite, writeSqlite } from './walletDatabase.ts';

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

function changed(change: (file: Uint8Array) => void): Uint8Array {
  const file = walletFile('descriptor-hd').slice();
  change(file);
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

  it.each([
    [60, 'user_version'],
    [18, 'write_version'],
  ])('whose header has a 9 at byte %i, its %s, is damaged, as nodes refuse it', async (at, field) => {
    const file = walletFile('descriptor-hd');
    file[at] = 9;
    const fault = { code: 'header_field_invalid', field };
    await expect(readSqlite(file)).rejects.toMatchObject({ finding: { code: 'wallet_damaged', fault } });
    const { records, problems } = await readSqlite(file, 'salvage');
    expect(problems).toEqual([{ page: 0, lost: true, finding: { code: 'wallet_damaged', fault } }]);
    expect(texts(records)).toEqual(texts((await readSqlite(walletFile('descriptor-hd'))).records));
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

  it('finds no network in a custom signet’s file', async () => {
    const file = await writeSqlite([], 'signet');
    file.set([1, 2, 3, 4], 68);
    const read = await readSqlite(file);
    expect(read).toMatchObject({ format: { applicationId: 0x01020304 }, network: null });
    expect(read.problems).toEqual([expect.objectContaining({ lost: false })]);
  });

  it('reads a file in write-ahead mode with a note', async () => {
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
    const compiled = await WebAssembly.compile(readFileSync(wasm));
    fresh.registerBundledSqlite(compiled);
    await expect(fresh.readSqlite(walletFile('legacy-hd'))).rejects.toMatchObject({ code: 'not_a_wallet' });
    expect(fresh.sqliteModuleIfCompiled()).toBeNull();
    expect((await fresh.readSqlite(walletFile('descriptor-hd'))).records).toHaveLength(64);
    expect(await fresh.sqliteModuleIfCompiled()).toBe(compiled);
  });
});

describe('a file that is not a descriptor wallet', () => {
  it.each([
    ['empty', () => bytes()],
    ['a legacy wallet', () => walletFile('legacy-hd')],
    ['the start of one', () => walletFile('descriptor-hd').slice(0, 99)],
    [
      'a table of another form',
      () => madeWith((database) => database.run('CREATE TABLE main(a, b)')),
      'table_form_unknown',
    ],
    [
      'a database without tables',
      () => madeWith((database) => database.run('PRAGMA user_version = 1')),
      'no_table_yet',
    ],
    ['one with a wrong page size', () => changed((file) => file.fill(0x11, 16, 18)), 'no_wallet_table'],
    ['one whose count of tables is lost', () => changed((file) => file.fill(0, 103, 105)), 'no_wallet_table'],
    ['a little more of the start of one', () => walletFile('descriptor-hd').slice(0, 300), 'no_wallet_table'],
    [
      'the first page of one',
      () => walletFile('descriptor-hd').slice(0, 4096).fill(0, 103, 105),
      'no_wallet_table',
    ],
    [
      'a view that never ends',
      () =>
        madeWith((database) =>
          database.run(
            'CREATE VIEW main AS WITH RECURSIVE n(key) AS (VALUES(1) UNION ALL SELECT key FROM n) SELECT key, key AS value FROM n',
          ),
        ),
    ],
  ])('%s is refused', async (_, make, finding?: string) => {
    for (const mode of ['refuse', 'salvage'] as const) {
      const refusal = readSqlite(await make(), mode);
      await expect(refusal).rejects.toBeInstanceOf(AppError);
      await expect(refusal).rejects.toMatchObject({
        code: 'not_a_wallet',
        ...(finding && { finding: { code: finding } }),
      });
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

  it('with a text as value is whole, as for a node', async () => {
    const file = await madeWith((database) => {
      database.run('CREATE TABLE main(key BLOB PRIMARY KEY NOT NULL, value BLOB NOT NULL)');
      database.run("INSERT INTO main VALUES (x'01', x'02'), (x'03', 'né')");
    });
    const { records } = await readSqlite(file);
    expect(records.map(({ value }) => Buffer.from(value).toString())).toEqual(['\u0002', 'né']);
  });

  it('skips an entry that is not a blob, and reads the others', async () => {
    const file = await madeWith((database) => {
      database.run('CREATE TABLE main(key BLOB PRIMARY KEY NOT NULL, value BLOB NOT NULL)');
      database.run("INSERT INTO main VALUES (x'01', x'02'), ('text', 7), (x'03', x'04')");
    });
    await expect(readSqlite(file)).rejects.toMatchObject({ code: 'not_a_wallet' });
    const { records } = await readSqlite(file, 'salvage');
    expect(records.map(({ key }) => key[0])).toEqual([1, 3]);
  });
});

/** The keys are all different, and as long as asked for. */
function sampleRecords(count: number, keySize: number, valueSize: number): RawRecord[] {
  return Array.from({ length: count }, (_, number) => {
    const key = new Uint8Array(keySize).fill(7);
    // Not in their order.
    new DataView(key.buffer).setUint32(keySize - 4, (number * 7919) % 1_000_003);
    return { key, value: new Uint8Array(valueSize).fill(number) };
  });
}

/** The values that SQLite finds by their keys, with the index. */
async function foundBySqlite(file: Uint8Array, keys: readonly Uint8Array[]): Promise<unknown[]> {
  const { Database } = await loadSqlite();
  const database = new Database(file);
  const query = database.prepare('SELECT value FROM main INDEXED BY sqlite_autoindex_main_1 WHERE key = ?');
  const found = keys.map((key) => query.get([key])[0]);
  query.free();
  database.close();
  return found;
}

describe('the pages of a new file', () => {
  const cases: [what: string, records: RawRecord[]][] = [
    ['no record', []],
    ['one page', sampleRecords(20, 10, 100)],
    ['two leaves', sampleRecords(45, 10, 100)],
    ['rows with half a page each', sampleRecords(300, 20, 2100)],
    ['two levels above the leaves', sampleRecords(20_000, 60, 300)],
    ['an index with two levels above the leaves', sampleRecords(3000, 700, 1)],
    ['values on pages of their own', sampleRecords(50, 20, 20_000)],
    ['keys on pages of their own', sampleRecords(40, 9000, 10)],
    ['keys of which the index holds only the start', sampleRecords(200, 1500, 10)],
  ];
  it.each(cases)('are read back, and found by SQLite: %s', async (_, records) => {
    const file = await writeSqlite(records, 'regtest');
    expect(file.length % 4096).toBe(0);
    expect(texts((await readSqlite(file)).records)).toEqual(texts(records));
    const some = records.filter((_, at) => at % Math.ceil(records.length / 500) === 0);
    const found = await foundBySqlite(
      file,
      some.map(({ key }) => key),
    );
    expect(found).toEqual(some.map(({ value }) => value));
  });

  it('hold an index of any number of leaves', async () => {
    // Four keys fit on a leaf, and one more lies between two leaves.
    for (let count = 1; count < 40; count += 1) {
      const records = sampleRecords(count, 900, 0);
      expect(texts((await readSqlite(await writeSqlite(records, 'regtest'))).records)).toEqual(
        texts(records),
      );
    }
  });

  it('hold records of any size', async () => {
    const size = fc.oneof(fc.nat(60), fc.nat(1200), fc.nat(9000));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(size, size), { maxLength: 60 }), async (sizes) => {
        const records = sizes.map(([keySize, valueSize], at) => ({
          key: Uint8Array.from({ length: keySize + 2 }, (_, place) => (place < keySize ? keySize : at)),
          value: new Uint8Array(valueSize).fill(at),
        }));
        const { records: read, problems } = await readSqlite(await writeSqlite(records, 'main'));
        expect(texts(read)).toEqual(texts(records));
        expect(problems).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('leave out the page with the byte that SQLite locks, at 1 GiB', () => {
    const links = new Map<number, number>();
    const pages = new PageWriter({
      write: (page, offset) => links.set(offset / 4096 + 1, new DataView(page.buffer).getUint32(0)),
    });
    pages.count = LOCK_PAGE - 3;
    const filler = new PageFiller(pages, TABLE_PAGE.leaf);
    filler.begin(pages.add());
    filler.putLong(100, new Uint8Array(3 * 4092 + 10), 10);
    expect(filler.view.getUint32(110)).toBe(LOCK_PAGE - 1);
    expect([...links]).toEqual([
      [LOCK_PAGE - 1, LOCK_PAGE + 1],
      [LOCK_PAGE + 1, LOCK_PAGE + 2],
      [LOCK_PAGE + 2, 0],
    ]);
  });

  it('are written by SQLite later, as those of its own files', async () => {
    const { Database } = await loadSqlite();
    const database = new Database(await writeSqlite(sampleRecords(500, 40, 90), 'regtest'));
    for (const { key, value } of sampleRecords(700, 41, 90))
      database.run('INSERT INTO main VALUES (?, ?)', [key, value]);
    database.run('DELETE FROM main WHERE rowid < 400');
    const file = database.export();
    database.close();
    expect((await readSqlite(file)).records).toHaveLength(801);
  });
});

it('writes an index in the order of the bytes of the keys', async () => {
  const short = fc.uint8Array({ maxLength: 12 });
  const alike = fc.array(fc.constantFrom(1, 2), { maxLength: 40 }).map((list) => Uint8Array.from(list));
  const keys = fc.uniqueArray(fc.oneof(short, alike), {
    maxLength: 200,
    selector: (key) => Buffer.from(key).toString('latin1'),
  });
  await fc.assert(
    fc.asyncProperty(keys, async (some) => {
      const records = some.map((key) => ({ key, value: Uint8Array.of() }));
      // SQLite checks the order.
      const { records: read, problems } = await readSqlite(await writeSqlite(records, 'main'));
      expect(texts(read)).toEqual(texts(records));
      expect(problems).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
