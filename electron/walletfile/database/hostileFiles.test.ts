/** Tests files that were made to harm their reader. */
import fc from 'fast-check';
import type { Database } from 'sql.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod/mini';
import { type Inspection, inspection } from '../../../shared/model/inspection.ts';
import { once } from '../bytes/once.ts';
import { withChecksum } from '../descriptor/checksum.ts';
import { identifyWallet } from '../inspect/identifyWallet.ts';
import { inspect } from '../inspect/inspect.ts';
import { readLegacyWallet } from '../legacy/legacyWallet.ts';
import { migrateLegacy } from '../migrate/migrateLegacy.ts';
import { judgePassphrase, masterKeyOf } from '../records/encryption.ts';
import { parseRecord, type WalletRecord, writeRecord } from '../records/records.ts';
import { transactionId } from '../script/transaction.ts';
import {
  addressRecords,
  inOrder,
  keyRecords,
  sampleKey,
  transactionRecord,
  watchRecords,
} from '../testing/sampleWallet.ts';
import { changeFirst, editedWallet, entriesOf, walletFile } from '../testing/wallets.ts';
import type { RawRecord } from './rawRecord.ts';
import { loadSqlite } from './sqliteDatabase.ts';
import { walkSqlite } from './sqliteWalk.ts';
import { CheckedFile, readSqlite, writeSqlite } from './walletDatabase.ts';

async function changed(file: Uint8Array, ...statements: string[]): Promise<Uint8Array> {
  const { Database } = await loadSqlite();
  const database: Database = new Database(file);
  for (const statement of statements) database.run(statement);
  const bytes = database.export();
  database.close();
  return bytes;
}

const withRecords = (name: string, more: RawRecord[]) => editedWallet(name, undefined, more);

const XPUB =
  'tpubD6NzVbkrYhZ4XgiXtGrdW5XDAPFCL9h7we1vwNCpn8tGbBcgfVYjXyhWo4E1xkh56hjod1RhGjxbaTLV3X4FyWuejifB9jusQ46QzG87VKp';

async function rehearsed(name: string, more: RawRecord[]) {
  const legacy = readLegacyWallet(inOrder(await entriesOf(name), more));
  const options = { network: 'regtest', name: 'w', now: 1_700_000_000, keypoolSize: 20 } as const;
  return migrateLegacy(legacy, null, options, (_, size) => new CheckedFile(size));
}

function masterRecord(id: number, iterations: number): RawRecord {
  return writeRecord({
    type: 'mkey',
    id,
    encrypted: new Uint8Array(48),
    salt: new Uint8Array(8),
    derivationMethod: 0,
    iterations,
    otherParameters: new Uint8Array(),
  });
}

const ENDLESS = 'WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r';

describe('a database with more than a table in it', () => {
  // SECURITY.md: A hostile SQLite file
  it.each([
    ['a trigger', 'CREATE TRIGGER t AFTER INSERT ON main BEGIN DELETE FROM main; END'],
    ['a view', `CREATE VIEW v AS ${ENDLESS}`],
    ['a virtual table', 'CREATE VIRTUAL TABLE f USING fts3(x)'],
    ['an index that runs a function', 'CREATE INDEX i ON main(hex(key))'],
  ])('%s: is damage, and SQLite never opens the file', async (_, statement) => {
    const file = await changed(walletFile('descriptor-hd'), statement);
    await expect(readSqlite(file)).rejects.toMatchObject({ code: 'not_a_wallet' });
    const { records, problems } = await readSqlite(file, 'salvage');
    expect(records).toHaveLength(64);
    expect(problems.map(({ finding }) => finding)).toContainEqual({
      code: 'wallet_damaged',
      fault: { code: 'table_unknown' },
    });
  });

  it('reports at most 200 of many foreign tables', async () => {
    const tables = Array.from({ length: 300 }, (_, number) => `CREATE TABLE t${number}(x)`);
    const file = await changed(walletFile('descriptor-hd'), tables.join(';'));
    expect(walkSqlite(file).faults).toHaveLength(200);
    const { problems } = await readSqlite(file, 'salvage');
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)?.finding).toEqual({ code: 'more_problems', count: 100 });
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
    await expect(readSqlite(file, 'salvage')).rejects.toMatchObject({ code: 'not_a_wallet' });
  });
});

describe('a small file that claims to be large', () => {
  it('with too many pages is refused, and its records can be salvaged', async () => {
    const file = walletFile('descriptor-hd');
    new DataView(file.buffer, file.byteOffset).setUint32(28, 0xfffffffe);
    await expect(readSqlite(file)).rejects.toMatchObject({ code: 'not_a_wallet' });
    const { records, problems } = await readSqlite(file, 'salvage');
    expect(records).toHaveLength(64);
    expect(problems).toMatchObject([
      { lost: true, finding: { fault: { code: expect.stringContaining('sqlite') } } },
    ]);
  });

  it('with many rounds for each try shows how long a try takes, up to a limit', async () => {
    const found = await inspect(await withRecords('legacy-hd', [masterRecord(100, 50_000_000)]));
    expect(found.encryption).toMatchObject({ iterations: 50_000_000, secondsPerTry: expect.any(Number) });
    for (const rounds of [1, 999_999, 50_000_001]) {
      const other = await inspect(await withRecords('legacy-hd', [masterRecord(100, rounds)]));
      expect(other.encryption).toMatchObject({ iterations: rounds, secondsPerTry: null });
    }
  });

  // SECURITY.md: A hostile wallet file
  it('with too many tries for each passphrase is not tried', async () => {
    const many = Array.from({ length: 1000 }, (_, id) => masterRecord(id + 100, 49_000_000));
    const { encryption } = await identifyWallet(await withRecords('legacy-hd', many), undefined);
    expect(await judgePassphrase(encryption, 'x')).toBe('too-many-rounds');
    const one = await identifyWallet(
      await withRecords('legacy-hd', [masterRecord(100, 0xffffffff)]),
      undefined,
    );
    expect(await judgePassphrase(one.encryption, 'x')).toBe('too-many-rounds');
    await expect(one.encryption && masterKeyOf(one.encryption, 'x')).rejects.toMatchObject({
      code: 'beyond_limits',
      finding: { code: 'too_many_rounds', rounds: 4_294_967_295 },
    });
  });
});

describe('a key path', () => {
  const stepsOf = (count: number) => '/0'.repeat(count);
  const withPath = async (path: string) => {
    const deep = withChecksum(`wpkh(${XPUB}${path}/*)`);
    return editedWallet('descriptor-hd', (record) =>
      record.type === 'walletdescriptor'
        ? { ...record, descriptor: deep, rangeEnd: 50_000 }
        : // Disable the cached keys, which do not fit this descriptor.
          'keyIndex' in record
          ? { ...record, keyIndex: 9 }
          : record,
    );
  };

  // SECURITY.md: A hostile wallet file
  it('of more steps than a key can have (BIP 32) is damaged, and not derived for each address', async () => {
    const found = await inspect(await withPath(stepsOf(300)));
    expect(found.problems).toContainEqual({
      page: null,
      finding: { code: 'descriptors_unreadable', damaged: 8, all: 8 },
      lost: true,
    });
  });

  it('of many steps in metadata is damaged', async () => {
    const [count, size] = [300_000, Uint8Array.of(0xfe, 0xe0, 0x93, 4, 0)];
    const entries = await entriesOf('legacy-hd');
    const known = entries.find(({ key }) => Buffer.from(key).includes('keymeta')) as RawRecord;
    // Version, time, an empty path as text, the seed and a fingerprint; then the path and whether it is known.
    const start = Buffer.concat([Buffer.of(12, 0, 0, 0), Buffer.alloc(8 + 1 + 20 + 4)]);
    const value = Buffer.concat([start, size, Buffer.alloc(4 * count), Buffer.of(1)]);
    const file = await writeSqlite(
      entries.map((entry) => (entry === known ? { key: known.key, value } : entry)),
      'regtest',
    );
    const { problems } = await inspect(file);
    expect(problems.map(({ finding }) => finding)).toContainEqual({
      code: 'records_of_type_unreadable',
      type: 'keymeta',
      count: 1,
    });
  });

  it('that cannot be derived fails only once for all callers', () => {
    let tried = 0;
    const ask = once(() => {
      tried += 1;
      throw new Error('too long');
    });
    for (let time = 0; time < 3; time += 1) expect(ask).toThrow('too long');
    expect(tried).toBe(1);
  });
});

describe('a script', () => {
  // SECURITY.md: A hostile wallet file
  it('of a megabyte can never be spent: it is shown, and left out of a migration', async () => {
    const script = new Uint8Array(1_000_000).fill(0x51);
    const file = await withRecords('legacy-hd', watchRecords(script));
    const { scripts, migration } = await inspect(file);
    expect(scripts.shown).toMatchObject([{ ownership: 'not-mine', kind: 'nonstandard', address: null }]);
    expect(migration).toMatchObject({ leftOut: 1, watchOnly: null });
    const { watchonly, proof } = await rehearsed('legacy-hd', watchRecords(script));
    expect(watchonly).toBeNull();
    expect(proof.leftOut).toHaveLength(1);
    expect(JSON.stringify(proof).length).toBeLessThan(100_000);
  });

  it('of a megabyte in a descriptor does not hide the other descriptors', async () => {
    const descriptor = withChecksum(`raw(${'51'.repeat(1_000_000)})`);
    const long = changeFirst('walletdescriptor', (record) => ({ ...record, descriptor }));
    const { descriptors } = await inspect(await editedWallet('descriptor-hd', long));
    expect(descriptors.shown).toHaveLength(8);
  });
});

describe('text in a file', () => {
  // SECURITY.md: A hostile wallet file
  it('of any length is shortened for the page', async () => {
    const long = 'x'.repeat(3_000_000);
    const file = await withRecords('legacy-hd', addressRecords('a'.repeat(1_000_000), long, long));
    const found = await inspect(file);
    expect(JSON.stringify(z.encode(inspection, found)).length).toBeLessThan(200_000);
    expect(found.labels.total).toBeGreaterThan(0);
  });

  it('of two million bytes that are not UTF-8 hides no other text', async () => {
    const bytes = new Uint8Array(2_000_000).fill(0xff);
    const length = Uint8Array.of(0xfe, ...new Uint8Array(Uint32Array.of(bytes.length).buffer));
    const name = addressRecords('mine', '', null)[0] as RawRecord;
    const file = await withRecords('legacy-hd', [{ key: name.key, value: Buffer.concat([length, bytes]) }]);
    expect((await inspect(file)).labels.shown.map(({ address }) => address)).toContain('mine');
  });

  it('that means something to JavaScript is only text', async () => {
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

  it('that names unknown types is counted, and shown only if it is plain', async () => {
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

describe('amounts', () => {
  const own = sampleKey(1);
  /** A transaction that pays these amounts to the wallet's own key. */
  const paying = (amounts: readonly bigint[], lockTime = 0): RawRecord => {
    const { record } = transactionRecord([own.p2pkh]);
    const stored = parseRecord(record.key, record.value) as Extract<WalletRecord, { type: 'tx' }>;
    const outputs = amounts.map((value) => ({ value, scriptPubKey: own.p2pkh }));
    const transaction = { ...stored.transaction, outputs, lockTime };
    return writeRecord({ ...stored, transaction, txid: transactionId(transaction) });
  };
  const walletOf = (...records: RawRecord[]) => writeSqlite([...keyRecords(own), ...records], 'regtest');
  const MAX_COUNT = 21_000_000n * 100_000_000n;
  const crossed = (found: Inspection) => inspection.parse(z.encode(inspection, found));

  it.each([
    ['as large as a file can say', [2n ** 63n - 1n]],
    ['below nothing', [-1n]],
    ['as far below as a file can say', [-(2n ** 63n), 5n]],
    ['over all bitcoin together', [MAX_COUNT, 1n]],
  ])('%s belong to a damaged transaction', async (_, amounts) => {
    const found = crossed(await inspect(await walletOf(paying(amounts), paying([7n]))));
    expect(found.balance.spendable.confirmed).toBe(7n);
    expect(found.problems.map(({ finding }) => finding)).toContainEqual({
      code: 'transactions_damaged',
      count: 1,
    });
  });

  it('of many transactions that add up to more than all bitcoin are reported', async () => {
    const records = Array.from({ length: 200 }, (_, number) => paying([MAX_COUNT], number));
    const found = crossed(await inspect(await walletOf(...records)));
    expect(found.balance.spendable.confirmed).toBe(200n * MAX_COUNT);
    expect(found.problems.map(({ finding }) => finding)).toContainEqual({ code: 'more_than_all_bitcoin' });
  });

  // SECURITY.md: A hostile wallet file
  it('of any size can be shown', async () => {
    const amount = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    const sensible = fc.bigInt({ min: 0n, max: MAX_COUNT });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(fc.oneof(amount, sensible), { maxLength: 3 })), async (all) => {
        const records = all.map((amounts, number) => paying(amounts, number));
        const { balance } = crossed(await inspect(await walletOf(...records)));
        expect(balance.spendable.confirmed).toBeGreaterThanOrEqual(0n);
      }),
      { numRuns: 40 },
    );
  });
});

describe('a descriptor', () => {
  const base = 'wpkh(tpub/0/*)';
  // SECURITY.md: A hostile wallet file
  it('of any text, length and range can be shown', async () => {
    const int = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
    const part = fc.oneof(
      fc.constantFrom(XPUB, base, 'multi(1,', 'sh(', 'tr(', '/0h', '(', ',', '#', '{'),
      fc.string(),
    );
    const text = fc
      .tuple(fc.array(part, { maxLength: 6 }), fc.constantFrom(1, 1, 1000, 100_000))
      .map(([parts, times]) => parts.join('').repeat(times).slice(0, 200_000));
    const fields = fc.record({
      descriptor: fc.oneof(
        text,
        text.map((words) => `${words.replace(/[^ -~]|#/g, '')}#aaaaaaaa`),
        text.map((words) => withChecksum(words.replace(/[^ -~]|#/g, ''))),
      ),
      createTime: fc.oneof(fc.maxSafeInteger(), fc.constantFrom(-1, 0, Number.MAX_SAFE_INTEGER)),
      nextIndex: int,
      rangeStart: int,
      rangeEnd: int,
    });
    await fc.assert(
      fc.asyncProperty(fields, async (changed) => {
        const file = await editedWallet('descriptor-hd', (record) =>
          record.type === 'walletdescriptor' ? { ...record, ...changed } : record,
        );
        const found = await inspect(file);
        expect(JSON.stringify(z.encode(inspection, found)).length).toBeLessThan(1_000_000);
      }),
      { numRuns: 10 },
    );
  });
});

it('ignores times beyond the calendar', async () => {
  const file = await editedWallet('legacy-hd', (record) =>
    record.type === 'keymeta' ? { ...record, createTime: Number.MAX_SAFE_INTEGER } : record,
  );
  const { birth } = await inspect(file);
  if (birth.known !== 'no') expect(birth.time).toBeLessThan(253_402_300_800);
});
