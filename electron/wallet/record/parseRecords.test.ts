import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RawRecord } from '../database/rawRecord.ts';
import { entriesOf, walletNames } from '../testing/wallets.ts';
import { parseRecords } from './parseRecords.ts';
import { parseRecord } from './records.ts';

describe('parseRecords', () => {
  it.each(walletNames)('%s: gives what parseRecord gives one by one', async (name) => {
    const entries = await entriesOf(name);
    expect(inOrder(parseRecords(entries))).toEqual(oneByOne(entries));
  });

  it('gives the same of damaged entries', async () => {
    const wallets = await Promise.all(
      ['legacy-hd', 'legacy-hd-encrypted', 'descriptor-hd', 'descriptor-encrypted'].map(entriesOf),
    );
    const kinds = quickTypes.map((type) =>
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
        expect(inOrder(parseRecords(changed))).toEqual(oneByOne(changed));
      }),
      { numRuns: 1000 },
    );
  });
});

const quickTypes = [
  'key',
  'ckey',
  'keymeta',
  'name',
  'purpose',
  'walletdescriptor',
  'walletdescriptorkey',
  'walletdescriptorckey',
];

function oneByOne(entries: readonly RawRecord[]) {
  const records = entries.map(({ key, value }) => parseRecord(key, value));
  return [
    ...records.filter(({ type }) => type !== 'unknown' && type !== 'damaged'),
    ...records.filter(({ type }) => type === 'unknown'),
    ...records.filter(({ type }) => type === 'damaged'),
  ];
}

function inOrder({ records, unknown, damaged }: ReturnType<typeof parseRecords>) {
  return [...records, ...unknown, ...damaged];
}
