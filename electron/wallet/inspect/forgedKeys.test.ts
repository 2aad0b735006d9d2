import { describe, expect, it } from 'vitest';
import { readBerkeley } from '../database/berkeley.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { keyChecksum } from '../key/privateKey.ts';
import { writeRecord } from '../record/records.ts';
import { recordsByType } from '../record/recordsByType.ts';
import { writeBerkeley } from '../rescue/mend/writeBerkeley.ts';
import { walletFile } from '../testing/wallets.ts';
import { inspect } from './inspect.ts';

const told = async (records: readonly RawRecord[]) => {
  const file = writeBerkeley([...records].sort((a, b) => Buffer.compare(a.key, b.key)));
  const { problems } = await inspect(file, { network: 'regtest' });
  return problems.map(({ text }) => text);
};

describe('a made-up wallet file', () => {
  const whole = readBerkeley(walletFile('legacy-imported')).records;
  const keys = recordsByType(whole).of('key');
  const typed = (type: string, record: RawRecord) => recordsByType([record]).types.includes(type as never);

  it.each([
    'legacy-hd',
    'legacy-imported',
    'legacy-watchonly',
    'legacy-solvable',
    'legacy-hd-encrypted',
  ] as const)('%s is none', async (name) => {
    expect((await inspect(walletFile(name), { network: 'regtest' })).problems).toEqual([]);
  });

  it('tells of private keys of others beside its public keys, though their checksums are right', async () => {
    const [one, other] = keys;
    if (!one || !other) throw new Error('no keys');
    const forged = writeRecord({ ...one, der: other.der, checksum: keyChecksum(one.publicKey, other.der) });
    const others = whole.filter(({ key }) => Buffer.compare(key, forged.key) !== 0);
    expect(await told([...others, forged])).toContain('Private keys that do not fit: 1.');
  });

  it('tells of addresses without keys', async () => {
    const named = whole.filter((record) => !typed('key', record) && !typed('keymeta', record));
    expect(await told(named)).toContain('This file has addresses and no keys to them.');
  });

  it('tells of an encrypted key that stands there for several', async () => {
    const { records } = readBerkeley(walletFile('legacy-hd-encrypted'));
    const [one, other] = recordsByType(records).of('ckey');
    if (!one || !other) throw new Error('no keys');
    const forged = writeRecord({ ...one, encrypted: other.encrypted, checksum: other.checksum });
    const others = records.filter(({ key }) => Buffer.compare(key, forged.key) !== 0);
    expect(await told([...others, forged])).toContain('Encrypted keys repeat: they are made up.');
  });
});
