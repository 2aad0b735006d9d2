import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/model/errors.ts';
import { needsRescue } from '../../../shared/model/inspection.ts';
import { sampleRescue } from '../../../shared/testing/sampleRescue.ts';
import { hasLosses, lostKeys, lostWords } from '../../../shared/wording/rescueWords.ts';
import type { FileBytes } from '../../walletfile/bytes/byteSource.ts';
import { quickHash160 } from '../../walletfile/bytes/quickHash.ts';
import { toLatin1 } from '../../walletfile/bytes/textCoding.ts';
import { genesisBlocks } from '../../walletfile/coin/coins.ts';
import { readBerkeley } from '../../walletfile/database/berkeley.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { writeSqlite } from '../../walletfile/database/walletDatabase.ts';
import { identifyWallet, readEntries } from '../../walletfile/inspect/identifyWallet.ts';
import { inspect } from '../../walletfile/inspect/inspect.ts';
import { encryptedKeyChecksum, unlock } from '../../walletfile/keys/crypter.ts';
import { writeWif } from '../../walletfile/keys/privateKey.ts';
import { publicKeyOf } from '../../walletfile/keys/publicKey.ts';
import { migrateWallet } from '../../walletfile/migrate/migrateWallet.ts';
import { encryptionOf, judgePassphrase } from '../../walletfile/records/encryption.ts';
import {
  type RecordOfType,
  recordOf,
  recordsByType,
  typeIn,
  writeRecord,
} from '../../walletfile/records/records.ts';
import { lastBlockOf, stateOf } from '../../walletfile/records/walletTransaction.ts';
import { addressOf } from '../../walletfile/script/address.ts';
import {
  brokenWallet,
  brokenWallets,
  foreignNote,
  hasForeignWallets,
  oddWallet,
} from '../../walletfile/testing/foreignWallets.ts';
import { chainRecords, sampleKey } from '../../walletfile/testing/sampleWallet.ts';
import {
  editedWallet,
  entriesOf,
  factsOf,
  recordTexts,
  sourceOnDisk,
  walletFile,
  wifsIn,
} from '../../walletfile/testing/wallets.ts';
import { metadataRecord, UNUSED_KEYS } from '../salvage/derivedKeys.ts';
import { plainKeyRecord } from '../salvage/provedKeys.ts';
import { type LegacyRepairOptions, repairWallet } from './repairWallet.ts';
import { writeBerkeley } from './writeBerkeley.ts';

const OPTIONS: LegacyRepairOptions = { logs: [], network: 'regtest' };

const migrated = (bytes: Uint8Array, passphrase: string | null = null) =>
  migrateWallet({
    bytes,
    network: 'regtest',
    name: 'w',
    now: 1_800_000_000,
    keypoolSize: 20,
    ...(passphrase === null ? {} : { passphrase }),
  });

const OTHER_WIF = writeWif({ privateKey: sampleKey(2).privateKey, compressed: true }, 'regtest');

describe('a whole wallet', () => {
  it.each(['legacy-hd', 'legacy-imported', 'legacy-watchonly', 'legacy-solvable'])(
    '%s stays what it is',
    async (name) => {
      const file = walletFile(name);
      const { bytes, facts } = await repairWallet(file, OPTIONS);
      expect(contentOf(bytes)).toEqual(contentOf(file));
      expect(facts).toMatchObject({ unclean: false, log: null, damaged: { keys: 0, others: 0 } });
      expect(facts.excluded).toMatchObject({ transactions: { total: 0 }, addresses: { total: 0 } });
    },
  );

  it('gets the key of an old, unused seed that a node needs', async () => {
    const older = chainRecords(sampleKey(1), { external: 0, internal: 2, active: false });
    const newer = chainRecords(sampleKey(2), { external: 0, internal: 0 });
    const file = await editedWallet('legacy-blank', undefined, [...older.records, ...newer.records]);
    const hazardsIn = async (bytes: Uint8Array) =>
      (await inspect(bytes, { network: 'regtest' })).migration?.hazards;
    expect(await hazardsIn(file)).toEqual(['unused-seed']);
    const { bytes, facts } = await repairWallet(file, OPTIONS);
    expect(await hazardsIn(bytes)).toEqual([]);
    // The first key of the old seed, and as many of the new one as a new wallet has.
    expect(facts.saved.derived).toBe(1 + 2 * UNUSED_KEYS);
    const sampleKeys = chainRecords(sampleKey(1), { external: 1, internal: 0 }).keys;
    const keys = recordsByType(readBerkeley(bytes).records).of('key');
    const names = sampleKeys.map(({ publicKey }) => toLatin1(publicKey));
    expect(keys.map(({ publicKey }) => toLatin1(publicKey))).toEqual(expect.arrayContaining(names));
  });

  it.each([0, 1, 3])(
    'derives what payments and labels name without the counters, from %s keys on',
    async (first) => {
      const records = recordsByType(await entriesOf('legacy-hd'));
      const [{ seedId } = { seedId: new Uint8Array() }] = records.of('hdchain');
      const kept = new Set(
        records.of('keymeta').flatMap(({ publicKey, hd }) => {
          const index = Number(/(\d+)'$/.exec(hd?.keyPath ?? '')?.[1] ?? Number.NaN);
          const isSeed = quickHash160(publicKey) === toLatin1(seedId);
          return isSeed || index < first ? [toLatin1(publicKey)] : [];
        }),
      );
      const left = (await entriesOf('legacy-hd')).filter(({ key }) => {
        const isOfKey = ['key', 'keymeta', 'pool'].includes(typeIn(key));
        return isOfKey ? [...kept].some((name) => toLatin1(key).endsWith(name)) : typeIn(key) !== 'hdchain';
      });
      const { bytes, facts } = await repairWallet(writeBerkeley(left), OPTIONS);
      const before = await inspect(walletFile('legacy-hd'), { network: 'regtest' });
      const after = await inspect(bytes, { network: 'regtest' });
      expect(after.balance.spendable).toEqual(before.balance.spendable);
      expect(facts.excluded.addresses.total).toBe(0);
    },
  );

  it('derives as many keys as a new wallet has if only the seed and the counters are left', async () => {
    const [chain, ...records] = chainRecords(sampleKey(1), { external: 30, internal: 30 }).records;
    const seed = records.slice(0, 2);
    const file = await editedWallet('legacy-blank', undefined, [...(chain ? [chain] : []), ...seed]);
    const { bytes, facts } = await repairWallet(file, OPTIONS);
    expect(facts.saved.derived).toBe(2 * UNUSED_KEYS);
    expect(recordsByType(readBerkeley(bytes).records).of('hdchain')).toMatchObject([
      { externalCounter: UNUSED_KEYS, internalCounter: UNUSED_KEYS },
    ]);
  });

  it.each([
    (wif: string) => `${wif} 2021-10-08T13:44:47Z hdseed=1 # addr=x hdkeypath=s`,
    (wif: string) => `bitcoin-cli sethdseed true "${wif}"`,
    (wif: string) => JSON.stringify({ method: 'sethdseed', params: [true, wif] }, null, 2),
    (wif: string) => JSON.stringify({ method: 'sethdseed', params: { newkeypool: true, seed: wif } }),
    (wif: string) => JSON.stringify({ hdseed: wif, created: 0, seed: OTHER_WIF }),
    (wif: string) => `hdseed: ${wif}`,
  ])('derives as many keys of a text’s seed as a new wallet has: %s', async (write) => {
    const seed = sampleKey(1);
    const wif = writeWif({ privateKey: seed.privateKey, compressed: true }, 'regtest');
    const { bytes, facts } = await repairWallet(Buffer.from(write(wif)), OPTIONS);
    const records = recordsByType(readBerkeley(bytes).records);
    expect(facts.saved.derived).toBe(2 * UNUSED_KEYS);
    expect(records.of('hdchain')).toMatchObject([
      { externalCounter: UNUSED_KEYS, internalCounter: UNUSED_KEYS },
    ]);
  });

  it('reports that it was not closed cleanly', async () => {
    const file = walletFile('legacy-hd');
    file[4096] = 1;
    expect((await repairWallet(file, OPTIONS)).facts.unclean).toBe(true);
    file.fill(0, 0, PAGE);
    expect((await repairWallet(file, OPTIONS)).facts.unclean).toBe(true);
    file[4096] = 0;
    expect((await repairWallet(file, OPTIONS)).facts.unclean).toBe(false);
  });

  it('reports an unusable log if the first page is lost', async () => {
    const file = walletFile('legacy-hd');
    file.fill(0, 0, PAGE);
    const logs = [{ name: 'log.0000000001', bytes: new Uint8Array(100) }];
    await expect(repairWallet(file, { ...OPTIONS, logs })).rejects.toMatchObject({
      code: 'bad_input',
      finding: { code: 'log_unusable' },
    });
  });

  it.each<[string, (file: Uint8Array) => Uint8Array, number]>([
    ['is cut off', (file) => file.subarray(0, 17_360), 3],
    ['has a page of zeros', (file) => file.fill(0, 4 * 4096, 5 * 4096), 1],
    ['has lost its first page', (file) => file.fill(0, 0, 4096), 1],
  ])('says that keys may be lost if it %s', async (_, change, pages) => {
    const { facts } = await repairWallet(change(walletFile('legacy-imported')), { logs: [] });
    expect(facts.damaged.pages).toBe(pages);
    const told = { ...facts, log: null, excludedFile: null };
    expect(hasLosses(told)).toBe(true);
    expect(lostWords(told, 'regtest')).toContain(`Damaged pages: ${pages}. Keys may be lost.`);
    const whole = await repairWallet(walletFile('legacy-imported'), { logs: [] });
    expect(whole.facts.damaged).toEqual({ keys: 0, others: 0 });
  });

  it('does not count as open because a page is lost', async () => {
    const file = walletFile('legacy-hd');
    file.fill(0, 5 * PAGE, 6 * PAGE);
    for (let at = 3 * PAGE; at < 4 * PAGE; at += 1) file[at] = (at * 7) ^ (at >> 5);
    expect((await repairWallet(file, OPTIONS)).facts).toMatchObject({ unclean: false });
  });

  it('counts the labels that the inspection counts: an address that kept only its purpose has none', async () => {
    const file = walletFile('legacy-hd');
    const labelsOf = async () => {
      const { labels } = await inspect(file, { network: 'regtest' });
      return [labels.total, (await repairWallet(file, OPTIONS)).facts.saved.labels];
    };
    expect(await labelsOf()).toEqual([7, 7]);
    file.fill(0, 5 * PAGE, 6 * PAGE);
    expect(await labelsOf()).toEqual([0, 0]);
  });

  it('is read although its version is that of Berkeley DB 6', async () => {
    const file = walletFile('legacy-hd');
    const newer = file.slice();
    for (let page = 0; page < newer.length; page += 4096) if (newer[page + 25] === 9) newer[page + 16] = 10;
    expect(contentOf((await repairWallet(newer, OPTIONS)).bytes)).toEqual(contentOf(file));
  });

  it('has all keys encrypted afterwards', async () => {
    const file = walletFile('legacy-hd-encrypted');
    const [plain] = recordsByType(readBerkeley(walletFile('legacy-imported')).records).of('key');
    if (!plain) throw new Error('no key');
    const passphrase = factsOf('legacy-hd-encrypted').passphrase ?? '';
    const records = [...readBerkeley(file).records, writeRecord(plain)];
    const mixed = writeBerkeley(records.sort((a, b) => Buffer.compare(a.key, b.key)));
    const { bytes } = await repairWallet(mixed, { ...OPTIONS, passphrase });
    const migration = await migrated(bytes, passphrase);
    const kept = recordsByType((await readEntries(migration.primary?.bytes ?? new Uint8Array())).records);
    expect(kept.of('walletdescriptorkey')).toEqual([]);
    expect(kept.of('walletdescriptorckey').map(({ publicKey }) => toLatin1(publicKey))).toContain(
      toLatin1(plain.publicKey),
    );
  });
});

describe('a page of another wallet in the place of one', () => {
  it.each([
    [
      'where the tree reaches it',
      (page: Uint8Array, at: number) => new DataView(page.buffer).setUint32(8, at, true),
    ],
    ['with a number of its own', () => {}],
    ['without its head', (page: Uint8Array) => page.fill(0, 0, 100)],
  ])('keeps no passphrase from being the right one: %s', async (_, change) => {
    const name = 'legacy-hd-encrypted';
    const passphrase = factsOf(name).passphrase ?? '';
    const file = walletFile(name);
    const keys = recordsByType(readBerkeley(file).records).of('ckey');
    const page = foreignLeaf();
    const at = leafWith(file, 'keymeta');
    change(page, at);
    file.set(page, at * PAGE);
    const look = await repairWallet(file, OPTIONS);
    const { encryption } = await identifyWallet(look.bytes, undefined);
    expect(await judgePassphrase(encryption, passphrase)).toBe('right');
    const { facts } = await repairWallet(file, { ...OPTIONS, passphrase });
    expect(facts.saved.keys).toBe(keys.length);
  });
});

describe('an old key with an expiry', () => {
  it.each([
    ['with its version', 0],
    ['without, as some were written', 4],
  ])('becomes a key like any other: %s', async (_, left) => {
    const { records } = readBerkeley(walletFile('legacy-imported'));
    const [key] = recordsByType(records).of('key');
    if (!key) throw new Error('no key');
    const { publicKey, der } = key;
    const more = { version: 1, createTime: 1_300_000_000, expireTime: 0, comment: 'bills' };
    const old = writeRecord({ type: 'wkey', publicKey, der, ...more });
    const others = records.filter((record) => toLatin1(record.key) !== toLatin1(writeRecord(key).key));
    const all = [...others, { key: old.key, value: old.value.slice(left) }];
    const file = writeBerkeley(all.sort((a, b) => Buffer.compare(a.key, b.key)));
    const { bytes } = await repairWallet(file, OPTIONS);
    const kept = recordsByType(readBerkeley(bytes).records);
    expect(kept.of('key').map((one) => toLatin1(one.publicKey))).toContain(toLatin1(publicKey));
    expect(kept.entries('wkey')).toEqual([]);
  });
});

describe('addresses that were given out, for which Bitcoin Core gives up a migration', () => {
  it('are excluded if they belong to no wallet; their labels stay', async () => {
    const [none, ofOthers] = ['bcrt1q\nw5\u202e08d6', 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'];
    const added = [none, ofOthers].flatMap((address) => [
      writeRecord({ type: 'name', address, label: 'to keep' }),
      writeRecord({ type: 'purpose', address, purpose: 'receive' }),
    ]);
    const records = [...readBerkeley(walletFile('legacy-hd')).records, ...added];
    const file = writeBerkeley(records.sort((a, b) => Buffer.compare(a.key, b.key)));
    const hazardsIn = async (bytes: Uint8Array) =>
      (await inspect(bytes, { network: 'regtest' })).migration?.hazards;
    expect(await hazardsIn(file)).toEqual(['unowned-labels', 'unreadable-labels']);
    const { bytes, excluded } = await repairWallet(file, OPTIONS);
    expect(await hazardsIn(bytes)).toEqual([]);
    const kept = recordsByType(readBerkeley(bytes).records);
    expect(kept.of('name').filter(({ label }) => label === 'to keep')).toHaveLength(2);
    expect(excluded.addresses).toEqual([
      { address: ofOthers, isReadable: true },
      { address: 'bcrt1q\nw5\u202e08d6', isReadable: false },
    ]);
  });

  it.each([
    ['', 0],
    ['rent', 1],
  ])('of keys that are not watched lack nothing without a label: “%s”', async (label, left) => {
    const { publicKey, p2pkh, p2wpkh } = sampleKey(1);
    const address = addressOf(p2pkh, 'regtest') ?? '';
    const added = [
      metadataRecord(publicKey, 1_700_000_000),
      writeRecord({ type: 'watchs', script: p2wpkh, watched: 0x31 }),
      writeRecord({ type: 'name', address, label }),
      writeRecord({ type: 'purpose', address, purpose: 'receive' }),
    ];
    const records = [...readBerkeley(walletFile('legacy-nokeys')).records, ...added];
    const file = writeBerkeley(records.sort((a, b) => Buffer.compare(a.key, b.key)));
    expect((await inspect(file, { network: 'regtest' })).migration?.hazards).toEqual(['unowned-labels']);
    expect((await repairWallet(file, OPTIONS)).excluded.addresses).toHaveLength(left);
  });

  it('need a rescue, also if damage changed one letter of an own address', async () => {
    const file = writeBerkeley(
      readBerkeley(walletFile('legacy-hd')).records.map((record) => {
        const { key, value } = record;
        return typeIn(key) === 'purpose' && toLatin1(value).endsWith('receive')
          ? { key: Uint8Array.from([...key.slice(0, -1), 0x31]), value }
          : record;
      }),
    );
    const before = await inspect(file, { network: 'regtest' });
    expect(before.migration?.hazards).toEqual(['unreadable-labels']);
    expect(needsRescue(before)).toBe(true);
    const { bytes } = await repairWallet(file, OPTIONS);
    expect(needsRescue(await inspect(bytes, { network: 'regtest' }))).toBe(false);
  });
});

describe('a chain whose counter counts more keys than are there', () => {
  it('is migrated up to its first gap', async () => {
    const { records } = readBerkeley(walletFile('legacy-hd'));
    const hd = recordsByType(records).one('hdchain');
    if (!hd) throw new Error('no chain');
    const counted = writeRecord({ ...hd, externalCounter: hd.externalCounter + 7 });
    const others = records.filter(({ key }) => toLatin1(key) !== toLatin1(counted.key));
    const file = writeBerkeley([...others, counted].sort((a, b) => Buffer.compare(a.key, b.key)));
    await expect(migrated(file)).rejects.toMatchObject({
      finding: { code: 'chain_key_missing', index: hd.externalCounter },
    });
    const { bytes, facts } = await repairWallet(file, OPTIONS);
    expect(facts.missing).toMatchObject({ keys: 0, chainKeys: 0 });
    expect((await migrated(bytes)).primary).not.toBeNull();
  });

  it.each([
    ['named by metadata', 'key', 0, {}, 2],
    ['named by the pool alone', 'keymeta', 1, {}, 2],
    ['named nowhere', 'pool', 1, {}, 2],
    ['named nowhere, beside a lost default key', 'pool', 1, { defaultKey: true }, 3],
    ['named by the pool alone, beside an imported key', 'keymeta', 1, { imported: true }, 3],
    ['named by the pool alone, without the counter', 'keymeta', 1, { hdchain: true }, 3],
  ] as const)(
    'counts a lost key once whose seed is lost too: %s',
    async (_, upTo, chainKeys, more, total) => {
      const { records } = readBerkeley(walletFile('legacy-hd'));
      const byType = recordsByType(records);
      const seedId = toLatin1(byType.one('hdchain')?.seedId ?? new Uint8Array());
      const seed = byType.of('key').find(({ publicKey }) => quickHash160(publicKey) === seedId);
      const lost = byType.of('pool')[0]?.publicKey;
      if (!seed || !lost) throw new Error('no seed or no pool');
      const types = ['key', 'keymeta', 'pool'];
      const gone = types.slice(0, types.indexOf(upTo) + 1);
      const isGone = ({ key, value }: (typeof records)[number]) => {
        const [type, name] = [typeIn(key), toLatin1(key)];
        if (type === 'pool') return gone.includes(type) && toLatin1(value).includes(toLatin1(lost));
        if (type === 'key' && name.endsWith(toLatin1(seed.publicKey))) return true;
        return gone.includes(type) && name.endsWith(toLatin1(lost));
      };
      const publicKey = publicKeyOf(new Uint8Array(32).fill(9));
      const added = [
        ...('defaultKey' in more ? [writeRecord({ type: 'defaultkey', publicKey })] : []),
        ...('imported' in more
          ? [plainKeyRecord(new Uint8Array(32).fill(9), true), metadataRecord(publicKey, 1)]
          : []),
      ];
      const replaced = Object.keys(more).map((name) => name.toLowerCase());
      const kept = records.filter((record) => !isGone(record) && !replaced.includes(typeIn(record.key)));
      const file = writeBerkeley([...kept, ...added].sort((a, b) => Buffer.compare(a.key, b.key)));
      const { facts } = await repairWallet(file, OPTIONS);
      expect(facts.missing).toMatchObject({ chainKeys });
      const lostCoins = { amount: 0n, coins: 0, on: { total: 0, shown: [] } };
      const shown = sampleRescue({ saved: facts.saved, missing: facts.missing, lostCoins });
      expect(lostKeys(shown)).toBe(total);
      const words = lostWords(shown, 'regtest');
      expect(words.includes('Coins of that seed are unknown.')).toBe(chainKeys > 0);
      expect(words.includes('No known coins are on them.')).toBe(chainKeys === 0);
    },
  );
});

describe('a text with keys', () => {
  const read = (text: string, passphrase?: string) =>
    repairWallet(new TextEncoder().encode(text), { logs: [], network: 'main', passphrase });

  it('becomes a wallet that is migrated, with its labels', async () => {
    const { bytes, facts } = await read('5KN7MzqK5wt2TP1fQCYyHBtDrXdJuXbUzm4A9rKAteGu3Qi5CVR rent');
    expect(facts).toMatchObject({ saved: { keys: 1 }, sealed: 0, damagedTextKeys: 0 });
    const damaged = await read('wpkh(L44B5gGEpqEDRS9vVPz7QT35jcBG2r3CZwSwQ4fCewXAhAhqGVpP)#aaaaaaaa');
    expect(damaged.facts).toMatchObject({
      saved: { keys: 1 },
      damagedTextKeys: 0,
      lines: { taken: 1, of: 1 },
    });
    const migration = await migrateWallet({
      bytes,
      network: 'main',
      name: 'w',
      now: 1_800_000_000,
      keypoolSize: 20,
    });
    const kept = recordsByType((await readEntries(migration.primary?.bytes ?? new Uint8Array())).records);
    expect(kept.of('name').map(({ label }) => label)).toContain('rent');
    expect(kept.of('walletdescriptor').some(({ descriptor }) => descriptor.startsWith('combo('))).toBe(true);
  });

  it('waits for the passphrase of a sealed key', async () => {
    const sealed = '6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg';
    expect((await read(sealed)).facts).toMatchObject({ saved: { keys: 0 }, sealed: 1 });
    expect((await read(sealed, 'TestingOneTwoThree')).facts).toMatchObject({ saved: { keys: 1 }, sealed: 0 });
  });
});

describe('a wallet on a disk', () => {
  const hurt = walletFile('legacy-hd');
  for (const page of [14, 49, 92]) hurt.fill(0, page * PAGE, (page + 1) * PAGE);
  const headless = walletFile('legacy-imported').fill(0, 0, PAGE);
  const { passphrase } = factsOf('legacy-hd-encrypted');
  const noise = Uint8Array.from(walletFile('legacy-imported')).fill(0xa5, 40 * PAGE, 57 * PAGE + 100);
  it.each([
    ['whole', walletFile('legacy-solvable'), {}],
    ['with holes', hurt, {}],
    ['without its first page', headless, {}],
    ['with noise', noise, {}],
    ['cut off', walletFile('legacy-hd').subarray(0, 60 * PAGE + 77), {}],
    ['encrypted', walletFile('legacy-hd-encrypted'), { passphrase }],
  ])('is repaired as in memory: %s', async (_, file, more) => {
    const options = { ...OPTIONS, ...more };
    const inMemory = await repairWallet(file, options);
    const onDisk = await repairWallet(sourceOnDisk(file), options);
    expect(contentOf(onDisk.bytes)).toEqual(contentOf(inMemory.bytes));
    expect({ ...onDisk, bytes: null }).toEqual({ ...inMemory, bytes: null });
  });

  it('is refused with a log, which is applied in memory', async () => {
    const logs = [{ name: 'log.0000000001', bytes: new Uint8Array(100) }];
    const repair = repairWallet(sourceOnDisk(walletFile('legacy-hd')), { ...OPTIONS, logs });
    await expect(repair).rejects.toMatchObject({ finding: { code: 'log_too_large' } });
  });
});

it('keeps the keys of a last page that was cut off', async () => {
  const cut = (await repairWallet(walletFile('legacy-hd').subarray(0, 22_118), OPTIONS)).facts;
  const before = (await repairWallet(walletFile('legacy-hd').subarray(0, 5 * PAGE), OPTIONS)).facts;
  // Three of its keys lie before the cut. A fourth has only its private key there.
  expect(cut).toMatchObject({ saved: { keys: before.saved.keys + 3 }, unowned: 0, doubtful: 1 });
  // Twenty of its key records are whole before this cut. Of five, nothing else is.
  const { facts } = await repairWallet(walletFile('legacy-watchonly').subarray(0, 32_768), OPTIONS);
  expect(facts).toMatchObject({ saved: { keys: 20 }, unowned: 0, doubtful: 5 });
});

describe('a wallet with holes', () => {
  it.each(['legacy-hd', 'legacy-imported', 'legacy-watchonly'])(
    '%s is migrated, whatever is lost',
    async (name) => {
      const file = walletFile(name);
      const pages = file.length / 4096;
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: pages }), async (places) => {
          const hurt = file.slice();
          for (const place of places) hurt.fill(0, (place % pages) * 4096, ((place % pages) + 1) * 4096);
          const repaired = await repairWallet(hurt, OPTIONS).catch((error: unknown) => {
            if (error instanceof AppError && error.code === 'not_a_wallet') return null;
            throw error;
          });
          if (repaired) await migrated(repaired.bytes);
        }),
        { numRuns: 6, examples: [[Uint8Array.of(14)], [Uint8Array.of(49, 0)], [Uint8Array.of(121, 92, 0)]] },
      );
    },
  );
});

describe('an SQLite file with legacy records, as an interrupted migration leaves it', () => {
  it.each(['legacy-hd', 'legacy-hd-encrypted', 'legacy-imported', 'legacy-watchonly'])(
    'gives the same wallet whatever its descriptors have of it: %s',
    async (name) => {
      const { passphrase } = factsOf(name);
      const { primary } = await migrated(walletFile(name), passphrase);
      const partial = (await readEntries(primary?.bytes ?? new Uint8Array())).records.filter(({ key }) =>
        toLatin1(key).includes('walletdescriptor'),
      );
      const old = await entriesOf(name);
      for (const secret of new Set([undefined, passphrase])) {
        const options = { ...OPTIONS, passphrase: secret };
        const fromOld = await repairWallet(walletFile(name), options);
        for (const records of [
          [...old, ...partial],
          [...partial, ...old],
        ]) {
          const fromHalf = await repairWallet(await writeSqlite(records, 'regtest'), options);
          expect(await textsOf(fromHalf.bytes)).toEqual(await textsOf(fromOld.bytes));
          expect(fromHalf.facts).toEqual(fromOld.facts);
        }
      }
    },
  );

  async function textsOf(bytes: Uint8Array): Promise<string[]> {
    const { records } = await readEntries(bytes);
    return records.map(({ key, value }) => `${toLatin1(key)} ${toLatin1(value)}`).sort();
  }
});

describe('a dump of pywallet', () => {
  const { passphrase = null } = factsOf('legacy-hd-encrypted');
  const dumped = async () => {
    const byType = recordsByType(await entriesOf('legacy-hd-encrypted'));
    const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
    const [master] = byType.of('mkey');
    if (!master) throw new Error('the wallet is encrypted');
    return {
      keys: byType.of('ckey').map(({ publicKey, encrypted }) => ({
        addr: '',
        encrypted_privkey: hex(encrypted),
        pubkey: hex(publicKey),
      })),
      mkey: {
        encrypted_key: hex(master.encrypted),
        nDerivationIterations: master.iterations,
        nDerivationMethod: 0,
        nID: master.id,
        salt: hex(master.salt),
      },
    };
  };

  it('needs the passphrase of its encrypted keys, and gives them all', async () => {
    const dump = await dumped();
    const bytes = Buffer.from(`Dumping wallet...\n${JSON.stringify(dump)}`);
    const { encryption } = await identifyWallet((await repairWallet(bytes, OPTIONS)).bytes, undefined);
    expect(await judgePassphrase(encryption, 'wrong')).toBe('wrong');
    expect(await judgePassphrase(encryption, passphrase ?? '')).toBe('right');
    const rescued = await repairWallet(bytes, { ...OPTIONS, passphrase: passphrase ?? '' });
    expect(rescued.facts).toMatchObject({ saved: { keys: dump.keys.length }, lines: { taken: 1, of: 1 } });
    const { keys } = await inspect(rescued.bytes, { network: 'regtest' });
    expect(keys.encrypted).toBe(dump.keys.length);
  });
});

describe('what holds no wallet', () => {
  it.each([
    ['nothing', new Uint8Array()],
    ['zeros', new Uint8Array(9000)],
    ['a text', new TextEncoder().encode('key main wallet '.repeat(1000))],
  ])('%s is refused', async (_, bytes) => {
    await expect(repairWallet(bytes, OPTIONS)).rejects.toMatchObject({ code: 'not_a_wallet' });
  });

  it('refuses a descriptor wallet', async () => {
    await expect(repairWallet(walletFile('descriptor-hd'), OPTIONS)).rejects.toMatchObject({
      code: 'not_a_wallet',
    });
  });
});

/** The private keys of a damaged wallet before its damage. */
function keysOfWhole(name: string): string[] {
  return Object.values(brokenWallet(name).facts.whole?.keys ?? {}).map(({ wif }) => wif);
}

/** How many of a node's keys are saved, for wallets whose keys are not all saved. */
const SAVED: Readonly<Record<string, number>> = { 'damaged-cut': 50, 'damaged-some-leaves': 58 };

describe.runIf(hasForeignWallets)(`a damaged wallet${foreignNote}`, () => {
  it.each(brokenWallets)('%s is migrated, with the keys that were saved', async (name) => {
    const { bytes, logs, facts } = brokenWallet(name);
    const passphrase = facts.passphrase ?? undefined;
    const truth = facts.node_29_after_its_recovery ?? facts.whole;
    const wifs = Object.values(truth?.keys ?? {}).map(({ wif }) => wif);
    const repaired = await repairWallet(bytes, { ...OPTIONS, logs, passphrase });
    const saved = await keysIn(repaired.bytes, facts.passphrase);
    expect(wifs.filter((wif) => saved.has(wif))).toHaveLength(SAVED[name] ?? wifs.length);
    const others = brokenWallets.filter((other) => other !== name).flatMap(keysOfWhole);
    expect(others.filter((wif) => saved.has(wif) && !wifs.includes(wif))).toEqual([]);
    if (logs.length > 0) {
      expect(repaired.facts).toMatchObject({ unclean: false, excluded: { transactions: { total: 0 } } });
      expect(repaired.facts.saved.transactions).toBe(truth?.transactions.length);
    }
    expect(repaired.facts.saved.keys).toBe(saved.size);
    const { migration, problems } = await inspect(repaired.bytes, { network: 'regtest' });
    expect(problems.filter(({ lost }) => lost)).toEqual([]);
    expect(migration).toMatchObject({ hazards: [], unownedTransactions: { total: 0 } });
    const { primary } = await migrated(repaired.bytes, facts.passphrase);
    expect(primary).not.toBeNull();
  });
});

describe.runIf(hasForeignWallets)(`an odd wallet${foreignNote}`, () => {
  it.each([
    ['wkey', 0],
    ['no-best-block', 0],
    ['stray-transactions', 3],
  ])('%s is migrated', async (name, unowned) => {
    const file = oddWallet(name);
    const { bytes, facts, excluded } = await repairWallet(file, { ...OPTIONS, withBlock: true });
    expect(facts.excluded.transactions.total).toBe(unowned);
    expect(facts.damaged).toEqual({ keys: 0, others: 0 });
    expect(excluded.transactions).toHaveLength(unowned);
    const records = recordsByType(readBerkeley(bytes).records);
    expect(records.of('wkey')).toEqual([]);
    expect(records.of('bestblock').length + records.of('bestblock_nomerkle').length).toBeGreaterThan(0);
    expect((await migrated(bytes)).primary).not.toBeNull();
  });
});

it.each<[string, string[], (tx: RecordOfType<'tx'>) => RawRecord]>([
  ['had an impossible place', ['abandoned'], (tx) => writeRecord({ ...tx, index: 2 ** 20 })],
  ['lost the end of its record', ['inactive'], (tx) => partOf(writeRecord(tx), 0, -8)],
  ['lost its start', [], (tx) => partOf(writeRecord(tx), 40)],
])('lets a node look again for a transaction that %s', async (_, states, damage) => {
  const entries = await entriesOf('legacy-hd');
  const damaged = entries.map((record) => {
    const tx = typeIn(record.key) === 'tx' ? recordOf('tx', record) : null;
    return tx && stateOf(tx).state === 'confirmed' ? damage(tx) : record;
  });
  const { bytes, facts } = await repairWallet(writeBerkeley(damaged), { ...OPTIONS, withBlock: true });
  // Its plan must know that the node needs all blocks.
  const planned = await repairWallet(writeBerkeley(damaged), OPTIONS);
  expect(lastBlockOf(recordsByType(readBerkeley(planned.bytes).records))).toBeNull();
  const records = recordsByType(readBerkeley(bytes).records);
  expect(lastBlockOf(records)?.hash).toBe(genesisBlocks.regtest);
  expect(records.entries('bestblock').length + records.entries('bestblock_nomerkle').length).toBe(1);
  expect([...new Set(records.of('tx').map((tx) => stateOf(tx).state))]).toEqual(states);
  const changed = damaged.filter((record, at) => record !== entries[at]).length;
  expect([facts.damaged.others, facts.repaired]).toEqual(
    states.includes('inactive') ? [0, changed] : [changed, 0],
  );
});

function partOf({ key, value }: RawRecord, start: number, end?: number): RawRecord {
  return { key, value: value.slice(start, end) };
}

const PAGE = 4096;
const LEAF = 5;

/** A leaf with a key that sorts before all others: a point of the curve whose x is 1. */
function foreignLeaf(): Uint8Array {
  const publicKey = Uint8Array.from({ length: 33 }, (_, at) => (at === 0 ? 2 : at === 32 ? 1 : 0));
  const encrypted = new Uint8Array(48).fill(7);
  const checksum = encryptedKeyChecksum(encrypted);
  const file = writeBerkeley([writeRecord({ type: 'ckey', publicKey, encrypted, checksum })]);
  const leaf = leafWith(file, 'ckey');
  return file.slice(leaf * PAGE, (leaf + 1) * PAGE);
}

/** The number of the first leaf page with records of a type. */
function leafWith(file: Uint8Array, type: string): number {
  for (let page = 1; page * PAGE < file.length; page += 1) {
    const bytes = file.subarray(page * PAGE, (page + 1) * PAGE);
    if (bytes[25] === LEAF && toLatin1(bytes).includes(type)) return page;
  }
  throw new Error('no such page');
}

function contentOf(file: FileBytes): string[] {
  const { records, problems, format } = readBerkeley(file);
  expect(problems).toEqual([]);
  expect(format).toMatchObject({ cleanlyClosed: true });
  return recordTexts(records).sort();
}

async function keysIn(file: Uint8Array, passphrase: string | null): Promise<ReadonlySet<string>> {
  const { records } = readBerkeley(file);
  const { masterKeys = [], samples = [] } = encryptionOf(recordsByType(records)) ?? {};
  return new Set(wifsIn(records, passphrase === null ? null : await unlock(masterKeys, samples, passphrase)));
}
