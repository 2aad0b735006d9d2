import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readBerkeley } from '../../walletfile/database/berkeley.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { pageAt } from '../carving/pageAt.ts';
import { readPage } from '../carving/pieceGroup.ts';
import { berkeleySource, writeBerkeley } from './writeBerkeley.ts';

const hexes = (records: readonly RawRecord[]) =>
  records.map(
    ({ key, value }) => `${Buffer.from(key).toString('hex')} ${Buffer.from(value).toString('hex')}`,
  );

describe('writeBerkeley', () => {
  it('writes what a recorded wallet holds', () => {
    const file = readFileSync(new URL('../../../e2e/fixtures/wallets/legacy-hd/wallet.dat', import.meta.url));
    const { records } = readBerkeley(file);
    const again = readBerkeley(writeBerkeley(records));
    expect(hexes(again.records)).toEqual(hexes(records));
    expect(again).toMatchObject({ format: { cleanlyClosed: true }, problems: [] });
  });

  it.each([0, 1, 20_000])('writes %i records, long ones among them, on several levels', (count) => {
    const records = Array.from({ length: count }, (_, number) => ({
      key: new TextEncoder().encode(`key ${String(number).padStart(8, '0')}`),
      value: new Uint8Array(number % 1000 === 7 ? 9000 : number % 300).fill(number),
    }));
    const again = readBerkeley(writeBerkeley(records));
    expect(hexes(again.records)).toEqual(hexes(records));
    expect(again.problems).toEqual([]);
  });

  it('reads any part of the file without the rest', () => {
    const records = Array.from({ length: 500 }, (_, number) => ({
      key: new TextEncoder().encode(
        `key ${String(number).padStart(8, '0')}`.padEnd(number % 9 === 0 ? 1200 : 0),
      ),
      value: new Uint8Array((number * 977) % 20_000).fill(number),
    }));
    const source = berkeleySource(records);
    const whole = writeBerkeley(records);
    for (let at = 0; at < whole.length; at += 4999)
      expect(Buffer.compare(source.read(at, 4150), whole.subarray(at, at + 4150))).toBe(0);
    const again = readBerkeley(source);
    expect(hexes(again.records)).toEqual(hexes(records));
    expect(again).toMatchObject({ format: { cleanlyClosed: true, refusals: [] }, problems: [] });
  });

  it('links the pages of a long value, to which one item refers', () => {
    const file = writeBerkeley([{ key: Uint8Array.of(1), value: new Uint8Array(9000) }]);
    const pages = Array.from({ length: file.length / 4096 }, (_, number) => {
      const bytes = file.subarray(4096 * number, 4096 * (number + 1));
      const page = pageAt(bytes, 0);
      return page?.kind === 'overflow' ? readPage(bytes, { ...page, size: 4096 }).pointsTo : [];
    });
    expect(pages).toEqual([[], [], [], [4], [3, 5], [4], []]);
  });
});
