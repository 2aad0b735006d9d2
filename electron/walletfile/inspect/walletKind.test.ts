import { describe, expect, it } from 'vitest';
import type { RawRecord } from '../database/rawRecord.ts';
import { writeRecord } from '../records/records.ts';
import { recordsByType } from '../records/recordsByType.ts';
import { flagBits } from '../records/walletFlags.ts';
import { keyRecords, sampleKey } from '../testing/sampleWallet.ts';
import { entriesOf } from '../testing/wallets.ts';
import { walletKind } from './identifyWallet.ts';

const kindOf = (records: readonly RawRecord[], kind: 'sqlite' | 'berkeley-db' = 'sqlite') =>
  walletKind(
    kind === 'sqlite'
      ? { kind, pageSize: 4096, applicationId: 0, userVersion: 0 }
      : {
          ...{ kind, pageSize: 4096, byteOrder: 'little', cleanlyClosed: true, uncleanPages: 0 },
          ...{ onlyLastUnclean: false, refused: null },
        },
    recordsByType(records),
  );

const flags = (bits: bigint) => writeRecord({ type: 'flags', flags: bits });
const isFlags = ({ key }: RawRecord) => Buffer.from(key).equals(flags(0n).key);

describe('walletKind', () => {
  it('knows whole wallets of either kind', async () => {
    expect(kindOf(await entriesOf('descriptor-hd'))).toBe('descriptor');
    expect(kindOf(await entriesOf('legacy-hd'), 'berkeley-db')).toBe('legacy');
  });

  it('takes what a migration left half-way for the legacy wallet that it still is', async () => {
    const made = await entriesOf('descriptor-hd');
    const withoutFlags = made.filter((record) => !isFlags(record));
    expect(withoutFlags).toHaveLength(made.length - 1);
    const unset = flags(flagBits.last_hardened_xpub_cached);
    // After the first of the two writes: descriptors, legacy records, and the old flags.
    expect(kindOf([...withoutFlags, unset, ...keyRecords(sampleKey(1))])).toBe('legacy');
    expect(kindOf([...withoutFlags, unset])).toBe('legacy');
    // Before it: the records alone were copied.
    expect(kindOf(await entriesOf('legacy-blank'))).toBe('legacy');
    expect(kindOf(await entriesOf('legacy-hd'))).toBe('legacy');
  });

  it('takes what has the flag for a descriptor wallet: a migration sets it when no legacy record is left', async () => {
    expect(kindOf([...(await entriesOf('descriptor-hd')), ...keyRecords(sampleKey(1))])).toBe('descriptor');
  });

  it('does not take a descriptor wallet for another because its flags are damaged', async () => {
    const made = await entriesOf('descriptor-hd');
    expect(kindOf(made.filter((record) => !isFlags(record)))).toBe('descriptor');
  });
});
