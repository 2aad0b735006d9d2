import { describe, expect, it } from 'vitest';
import { type RecordsByType, recordsByType } from '../records/records.ts';
import { descriptorNames, entriesOf } from '../testing/wallets.ts';
import { descriptorOwnership, MAX_INDEXES, selectPaidDescriptors } from './descriptorScripts.ts';
import { storedDescriptors } from './storedDescriptors.ts';

describe('the descriptors that may have been paid', () => {
  it.each(descriptorNames)('%s: no skipped descriptor owns an output', async (name) => {
    const records = await recordsOf(name);
    const all = storedDescriptors(records, 'regtest');
    const some = selectPaidDescriptors(all, records.of('tx'), MAX_INDEXES);
    const [ofAll, ofSome] = await Promise.all(
      [all, some].map((each) => descriptorOwnership(each, { privateKeys: true })),
    );
    const outputs = records.of('tx').flatMap(({ transaction }) => transaction.outputs);
    const scripts = outputs.map(({ scriptPubKey }) => scriptPubKey);
    expect(scripts.map((script) => ofSome?.ownerOf(script))).toEqual(
      scripts.map((script) => ofAll?.ownerOf(script)),
    );
  });

  it('skip kinds that no output has', async () => {
    const records = await recordsOf('descriptor-hd');
    const all = storedDescriptors(records, 'regtest');
    expect(selectPaidDescriptors(all, records.of('tx'), MAX_INDEXES).length).toBeLessThan(all.length);
    expect(selectPaidDescriptors(all, records.of('tx'), 1)).toBe(all);
    expect(selectPaidDescriptors(all, [], MAX_INDEXES)).toEqual([]);
  });
});

async function recordsOf(name: string): Promise<RecordsByType> {
  return recordsByType(await entriesOf(name));
}
