import type { Database } from 'sql.js';
import { describe, expect, it } from 'vitest';
import { descriptorNames, recordTexts, walletFile } from '../testing/wallets.ts';
import type { RawRecord } from './rawRecord.ts';
import { loadSqlite } from './sqliteDatabase.ts';
import { walkSqlite } from './sqliteWalk.ts';
import { readSqlite, writeSqlite } from './walletDatabase.ts';

const PAGE = 4096;
const rows = (count: number): RawRecord[] =>
  Array.from({ length: count }, (_, number) => ({
    key: new TextEncoder().encode(`key ${number}`),
    // Some records take several pages, and so do some keys in the index.
    value: new Uint8Array(number % 100 === 3 ? 20_000 : 40).fill(number),
  }));
const pageAt = (file: Uint8Array, page: number) =>
  new DataView(file.buffer, file.byteOffset + (page - 1) * PAGE, PAGE);

/** The page of the table's root, which has others below it. */
const ROOT = 2;

/** A file whose table is an interior page that names the page `child` so many times. */
function repeated(file: Uint8Array, page: number, child: number, times: number): void {
  const view = pageAt(file, page);
  for (let at = 0; at < PAGE; at += 1) view.setUint8(at, 0);
  view.setUint8(0, 5);
  view.setUint16(3, times);
  view.setUint32(8, child);
  for (let cell = 0; cell < times; cell += 1) {
    const at = PAGE - 5 * (cell + 1);
    view.setUint32(at, child);
    view.setUint8(at + 4, 1);
    view.setUint16(12 + 2 * cell, at);
  }
}

async function changedBy(work: (database: Database) => void, file: Uint8Array): Promise<Uint8Array> {
  const { Database } = await loadSqlite();
  const database = new Database(file);
  work(database);
  const changed = database.export();
  database.close();
  return changed;
}

/** Changes a column of a row of the schema. */
function renamed(column: 'name' | 'rootpage', value: string | Uint8Array) {
  return (database: Database) => {
    database.run('PRAGMA writable_schema = ON');
    const type = column === 'name' ? 'index' : 'table';
    database.run(`UPDATE sqlite_schema SET ${column} = ? WHERE type = ?`, [value, type]);
  };
}

async function rootOf(file: Uint8Array, table: string): Promise<number> {
  const { Database } = await loadSqlite();
  const database = new Database(file);
  const found = database.exec('SELECT rootpage FROM sqlite_schema WHERE name = ?', [table]);
  database.close();
  return Number(found[0]?.values[0]?.[0]);
}

/** Read by SQLite itself. */
async function asSqliteHas(file: Uint8Array): Promise<RawRecord[]> {
  const { Database } = await loadSqlite();
  const database = new Database(file);
  const rows = database.exec('SELECT key, value FROM main ORDER BY rowid')[0]?.values ?? [];
  database.close();
  return rows.map(([key, value]) => ({ key: key as Uint8Array, value: value as Uint8Array }));
}

/** Records of all lengths around those at which a row needs another page. */
function sampleRecords(count: number, longest: number): RawRecord[] {
  return Array.from({ length: count }, (_, at) => {
    const key = new Uint8Array(4 + ((at * 7) % 90));
    new DataView(key.buffer).setUint32(0, (at * 2_654_435_761) >>> 0);
    return { key, value: new Uint8Array((at * 37) % longest).fill(at) };
  });
}

describe('the rows of an SQLite file', () => {
  const rowsOf = (file: Uint8Array) => {
    const { sql, faults, others, rows: found } = walkSqlite(file);
    if (sql === null || faults.length > 0 || others > 0)
      throw new Error(`unreadable: ${faults[0]?.fault.code}`);
    return found.map(({ key, value }) => ({ key, value }));
  };

  it.each(descriptorNames)('are those that SQLite reads in %s', async (name) => {
    expect(rowsOf(walletFile(name))).toEqual(await asSqliteHas(walletFile(name)));
  });

  it.each([
    ['no row', []],
    ['a few rows', sampleRecords(5, 100)],
    ['rows of several pages each', sampleRecords(300, 20_000)],
    ['a tree of several levels', sampleRecords(20_000, 300)],
  ])('are those that were written: %s', async (_, records) => {
    expect(recordTexts(rowsOf(await writeSqlite(records, 'regtest')))).toEqual(recordTexts(records));
  });

  it('are not read from damaged pages without a fault', async () => {
    const file = await writeSqlite(sampleRecords(300, 20_000), 'regtest');
    const broken = (change: (bytes: Uint8Array) => void) => {
      const bytes = file.slice();
      change(bytes);
      return () => rowsOf(bytes);
    };
    expect(broken((bytes) => bytes.fill(0, 100, 101))).toThrow();
    expect(broken((bytes) => bytes.fill(2, 4096, 4097))).toThrow();
    expect(() => rowsOf(file.subarray(0, 8192))).toThrow();
    expect(() => rowsOf(new Uint8Array(100))).toThrow();
  });

  it('are a key and a value, and nothing more', async () => {
    const file = await changedBy(
      (database) => {
        database.run('DROP TABLE main');
        database.run('CREATE TABLE main(key BLOB, value BLOB, more BLOB)');
        database.run("INSERT INTO main VALUES (x'01', x'02', x'03')");
      },
      await writeSqlite([], 'regtest'),
    );
    expect(walkSqlite(file)).toMatchObject({ faults: [], rows: [], others: 1 });
  });
});

describe('the pages of an SQLite file', () => {
  it.each(descriptorNames)('are used once each in %s', (name) => {
    const walked = walkSqlite(walletFile(name), { comparesIndex: true });
    expect(walked).toMatchObject({ faults: [], others: 0, lacksRows: false });
  });

  it.each([512, 4096, 65536])('are used once each whatever their size: %i bytes', async (size) => {
    const file = await changedBy(
      (database) => database.run(`PRAGMA page_size = ${size}; VACUUM`),
      await writeSqlite(rows(3000), 'regtest'),
    );
    expect(walkSqlite(file, { comparesIndex: true })).toMatchObject({
      faults: [],
      others: 0,
      lacksRows: false,
    });
    expect((await readSqlite(file)).records).toHaveLength(3000);
  });

  it('are used once each after rows were deleted and inserted', async () => {
    const file = await changedBy(
      (database) => {
        database.run('DELETE FROM main WHERE rowid % 3 = 0');
        database.run("INSERT INTO main VALUES (x'0102', zeroblob(9000))");
      },
      await writeSqlite(rows(900), 'regtest'),
    );
    expect(walkSqlite(file).faults).toEqual([]);
  });

  // SECURITY.md: A hostile SQLite file
  it('that refer to each other do not yield endless rows', async () => {
    const file = await writeSqlite(rows(400), 'regtest');
    const leaf = pageAt(file, ROOT).getUint32(pageAt(file, ROOT).getUint16(12));
    const other = pageAt(file, ROOT).getUint32(8);
    // 400 times 400 times the rows of a leaf.
    repeated(file, other, leaf, 400);
    repeated(file, ROOT, other, 400);
    await expect(readSqlite(file)).rejects.toMatchObject({
      code: 'not_a_wallet',
      finding: { fault: { code: 'page_repeated' } },
    });
    const { records, problems } = await readSqlite(file, 'salvage');
    expect(records.length).toBeGreaterThan(0);
    expect(records.length).toBeLessThan(400);
    expect(problems[0]).toMatchObject({ lost: true, finding: { fault: { code: 'page_repeated' } } });
  });

  // SECURITY.md: A hostile SQLite file
  it('of SQLite’s statistics, which it reads before any query, never reach SQLite', async () => {
    const file = await changedBy(
      (database) => {
        database.run('ANALYZE');
        const insert = database.prepare("INSERT INTO sqlite_stat1 VALUES ('main', NULL, ?)");
        for (let row = 0; row < 200; row += 1) insert.run([`${row} `.repeat(100)]);
        insert.free();
      },
      await writeSqlite(rows(3), 'regtest'),
    );
    const root = await rootOf(file, 'sqlite_stat1');
    const children = [...Array(7).keys()].map((at) =>
      pageAt(file, root).getUint32(pageAt(file, root).getUint16(12 + 2 * at)),
    );
    // 400 times 400 and so on the rows of a leaf: SQLite would read them for years.
    for (const [at, page] of [root, ...children.slice(0, -1)].entries())
      repeated(file, page, children[at] ?? 0, 400);
    await expect(readSqlite(file)).rejects.toMatchObject({
      code: 'not_a_wallet',
      finding: { fault: { code: 'table_unknown' } },
    });
    const { records, problems } = await readSqlite(file, 'salvage');
    expect(records).toHaveLength(3);
    expect(problems).toMatchObject([{ lost: true }]);
  });

  // SECURITY.md: A hostile SQLite file
  it.each([
    ['a table beside it', (database: Database) => database.run('CREATE TABLE other(x)')],
    ['a plain index', (database: Database) => database.run('CREATE INDEX more ON main(value)')],
    ['an index of another name', renamed('name', 'sqlite_autoindex_main_2')],
    ['a root told in bytes', renamed('rootpage', new TextEncoder().encode('2'))],
  ])('never reach SQLite if there is %s', async (_, change) => {
    const file = await changedBy(change, await writeSqlite(rows(3), 'regtest'));
    await expect(readSqlite(file)).rejects.toMatchObject({ finding: { fault: { code: 'table_unknown' } } });
  });

  it('that are free and refer to each other are not followed', async () => {
    const file = await changedBy(
      (database) => database.run('DELETE FROM main WHERE rowid > 3'),
      await writeSqlite(rows(900), 'regtest'),
    );
    const trunk = new DataView(file.buffer, file.byteOffset).getUint32(32);
    expect(trunk).toBeGreaterThan(0);
    pageAt(file, trunk).setUint32(0, trunk);
    // A node refuses such a file too.
    await expect(readSqlite(file)).rejects.toMatchObject({ code: 'not_a_wallet' });
    expect(await readSqlite(file, 'salvage')).toMatchObject({
      records: { length: 3 },
      problems: [{ lost: true }],
    });
  });

  // SECURITY.md: A hostile SQLite file
  it('share no byte between two entries', async () => {
    const file = await writeSqlite(rows(400), 'regtest');
    const leaf = pageAt(file, ROOT).getUint32(pageAt(file, ROOT).getUint16(12));
    const view = pageAt(file, leaf);
    const longest = view.getUint16(8 + 2 * 3);
    // As many pointers as possible, each to the largest entry.
    view.setUint16(3, 1000);
    for (let cell = 0; cell < 1000; cell += 1) view.setUint16(8 + 2 * cell, longest);
    const { records, problems } = await readSqlite(file, 'salvage');
    expect(records.length).toBeLessThan(400);
    expect(problems[0]).toMatchObject({
      finding: { fault: { code: expect.stringMatching(/^(?:entries_misplaced|page_repeated)$/) } },
    });
  });

  it('of a long value in a loop end', async () => {
    const file = await writeSqlite([{ key: Uint8Array.of(1), value: new Uint8Array(60_000) }], 'regtest');
    const view = pageAt(file, ROOT);
    const cell = view.getUint16(8);
    const first = [...Array(PAGE - cell - 3).keys()]
      .map((at) => view.getUint32(PAGE - 4 - at))
      .find((page) => page > 2 && page <= file.length / PAGE);
    pageAt(file, first ?? 0).setUint32(0, first ?? 0);
    const { records, problems } = await readSqlite(file, 'salvage');
    expect(records).toEqual([]);
    expect(problems.map(({ finding }) => finding)).toContainEqual({
      code: 'wallet_damaged',
      fault: { code: 'page_repeated', page: (first ?? 0) - 1 },
    });
  });

  it('of a value whose overflow would be named behind the end of the file are not read', async () => {
    const file = (await writeSqlite(rows(1), 'regtest')).slice(0, ROOT * PAGE);
    const view = pageAt(file, ROOT);
    // A length of 4062 bytes: 489 on the page, up to its end, and the rest elsewhere.
    const cell = PAGE - 489 - 3;
    view.setUint16(8, cell);
    view.setUint16(cell, 0x9f5e);
    expect(walkSqlite(file).faults[0]?.fault).toEqual({ code: 'entries_misplaced', page: 1 });
  });
});
