import { describe, expect, it } from 'vitest';
import type { RawRecord } from '../database/rawRecord.ts';
import { writeSqlite } from '../database/writeSqlite.ts';
import { recordsByType, typeIn } from '../records/recordsByType.ts';
import { entriesOf, walletFile } from '../testing/wallets.ts';
import { compareRestored } from './compareRestored.ts';

const NAME = 'descriptor-hd';
const nothing = { total: 0, shown: [] };

/** Against a restored wallet that has these of its records. */
async function compared(keeps: (record: RawRecord) => boolean) {
  const bytes = await writeSqlite((await entriesOf(NAME)).filter(keeps), 'regtest');
  return compareRestored(walletFile(NAME), { part: 'primary', name: 'back', bytes }, 'regtest');
}

describe('compareRestored', () => {
  it('finds nothing missing from an equal wallet', async () => {
    const found = await compared(() => true);
    const none = { missing: nothing };
    expect(found).toMatchObject({
      scripts: none,
      labels: none,
      transactions: none,
      keyless: nothing,
      unread: false,
    });
    expect(found.wallets).toMatchObject([{ name: 'back', cutOff: false, watches: false }]);
  });

  it('names missing scripts, labels and transactions', async () => {
    const records = recordsByType(await entriesOf(NAME));
    const [lost] = records.of('walletdescriptor');
    const isLost = ({ key }: RawRecord) =>
      ['name', 'tx'].includes(typeIn(key)) ||
      (typeIn(key) === 'walletdescriptor' &&
        Buffer.from(key).includes(Buffer.from(lost?.descriptorId ?? [])));
    const found = await compared((record) => !isLost(record));
    expect(found.labels.missing.total).toBe(records.of('name').length);
    expect(found.transactions.missing.total).toBe(records.of('tx').length);
    expect(found.scripts.missing.total).toBeGreaterThan(0);
    expect(found.scripts.after).toBe(found.scripts.before - found.scripts.missing.total);
  });

  it('names descriptors without their private keys', async () => {
    const found = await compared(({ key }) => typeIn(key) !== 'walletdescriptorkey');
    expect(found.keyless.total).toBeGreaterThan(0);
    expect(found.scripts.missing).toEqual(nothing);
  });
});
