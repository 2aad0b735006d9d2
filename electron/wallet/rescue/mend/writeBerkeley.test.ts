import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readBerkeley } from '../../database/berkeley.ts';
import type { RawRecord } from '../../database/rawRecord.ts';
import { writeBerkeley } from './writeBerkeley.ts';

const hexes = (records: readonly RawRecord[]) =>
  records.map(
    ({ key, value }) => `${Buffer.from(key).toString('hex')} ${Buffer.from(value).toString('hex')}`,
  );

describe('writeBerkeley', () => {
  it('writes what a recorded wallet holds', () => {
    const file = readFileSync(
      new URL('../../../../e2e/fixtures/wallets/legacy-hd/wallet.dat', import.meta.url),
    );
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
});
