import { describe, expect, it } from 'vitest';
import type { RawRecord } from '../database/rawRecord.ts';
import { recordsByType, typeIn } from '../record/recordsByType.ts';
import { entriesOf } from '../testing/wallets.ts';
import { cutOffOf } from './cutOff.ts';

const sqlite = { kind: 'sqlite' } as const;
const ofTypes = (records: RawRecord[], types: readonly string[]) =>
  records.filter(({ key }) => types.includes(typeIn(key)));

describe('cutOffOf', async () => {
  const legacy = await entriesOf('legacy-hd-encrypted');
  const migrated = await entriesOf('descriptor-encrypted');

  it('finds nothing half-made about a descriptor wallet', () => {
    expect(cutOffOf(sqlite, recordsByType(migrated))).toBeNull();
  });

  // Seen of a real 31.0 whose disk was full: SQLite rolled the transaction back, and the node went on writing.
  it.each(['key', 'ckey', 'wkey', 'watchs'])(
    'takes a descriptor wallet with %s records of a legacy wallet for a half-migrated one',
    (type) => {
      const record = ofTypes(legacy, ['ckey'])[0];
      if (record === undefined) throw new Error('the recorded wallet has no encrypted key');
      const key = Buffer.concat([Buffer.from([type.length]), Buffer.from(type), record.key.subarray(5)]);
      const records = [...migrated, { key, value: record.value }];
      expect(cutOffOf(sqlite, recordsByType(records))).toBe('legacy-records');
    },
  );

  it('does not take one stray script of a legacy wallet for a migration', async () => {
    const script = ofTypes(await entriesOf('legacy-hd'), ['cscript'])[0];
    expect(script).toBeDefined();
    expect(cutOffOf(sqlite, recordsByType([...migrated, ...(script ? [script] : [])]))).toBeNull();
  });
});
