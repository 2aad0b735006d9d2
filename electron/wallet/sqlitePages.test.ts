import { describe, expect, it } from 'vitest';
import type { RawRecord } from './rawRecord.ts';
import { loadSqlite, writeSqlite } from './sqlite.ts';
import { eachRow } from './sqlitePages.ts';
import { descriptorNames, walletFile } from './vectors/wallets.ts';

function rowsOf(file: Uint8Array): RawRecord[] {
  const rows: RawRecord[] = [];
  eachRow(file, ({ key, value }) => rows.push({ key, value }));
  return rows;
}

/** Read by SQLite itself. */
async function asSqliteHas(file: Uint8Array): Promise<RawRecord[]> {
  const { Database } = await loadSqlite();
  const database = new Database(file);
  const rows = database.exec('SELECT key, value FROM main ORDER BY rowid')[0]?.values ?? [];
  database.close();
  return rows.map(([key, value]) => ({ key: key as Uint8Array, value: value as Uint8Array }));
}

/** Records of all lengths around those at which a row takes another page. */
function madeRecords(count: number, longest: number): RawRecord[] {
  return Array.from({ length: count }, (_, at) => {
    const key = new Uint8Array(4 + ((at * 7) % 90));
    new DataView(key.buffer).setUint32(0, (at * 2_654_435_761) >>> 0);
    return { key, value: new Uint8Array((at * 37) % longest).fill(at) };
  });
}

describe('eachRow', () => {
  it.each(descriptorNames)('reads the rows of %s as SQLite does', async (name) => {
    expect(rowsOf(walletFile(name))).toEqual(await asSqliteHas(walletFile(name)));
  });

  it.each([
    ['no row', []],
    ['a few rows', madeRecords(5, 100)],
    ['rows of several pages each', madeRecords(300, 20_000)],
    ['a tree of several levels', madeRecords(20_000, 300)],
  ])('reads %s as they were written', async (_, records) => {
    expect(rowsOf(await writeSqlite(records, 'regtest'))).toEqual(records);
  });

  it('refuses a file whose pages are not what they should be', async () => {
    const file = await writeSqlite(madeRecords(300, 20_000), 'regtest');
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
});
