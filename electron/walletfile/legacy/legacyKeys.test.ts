import { expect, it } from 'vitest';
import { recordsByType, writeRecord } from '../records/records.ts';
import { sampleKey } from '../testing/sampleWallet.ts';
import { legacyKeys } from './legacyKeys.ts';

it.each([[[1, 2, 3]], [[3, 1]], [[2]], [[4, 3, 2]], [[]]])(
  'gives each key its metadata, in whatever order they are: %j',
  (described) => {
    const keys = [1, 2, 3].map((number) => writeRecord({ type: 'key', ...sampleKey(number) }));
    const metadata = described.map((number) => {
      const { publicKey } = sampleKey(number);
      return writeRecord({
        type: 'keymeta',
        publicKey,
        version: 1,
        createTime: number,
        hd: null,
        origin: null,
      });
    });
    const { all } = legacyKeys(recordsByType([...keys, ...metadata]));
    expect(all.map((key) => key.metadata?.createTime ?? null)).toEqual(
      [1, 2, 3].map((number) => (described.includes(number) ? number : null)),
    );
  },
);
