import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { releaseText } from '../../../shared/model/node.ts';
import { encodeUtf8 } from '../bytes/textCoding.ts';
import type { RawRecord } from '../database/rawRecord.ts';
// Records of real wallets that the recorded ones lack.
import recorded from '../testing/fieldRecords.json' with { type: 'json' };
import { entriesOf, recordTexts, walletNames } from '../testing/wallets.ts';
import { hasText, readAddress } from './addressBook.ts';
import {
  hasUnknownMandatoryFlag,
  isAddressRecord,
  type KnownRecord,
  parseRecord,
  type RecordOfType,
  RecordWriter,
  recordsByType,
  typeIn,
  walletFlags,
  writeRecord,
} from './records.ts';
import { orderOf, stateOf, timeOf } from './walletTransaction.ts';

const hex = (record: RawRecord) => recordTexts([record])[0];
const sized = (text: string) => Buffer.concat([Buffer.of(text.length), Buffer.from(text)]).toString('hex');
const parseHex = (key: string, value: string) => parseRecord(hexToBytes(key), hexToBytes(value));
async function recordsOf(name: string): Promise<KnownRecord[]> {
  return (await entriesOf(name)).map(({ key, value }) => known(parseRecord(key, value)));
}
function known(record: ReturnType<typeof parseRecord>): KnownRecord {
  if (record.type === 'unknown' || record.type === 'damaged')
    throw new Error(`${record.type}: ${record.name}`);
  return record;
}

describe('the records of every recorded wallet', () => {
  it.each(walletNames)('%s: all are known, and written as they were read', async (name) => {
    const entries = await entriesOf(name);
    const records = await recordsOf(name);
    expect(records.filter((record) => record.trailing)).toEqual([]);
    expect(records.map((record) => hex(writeRecord(record)))).toEqual(entries.map(hex));
    const writer = new RecordWriter();
    expect(records.map((record) => writer.write(record)).map(hex)).toEqual(entries.map(hex));
  });

  it.each(walletNames)('%s: transactions are confirmed, in the order of the wallet', async (name) => {
    const records = recordsByType(await entriesOf(name));
    const transactions = records.of('tx');
    const orders = transactions.map(orderOf).sort((a, b) => (a ?? 0) - (b ?? 0));
    expect(orders).toEqual(orders.map((_, place) => place));
    expect(records.one('orderposnext')?.next ?? 0).toBe(transactions.length);
    for (const record of transactions) expect(stateOf(record).state).toBe('confirmed');
    for (const record of transactions) expect(timeOf(record)).toBeGreaterThan(1_795_000_000);
  });
});

const publicKey = `21${'02'.repeat(33)}`;
const hash = 'ab'.repeat(32);

const noUtf8 = { key: sized('name') + sized('a'), value: '04636166e9', fields: { label: 'caf\udce9' } };
const fieldRecords = [...recorded, { title: 'a label that is no UTF-8', ...noUtf8 }];

/** The fields of a record with bytes in hex and large numbers as text, as in JSON. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return bytesToHex(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field)]));
}

describe('records of other releases', () => {
  it.each(fieldRecords)('$title', ({ key, value, fields }) => {
    const record = parseHex(key, value);
    expect(plain(record)).toMatchObject(fields);
    expect(record.type).not.toBe('damaged');
    expect(hex(writeRecord(record))).toBe(`${key} ${value}`);
  });

  it('a transaction of 0.3.14 keeps the bytes at its end', async () => {
    const entry = (await entriesOf('legacy-hd')).find(
      ({ key }) => key[1] === 't'.charCodeAt(0) && key.length === 35,
    );
    if (!entry) throw new Error('the fixture has transactions');
    const value = Uint8Array.of(...entry.value, 0, 0, 0);
    const record = parseRecord(entry.key, value);
    expect(record).toMatchObject({ type: 'tx', trailing: Uint8Array.of(0, 0, 0) });
    expect(hex(writeRecord(record))).toBe(hex({ key: entry.key, value }));
  });

  it('a transaction before 0.9 keeps its ancestors', async () => {
    const [newer] = recordsByType(await entriesOf('legacy-hd')).of('tx');
    if (!newer) throw new Error('the fixture has transactions');
    const { transaction, blockHash, index } = newer;
    const older = { ...newer, previous: [{ transaction, blockHash, merkleBranch: [hash, hash], index }] };
    const { key, value } = writeRecord(older);
    expect(parseRecord(key, value)).toEqual(older);
  });
});

describe('a plain key, whose long fields are read when they are asked for', () => {
  const publicKey = Uint8Array.of(2, 1);
  it.each([
    { der: Uint8Array.of(5, 6), checksum: new Uint8Array(32).fill(7), trailing: Uint8Array.of(8) },
    { der: new Uint8Array(300).fill(9), checksum: new Uint8Array(32), trailing: undefined },
    { der: Uint8Array.of(), checksum: null, trailing: Uint8Array.of(8) },
    { der: Uint8Array.of(5), checksum: null, trailing: undefined },
  ])('%o', (fields) => {
    const entry = new RecordWriter().write({ type: 'key', publicKey, ...fields });
    const [key] = recordsByType([entry]).of('key');
    const { type, der, checksum, trailing } = key ?? {};
    expect({ type, publicKey: key?.publicKey, der, checksum, trailing }).toEqual({
      type: 'key',
      publicKey,
      ...fields,
    });
    expect([...recordsByType([entry]).each('key')]).toEqual([parseRecord(entry.key, entry.value)]);
  });
});

describe('unknown and damaged records', () => {
  it.each([
    ['of an unknown type', sized('newthing'), 'newthing'],
    ['named as a property of every object', sized('constructor'), 'constructor'],
    ['without a name', '', ''],
    ['with a name longer than the key', 'fd', ''],
  ])('%s are kept', (_, key, name) => {
    const record = parseHex(key, 'aa');
    expect(record).toMatchObject({ type: 'unknown', name });
    expect(hex(writeRecord(record))).toBe(`${key} aa`);
  });

  it.each([
    ['cut off', sized('key') + publicKey, '2001'],
    [
      'with a longer key than it should have',
      `${sized('hdchain')}00`,
      `01000000${'07000000'}${'11'.repeat(20)}`,
    ],
    ['with a size in more bytes than needed', `${sized('key')}fd2100${'02'.repeat(33)}`, '03010203'],
    ['that claim more items than there are', sized('bestblock'), '01000000feffffff01'],
    ['that claim more items than possible', sized('bestblock'), `01000000ff${'ff'.repeat(8)}`],
    [
      'with a boolean that is neither true nor false',
      `${sized('pool')}0500000000000000`,
      `40540000${'00'.repeat(8)}${publicKey}02`,
    ],
  ])('%s are damaged, and kept', (_, key, value) => {
    const record = parseHex(key, value);
    expect(record.type).toBe('damaged');
    expect(Object.keys(record).sort()).toEqual(['key', 'name', 'type', 'value']);
    expect(hex(writeRecord(record))).toBe(`${key} ${value}`);
  });

  it('are counted separately', async () => {
    const [entry] = await entriesOf('legacy-blank');
    if (!entry) throw new Error('the fixture has records');
    const foreign = { key: hexToBytes(sized('newthing')), value: new Uint8Array() };
    const broken = { key: hexToBytes(sized('version')), value: new Uint8Array(3) };
    const { unknown, damaged } = recordsByType([foreign, entry, broken]).unread();
    expect([unknown.length, damaged.length]).toEqual([1, 1]);
    expect(damaged[0]?.name).toBe('version');
  });

  it('are not written with impossible fields', () => {
    const record: RecordOfType<'hdchain'> = {
      type: 'hdchain',
      version: 1,
      externalCounter: 0,
      internalCounter: 3,
      seedId: new Uint8Array(20),
    };
    expect(() => writeRecord(record)).toThrowError(expect.objectContaining({ code: 'internal' }));
  });
});

describe('any bytes', () => {
  it('are written as they were read, whatever they mean', async () => {
    const samples = (await Promise.all(walletNames.map(entriesOf))).flat();
    const field = fieldRecords.map(({ key, value }) => ({ key: hexToBytes(key), value: hexToBytes(value) }));
    const edit = fc.record({ at: fc.nat(400), byte: fc.nat(255) });
    const change = (bytes: Uint8Array, edits: { at: number; byte: number }[], keep: number) => {
      const changed = Uint8Array.from(bytes.subarray(0, keep < 300 ? keep : bytes.length));
      for (const { at, byte } of edits) if (changed.length > 0) changed[at % changed.length] = byte;
      return changed;
    };
    fc.assert(
      fc.property(
        fc.constantFrom(...field, ...samples),
        fc.array(edit, { maxLength: 3 }),
        fc.array(edit, { maxLength: 6 }),
        fc.nat(1200),
        (entry, keyEdits, valueEdits, keep) => {
          const key = change(entry.key, keyEdits, 300);
          const value = change(entry.value, valueEdits, keep);
          expect(hex(writeRecord(parseRecord(key, value)))).toBe(hex({ key, value }));
        },
      ),
      { numRuns: 1000 },
    );
  });
});

it('names flags as getwalletinfo does, and unknown ones by number', () => {
  expect(walletFlags(0n)).toEqual([]);
  expect(walletFlags((1n << 34n) | 0b110n)).toEqual([
    'key_origin_metadata',
    'last_hardened_xpub_cached',
    'descriptor_wallet',
  ]);
  expect(walletFlags((1n << 40n) | (1n << 5n))).toEqual(['unknown_flag_5', 'unknown_flag_40']);
});

it('requires a release to know only the flags of the upper half', () => {
  expect(hasUnknownMandatoryFlag((1n << 34n) | (1n << 5n))).toBe(false);
  expect(hasUnknownMandatoryFlag(1n << 40n)).toBe(true);
});

it.each([
  [280100, '28.1'],
  [300000, '30.0'],
  [220001, '22.0.1'],
  [210100, '0.21.1'],
  [80600, '0.8.6'],
  [32400, '0.3.24'],
])('%d is release %s', (version, text) => {
  expect(releaseText(version)).toBe(text);
});

it.each(walletNames)('%s: the fast checks recognise entries of the address book', async (name) => {
  for (const entry of await entriesOf(name)) {
    const parsed = parseRecord(entry.key, entry.value);
    if (parsed.type !== 'name' && parsed.type !== 'purpose') continue;
    expect(isAddressRecord(entry)).toBe(true);
    expect(readAddress(entry)).toEqual(encodeUtf8(parsed.address));
    const text = parsed.type === 'name' ? parsed.label : parsed.purpose;
    expect(hasText(entry, encodeUtf8(text))).toBe(true);
    expect(hasText(entry, encodeUtf8(`${text}!`))).toBe(false);
    expect(hasText(entry, encodeUtf8('something else'))).toBe(false);
  }
});

it('reads no address from a key that ends too soon', () => {
  expect(readAddress({ key: Uint8Array.of(4, 0x6e), value: new Uint8Array() })).toEqual(new Uint8Array());
});

const keyOf = (size: number, rest: string) => Uint8Array.from([size, ...utf8ToBytes(rest)]);

it('reads the type from a key', () => {
  const keys = [keyOf(3, 'key1'), keyOf(3, 'key22'), keyOf(4, 'name1'), keyOf(3, 'key'), keyOf(0, '')];
  expect(keys.map(typeIn)).toEqual(['key', 'key', 'name', 'key', '']);
});

it('reads the type from a key that ends within it', () => {
  expect([keyOf(4, 'c'), keyOf(4, 'ckey1'), new Uint8Array(), keyOf(4, 'ckey2')].map(typeIn)).toEqual([
    'c',
    'ckey',
    '',
    'ckey',
  ]);
});
