import { expect, it } from 'vitest';
import { readBerkeley } from '../database/berkeley.ts';
import { keyChecksum, readDer } from '../keys/privateKey.ts';
import { type RecordOfType, recordsByType, writeRecord } from '../records/records.ts';
import { sampleKey } from '../testing/sampleWallet.ts';
import { walletFile } from '../testing/wallets.ts';
import { allKeysMatch, fitShared, legacyKeys, shareKeys } from './legacyKeys.ts';

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

const entries = readBerkeley(walletFile('legacy-imported')).records;
const records = recordsByType(entries);

it('finds that the keys of a wallet fit', () => {
  expect(records.of('key').length).toBeGreaterThan(0);
  expect(allKeysMatch(records, null)).toBe(true);
});

it('finds a key that does not fit or is damaged, wherever it is', () => {
  const keys = Array.from({ length: 100 }, (_, index) => sampleKey(index + 1));
  const written = keys.map((key) => writeRecord({ type: 'key', ...key }));
  expect(allKeysMatch(recordsByType(written), null)).toBe(true);
  const wrong = (at: number): Omit<RecordOfType<'key'>, 'type'>[] => {
    const key = sampleKey(at + 1);
    const short = key.der.subarray(0, 20);
    const checksum = key.checksum.with(5, 0);
    return [
      misfit(at + 1),
      { ...misfit(at + 1), checksum: null },
      { ...key, checksum },
      wholeKey(key, short),
    ];
  };
  for (const at of [0, 31, 32, 99])
    for (const key of wrong(at)) {
      const changed = written.with(at, writeRecord({ type: 'key', ...key }));
      expect(allKeysMatch(recordsByType(changed), null)).toBe(false);
    }
});

it('gives each key to one thread only', () => {
  const wrong = writeRecord({ type: 'key', ...misfit(1) });
  const right = Array.from({ length: 40 }, (_, index) =>
    writeRecord({ type: 'key', ...sampleKey(index + 1) }),
  );
  const turns = new Int32Array(new SharedArrayBuffer(4));
  const all = recordsByType([wrong, ...right]);
  expect(allKeysMatch(all, null, turns)).toBe(false);
  // The first took the share with the wrong key, and this one the rest.
  expect(allKeysMatch(all, null, turns)).toBe(true);
  expect(turns[0]).toBeGreaterThan(40);
});

it.each([
  ['has derived all keys', 1, 0],
  ['has derived some keys', 1, 32],
  ['is not done with the keys that it took', 0, 64],
])('gives the same answers if another thread %s', (_, derives, taken) => {
  const written = Array.from({ length: 100 }, (_, at) => (at % 7 === 0 ? misfit(at + 1) : sampleKey(at + 1)));
  const short = { ...sampleKey(1), der: sampleKey(1).der.subarray(0, 20) };
  const records = recordsByType([...written, short].map((key) => writeRecord({ type: 'key', ...key }))).of(
    'key',
  );
  const { keys, fits, end } = shareKeys(records);
  Atomics.store(keys.turns, 0, taken);
  if (derives) fitShared(keys);
  const found = records.map(({ publicKey, der }) => fits(readDer(der) ?? new Uint8Array(32), publicKey));
  expect(found).toEqual([...written.map((_, at) => at % 7 !== 0), false]);
  end();
  expect(keys.bytes.every((byte) => byte === 0)).toBe(true);
  fitShared(keys);
  expect(keys.bytes.every((byte) => byte === 0)).toBe(true);
});

/** A key with the public key of another, and the checksum of both. */
function misfit(number: number) {
  return wholeKey(sampleKey(101), sampleKey(number).der);
}

function wholeKey({ publicKey }: { publicKey: Uint8Array }, der: Uint8Array) {
  return { publicKey, der, checksum: keyChecksum(publicKey, der) };
}
