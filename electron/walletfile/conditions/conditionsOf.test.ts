import { bytesToHex, createView } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { type ConditionCode, conditionCodes } from '../../../shared/model/conditions.ts';
import { writeBerkeley } from '../../recovery/repair/writeBerkeley.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { writeSqlite } from '../database/walletDatabase.ts';
import { withChecksum } from '../descriptor/checksum.ts';
import { inspect, loadedConditions } from '../inspect/inspect.ts';
import { byChecksum, type KeyMatcher } from '../legacy/legacyKeys.ts';
import { parseRecord, typeIn, writeRecord } from '../records/records.ts';
import { conditionFiles } from '../testing/conditionFiles.ts';
import { entriesOf, walletFile, walletNames } from '../testing/wallets.ts';
import { CONDITION_RULES } from './conditionTable.ts';

async function conditionsIn(bytes: Uint8Array, passphrase?: string, fits?: KeyMatcher) {
  const { conditions } = await inspect(bytes, { network: 'regtest', passphrase, ...(fits && { fits }) });
  return conditions.map(({ code }) => code);
}

describe('a file in which Bitcoin Core meets a condition', () => {
  it.each(conditionCodes)('%s', async (code) => {
    const { bytes, passphrase } = await conditionFiles[code]();
    const found = await conditionsIn(bytes, code === 'key-sealed' ? passphrase : undefined);
    const besides = ['chain-unknown', ...(COME_WITH[code] ?? [])];
    expect(found.filter((one) => one === code || !besides.includes(one))).toEqual([code]);
  });

  it.each(conditionCodes)(
    '%s, also without deriving keys if it crashes a node that loads it',
    async (code) => {
      const { bytes, passphrase } = await conditionFiles[code]();
      const crashes = (one: ConditionCode) =>
        CONDITION_RULES.some(
          ({ code: of, loading }) => of === one && (loading === 'crashes' || loading === 'ends-later'),
        );
      const [derived, read] = await Promise.all([
        conditionsIn(bytes, passphrase),
        conditionsIn(bytes, passphrase, byChecksum),
      ]);
      expect(read.filter(crashes)).toEqual(derived.filter(crashes));
    },
  );

  it.each(conditionCodes)(
    '%s, also in the quick read of a loaded wallet if it crashes the node later',
    async (code) => {
      const { bytes } = await conditionFiles[code]();
      const crashesLater = (one: ConditionCode) =>
        CONDITION_RULES.some((rule) => rule.code === one && rule.loading === 'ends-later');
      const { conditions } = await inspect(bytes, { network: 'regtest', fits: byChecksum });
      const ofLoaded = await loadedConditions(bytes);
      expect(ofLoaded.filter((one) => crashesLater(one.code))).toEqual(
        conditions.filter((one) => crashesLater(one.code)),
      );
    },
  );

  it('ignores an extra byte after the last record of its type', async () => {
    const records = [...(await entriesOf('legacy-hd'))].sort((one, other) =>
      Buffer.compare(one.key, other.key),
    );
    const transactions = records.filter(({ key }) => typeIn(key) === 'tx');
    const withByteAfter = (longer: RawRecord | undefined) =>
      writeBerkeley(
        records.map((record) =>
          record === longer ? { key: record.key, value: Uint8Array.of(...record.value, 0) } : record,
        ),
      );
    expect(await conditionsIn(withByteAfter(transactions.at(-1)))).toEqual([]);
    expect(await conditionsIn(withByteAfter(transactions.at(-2)))).toEqual(['record-longer']);
  });

  it('is found in a loaded wallet of a custom signet, whose header names no known network', async () => {
    const records = (await entriesOf('descriptor-hd')).map(({ key, value }) => {
      const record = parseRecord(key, value);
      if (record.type !== 'walletdescriptor') return { key, value };
      const [expression] = /tpub[^)]*/.exec(record.descriptor) ?? [];
      return writeRecord({ ...record, descriptor: withChecksum(`combo(${expression})`) });
    });
    const bytes = await writeSqlite(records, 'regtest');
    // The application id in SQLite's header.
    createView(bytes).setUint32(68, 0x01020304);
    expect((await loadedConditions(bytes)).map(({ code }) => code)).toEqual(['active-kind']);
  });

  it('is found in an unfinished file without flags, which crashes nodes', async () => {
    const records = (await entriesOf('legacy-hd')).filter(({ key }) => typeIn(key) !== 'flags');
    expect(await conditionsIn(await writeSqlite(records, 'regtest'))).toEqual(['flags-missing']);
    expect(await conditionsIn(await writeSqlite(await entriesOf('legacy-hd'), 'regtest'))).toEqual([]);
  });
});

/** What one brings about by itself. */
const COME_WITH: Partial<Record<ConditionCode, readonly ConditionCode[]>> = {
  'descriptor-keys-mixed': ['descriptor-keys-open'],
  'descriptor-id': ['descriptor-orphan'],
};

it.each(walletNames)('the recorded wallet %s has none', async (name) => {
  const found = await conditionsIn(walletFile(name));
  expect(found.filter((code) => code !== 'chain-unknown')).toEqual([]);
});

it.each(['with', 'without'])('an inspection derives each key once, %s checksums', async (which) => {
  const records = (await entriesOf('legacy-hd')).map(({ key, value }) => ({
    key,
    value: which === 'without' && typeIn(key) === 'key' ? value.subarray(0, -32) : value,
  }));
  const derived: string[] = [];
  const fits: KeyMatcher = (_, publicKey) => {
    derived.push(bytesToHex(publicKey));
    return true;
  };
  await inspect(writeBerkeley(records), { fits });
  const keys = records
    .filter(({ key }) => typeIn(key) === 'key')
    .map(({ key }) => bytesToHex(key.subarray(5)));
  expect(keys.length).toBeGreaterThan(10);
  expect(derived.sort()).toEqual(keys.sort());
});
