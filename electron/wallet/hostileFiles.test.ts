/** Files that were made to harm who looks into them. */
import type { Database } from 'sql.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { inspection } from '../../shared/inspection.ts';
import { identifyWallet } from './identifyWallet.ts';
import { inspect } from './inspect.ts';
import { passphraseVerdict } from './passphraseVerdict.ts';
import type { RawRecord } from './rawRecord.ts';
import { readSqlite } from './readSqlite.ts';
import { parseRecord, type WalletRecord, writeRecord } from './records.ts';
import { loadSqlite } from './sqliteDatabase.ts';
import { addressRecords } from './vectors/madeWallet.ts';
import { entriesOf, walletFile } from './vectors/wallets.ts';
import { writeSqlite } from './writeSqlite.ts';

async function changed(file: Uint8Array, ...statements: string[]): Promise<Uint8Array> {
  const { Database } = await loadSqlite();
  const database: Database = new Database(file);
  for (const statement of statements) database.run(statement);
  const bytes = database.export();
  database.close();
  return bytes;
}

async function withRecords(
  name: string,
  more: RawRecord[],
  change: (record: WalletRecord) => WalletRecord = (record) => record,
): Promise<Uint8Array> {
  const entries = await entriesOf(name);
  return writeSqlite(
    [...entries.map(({ key, value }) => writeRecord(change(parseRecord(key, value)))), ...more],
    'regtest',
  );
}

const ENDLESS = 'WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r';

describe('a database with more than a table in it', () => {
  it.each([
    ['a trigger', 'CREATE TRIGGER t AFTER INSERT ON main BEGIN DELETE FROM main; END'],
    ['a view', `CREATE VIEW v AS ${ENDLESS}`],
    ['a virtual table', 'CREATE VIRTUAL TABLE f USING fts3(x)'],
    ['an index that runs a function', 'CREATE INDEX i ON main(hex(key))'],
  ])('%s: SQLite is not asked, and the file is not whole', async (_, statement) => {
    const file = await changed(walletFile('descriptor-hd'), statement);
    await expect(readSqlite(file)).rejects.toMatchObject({ code: 'not_a_wallet' });
    const { records, problems } = await readSqlite(file, { onDamage: 'salvage' });
    expect(records).toHaveLength(64);
    expect(problems.map(({ text }) => text).join()).toMatch(/that no wallet has/);
  });

  it.each([
    [
      'a generated column',
      `CREATE TABLE main(key BLOB PRIMARY KEY NOT NULL, value BLOB NOT NULL, x AS ((${'1'})))`,
    ],
    [
      'a check',
      'CREATE TABLE main(key BLOB PRIMARY KEY NOT NULL, value BLOB NOT NULL, CHECK(length(key) > 0))',
    ],
    [
      'a default',
      'CREATE TABLE main(key BLOB PRIMARY KEY NOT NULL, value BLOB NOT NULL DEFAULT (randomblob(9)))',
    ],
    ['a view of that name', `CREATE VIEW main AS ${ENDLESS}`],
  ])('%s in the table itself is no wallet', async (_, statement) => {
    const file = await changed(walletFile('descriptor-hd'), 'DROP TABLE main', statement);
    await expect(readSqlite(file, { onDamage: 'salvage' })).rejects.toMatchObject({ code: 'not_a_wallet' });
  });
});

describe('a small file that claims to be large', () => {
  it('of pages', async () => {
    const file = walletFile('descriptor-hd');
    new DataView(file.buffer, file.byteOffset).setUint32(28, 0xfffffffe);
    await expect(readSqlite(file)).rejects.toMatchObject({ code: 'not_a_wallet' });
    const { records, problems } = await readSqlite(file, { onDamage: 'salvage' });
    expect(records).toHaveLength(64);
    expect(problems).toMatchObject([{ lost: true, text: expect.stringContaining('SQLite') }]);
  });

  it('of tries for each passphrase', async () => {
    const master = (id: number, iterations: number) =>
      writeRecord({
        type: 'mkey',
        id,
        encrypted: new Uint8Array(48),
        salt: new Uint8Array(8),
        derivationMethod: 0,
        iterations,
        otherParameters: new Uint8Array(),
      });
    const many = Array.from({ length: 1000 }, (_, id) => master(id + 100, 49_000_000));
    const { encryption } = await identifyWallet(await withRecords('legacy-hd', many), undefined);
    expect(await passphraseVerdict(encryption, 'x')).toBe('cannot-be-tried');
    const one = await identifyWallet(await withRecords('legacy-hd', [master(100, 0xffffffff)]), undefined);
    expect(await passphraseVerdict(one.encryption, 'x')).toBe('cannot-be-tried');
  });
});

describe('words in a file', () => {
  it('of any length are told cut, so that the page can show them', async () => {
    const long = 'x'.repeat(3_000_000);
    const file = await withRecords('legacy-hd', addressRecords('a'.repeat(1_000_000), long, long));
    const found = await inspect(file);
    expect(JSON.stringify(z.encode(inspection, found)).length).toBeLessThan(200_000);
    expect(found.labels.total).toBeGreaterThan(0);
  });

  it('of bytes that are no text take no longer than others', async () => {
    const bytes = new Uint8Array(2_000_000).fill(0xff);
    const length = Uint8Array.of(0xfe, ...new Uint8Array(Uint32Array.of(bytes.length).buffer));
    const name = addressRecords('mine', '', null)[0] as RawRecord;
    const file = await withRecords('legacy-hd', [{ key: name.key, value: Buffer.concat([length, bytes]) }]);
    expect((await inspect(file)).labels.shown.map(({ address }) => address)).toContain('mine');
  });

  it('that mean something to JavaScript are words', async () => {
    const words = ['__proto__', 'constructor', 'toString'];
    const more = words.flatMap((word) => addressRecords(word, word, word));
    const { labels } = await inspect(await withRecords('legacy-hd', more));
    for (const word of words) {
      expect(labels.shown).toContainEqual(
        expect.objectContaining({ address: word, label: word, purpose: word }),
      );
    }
    expect(({} as Record<string, unknown>).label).toBeUndefined();
  });

  it('of types that no wallet has are counted, and named only where they are plain', async () => {
    const typed = (type: string): RawRecord => ({
      key: Buffer.concat([Buffer.of(Buffer.byteLength(type)), Buffer.from(type)]),
      value: new Uint8Array(),
    });
    const file = await withRecords('legacy-hd', ['__proto__', '\u001b[2J', '\u202etxt', '<b>'].map(typed));
    const { records } = await inspect(file);
    for (const { type } of records.unknown.shown) expect(type).toMatch(/^[a-z0-9_ ]+$/i);
    expect(Object.getPrototypeOf(records.byType)).toBe(Object.prototype);
  });
});

it('times that no calendar has are no times', async () => {
  const file = await withRecords('legacy-hd', [], (record) =>
    record.type === 'keymeta' ? { ...record, createTime: Number.MAX_SAFE_INTEGER } : record,
  );
  const { birth } = await inspect(file);
  if (birth.known !== 'no') expect(birth.time).toBeLessThan(253_402_300_800);
});
