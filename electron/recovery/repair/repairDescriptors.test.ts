import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../e2e/hardship/seededRandom.ts';
import { balanceInFile, formatBitcoin, totalBalance } from '../../../shared/model/money.ts';
import {
  hasLosses,
  hasLossesOrExclusions,
  lostWords,
  rescueRows,
} from '../../../shared/wording/rescueWords.ts';
import { toLatin1 } from '../../walletfile/bytes/textCoding.ts';
import { damagedError } from '../../walletfile/database/problemLog.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { withDatabase } from '../../walletfile/database/sqliteDatabase.ts';
import { readSqlite, writeSqlite } from '../../walletfile/database/walletDatabase.ts';
import { withChecksum } from '../../walletfile/descriptor/checksum.ts';
import { exportDescriptors } from '../../walletfile/inspect/exportWallet.ts';
import { readEntries } from '../../walletfile/inspect/identifyWallet.ts';
import { inspect } from '../../walletfile/inspect/inspect.ts';
import { extendedKeyOfSeed, writeExtendedPrivateKey } from '../../walletfile/keys/extendedKey.ts';
import { migrateWallet } from '../../walletfile/migrate/migrateWallet.ts';
import { encryptionOf, masterKeyOf } from '../../walletfile/records/encryption.ts';
import { parseRecord, recordsByType, typeIn, writeRecord } from '../../walletfile/records/records.ts';
import { migratedFile, showWallet } from '../../walletfile/testing/newWallet.ts';
import { importedScripts } from '../../walletfile/testing/vectors.ts';
import {
  descriptorNames,
  entriesOf,
  factsOf,
  legacyNames,
  walletFile,
} from '../../walletfile/testing/wallets.ts';
import { walletOfText } from '../keyImport/walletOfText.ts';
import { repairDescriptors } from './repairDescriptors.ts';

const PAGE = 4096;
const SECTOR = 512;

async function masterKeyIn(name: string): Promise<Uint8Array | null> {
  const encryption = encryptionOf(recordsByType(await entriesOf(name)));
  return encryption && masterKeyOf(encryption, factsOf(name).passphrase ?? '');
}

async function repair(file: Uint8Array, passphrase?: string) {
  const repair = await repairDescriptors(file, { passphrase, network: 'regtest' });
  if (!repair) throw new Error('nothing was repaired');
  return repair;
}

/** A fixture's file without the lost records. */
async function without(name: string, isLost: (type: string, at: number) => boolean): Promise<Uint8Array> {
  const counts = new Map<string, number>();
  const entries = (await entriesOf(name)).filter(({ key }) => {
    const type = new TextDecoder().decode(key.subarray(1, 1 + (key[0] ?? 0)));
    const at = counts.get(type) ?? 0;
    counts.set(type, at + 1);
    return !isLost(type, at);
  });
  return writeSqlite(entries, 'regtest');
}

/** Descriptor wallets: the recorded ones, and the main wallets of migrated ones. */
const described: [name: string, file: () => Promise<Uint8Array>][] = [
  ...descriptorNames.map((name): [string, () => Promise<Uint8Array>] => [name, async () => walletFile(name)]),
  ...legacyNames
    .filter((name) => name !== 'legacy-blank' && factsOf(name).before.getwalletinfo.private_keys_enabled)
    .map((name): [string, () => Promise<Uint8Array>] => [name, () => migrated(name)]),
];

const migrated = (name: string) => migratedFile(walletFile(name), 'w', factsOf(name).passphrase);

it.each(described)(
  '%s has as many keys in its inspection as in a rescue and an export',
  async (name, read) => {
    const { passphrase } = factsOf(name);
    const file = await read();
    const keysIn = async (bytes: Uint8Array) => {
      const { keys } = await inspect(bytes);
      return keys.plain + keys.encrypted;
    };
    const { bytes, facts } = await repair(file, passphrase);
    const text = await exportDescriptors(file, { format: 'lines', private: true, passphrase });
    const exported = new Set(text.match(/\btprv\w+|(?<=[(,\]])[9c]\w{50,51}\b/g));
    expect(facts.saved.keys).toBeGreaterThan(0);
    expect(await keysIn(file)).toBe(facts.saved.keys);
    expect(await keysIn(bytes)).toBe(facts.saved.keys);
    expect(exported.size).toBe(facts.saved.keys);
  },
);

describe('a descriptor wallet with damage that leaves its pages readable', () => {
  it.each<[string, (file: Uint8Array) => void]>([
    ['the second half of a page is zeros', (file) => file.fill(0, 6.5 * PAGE, 7 * PAGE)],
    ['a page was written in the place of another', (file) => file.copyWithin(4 * PAGE, 6 * PAGE, 7 * PAGE)],
  ])('has lost something if %s', async (_, damage) => {
    const file = walletFile('descriptor-hd');
    damage(file);
    const { facts } = await repair(file);
    expect(facts.damaged.pages).toBeGreaterThan(0);
    expect(hasLosses(facts)).toBe(true);
  });
});

it.each<[string, (file: Uint8Array) => void]>([
  ['its page is zeros', (file) => file.fill(0, 2 * PAGE, 3 * PAGE)],
  [
    'an entry names another row',
    (file) => {
      const view = new DataView(file.buffer, file.byteOffset + 2 * PAGE);
      // The number of the row ends the payload, whose length is its first byte.
      const start = view.getUint16(8);
      const last = start + view.getUint8(start);
      view.setUint8(last, view.getUint8(last) ^ 0x40);
    },
  ],
])('a descriptor wallet has lost nothing if only its index is damaged: %s', async (_, damage) => {
  const file = walletFile('descriptor-hd');
  damage(file);
  const { problems, conditions } = await inspect(file);
  expect(problems).toMatchObject([{ finding: { code: 'wallet_damaged' }, lost: false }]);
  expect(conditions).toMatchObject([{ code: 'database-damaged' }]);
  const { bytes, facts } = await repair(file);
  expect(facts).toMatchObject({
    damaged: { keys: 0, others: 0 },
    saved: { keys: 1, labels: 6, transactions: 6 },
  });
  expect(facts.damaged.pages).toBeUndefined();
  expect((await inspect(bytes)).problems).toEqual([]);
});

describe.each(descriptorNames)('%s', (name) => {
  const { passphrase } = factsOf(name);

  it('comes out of its whole file as it was, but has to be scanned for', async () => {
    const masterKey = await masterKeyIn(name);
    const before = await showWallet(walletFile(name), masterKey);
    for (const word of passphrase === undefined ? [undefined] : [undefined, passphrase]) {
      const { bytes, facts, network } = await repair(walletFile(name), word);
      const after = await showWallet(bytes, masterKey);
      const { descriptors, labels, purposes, scripts } = before;
      expect(after).toMatchObject({ descriptors, labels, purposes, scripts, network });
      expect([...after.txids].sort()).toEqual([...before.txids].sort());
      expect(facts).toMatchObject({
        damaged: { keys: 0, others: 0 },
        missing: { keys: 0, masterKey: false },
      });
      expect(await inspect(bytes)).toMatchObject({ kind: 'descriptor', problems: [] });
    }
  });

  it('gives no wrong key with holes anywhere, and a file that SQLite and its reader find whole', {
    timeout: 120_000,
  }, async () => {
    const masterKey = await masterKeyIn(name);
    const truth = await showWallet(walletFile(name), masterKey);
    const known = new Map(truth.descriptors.map((one) => [one.desc, one]));
    const random = seededRandom(7).share;
    let saved = 0;
    for (let round = 0; round < 12; round += 1) {
      const file = walletFile(name);
      const size = round % 2 === 0 ? PAGE : SECTOR;
      for (let hole = 0; hole <= round % 4; hole += 1) {
        const at = Math.floor((random() * file.length) / size) * size;
        for (let byte = at; byte < at + size; byte += 1)
          file[byte] = round % 3 === 0 ? Math.floor(random() * 256) : 0;
      }
      const word = round % 5 === 0 ? passphrase : undefined;
      const repair = await repairDescriptors(file, { network: 'regtest', passphrase: word }).catch(
        (error) => {
          expect(error.code).toMatch(/bad_input|wrong_passphrase|not_a_wallet/);
          return null;
        },
      );
      if (!repair) continue;
      saved += 1;
      const lost = truth.txids.length + truth.labels.size;
      const { labels, transactions } = repair.facts.saved;
      if (size === PAGE && labels + transactions < lost) expect(hasLosses(repair.facts)).toBe(true);
      await expectWhole(repair.bytes);
      const contents = await showWallet(repair.bytes, masterKey);
      for (const one of contents.descriptors) {
        const original = known.get(one.desc);
        expect(original, one.desc).toBeDefined();
        expect(one.private === original?.private || !one.active, one.desc).toBe(true);
      }
      expect(truth.txids).toEqual(expect.arrayContaining(contents.txids));
      for (const [address] of contents.labels) expect([...truth.labels.keys()]).toContain(address);
    }
    expect(saved).toBeGreaterThan(6);
  });
});

it.each(importedScripts)(
  'rebuilds the cache of $text as a node stores it',
  async ({ text, records, digest }) => {
    const wallet = await walletOfText(new TextEncoder().encode(text), 'regtest');
    const { records: all } = await readEntries(wallet?.bytes ?? new Uint8Array());
    const kept = all.filter(({ key }) => !new TextDecoder().decode(key).includes('walletdescriptorcache'));
    expect(all.length - kept.length).toBeGreaterThan(1);
    const { bytes } = await repair(await writeSqlite(kept, 'regtest'));
    const repaired = recordsByType((await readEntries(bytes)).records);
    const caches = ['walletdescriptorcache', 'walletdescriptorlhcache']
      .flatMap((type) => repaired.entries(type))
      .map(({ key, value }) => `${bytesToHex(key)} ${bytesToHex(value)}`);
    expect(caches).toHaveLength(records);
    expect(bytesToHex(sha256(new TextEncoder().encode(caches.sort().join('\n'))))).toBe(digest);
  },
);

it.each([
  ['private keys', 'walletdescriptorkey', 20, () => migrated('legacy-imported')],
  [
    'encrypted keys',
    'walletdescriptorckey',
    20,
    () => migrated('legacy-hd-encrypted'),
    'legacy-hd-encrypted',
  ],
  ['texts', 'walletdescriptor', 30, importedWallet],
  ['checksums of texts', 'walletdescriptor', -22, importedWallet],
  ['lengths of texts', 'walletdescriptor', 0, importedWallet],
] as const)('repairs a bit in every second of its %s', async (_, type, place, read, locked = undefined) => {
  const file = await read();
  const { records } = await readSqlite(file);
  const every = new Set(records.filter(({ key }) => typeIn(key) === type).filter((_, at) => at % 2 === 1));
  const damaged = records.map((record) => (every.has(record) ? withFlippedBit(record, place) : record));
  const masterKey = locked ? await masterKeyIn(locked) : null;
  const word = locked ? factsOf(locked).passphrase : undefined;
  const whole = await repair(file, word);
  const { bytes, facts } = await repair(await writeSqlite(damaged, 'regtest'), word);
  expect(every.size).toBeGreaterThan(1);
  expect(facts).toEqual({ ...whole.facts, repaired: type === 'walletdescriptor' ? every.size : 0 });
  expect(await showWallet(bytes, masterKey)).toEqual(await showWallet(whole.bytes, masterKey));
});

/** A wallet of descriptors that nothing but their texts holds. */
async function importedWallet(): Promise<Uint8Array> {
  const texts = importedScripts.map(({ text }) => text).join('\n');
  const wallet = await walletOfText(new TextEncoder().encode(texts), 'regtest');
  return wallet?.bytes ?? new Uint8Array();
}

/** `place`: of the byte in the value; below 0, from its end. */
function withFlippedBit({ key, value }: RawRecord, place: number): RawRecord {
  const flipped = (place + value.length) % value.length;
  return { key, value: value.map((byte, at) => (at === flipped ? byte ^ 4 : byte)) };
}

it('rebuilds the cache of a locked wallet if a second record proves it, or with the passphrase', async () => {
  const all = (await showWallet(walletFile('descriptor-encrypted'))).descriptors.length;
  const counted = async (file: Uint8Array, word?: string) =>
    (await showWallet((await repair(file, word)).bytes)).descriptors.length;
  expect(
    await counted(await without('descriptor-encrypted', (type) => type === 'walletdescriptorcache')),
  ).toBe(all);
  const none = await without('descriptor-encrypted', (type) => /^walletdescriptor(lh)?cache$/.test(type));
  await expect(counted(none)).resolves.toBe(0);
  const { facts } = await repair(none);
  // They are not lost: the passphrase gives them.
  expect(facts).toMatchObject({ missing: { descriptors: 0 }, sealedDescriptors: all });
  expect(lostWords(facts, 'regtest')).toEqual(
    expect.arrayContaining([
      `Needs the passphrase: 1 private key, ${all} descriptors.`,
      'They may hold unknown coins.',
    ]),
  );
  const { passphrase } = factsOf('descriptor-encrypted');
  await expect(counted(none, passphrase)).resolves.toBe(all);
  expect((await repair(none, passphrase)).facts).toMatchObject({ sealed: 0, sealedDescriptors: 0 });
});

it('takes what stands in the last, incomplete page of a file, and in one without its first bytes', async () => {
  const whole = await repair(walletFile('descriptor-hd'));
  const cut = await repair(walletFile('descriptor-hd').slice(0, 4.75 * PAGE));
  expect(cut.facts).toMatchObject({ saved: { keys: 1, seeds: 1 }, missing: { descriptors: 0 } });
  const secrets = async ({ bytes }: typeof cut) =>
    (await showWallet(bytes)).descriptors.map((one) => one.private).sort();
  expect(await secrets(cut)).toEqual(await secrets(whole));
  for (const page of [3, 4, 5, 6]) {
    // The list of the page's rows.
    const { saved } = (await repair(walletFile('descriptor-hd').fill(0, page * PAGE, page * PAGE + 40)))
      .facts;
    expect(saved).toEqual(whole.facts.saved);
  }
});

it.each([undefined, factsOf('descriptor-encrypted').passphrase])(
  'keeps a key whose descriptors are all lost as a single key, with the passphrase %s',
  async (passphrase) => {
    const name = passphrase ? 'descriptor-encrypted' : 'descriptor-hd';
    for (const word of [undefined, passphrase]) {
      const { bytes, facts } = await repair(await without(name, (type) => type === 'walletdescriptor'), word);
      expect(facts).toMatchObject({ saved: { keys: 1 }, damaged: { keys: 0 }, missing: { descriptors: 8 } });
      const [one, ...others] = (await showWallet(bytes, await masterKeyIn(name))).descriptors;
      expect([one?.private, others]).toEqual([expect.stringMatching(/^combo\(c\w{51}\)#/), []]);
    }
  },
);

it('restores lost descriptors whose ids are left', async () => {
  const before = await showWallet(walletFile('descriptor-hd'));
  const { bytes, facts } = await repair(
    await without('descriptor-hd', (type, at) => type === 'walletdescriptor' && at > 0),
  );
  const texts = ({ descriptors }: typeof before) => descriptors.map((one) => one.private);
  expect(texts(before)).toEqual(expect.arrayContaining(texts(await showWallet(bytes))));
  expect(texts(await showWallet(bytes)).length).toBeGreaterThanOrEqual(8);
  expect(facts.missing.descriptors).toBe(before.descriptors.length - texts(await showWallet(bytes)).length);
});

it('counts a descriptor with a damaged record once, and not as lost if it is restored', async () => {
  const all = (await showWallet(walletFile('descriptor-encrypted'))).descriptors.length;
  const [one] = recordsByType(await entriesOf('descriptor-encrypted')).of('walletdescriptor');
  if (!one) throw new Error('no descriptor');
  const damage = (file: Uint8Array) =>
    overwrite(file, one.descriptor, one.descriptor.replace('tpub', 'tpuc'));
  const restored = await repair(damage(walletFile('descriptor-encrypted')));
  expect((await showWallet(restored.bytes)).descriptors).toHaveLength(all);
  expect(restored.facts).toMatchObject({ missing: { descriptors: 0 }, sealedDescriptors: 0 });
  const none = await without('descriptor-encrypted', (type) => /^walletdescriptor(lh)?cache$/.test(type));
  const { facts } = await repair(damage(none));
  expect(facts).toMatchObject({ missing: { descriptors: 0 }, sealedDescriptors: all });
});

const isActiveRecord = (type: string) => /^active(external|internal)spk$/.test(type);

it('reactivates descriptors whose active records are damaged', async () => {
  const truth = await showWallet(walletFile('descriptor-hd'));
  for (const types of [['activeexternalspk', 'activeinternalspk'], ['activeinternalspk']]) {
    const file = walletFile('descriptor-hd');
    for (const type of types) overwrite(file, type, 'x'.repeat(type.length));
    const { bytes, facts } = await repair(file);
    expect((await showWallet(bytes)).descriptors).toEqual(truth.descriptors);
    expect(facts.unused).toEqual({ addresses: [], change: [] });
  }
});

it('leaves idle descriptors of an undamaged file idle', async () => {
  const { bytes, facts } = await repair(await without('descriptor-hd', isActiveRecord));
  expect((await showWallet(bytes)).descriptors.filter(({ active }) => active)).toEqual([]);
  expect(facts.unused).toEqual({ addresses: [], change: [] });
});

it('reports the address types without an active descriptor if the choice is ambiguous', async () => {
  // As after an encryption, which keeps the previous tree of keys.
  const root = writeExtendedPrivateKey(extendedKeyOfSeed(new Uint8Array(32).fill(7)), 'regtest');
  const desc = withChecksum(`wpkh(${root}/84h/1h/0h/0/*)`);
  const text = JSON.stringify([{ desc, range: 1 }]);
  const older = await walletOfText(new TextEncoder().encode(text), 'regtest');
  const added = (await readSqlite(older?.bytes ?? new Uint8Array())).records.filter(({ key }) =>
    typeIn(key).startsWith('walletdescriptor'),
  );
  const file = await writeSqlite([...(await entriesOf('descriptor-hd')), ...added], 'regtest');
  for (const type of ['activeexternalspk', 'activeinternalspk'])
    overwrite(file, type, 'x'.repeat(type.length));
  const { bytes, facts } = await repair(file);
  expect((await showWallet(bytes)).descriptors.filter(({ active }) => active)).toEqual([]);
  const all = ['legacy', 'p2sh-segwit', 'bech32', 'bech32m'];
  expect(facts.unused).toEqual({ addresses: all, change: all });
  expect(hasLosses(facts)).toBe(false);
  expect(hasLossesOrExclusions(facts)).toBe(true);
  expect(rescueRows(facts).map(([label]) => label)).toContain('No new addresses');
});

it('names lost keys, and known coins on them', async () => {
  const { balance } = await inspect(walletFile('descriptor-hd'));
  const all = totalBalance(balanceInFile(balance));
  expect(all).toBeGreaterThan(0n);
  const whole = await repair(walletFile('descriptor-hd'));
  expect(lostWords(whole.facts, 'regtest')).toEqual([]);
  const { facts } = await repair(await without('descriptor-hd', (type) => type === 'walletdescriptorkey'));
  expect(facts.lostCoins?.amount).toBe(all);
  expect(facts.lostCoins?.on.total).toBe(balance.spendable.addresses);
  expect(lostWords(facts, 'regtest')).toEqual([
    `Missing: 1 private key.`,
    `Known coins on them: ${formatBitcoin(all, 'regtest')}.`,
  ]);
});

it('leaves out each receiving address of no or another network by its name', async () => {
  const addresses = ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'nonsense'];
  const given = addresses.map((address) => writeRecord({ type: 'purpose', address, purpose: 'receive' }));
  const file = await writeSqlite([...(await entriesOf('descriptor-hd')), ...given], 'regtest');
  const { facts, excluded } = await repair(file);
  expect(excluded.addresses).toEqual(addresses.map((address) => ({ address, isReadable: false })));
  expect(facts).toMatchObject({ missing: { addresses: 0 }, excluded: { addresses: { total: 2 } } });
  expect(lostWords(facts, 'regtest')).toContain('Addresses without a key: 2.');
});

it('names descriptors that need a passphrase, and their receiving addresses', async () => {
  const { bytes, facts } = await repair(await withoutSegwit());
  expect((await showWallet(bytes)).descriptors.filter(({ desc }) => desc.startsWith('wpkh('))).toEqual([]);
  expect(facts).toMatchObject({ missing: { descriptors: 0 }, sealedDescriptors: 2 });
  expect(facts.missing.addresses).toBeGreaterThan(0);
  expect(facts.lostCoins?.amount).toBeGreaterThan(0n);
  expect(hasLosses(facts)).toBe(true);
  const words = lostWords(facts, 'regtest');
  expect(words).toContain('Needs the passphrase: 2 descriptors.');
  expect(words).toContain(`Addresses of these keys: ${facts.missing.addresses}.`);
  expect(words).toContain(`Known coins on them: ${formatBitcoin(facts.lostCoins?.amount ?? 0n, 'regtest')}.`);
  expect(words).toContain('They may hold unknown coins.');
});

it('keeps a locked descriptor with hardened children by its whole cache', async () => {
  const file = await migrated('legacy-hd-encrypted');
  const { bytes, facts } = await repair(file);
  expect(facts).toMatchObject({ sealedDescriptors: 0, missing: { addresses: 0, descriptors: 0 } });
  expect((await inspect(bytes)).conditions).toEqual([]);
  const key = await masterKeyIn('legacy-hd-encrypted');
  const [before, after] = await Promise.all([file, bytes].map((one) => showWallet(one, key)));
  expect(after?.descriptors.map((one) => one.private)).toEqual(before?.descriptors.map((one) => one.private));
});

it('leaves a migrated wallet loadable while its hardened descriptors wait for the passphrase', async () => {
  const { records } = await readSqlite(await migrated('legacy-hd-encrypted'));
  const file = await writeSqlite(
    records.filter(({ key }) => typeIn(key) !== 'walletdescriptorcache'),
    'regtest',
  );
  const { bytes, facts } = await repair(file);
  expect(facts.sealedDescriptors).toBeGreaterThan(0);
  expect(facts.missing.addresses).toBe(12);
  expect((await inspect(bytes)).conditions).toEqual([]);
  expect((await showWallet(bytes)).labels).toEqual((await showWallet(file)).labels);
});

it.each([
  ['half of each cache', /^(mkey|walletdescriptorcache)$/, false],
  ['each cache', /^(mkey|walletdescriptor(lh)?cache)$/, true],
] as const)('names known coins of a lost master key, also where %s is lost', async (_, lost, mayBeMore) => {
  const { balance } = await inspect(walletFile('descriptor-encrypted'));
  const { facts } = await repair(await without('descriptor-encrypted', (type) => lost.test(type)));
  const amount = mayBeMore ? 930_000_000n : totalBalance(balanceInFile(balance));
  expect(facts).toMatchObject({ missing: { masterKey: true }, lostCoins: { amount, mayBeMore } });
  const words = lostWords(facts, 'regtest');
  expect(words).toContain(`Known coins on them: ${formatBitcoin(amount, 'regtest')}.`);
  expect(words.includes('They may hold unknown coins.')).toBe(mayBeMore);
});

it('names a multisig descriptor of which only the own key needs the passphrase', async () => {
  const [foreign] =
    /tpub\w+/.exec((await showWallet(walletFile('descriptor-hd'))).descriptors[0]?.desc ?? '') ?? [];
  const entries = (await entriesOf('descriptor-encrypted'))
    .filter(({ key }) => !/^walletdescriptor(lh)?cache$/.test(typeIn(key)))
    .map(({ key, value }, at) => {
      const record = parseRecord(key, value);
      if (record.type !== 'walletdescriptor') return { key, value };
      const [own] = /tpub\w+/.exec(record.descriptor) ?? [];
      const text = `wsh(multi(2,${own}/48h/1h/${at}h/*,${foreign}/0/*))`;
      return writeRecord({ ...record, descriptor: withChecksum(text) });
    });
  const { facts } = await repair(await writeSqlite(entries, 'regtest'));
  expect(facts).toMatchObject({ missing: { descriptors: 0 }, sealedDescriptors: 8 });
});

/**
 * An encrypted wallet's file without the texts and keys of its segwit descriptors. Only the records that they are active remain. They
 * cannot be rebuilt without the passphrase.
 */
async function withoutSegwit(): Promise<Uint8Array> {
  const entries = await entriesOf('descriptor-encrypted');
  const ids = recordsByType(entries)
    .of('walletdescriptor')
    .flatMap(({ descriptor, descriptorId }) =>
      descriptor.startsWith('wpkh(') ? [bytesToHex(descriptorId)] : [],
    );
  return writeSqlite(
    entries.filter(
      ({ key }) =>
        !(typeIn(key).startsWith('walletdescriptor') && ids.some((id) => bytesToHex(key).includes(id))),
    ),
    'regtest',
  );
}

it.each(['legacy-watchonly', 'legacy-solvable'])(
  'misses no keys in a wallet without any, which was split from %s',
  async (name) => {
    const how = { name: 'old', network: 'regtest', now: 1_795_182_461, keypoolSize: 3 } as const;
    const { watchonly, solvables } = await migrateWallet({ ...how, bytes: walletFile(name) });
    const { facts } = await repair((watchonly ?? solvables)?.bytes ?? new Uint8Array());
    expect(facts.saved.labels).toBeGreaterThan(0);
    expect(lostWords(facts, 'regtest')).toEqual([]);
  },
);

it('misses one key of a multisig, not those of others', async () => {
  const texts = (await showWallet(walletFile('descriptor-hd'))).descriptors.map((one) => one.private);
  const [own] = /tprv\w+/.exec(texts[0] ?? '') ?? [];
  const foreign = (await showWallet(walletFile('descriptor-encrypted'))).descriptors[0]?.desc;
  const [other] = /tpub\w+/.exec(foreign ?? '') ?? [];
  const text = [0, 1].map((branch) => withChecksum(`wsh(multi(2,${other}/${branch}/*,${own}/${branch}/*))`));
  const wallet = await walletOfText(new TextEncoder().encode(text.join('\n')), 'regtest');
  const { records } = await readSqlite(wallet?.bytes ?? new Uint8Array());
  expect(lostWords((await repair(await writeSqlite(records, 'regtest'))).facts, 'regtest')).toEqual([]);
  const keyless = records.filter(({ key }) => typeIn(key) !== 'walletdescriptorkey');
  expect((await repair(await writeSqlite(keyless, 'regtest'))).facts.missing.keys).toBe(1);
});

it('leaves out an imported key’s descriptor that lost it, whose coins no balance calls spendable', async () => {
  const { records } = await readSqlite(await migrated('legacy-imported'));
  const descriptors = recordsByType(records).of('walletdescriptor');
  const { descriptorId } = descriptors.find(({ descriptor }) => descriptor.startsWith('combo([')) ?? {};
  const isKey = ({ key }: RawRecord) =>
    typeIn(key) === 'walletdescriptorkey' &&
    toLatin1(key).includes(toLatin1(descriptorId ?? new Uint8Array()));
  const file = await writeSqlite(
    records.filter((record) => !isKey(record)),
    'regtest',
  );
  const seen = async (bytes: Uint8Array) => {
    const { conditions, balance, descriptors } = await inspect(bytes);
    const { spendable, watched } = balanceInFile(balance);
    return { conditions: conditions.map(({ code }) => code), spendable, watched, count: descriptors.total };
  };
  const [spendable, lost, count] = [682_000_000n, 110_000_000n, descriptors.length];
  expect(await seen(file)).toEqual({ conditions: ['descriptor-keyless'], spendable, watched: lost, count });
  const { bytes, facts } = await repair(file);
  expect(facts).toMatchObject({
    missing: { keys: 1, descriptors: 0 },
    lostCoins: { amount: lost, coins: 1 },
  });
  expect(await seen(bytes)).toEqual({ conditions: [], spendable, watched: 0n, count: count - 1 });
});

it('gives no new addresses of keys that are lost', async () => {
  const { bytes, facts } = await repair(
    await without('descriptor-hd', (type) => type === 'walletdescriptorkey'),
  );
  const { descriptors, flags } = await showWallet(bytes);
  expect(descriptors.filter(({ active }) => active)).toEqual([]);
  expect(flags).toContain('disable_private_keys');
  expect(facts.saved.keys).toBe(0);
  expect(facts.missing.keys).toBeGreaterThan(0);
  expect(facts.unused?.addresses).toHaveLength(4);
});

it('keeps no encrypted key of a lost master key, and none that another record contradicts', async () => {
  const locked = await repair(await without('descriptor-encrypted', (type) => type === 'mkey'));
  expect(locked.facts).toMatchObject({ saved: { keys: 0 }, missing: { masterKey: true } });
  const entries = await entriesOf('descriptor-encrypted');
  const [one] = recordsByType(entries).of('walletdescriptorckey');
  if (!one) throw new Error('no key');
  const wrong = writeRecord({ ...one, encrypted: one.encrypted.map((byte) => byte ^ 1) });
  const same = (key: Uint8Array) => Buffer.compare(key, wrong.key) === 0;
  const mixed = entries.map((entry) => (same(entry.key) ? wrong : entry));
  const { bytes } = await repair(await writeSqlite(mixed, 'regtest'));
  const truth = await showWallet(
    walletFile('descriptor-encrypted'),
    await masterKeyIn('descriptor-encrypted'),
  );
  const after = await showWallet(bytes, await masterKeyIn('descriptor-encrypted'));
  expect(after.descriptors).toEqual(truth.descriptors);
});

it('ignores legacy wallets, and needs the network only for keys of a test network without addresses', async () => {
  expect(await repairDescriptors(walletFile('legacy-hd'), {})).toBeNull();
  const headless = walletFile('descriptor-hd').fill(0, 0, 100);
  expect((await repairDescriptors(headless, {}))?.network).toBe('regtest');
  const unnamed = overwrite(headless, 'bcrt1', 'xxxxx');
  await expect(repairDescriptors(unnamed, {})).rejects.toMatchObject({ code: 'bad_input' });
  expect((await repair(unnamed)).network).toBe('regtest');
});

it('recognises keys of the main network under the header of another network', async () => {
  const key =
    'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8';
  const text = JSON.stringify([{ desc: withChecksum(`wpkh(${key}/0/*)`), range: 1 }]);
  const wallet = await walletOfText(new TextEncoder().encode(text), 'main');
  const { records } = await readSqlite(wallet?.bytes ?? new Uint8Array());
  expect((await repair(await writeSqlite(records, 'regtest'))).network).toBe('main');
});

async function expectWhole(bytes: Uint8Array): Promise<void> {
  expect((await readSqlite(bytes, 'refuse')).problems).toEqual([]);
  const check = await withDatabase(
    bytes,
    () => damagedError({ code: 'sqlite_cannot_check' }),
    (database) => database.exec('PRAGMA integrity_check')[0]?.values,
  );
  expect(check).toEqual([['ok']]);
}

/** Damages a file: writes another text of the same length over each occurrence of one. */
function overwrite(file: Uint8Array, text: string, other: string): Uint8Array {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) bytes.write(other, at);
  return file;
}

describe('a dump of a descriptor wallet', () => {
  it.each<[string, (dump: string) => string]>([
    ['without its checksum', (dump) => dump],
    ['with a cut end', (dump) => dump.slice(0, -30)],
    ['with a damaged line', (dump) => dump.replace(/^[0-9a-f]{20}/m, '$&zz')],
  ])('%s is rescued', async (_, damage) => {
    const lines = (await entriesOf('descriptor-hd')).map(
      ({ key, value }) => `${bytesToHex(key)},${bytesToHex(value)}`,
    );
    const dump = `BITCOIN_CORE_WALLET_DUMP,1\nformat,sqlite\n${lines.join('\n')}\n`;
    const { bytes, facts } = await repair(new TextEncoder().encode(damage(dump)));
    const whole = await repair(walletFile('descriptor-hd'));
    expect(facts.saved.keys).toBe(whole.facts.saved.keys);
    expect(facts).toMatchObject({ damaged: { keys: 0, others: 1 }, damagedTextKeys: 0 });
    const [before, after] = await Promise.all([showWallet(whole.bytes), showWallet(bytes)]);
    expect(after.descriptors).toEqual(before.descriptors);
  });
});
