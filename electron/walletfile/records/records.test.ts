import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { releaseText } from '../../../shared/model/node.ts';
import { bytesOfText } from '../bytes/byteText.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { transactionId } from '../script/transaction.ts';
import {
  descriptorNames,
  entriesOf,
  factsOf,
  legacyNames,
  migrated,
  walletNames,
} from '../testing/wallets.ts';
import { hasText, isAddressRecord, readAddress } from './addressBook.ts';
import {
  isRecordType,
  type KnownRecord,
  type Of,
  parseRecord,
  type RecordType,
  RecordWriter,
  recordsByType,
  typeIn,
  writeRecord,
} from './records.ts';
import { hasUnknownMandatoryFlag, walletFlags } from './walletFlags.ts';
import { orderOf, stateOf, timeOf } from './walletTransaction.ts';

const hex = ({ key, value }: RawRecord) => `${bytesToHex(key)} ${bytesToHex(value)}`;
const word = (text: string) => Buffer.concat([Buffer.of(text.length), Buffer.from(text)]).toString('hex');
const parseHex = (key: string, value: string) => parseRecord(hexToBytes(key), hexToBytes(value));
function only<T extends RecordType>(records: KnownRecord[], type: T): Of<T>[] {
  return records.filter((record) => record.type === type) as unknown as Of<T>[];
}
async function recordsOf(name: string): Promise<KnownRecord[]> {
  return (await entriesOf(name)).map(({ key, value }) => known(parseRecord(key, value)));
}
function known(record: ReturnType<typeof parseRecord>): KnownRecord {
  if (record.type === 'unknown' || record.type === 'damaged')
    throw new Error(`${record.type}: ${record.name}`);
  return record;
}
const reversed = (bytes: Uint8Array) => bytesToHex(Uint8Array.from(bytes).reverse());

describe('the records of every recorded wallet', () => {
  it.each(walletNames)('%s: all are known, and written as they were read', async (name) => {
    const entries = await entriesOf(name);
    const records = await recordsOf(name);
    expect(records.filter((record) => record.trailing)).toEqual([]);
    expect(records.map((record) => hex(writeRecord(record)))).toEqual(entries.map(hex));
    const writer = new RecordWriter();
    expect(records.map((record) => writer.write(record)).map(hex)).toEqual(entries.map(hex));
  });

  it.each(walletNames)('%s: version, transactions and coins are what the node saw', async (name) => {
    const records = await recordsOf(name);
    const { getwalletinfo, transactions, listunspent } = factsOf(name).before;
    expect(only(records, 'minversion')[0]?.version).toBe(getwalletinfo.walletversion);
    expect(only(records, 'version')[0]?.version).toBe(280100);
    const kept = new Map(only(records, 'tx').map((record) => [record.txid, record]));
    expect([...kept.keys()].sort()).toEqual([...transactions].sort());
    for (const [txid, record] of kept) expect(transactionId(record.transaction)).toBe(txid);
    for (const { txid, vout, amount, scriptPubKey } of listunspent) {
      const output = kept.get(txid)?.transaction.outputs[vout];
      expect(Number(output?.value) / 1e8).toBe(amount);
      expect(bytesToHex(output?.scriptPubKey ?? new Uint8Array())).toBe(scriptPubKey);
    }
    const orders = [...kept.values()].map(orderOf).sort((a, b) => (a ?? 0) - (b ?? 0));
    expect(orders).toEqual(orders.map((_, place) => place));
    expect(only(records, 'orderposnext')[0]?.next ?? 0).toBe(kept.size);
    for (const record of kept.values()) expect(stateOf(record).state).toBe('confirmed');
    for (const record of kept.values()) expect(timeOf(record)).toBeGreaterThan(1_795_000_000);
  });

  it.each(walletNames)('%s: labels and purposes are what the node saw', async (name) => {
    const records = await recordsOf(name);
    const names = only(records, 'name');
    const labels = new Map(names.map(({ address, label }) => [address, label]));
    const listed = factsOf(name).before.listreceivedbyaddress;
    for (const { address, label } of listed) expect([address, labels.get(address)]).toEqual([address, label]);
    const addresses = names.map(({ address }) => address).sort();
    expect(
      only(records, 'purpose')
        .map(({ address }) => address)
        .sort(),
    ).toEqual(addresses);
    const purposes = new Set(only(records, 'purpose').map(({ purpose }) => purpose));
    expect([...purposes].every((purpose) => purpose === 'receive' || purpose === 'send')).toBe(true);
  });

  it.each(legacyNames)('%s: HD seed, key pool and locked coins are what the node saw', async (name) => {
    const records = await recordsOf(name);
    const { getwalletinfo } = factsOf(name).before;
    const [chain] = only(records, 'hdchain');
    expect(chain && reversed(chain.seedId)).toBe(getwalletinfo.hdseedid);
    const pool = only(records, 'pool');
    expect(pool.filter(({ internal }) => internal === true)).toHaveLength(
      getwalletinfo.keypoolsize_hd_internal,
    );
    expect(pool.filter(({ internal }) => internal === false)).toHaveLength(getwalletinfo.keypoolsize);
    const locked = only(records, 'lockedutxo').map(({ txid, index }) => ({ txid, vout: index }));
    expect(locked).toEqual(migrated(name).flatMap(({ listlockunspent }) => listlockunspent ?? []));
    const keys = [...only(records, 'key'), ...only(records, 'ckey')].map(({ publicKey }) =>
      bytesToHex(publicKey),
    );
    const known = only(records, 'keymeta').map(({ publicKey }) => bytesToHex(publicKey));
    // legacy-nokeys knows when it got its watched public keys, and has no private key.
    if (name !== 'legacy-nokeys') expect(known.sort()).toEqual(keys.sort());
  });

  it.each(descriptorNames)('%s: descriptors are what the node saw', async (name) => {
    const records = await recordsOf(name);
    const listed = factsOf(name).before.listdescriptors?.descriptors ?? [];
    const seen = only(records, 'walletdescriptor').map((record) => ({
      kind: record.descriptor.split('(tpub')[0],
      next: record.nextIndex,
      range: [record.rangeStart, record.rangeEnd - 1],
      timestamp: record.createTime,
    }));
    const expected = listed.map(({ desc, next, range, timestamp }) => ({
      kind: desc.split('([')[0],
      next,
      range,
      timestamp,
    }));
    const byText = (a: unknown, b: unknown) => JSON.stringify(a).localeCompare(JSON.stringify(b));
    expect(seen.sort(byText)).toEqual(expected.sort(byText));
    const active = [...only(records, 'activeexternalspk'), ...only(records, 'activeinternalspk')];
    expect(new Set(active.map(({ descriptorId }) => bytesToHex(descriptorId))).size).toBe(8);
    expect(
      only(records, 'activeexternalspk')
        .map(({ addressType }) => addressType)
        .sort(),
    ).toEqual(['bech32', 'bech32m', 'legacy', 'p2sh-segwit']);
  });

  it('migration made a label of each name that was kept', async () => {
    const labels = new Set(only(await recordsOf('legacy-imported'), 'name').map(({ label }) => label));
    const [main] = migrated('legacy-imported');
    for (const label of main?.listlabels ?? []) expect(labels).toContain(label);
  });
});

const publicKey = `21${'02'.repeat(33)}`;
const hash = 'ab'.repeat(32);

/** Records of the field that the recorded wallets lack: key, value, and what is in them. */
const fieldRecords: [title: string, key: string, value: string, fields: object][] = [
  ['a key before 0.8', word('key') + publicKey, '03010203', { type: 'key', checksum: null }],
  [
    'a key with an expiry',
    word('wkey') + publicKey,
    `40540000${'03010203'}${'0100000000000000'}${'0200000000000000'}${word('spare')}`,
    { type: 'wkey', version: 21568, createTime: 1, expireTime: 2, comment: 'spare' },
  ],
  [
    'key metadata of 0.8',
    word('keymeta') + publicKey,
    `01000000${'00f1536500000000'}`,
    { type: 'keymeta', version: 1, createTime: 1_700_000_000, hd: null, origin: null },
  ],
  [
    'key metadata of 0.13',
    word('keymeta') + publicKey,
    `0a000000${'00f1536500000000'}${word("m/0'/0'/3'")}${'11'.repeat(20)}`,
    { version: 10, hd: { keyPath: "m/0'/0'/3'", seedId: new Uint8Array(20).fill(0x11) }, origin: null },
  ],
  [
    'an HD chain of 0.13',
    word('hdchain'),
    `01000000${'07000000'}${'11'.repeat(20)}`,
    { type: 'hdchain', version: 1, externalCounter: 7, internalCounter: null },
  ],
  [
    'a key pool entry before 0.15',
    `${word('pool')}0500000000000000`,
    `40540000${'00f1536500000000'}${publicKey}`,
    { type: 'pool', index: 5, time: 1_700_000_000, internal: null, preSplit: null },
  ],
  [
    'a key pool entry of 0.15',
    `${word('pool')}0500000000000000`,
    `40540000${'00f1536500000000'}${publicKey}01`,
    { type: 'pool', internal: true, preSplit: null },
  ],
  ['a default key', word('defaultkey'), publicKey, { type: 'defaultkey' }],
  [
    'an address that was spent from',
    word('destdata') + word('mkHS9ne12qx9pS9VojpwU5xtRd4T7X7ZUt') + word('used'),
    word('1'),
    { type: 'destdata', address: 'mkHS9ne12qx9pS9VojpwU5xtRd4T7X7ZUt', name: 'used', data: Buffer.from('1') },
  ],
  [
    'an account',
    word('acc') + word('savings'),
    `40540000${publicKey}`,
    { type: 'acc', account: 'savings', version: 21568 },
  ],
  [
    'a booking',
    `${word('acentry') + word('savings')}0900000000000000`,
    `40540000${'00e1f50500000000'}${'00f1536500000000'}${word('rent')}${word('c\0d')}`,
    { type: 'acentry', number: 9n, amount: 100_000_000n, otherAccount: 'rent', comment: Buffer.from('c\0d') },
  ],
  [
    'a locked coin',
    `${word('lockedutxo')}${hash}02000000`,
    '31',
    { type: 'lockedutxo', txid: hash, index: 2, locked: 0x31 },
  ],
  ['a setting', `${word('settings')}${word('fee')}`, 'ff00', { type: 'settings' }],
  [
    'a parent in the cache',
    `${word('walletdescriptorcache')}${hash}01000000`,
    `02aabb`,
    { keyIndex: 1, derivationIndex: null, extendedPublicKey: Uint8Array.of(0xaa, 0xbb) },
  ],
  [
    'a child in the cache',
    `${word('walletdescriptorcache')}${hash}0100000002000000`,
    `02aabb`,
    { keyIndex: 1, derivationIndex: 2 },
  ],
  ['a label that is no UTF-8', word('name') + word('a'), '04636166e9', { label: 'caf\udce9' }],
];

describe('records of other releases', () => {
  it.each(fieldRecords)('%s', (_, key, value, fields) => {
    const record = parseHex(key, value);
    const plain = Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [
        name,
        Buffer.isBuffer(field) ? Uint8Array.from(field) : field,
      ]),
    );
    expect(record).toMatchObject(plain);
    expect(record.type).not.toBe('damaged');
    expect(hex(writeRecord(record))).toBe(`${key} ${value}`);
  });

  it('a transaction of 0.3.14 has bytes at its end', async () => {
    const entry = (await entriesOf('legacy-hd')).find(
      ({ key }) => key[1] === 't'.charCodeAt(0) && key.length === 35,
    );
    if (!entry) throw new Error('the fixture has transactions');
    const value = Uint8Array.of(...entry.value, 0, 0, 0);
    const record = parseRecord(entry.key, value);
    expect(record).toMatchObject({ type: 'tx', trailing: Uint8Array.of(0, 0, 0) });
    expect(hex(writeRecord(record))).toBe(hex({ key: entry.key, value }));
  });

  it('a transaction before 0.9 has the ones before it with it', async () => {
    const [newer] = only(await recordsOf('legacy-hd'), 'tx');
    if (!newer) throw new Error('the fixture has transactions');
    const { transaction, blockHash, index } = newer;
    const older = { ...newer, previous: [{ transaction, blockHash, merkleBranch: [hash, hash], index }] };
    const { key, value } = writeRecord(older);
    expect(parseRecord(key, value)).toEqual(older);
  });
});

describe('records that mean nothing here', () => {
  it.each([
    ['of an unknown type', word('newthing'), 'newthing'],
    ['named as a property of every object', word('constructor'), 'constructor'],
    ['without a name', '', ''],
    ['with a name longer than the key', 'fd', ''],
  ])('%s are kept', (_, key, name) => {
    const record = parseHex(key, 'aa');
    expect(record).toMatchObject({ type: 'unknown', name });
    expect(hex(writeRecord(record))).toBe(`${key} aa`);
  });

  it.each([
    ['cut off', word('key') + publicKey, '2001'],
    [
      'with a longer key than it should have',
      `${word('hdchain')}00`,
      `01000000${'07000000'}${'11'.repeat(20)}`,
    ],
    ['with a size in more bytes than needed', `${word('key')}fd2100${'02'.repeat(33)}`, '03010203'],
    ['that ask for more than there is', word('bestblock'), '01000000feffffff01'],
    ['that ask for more than can be', word('bestblock'), `01000000ff${'ff'.repeat(8)}`],
    [
      'with a truth that is neither',
      `${word('pool')}0500000000000000`,
      `40540000${'00'.repeat(8)}${publicKey}02`,
    ],
  ])('%s are damaged, and kept', (_, key, value) => {
    const record = parseHex(key, value);
    expect(record.type).toBe('damaged');
    expect(Object.keys(record).sort()).toEqual(['key', 'name', 'type', 'value']);
    expect(hex(writeRecord(record))).toBe(`${key} ${value}`);
  });

  it('are counted apart', async () => {
    const [entry] = await entriesOf('legacy-blank');
    if (!entry) throw new Error('the fixture has records');
    const foreign = { key: hexToBytes(word('newthing')), value: new Uint8Array() };
    const broken = { key: hexToBytes(word('version')), value: new Uint8Array(3) };
    const { unknown, damaged } = recordsByType([foreign, entry, broken]).unread();
    expect([unknown.length, damaged.length]).toEqual([1, 1]);
    expect(damaged[0]?.name).toBe('version');
  });

  it('and impossible ones are not written', () => {
    const record: Of<'hdchain'> = {
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
    const field = fieldRecords.map(([, key, value]) => ({ key: hexToBytes(key), value: hexToBytes(value) }));
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

it('names flags as getwalletinfo does, those without a name too', () => {
  expect(walletFlags(0n)).toEqual([]);
  expect(walletFlags((1n << 34n) | 0b110n)).toEqual([
    'key_origin_metadata',
    'last_hardened_xpub_cached',
    'descriptor_wallet',
  ]);
  expect(walletFlags((1n << 40n) | (1n << 5n))).toEqual(['unknown_flag_5', 'unknown_flag_40']);
});

it('tells only unknown flags of the upper half as such that a release must know', () => {
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

it.each(walletNames)('%s: entries of the address book are told at a glance', async (name) => {
  for (const entry of await entriesOf(name)) {
    const parsed = parseRecord(entry.key, entry.value);
    if (parsed.type !== 'name' && parsed.type !== 'purpose') continue;
    expect(isAddressRecord(entry)).toBe(true);
    expect(readAddress(entry)).toEqual(bytesOfText(parsed.address));
    const text = parsed.type === 'name' ? parsed.label : parsed.purpose;
    expect(hasText(entry, bytesOfText(text))).toBe(true);
    expect(hasText(entry, bytesOfText(`${text}!`))).toBe(false);
    expect(hasText(entry, bytesOfText('something else'))).toBe(false);
  }
});

it('reads no address out of a key that ends too soon', () => {
  expect(readAddress({ key: Uint8Array.of(4, 0x6e), value: new Uint8Array() })).toEqual(new Uint8Array());
});

describe('recordsByType', () => {
  it.each(walletNames)('%s: gives what parseRecord gives one by one', async (name) => {
    const entries = await entriesOf(name);
    expect(byType(entries)).toEqual(oneByOne(entries));
  });

  it('gives the same of damaged entries', async () => {
    const wallets = await Promise.all(
      ['legacy-hd', 'legacy-hd-encrypted', 'descriptor-hd', 'descriptor-encrypted'].map(entriesOf),
    );
    const kinds = kindsOfRecords.map((type) =>
      wallets.flat().filter(({ key }) =>
        Buffer.from(key)
          .subarray(1, 1 + (key[0] ?? 0))
          .equals(Buffer.from(type)),
      ),
    );
    expect(Math.min(...kinds.map(({ length }) => length))).toBeGreaterThan(0);
    const change = fc.record({
      entry: fc.constantFrom(...kinds).chain((kind) => fc.constantFrom(...kind)),
      half: fc.constantFrom('key' as const, 'value' as const),
      at: fc.nat(400),
      byte: fc.nat(255),
      // Cut by so many bytes, or as many of it more.
      longer: fc.integer({ min: -40, max: 40 }),
    });
    fc.assert(
      fc.property(change, ({ entry, half, at, byte, longer }) => {
        const bytes = new Uint8Array(Math.max(0, entry[half].length + longer));
        bytes.set(entry[half].subarray(0, bytes.length));
        if (at < bytes.length) bytes[at] = byte;
        const { key, value } = entry;
        const changed = [{ key, value, [half]: bytes }];
        expect(byType(changed)).toEqual(oneByOne(changed));
      }),
      { numRuns: 1000 },
    );
  });
});

const kindsOfRecords = [
  'key',
  'ckey',
  'keymeta',
  'name',
  'purpose',
  'tx',
  'hdchain',
  'pool',
  'walletdescriptor',
  'walletdescriptorkey',
  'walletdescriptorckey',
  'walletdescriptorcache',
];

function oneByOne(entries: readonly RawRecord[]) {
  return inOrder(entries.map(({ key, value }) => parseRecord(key, value)));
}

function byType(entries: readonly RawRecord[]) {
  const records = recordsByType(entries);
  const { unknown, damaged } = records.unread();
  return inOrder([
    ...records.types.filter(isRecordType).flatMap((type) => records.of(type)),
    ...unknown,
    ...damaged,
  ]);
}

function inOrder(records: readonly { type: string }[]) {
  return records.toSorted((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : 0));
}

const keyOf = (size: number, rest: string) => Uint8Array.from([size, ...utf8ToBytes(rest)]);

it('gives the type that each key names', () => {
  const keys = [keyOf(3, 'key1'), keyOf(3, 'key22'), keyOf(4, 'name1'), keyOf(3, 'key'), keyOf(0, '')];
  expect(keys.map(typeIn)).toEqual(['key', 'key', 'name', 'key', '']);
});

it('is not led astray by a key that ends within its type', () => {
  expect([keyOf(4, 'c'), keyOf(4, 'ckey1'), new Uint8Array(), keyOf(4, 'ckey2')].map(typeIn)).toEqual([
    'c',
    'ckey',
    '',
    'ckey',
  ]);
});
