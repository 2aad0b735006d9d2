import { describe, expect, it } from 'vitest';
import { fileVerdict } from '../../../shared/wording/verdictWords.ts';
import { writeBerkeley } from '../../recovery/repair/writeBerkeley.ts';
import { salvage } from '../../recovery/salvage/salvage.ts';
import { readBerkeley } from '../database/berkeley.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { readSqlite, writeSqlite } from '../database/walletDatabase.ts';
import { keyChecksum } from '../keys/privateKey.ts';
import { recordsByType, writeRecord } from '../records/records.ts';
import { hash160 } from '../script/script.ts';
import {
  encryptedKeyRecords,
  keyRecords,
  masterKeyRecord,
  multisigOf,
  sampleKey,
  scriptRecord,
  watchRecords,
} from '../testing/sampleWallet.ts';
import { walletFile } from '../testing/wallets.ts';
import { inspect } from './inspect.ts';

const findings = async (records: readonly RawRecord[]) => {
  const file = writeBerkeley([...records].sort((a, b) => Buffer.compare(a.key, b.key)));
  const { problems } = await inspect(file, { network: 'regtest' });
  return problems.map(({ finding }) => finding);
};

it('a script that is not the one of its hash is damage', async () => {
  const [script, other] = [
    multisigOf(2, sampleKey(1), sampleKey(2)),
    multisigOf(1, sampleKey(1), sampleKey(2)),
  ];
  const wallet = [...keyRecords(sampleKey(1)), ...keyRecords(sampleKey(2))];
  const code = 'records_of_type_unreadable';
  expect(await findings([...wallet, scriptRecord(script)])).not.toContainEqual(
    expect.objectContaining({ code }),
  );
  const damaged = writeRecord({ type: 'cscript', scriptId: hash160(script), script: other });
  expect(await findings([...wallet, damaged])).toContainEqual({ code, type: 'cscript', count: 1 });
});

it('a watched script that only its metadata names is damage', async () => {
  const [watched, metadata] = watchRecords(sampleKey(3).p2pkh);
  if (!watched || !metadata) throw new Error('no records');
  const lost = { code: 'records_of_type_unreadable', type: 'watchs', count: 1 };
  expect(await findings([...keyRecords(sampleKey(1)), watched, metadata])).not.toContainEqual(lost);
  expect(await findings([...keyRecords(sampleKey(1)), metadata])).toContainEqual(lost);
});

it('metadata with a damaged public key is no missing key', async () => {
  const [key, ...metadata] = keyRecords(sampleKey(1));
  if (!key) throw new Error('no key');
  const [named] = recordsByType(metadata).of('keymeta');
  if (!named) throw new Error('no metadata');
  const publicKey = named.publicKey.map((byte, index) => (index === 5 ? byte ^ 4 : byte));
  const code = 'keys_missing';
  const damaged = await findings([key, writeRecord({ ...named, publicKey })]);
  expect(damaged).not.toContainEqual(expect.objectContaining({ code }));
  expect(damaged).toContainEqual({ code: 'records_of_type_unreadable', type: 'keymeta', count: 1 });
  const other = writeRecord({ ...named, publicKey: sampleKey(2).publicKey });
  expect(await findings([key, other])).toContainEqual({ code, count: 1 });
  // Of an encrypted key, only a name that is no public key is surely the damaged one.
  const [locked] = encryptedKeyRecords(sampleKey(1));
  const master = await masterKeyRecord('x');
  const withPrefix = (prefix: number) => {
    const name = named.publicKey.map((byte, index) => (index === 0 ? prefix : byte));
    return [locked ?? key, writeRecord({ ...named, publicKey: name })];
  };
  expect(await findings(withPrefix(0x0a))).not.toContainEqual(expect.objectContaining({ code }));
  expect(salvage(writeBerkeley([...withPrefix(0x0a), master])).missing.keys).toEqual([]);
  expect(await findings(withPrefix(named.publicKey[0] === 2 ? 3 : 2))).toContainEqual({ code, count: 1 });
});

it('the origin of another’s key in a multisig script is no missing key', async () => {
  const [own, other] = [sampleKey(1), sampleKey(2)];
  const wallet = (createTime: number) => {
    const hd = { keyPath: 'm/0', seedId: new Uint8Array(20) };
    const origin = { fingerprint: new Uint8Array(4), path: [0], known: true };
    const [, metadata] = keyRecords(other, { createTime, hd, origin });
    return [...keyRecords(own), scriptRecord(multisigOf(1, own, other)), ...(metadata ? [metadata] : [])];
  };
  const code = 'keys_missing';
  expect(await findings(wallet(0))).not.toContainEqual(expect.objectContaining({ code }));
  expect(salvage(writeBerkeley(wallet(0))).missing.keys).toEqual([]);
  // A key with a birth was the wallet's own.
  expect(await findings(wallet(1))).toContainEqual({ code, count: 1 });
});

describe('a forged wallet file', () => {
  const whole = readBerkeley(walletFile('legacy-imported')).records;
  const keys = recordsByType(whole).of('key');
  const typed = (type: string, record: RawRecord) => recordsByType([record]).types.includes(type as never);

  it('has private keys that do not fit their public keys, with right checksums', async () => {
    const [one, other] = keys;
    if (!one || !other) throw new Error('no keys');
    const forged = writeRecord({ ...one, der: other.der, checksum: keyChecksum(one.publicKey, other.der) });
    const others = whole.filter(({ key }) => Buffer.compare(key, forged.key) !== 0);
    expect(await findings([...others, forged])).toContainEqual({ code: 'keys_do_not_fit', count: 1 });
  });

  it('has addresses without keys', async () => {
    const named = whole.filter((record) => !typed('key', record) && !typed('keymeta', record));
    expect(await findings(named)).toContainEqual({ code: 'only_addresses' });
  });

  it('has only watched addresses without the flag for it', async () => {
    const { records } = readBerkeley(walletFile('legacy-watchonly'));
    const [keyless, named] = [
      ['key', 'keymeta', 'pool', 'hdchain', 'cscript'],
      ['name', 'purpose'],
    ];
    const watching = records.filter((record) => ![...keyless, ...named].some((type) => typed(type, record)));
    const { balance, problems } = await inspect(writeBerkeley(watching), { network: 'regtest' });
    expect(problems.map(({ finding }) => finding)).toEqual([{ code: 'only_addresses' }]);
    expect(balance.spendable.confirmed).toBe(0n);
    expect(balance.watched.confirmed).toBeGreaterThan(0n);
  });

  it.each(['descriptor-hd', 'descriptor-encrypted'])('lacks the keys of %s', async (name) => {
    const { records } = await readSqlite(walletFile(name));
    const keyless = records.filter(
      (record) => !typed('walletdescriptorkey', record) && !typed('walletdescriptorckey', record),
    );
    const found = await inspect(await writeSqlite(keyless, 'regtest'));
    const { balance, problems } = found;
    expect(problems).toContainEqual({ page: null, finding: { code: 'only_addresses' }, lost: true });
    expect(balance.spendable.confirmed).toBe(0n);
    expect(balance.watched.confirmed).toBeGreaterThan(0n);
    expect(fileVerdict(found, null).tone).toBe('danger');
    const unflagged = keyless.filter((record) => !typed('flags', record) && !typed('mkey', record));
    const { problems: doubts } = await inspect(await writeSqlite(unflagged, 'regtest'));
    expect(doubts).toContainEqual({ page: null, finding: { code: 'only_addresses' }, lost: false });
  });

  it('lacks the keys that its passphrase protected', async () => {
    const { records } = readBerkeley(walletFile('legacy-hd-encrypted'));
    const keyless = records.filter((record) => !typed('ckey', record) && !typed('keymeta', record));
    const { problems } = await inspect(writeBerkeley(keyless), { network: 'regtest' });
    expect(problems).toContainEqual({ page: null, finding: { code: 'only_addresses' }, lost: true });
  });

  it('has descriptors with another descriptor’s private key, with a right checksum', async () => {
    const { records } = await readSqlite(walletFile('descriptor-hd'));
    const [key] = keys;
    if (!key) throw new Error('no keys');
    const forged = records.map((record) => {
      const [one] = recordsByType([record]).of('walletdescriptorkey');
      const { der } = key;
      return one ? writeRecord({ ...one, der, checksum: keyChecksum(one.publicKey, der) }) : record;
    });
    const { problems } = await inspect(await writeSqlite(forged, 'regtest'));
    const count = recordsByType(records).of('walletdescriptorkey').length;
    expect(problems.map(({ finding }) => finding)).toContainEqual({ code: 'keys_do_not_fit', count });
  });

  it('has the same encrypted key under several public keys', async () => {
    const { records } = readBerkeley(walletFile('legacy-hd-encrypted'));
    const [one, other] = recordsByType(records).of('ckey');
    if (!one || !other) throw new Error('no keys');
    const forged = writeRecord({ ...one, encrypted: other.encrypted, checksum: other.checksum });
    const others = records.filter(({ key }) => Buffer.compare(key, forged.key) !== 0);
    expect(await findings([...others, forged])).toContainEqual({ code: 'encrypted_keys_repeat' });
  });
});
