import { hexToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { writeBerkeley } from '../../recovery/repair/writeBerkeley.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { readSqlite, writeSqlite } from '../database/walletDatabase.ts';
import { eachScript } from '../descriptor/descriptorScripts.ts';
import { storedDescriptors } from '../descriptor/storedDescriptors.ts';
import { flagBits, recordsByType, typeIn, writeRecord } from '../records/records.ts';
import { makeOutputScript } from '../script/script.ts';
import {
  flagsRecord,
  inOrder,
  keyRecords,
  sampleKey,
  transactionRecord,
  watchRecords,
} from '../testing/sampleWallet.ts';
import { entriesOf, factsOf, legacyNames, sourceOnDisk, walletFile } from '../testing/wallets.ts';
import { compareMigration, compareRestored } from './compareMigration.ts';
import { migrateWallet } from './migrateWallet.ts';

async function migrated(name: string) {
  const bytes = walletFile(name);
  const { passphrase } = factsOf(name);
  const migration = await migrateWallet({
    bytes,
    network: 'regtest',
    name,
    now: 1_795_182_461,
    keypoolSize: 20,
    ...(passphrase ? { passphrase } : {}),
  });
  const parts = (['primary', 'watchonly', 'solvables'] as const).flatMap((part) => {
    const wallet = migration[part];
    return wallet ? [{ part, ...wallet }] : [];
  });
  return { bytes, parts };
}

type Part = Awaited<ReturnType<typeof migrated>>['parts'][number];

/** A new wallet's file with changed records. */
async function rewritten({ bytes, ...part }: Part, change: (records: RawRecord[]) => RawRecord[]) {
  const { records } = await readSqlite(bytes);
  return { ...part, bytes: await writeSqlite(change(records), 'regtest') };
}

const without =
  (...types: string[]) =>
  (records: RawRecord[]) => {
    const rest = records.filter(({ key }) => !types.includes(typeIn(key)));
    expect(rest.length).toBeLessThan(records.length);
    return rest;
  };

const nothing = { total: 0, shown: [] };

describe('the new coins', () => {
  it('are those on addresses made since the migration', async () => {
    const { bytes, parts } = await migrated('legacy-watchonly');
    expect((await compareMigration(bytes, parts, 'regtest')).newCoins).toBe(0n);
    const [primary, ...others] = parts;
    if (!primary) throw new Error('no main wallet');
    const stored = storedDescriptors(recordsByType((await readSqlite(primary.bytes)).records), 'regtest');
    const scripts: Uint8Array[] = [];
    const active = stored.filter(({ record }) => record.descriptor.startsWith('tr('));
    await eachScript(active, (script) => scripts.push(hexToBytes(script)));
    const paid = await rewritten(primary, (records) =>
      inOrder(records, transactionRecord(scripts.slice(0, 1)).record),
    );
    expect((await compareMigration(bytes, [paid, ...others], 'regtest')).newCoins).toBe(100_000_000n);
  });
});

describe('compareMigration', () => {
  it.each(legacyNames)('finds everything of %s again', async (name) => {
    const { bytes, parts } = await migrated(name);
    const found = await compareMigration(bytes, parts, 'regtest');
    expect(found.misplaced).toEqual(nothing);
    expect(found.keyless).toEqual(nothing);
    expect(found.wallets.filter(({ incomplete }) => incomplete)).toEqual([]);
    for (const each of [found.scripts, found.labels, found.transactions]) {
      expect(each.missing).toEqual({ total: 0, shown: [] });
      expect(each.after).toBe(each.before);
    }
    const { before } = factsOf(name);
    expect(found.transactions.before).toBe(before.transactions.length);
    expect(found.wallets.map((wallet) => wallet.part)).toEqual(parts.map(({ part }) => part));
    expect(found.isPartlyUnreadable).toBe(false);
    const onDisk = parts.map((part) => ({ ...part, bytes: sourceOnDisk(part.bytes) }));
    expect(await compareMigration(sourceOnDisk(bytes), onDisk, 'regtest')).toEqual(found);
  });

  it('names what is missing when a wallet is left out', async () => {
    const { bytes, parts } = await migrated('legacy-watchonly');
    const found = await compareMigration(
      bytes,
      parts.filter(({ part }) => part !== 'watchonly'),
      'regtest',
    );
    expect(found.scripts.missing.total).toBeGreaterThan(0);
    expect(found.scripts.after).toBe(found.scripts.before - found.scripts.missing.total);
  });

  it('names what is missing when it is another wallet', async () => {
    const { bytes } = await migrated('legacy-hd');
    const { parts } = await migrated('legacy-imported');
    const found = await compareMigration(bytes, parts, 'regtest');
    expect(found.scripts.missing.total).toBe(found.scripts.before);
    expect(found.transactions.missing.total).toBeGreaterThan(0);
    const { shown } = found.scripts.missing;
    expect(shown.filter((one) => /^bcrt1q[a-z0-9]{38}$/.test(one)).length).toBeGreaterThan(0);
    // Only a script without an address stays in hex, such as that of a bare public key.
    expect(shown.filter((one) => /^(?:0014|76a914|a914|5120)/.test(one))).toEqual([]);
    expect(found.labels.missing.shown.join()).toContain('café ☕');
  });

  it('reports spendable scripts in a watch-only or solvables wallet', async () => {
    const { bytes, parts } = await migrated('legacy-hd');
    for (const part of ['watchonly', 'solvables'] as const) {
      const found = await compareMigration(
        bytes,
        parts.map((wallet) => ({ ...wallet, part })),
        'regtest',
      );
      expect(found.scripts.missing.total).toBe(0);
      expect(found.misplaced.total).toBe(found.scripts.before);
    }
  });

  it('reports watched scripts outside of the watch-only wallet', async () => {
    const { bytes, parts } = await migrated('legacy-watchonly');
    const [primary, watchonly, ...more] = parts;
    if (!primary || !watchonly) throw new Error('not what is made of it');
    expect(more).toEqual([]);
    const whole = await compareMigration(bytes, parts, 'regtest');
    const asSolvables = await compareMigration(
      bytes,
      [primary, { ...watchonly, part: 'solvables' }],
      'regtest',
    );
    expect(asSolvables.scripts).toEqual(whole.scripts);
    expect(asSolvables.misplaced.total).toBe(whole.wallets[1]?.descriptors);
    // All descriptors in the main wallet, with an empty watch-only one.
    const { records } = await readSqlite(watchonly.bytes);
    const watched = records.filter(({ key }) => typeIn(key) === 'walletdescriptor');
    const merged = await rewritten(primary, (own) => [...own, ...watched]);
    const empty = await rewritten(watchonly, without('walletdescriptor'));
    const found = await compareMigration(bytes, [merged, empty], 'regtest');
    expect(found.scripts.missing.total).toBe(0);
    expect(found.misplaced).toEqual(asSolvables.misplaced);
    // A script that is also in the right wallet is not misplaced.
    expect((await compareMigration(bytes, [merged, watchonly], 'regtest')).misplaced).toEqual(nothing);
  });

  it.each([
    ['legacy-hd', 'walletdescriptorkey'],
    ['legacy-imported', 'walletdescriptorkey'],
    ['legacy-hd-encrypted', 'walletdescriptorckey'],
    ['legacy-hd-encrypted', 'mkey'],
  ])('reports that the private keys of %s are lost with its %s records', async (name, type) => {
    const { bytes, parts } = await migrated(name);
    const [primary] = parts;
    if (!primary) throw new Error('nothing was made');
    const found = await compareMigration(bytes, [await rewritten(primary, without(type))], 'regtest');
    expect(found.scripts.missing.total).toBe(0);
    expect(found.misplaced).toEqual(nothing);
    expect(found.keyless.total).toBe(found.wallets[0]?.descriptors);
    expect(found.keyless.shown[0]).toMatch(/^\w+\(/);
  });

  it('reports the taproot output that a node keeps without its odd key', async () => {
    const odd = [1, 2].map((number) => sampleKey(number)).find(({ publicKey }) => publicKey[0] === 3);
    if (!odd) throw new Error('no odd key');
    const script = makeOutputScript({ kind: 'p2tr', outputKey: odd.publicKey.slice(1) });
    const bytes = writeBerkeley(inOrder(keyRecords(odd), watchRecords(script)));
    const { primary } = await migrateWallet({
      bytes,
      network: 'regtest',
      name: 'w',
      now: 1_795_182_461,
      keypoolSize: 20,
    });
    if (!primary) throw new Error('nothing was made');
    const whole = { part: 'primary', ...primary } as const;
    const found = await compareMigration(bytes, [whole], 'regtest');
    expect(found).toMatchObject({ keyless: nothing, misplaced: nothing, scripts: { before: 5, after: 5 } });
    const { records } = await readSqlite(primary.bytes);
    const text = recordsByType(records)
      .of('walletdescriptor')
      .find(({ descriptor }) => descriptor.startsWith('rawtr('));
    const id = Buffer.from(text?.descriptorId ?? []);
    const keyless = await rewritten(whole, (own) =>
      own.filter(({ key }) => typeIn(key) !== 'walletdescriptorkey' || !Buffer.from(key).includes(id)),
    );
    const ofNode = await compareMigration(bytes, [keyless], 'regtest');
    expect(ofNode.keyless.shown).toEqual([text?.descriptor]);
  });

  it('reports each lost private key, even of an active descriptor', async () => {
    const { bytes, parts } = await migrated('legacy-hd');
    const [primary] = parts;
    if (!primary) throw new Error('nothing was made');
    const { records } = await readSqlite(primary.bytes);
    const keys = records.filter(({ key }) => typeIn(key) === 'walletdescriptorkey');
    expect(keys.length).toBeGreaterThan(8);
    for (const gone of keys) {
      const lacking = await rewritten(primary, (all) =>
        all.filter(({ key }) => !Buffer.from(key).equals(gone.key)),
      );
      const { keyless } = await compareMigration(bytes, [lacking], 'regtest');
      expect(keyless.total).toBe(1);
    }
  });

  const unset = writeRecord({ type: 'flags', flags: flagBits.last_hardened_xpub_cached });
  it.each<[string, (records: RawRecord[]) => RawRecord[]]>([
    ['its flag is not set', (all) => [...without('flags')(all), unset]],
    ['its flags are missing', without('flags')],
    ['legacy records are left', (all) => [...all, ...keyRecords(sampleKey(1))]],
    ['nothing makes new addresses', without('activeexternalspk', 'activeinternalspk')],
  ])('reports an unfinished migration if %s', async (_, change) => {
    const { bytes, parts } = await migrated('legacy-hd');
    const [primary] = parts;
    if (!primary) throw new Error('nothing was made');
    const found = await compareMigration(bytes, [await rewritten(primary, change)], 'regtest');
    expect(found.scripts.missing.total).toBe(0);
    expect(found.wallets).toMatchObject([{ part: 'primary', incomplete: true }]);
  });

  it('refuses files of the wrong kind', async () => {
    const { bytes, parts } = await migrated('legacy-hd');
    const [first] = parts;
    if (!first) throw new Error('nothing was made');
    await expect(compareMigration(first.bytes, parts, 'regtest')).rejects.toMatchObject({
      code: 'bad_input',
    });
    await expect(compareMigration(bytes, [{ ...first, bytes }], 'regtest')).rejects.toMatchObject({
      code: 'bad_input',
    });
  });
});

const NAME = 'descriptor-hd';

/** Compares the wallet with a restored one that has only these records. */
async function comparisonOf(keeps: (record: RawRecord) => boolean) {
  const bytes = await writeSqlite((await entriesOf(NAME)).filter(keeps), 'regtest');
  return compareRestored(walletFile(NAME), { part: 'primary', name: 'back', bytes }, 'regtest');
}

describe('compareRestored', () => {
  it('finds nothing missing from an equal wallet', async () => {
    const found = await comparisonOf(() => true);
    const none = { missing: nothing };
    expect(found).toMatchObject({
      scripts: none,
      labels: none,
      transactions: none,
      keyless: nothing,
      isPartlyUnreadable: false,
    });
    expect(found.wallets).toMatchObject([{ name: 'back', incomplete: false, watches: false }]);
  });

  it.each([
    ['watches coins', flagBits.disable_private_keys, false],
    ['has an external signer', flagBits.disable_private_keys | flagBits.external_signer, true],
  ])('says that a wallet %s', async (_, flags, signsOutside) => {
    const others = (await entriesOf(NAME)).filter(({ key }) => typeIn(key) !== 'flags');
    const records = [...others, flagsRecord(flags | flagBits.descriptor_wallet)];
    const bytes = await writeSqlite(records, 'regtest');
    const found = await compareRestored(bytes, { part: 'primary', name: 'back', bytes }, 'regtest');
    expect(found.wallets).toMatchObject([{ watches: true, signsOutside }]);
  });

  it('names missing scripts, labels and transactions', async () => {
    const records = recordsByType(await entriesOf(NAME));
    const [lost] = records.of('walletdescriptor');
    const isLost = ({ key }: RawRecord) =>
      ['name', 'tx'].includes(typeIn(key)) ||
      (typeIn(key) === 'walletdescriptor' &&
        Buffer.from(key).includes(Buffer.from(lost?.descriptorId ?? [])));
    const found = await comparisonOf((record) => !isLost(record));
    expect(found.labels.missing.total).toBe(records.of('name').length);
    expect(found.transactions.missing.total).toBe(records.of('tx').length);
    expect(found.scripts.missing.total).toBeGreaterThan(0);
    expect(found.scripts.after).toBe(found.scripts.before - found.scripts.missing.total);
  });

  it('names descriptors without their private keys', async () => {
    const found = await comparisonOf(({ key }) => typeIn(key) !== 'walletdescriptorkey');
    expect(found.keyless.total).toBeGreaterThan(0);
    expect(found.scripts.missing).toEqual(nothing);
  });
});
