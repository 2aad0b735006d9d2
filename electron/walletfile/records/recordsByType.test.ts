import { utf8ToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RawRecord } from '../database/rawRecord.ts';
import { entriesOf, walletNames } from '../testing/wallets.ts';
import { isRecordType, parseRecord } from './records.ts';
import { recordsByType, typeIn } from './recordsByType.ts';

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
