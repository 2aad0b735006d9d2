import { concatBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toLatin1 } from '../../walletfile/bytes/textCoding.ts';
import { readBerkeley } from '../../walletfile/database/berkeley.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { unlock } from '../../walletfile/keys/crypter.ts';
import { keyChecksum, makeStoredKey } from '../../walletfile/keys/privateKey.ts';
import { encryptionOf } from '../../walletfile/records/encryption.ts';
import {
  type RecordOfType,
  recordOf,
  recordsByType,
  typeIn,
  writeRecord,
} from '../../walletfile/records/records.ts';
import { addressOf } from '../../walletfile/script/address.ts';
import { hash160, makeOutputScript } from '../../walletfile/script/script.ts';
import {
  encryptedKeyRecords,
  inOrder,
  keyRecords,
  masterKey,
  masterKeyRecord,
  sampleKey,
  transactionRecord,
  watchRecords,
} from '../../walletfile/testing/sampleWallet.ts';
import {
  berkeleyFile,
  entriesOf,
  factsOf,
  recordTexts,
  sourceOnDisk,
  walletFile,
  wifsIn,
} from '../../walletfile/testing/wallets.ts';
import { writeBerkeley } from '../repair/writeBerkeley.ts';
import { recoverKey } from './provedKeys.ts';
import { MOST_WORK, type RepairLimit } from './provedRecords.ts';
import { looseKeys, looseRows, rawScan } from './rawScan.ts';
import { isMasterKeyLost, salvage } from './salvage.ts';

const PAGE = 4096;

describe('a whole wallet', () => {
  it.each(['legacy-hd', 'legacy-imported', 'legacy-watchonly', 'descriptor-hd'])(
    '%s yields the same as its readers',
    async (name) => {
      const saved = salvage(walletFile(name));
      expect(contentOf(saved.records)).toEqual(contentOf(await entriesOf(name)));
      expect(saved).toMatchObject({ derived: 0, unprovedKeys: [], unowned: [] });
      expect(saved.damaged.size).toBe(0);
    },
  );

  it('is read with any page size and byte order', () => {
    for (const name of [
      'blank-65536-big',
      'hd-512-big',
      'hd-512-little',
      'imported-8192-big',
      'long-keys-512',
    ]) {
      const file = berkeleyFile(name);
      expect(contentOf(salvage(file).records)).toEqual(contentOf(readBerkeley(file).records));
    }
  });
});

it('repairs a public key in metadata, and watches a script again that its metadata names', () => {
  const key = sampleKey(1);
  const records = keyRecords(key, { createTime: 1_500_000_000 });
  const watching = watchRecords(sampleKey(3).p2pkh);
  const [metadata] = recordsByType(records).of('keymeta');
  if (!metadata) throw new Error('no metadata');
  const publicKey = key.publicKey.map((byte, index) => (index === 5 ? byte ^ 4 : byte));
  const kept = [...records, ...watching].filter(
    (record) => !['keymeta', 'watchs'].includes(typeIn(record.key)),
  );
  const saved = salvage(writeBerkeley(inOrder(kept, writeRecord({ ...metadata, publicKey }))));
  expect(contentOf(saved.records)).toEqual(contentOf([...records, ...watching]));
  expect(saved.missing.keys).toEqual([]);
});

it.each(['legacy-hd', 'legacy-hd-encrypted'])('repairs the id of a seed in records of %s', async (name) => {
  const whole = inOrder(await entriesOf(name));
  const seedId = recordsByType(whole).one('hdchain')?.seedId ?? new Uint8Array();
  const damaged = whole.map(({ key, value }) => {
    const isNamed = typeIn(key) === 'hdchain' || toLatin1(key).endsWith('7');
    const at = isNamed ? Buffer.from(value).indexOf(seedId) : -1;
    return { key, value: value.map((byte, index) => (at >= 0 && index === at + 3 ? byte ^ 16 : byte)) };
  });
  expect(contentOf(damaged)).not.toEqual(contentOf(whole));
  const [saved, wanted] = [damaged, whole].map((records) => salvage(writeBerkeley(records)));
  expect(contentOf(saved?.records ?? [])).toEqual(contentOf(wanted?.records ?? []));
  expect(saved?.missing).toEqual(wanted?.missing);
});

it.each<[string, (record: RawRecord) => RawRecord, (record: RecordOfType<'tx'>) => object]>([
  ['a bit of a transaction', ({ key, value }) => ({ key, value: flipped(value, 60) }), (tx) => tx],
  ['the number of its inputs', ({ key, value }) => ({ key, value: flipped(value, 4) }), (tx) => tx],
  ['a bit of its id', ({ key, value }) => ({ key: flipped(key, 20), value }), (tx) => tx],
  ['an id without its end', ({ key, value }) => ({ key: key.slice(0, -1), value }), (tx) => tx],
  // The number of its notes. A rescan finds its block again.
  [
    'the notes behind it',
    ({ key, value }) => ({ key, value: flipped(value, value.length - 12) }),
    (tx) => ({ ...tx, blockHash: '0'.repeat(64), index: 0, timeReceivedIsTxTime: 0 }),
  ],
])('repairs a transaction: %s', (what, damage, wanted) => {
  const { record } = transactionRecord([sampleKey(1).p2pkh]);
  const damaged = damage(record);
  const found = salvage(writeBerkeley(inOrder(keyRecords(sampleKey(1)), damaged)));
  expect(salvage(writeBerkeley(inOrder(record, damaged))).records).toHaveLength(1);
  const [saved, whole] = [found.records, [record]].map((some) => recordsByType(some).one('tx'));
  const lostBlocks = what === 'the notes behind it' ? 1 : 0;
  expect(found).toMatchObject({ damaged: new Map(), repaired: 1, lostBlocks });
  expect(saved).toEqual(whole && wanted(whole));
});

it('takes no label under a torn address from a piece, and repairs a bit of an address', () => {
  const name = (address: string) => writeRecord({ type: 'name', address, label: 'rent' });
  const address = addressOf(sampleKey(1).p2pkh, 'regtest') ?? expect.fail('no address');
  const almost = `${address.slice(0, -1)}${String.fromCharCode(address.charCodeAt(33) ^ 1)}`;
  const file = writeBerkeley(inOrder(keyRecords(sampleKey(1)), name(almost), name('any text')));
  const torn = [name(`${address.slice(0, 20)}\x01\x00`), name('another text')];
  const piece = writeBerkeley(inOrder(...torn)).subarray(-300);
  const { records } = salvage(concatBytes(file, piece));
  const named = recordsByType(records).of('name');
  expect(named.map((one) => one.address).sort()).toEqual(['another text', 'any text', address]);
});

it('repairs all descriptors of a wallet with many labels for texts that are no addresses', () => {
  const labels = Array.from({ length: 150 }, (_, at) =>
    writeRecord({ type: 'name', address: `1Some text of an old wallet ${at}`, label: 'rent' }),
  );
  const records = salvage(walletFile('descriptor-hd')).records.map(({ key, value }) =>
    typeIn(key) === 'walletdescriptor' ? { key, value: flipped(value, 40) } : { key, value },
  );
  const { repaired, damaged } = salvage(writeBerkeley(inOrder(...labels, records)));
  expect([repaired, damaged]).toEqual([8, new Map()]);
});

it('takes a transaction with a damaged id if the one under its right id is damaged more', () => {
  const { key, value } = transactionRecord([sampleKey(1).p2pkh]).record;
  const records = [
    { key, value: flipped(flipped(value, 60), 70) },
    { key: flipped(key, 20), value },
  ];
  for (const order of [records, records.toReversed()])
    expect(contentOf(salvage(writeBerkeley(order)).records)).toEqual(contentOf([{ key, value }]));
});

it('repairs no witness, which the id of a transaction does not prove', () => {
  const { record } = transactionRecord([sampleKey(1).p2pkh]);
  const whole = recordOf('tx', record);
  if (!whole) throw new Error('no transaction');
  const witness = new Uint8Array(20).fill(9);
  const inputs = whole.transaction.inputs.map((input) => ({ ...input, witness: [witness] }));
  const { key, value } = writeRecord({ ...whole, transaction: { ...whole.transaction, inputs } });
  const size = Buffer.from(value).indexOf(witness) - 1;
  const saved = salvage(writeBerkeley([{ key, value: flipped(value, size) }]));
  expect([value[size], saved.records, saved.damaged.get('tx')]).toEqual([20, [], 1]);
});

it.each<[string, (record: RawRecord) => RawRecord]>([
  ['its size', ({ key, value }) => ({ key, value: flipped(value, 0) })],
  ['the size of its public key', ({ key, value }) => ({ key: flipped(key, 5), value })],
  ['its public key', ({ key, value }) => ({ key: flipped(key, 20), value })],
  ['its checksum', ({ key, value }) => ({ key, value: flipped(value, 60) })],
  ['a key without a checksum', ({ key, value }) => ({ key, value: flipped(value.slice(0, 49), 9) })],
])('repairs a bit of an encrypted key with the master key: %s', (_, damage) => {
  const records = inOrder(encryptedKeyRecords(sampleKey(1)), encryptedKeyRecords(sampleKey(2)));
  const [first, ...others] = records;
  if (!first) throw new Error('no key');
  const keysOf = (some: readonly RawRecord[]) =>
    recordsByType(some)
      .of('ckey')
      .map(({ publicKey, encrypted }) => [toLatin1(publicKey), toLatin1(encrypted)].join())
      .sort();
  const saved = salvage(writeBerkeley(inOrder(damage(first), others)), masterKey);
  expect(keysOf(saved.records)).toEqual(keysOf(records));
  expect([saved.missing.keys, saved.damaged.size]).toEqual([[], 0]);
});

it('counts the tries of a repair by the time that each takes', () => {
  const workFor = (repair: (limit: RepairLimit) => unknown) => {
    const limit = { work: MOST_WORK };
    expect(repair(limit)).toBeNull();
    return MOST_WORK - limit.work;
  };
  const { publicKey } = sampleKey(1);
  const openWith = (master: Uint8Array | null, checksum: Uint8Array | null) => (limit: RepairLimit) => {
    const record = writeRecord({ type: 'ckey', publicKey, encrypted: new Uint8Array(48), checksum });
    return recoverKey(record, 'ckey', Object.assign(limit, { masterKey: master }));
  };
  const hashes = workFor(openWith(null, new Uint8Array(32)));
  const decryptions = workFor(openWith(masterKey, null));
  expect(decryptions / hashes).toBeGreaterThan(4);
});

it.each([0, 49, 66])('repairs the size at byte %i of a master key', async (place) => {
  const { key, value } = await masterKeyRecord('word');
  const { masterKeys } = salvage(writeBerkeley([{ key, value: flipped(value, place) }]));
  expect(contentOf(masterKeys)).toEqual(contentOf([{ key, value }]));
});

it('does not take the damaged public key of a locked key for the right one', () => {
  const [key, metadata] = encryptedKeyRecords(sampleKey(1));
  const [encrypted] = recordsByType(key ? [key] : []).of('ckey');
  if (!encrypted || !metadata) throw new Error('no key');
  const publicKey = encrypted.publicKey.map((byte, index) => (index === 5 ? byte ^ 4 : byte));
  const saved = salvage(writeBerkeley(inOrder(writeRecord({ ...encrypted, publicKey }), metadata)));
  expect(contentOf(saved.records)).toEqual(contentOf([metadata]));
  expect(saved.missing.keys).toEqual([sampleKey(1).publicKey]);
});

it('finds records and keys on a disk where two pieces of the file meet', () => {
  const wallet = walletFile('legacy-hd');
  const edge = 2 ** 24;
  const bytes = new Uint8Array(edge + wallet.length);
  bytes.set(wallet, edge - 0x9a3c);
  const disk = sourceOnDisk(bytes);
  expect(recordTexts(rawScan(disk, true))).toEqual(recordTexts(rawScan(bytes, true)));
  expect(looseKeys(disk)).toEqual(looseKeys(bytes));
  const middle = looseKeys(bytes)[3] ?? wallet;
  // This moves the middle of a key to where the pieces meet.
  const moved = new Uint8Array(edge + 4096);
  moved.set(middle, edge - 100);
  expect(looseKeys(sourceOnDisk(moved))).toEqual([middle]);
});

describe('without its first page', () => {
  it.each(['hd-512-big', 'hd-512-little', 'imported-8192-big', 'imported-1024-checksums'])(
    '%s is saved',
    (name) => {
      const file = berkeleyFile(name);
      const {
        records,
        format: { pageSize },
      } = readBerkeley(file);
      file.fill(0, 0, pageSize);
      const saved = salvage(file);
      expect(wifsIn(saved.records)).toEqual(wifsIn(records));
      expect(saved.derived).toBe(0);
    },
  );

  it.each(['a blob', 'a text'])('a loose row is found with %s as value', (kind) => {
    const { key, value } = writeRecord({ type: 'name', address: 'a', label: 'savings' });
    const types = [12 + 2 * key.length, (kind === 'a text' ? 13 : 12) + 2 * value.length];
    const rows = looseRows(Buffer.concat([Uint8Array.of(3, ...types), key, value]));
    expect(rows.map(({ value }) => toLatin1(value))).toEqual(['\u0007savings']);
  });

  it('an SQLite wallet is saved too', async () => {
    const file = walletFile('descriptor-hd');
    file.fill(0, 0, PAGE);
    const saved = salvage(file);
    expect(saved.kind).toBe('sqlite');
    const whole = contentOf(await entriesOf('descriptor-hd'));
    expect(contentOf(saved.records).filter((record) => whole.includes(record))).toEqual(whole);
  });
});

describe('a damaged wallet', () => {
  const whole = readBerkeley(walletFile('legacy-hd')).records;
  const wholeKeys = wifsIn(whole);

  it.each(['legacy-hd', 'legacy-hd-encrypted'])(
    '%s yields no foreign key, whatever is lost',
    async (name) => {
      const file = walletFile(name);
      const masterKey = await masterKeyOf(await entriesOf(name), factsOf(name).passphrase ?? null);
      const whole = new Set(wifsIn(await entriesOf(name), masterKey));
      expect(whole.size).toBeGreaterThan(50);
      const pages = file.length / PAGE;
      const damage = fc.constantFrom('zeros', 'noise', 'bits');
      fc.assert(
        fc.property(fc.uint8Array({ minLength: 1, maxLength: pages }), damage, (places, kind) => {
          const broken = file.slice();
          for (const [at, place] of places.entries()) {
            const start = (place % pages) * PAGE;
            if (kind === 'zeros') broken.fill(0, start, start + PAGE);
            else if (kind === 'noise')
              for (let byte = 0; byte < PAGE; byte += 1) broken[start + byte] = (byte * (place + 7)) >> 3;
            else
              for (let bit = 0; bit < 8; bit += 1)
                flip(broken, start + (((at + place) * 977 * (bit + 1)) % PAGE), bit);
          }
          const keys = wifsIn(salvage(broken, masterKey).records, masterKey);
          expect(keys.filter((key) => !whole.has(key))).toEqual([]);
        }),
        { numRuns: 12 },
      );
    },
  );

  it.each(['legacy-hd', 'legacy-watchonly'])('%s yields all records of a page of unknown type', (name) => {
    for (const page of leafPages(walletFile(name))) {
      const broken = walletFile(name).slice();
      broken[page * PAGE + 25] = 99;
      expect([page, lostRecords(name, broken)]).toEqual([page, []]);
    }
  });

  it.each(['legacy-hd', 'legacy-watchonly'])('%s yields the records of a page without its list', (name) => {
    for (const page of leafPages(walletFile(name))) {
      const broken = walletFile(name).slice();
      const items = new DataView(broken.buffer, broken.byteOffset).getUint16(page * PAGE + 20, true);
      broken.fill(0, page * PAGE, page * PAGE + 26 + 2 * items);
      // The values of one or two records are not next to their keys.
      expect(lostRecords(name, broken).length).toBeLessThanOrEqual(2);
    }
  });

  it('repairs a bit of a private key', () => {
    const file = walletFile('legacy-imported');
    const [key] = recordsByType(readBerkeley(file).records).of('key');
    const at = placeOf(key) + 20;
    expect(at).toBeGreaterThan(PAGE);
    file[at] = (file[at] ?? 0) ^ 4;
    expect(wifsIn(salvage(file).records)).toEqual(
      wifsIn(readBerkeley(walletFile('legacy-imported')).records),
    );
    file[at] = (file[at] ?? 0) ^ 3;
    expect(salvage(file).damaged.get('key')).toBe(1);
  });

  it('repairs a bit of an encrypted key, even without its passphrase', () => {
    const file = walletFile('legacy-hd-encrypted');
    const whole = salvage(file).unprovedKeys;
    const [key] = recordsByType(whole).of('ckey');
    const broken = file.slice();
    flip(broken, (key?.encrypted.byteOffset ?? 0) - file.byteOffset + 20, 2);
    expect(contentOf(salvage(broken).unprovedKeys)).toEqual(contentOf(whole));
  });

  it('derives lost keys from its seed', () => {
    const file = walletFile('legacy-hd');
    // A key of the chain, and not the seed.
    const records = recordsByType(readBerkeley(file).records);
    const seed = records.of('keymeta').find(({ hd }) => hd?.keyPath === 's');
    const key = records
      .of('key')
      .find(({ publicKey }) => toLatin1(publicKey) !== toLatin1(seed?.publicKey ?? publicKey));
    const at = placeOf(key);
    file.fill(0, at, at + 80);
    const saved = salvage(file);
    expect(saved.derived).toBe(1);
    expect(wifsIn(saved.records)).toEqual(wholeKeys);
    expect(saved.missing).toMatchObject({ keys: [], chains: [] });
  });

  it('corrects the position of a key in its chain', () => {
    const file = walletFile('legacy-hd');
    const metadata = recordsByType(readBerkeley(file).records).of('keymeta');
    const whole = metadata.find(({ hd }) => hd?.keyPath === "m/0'/0'/5'");
    const { publicKey, createTime, hd } = structuredClone(whole) ?? {};
    // A bit of the seed's id: Bitcoin Core would crash, because the key is single and the chain derives it too.
    flip(file, whole?.hd?.seedId.byteOffset ?? 0, 3);
    const { records, missing } = salvage(file);
    const saved = recordsByType(records)
      .of('keymeta')
      .filter((one) => toLatin1(one.publicKey) === toLatin1(publicKey ?? new Uint8Array()));
    expect(saved).toEqual([expect.objectContaining({ createTime, hd })]);
    expect(missing).toMatchObject({ keys: [], chains: [] });
  });

  it('reports what is missing', () => {
    const file = walletFile('legacy-hd');
    const { records } = readBerkeley(file);
    const seed = recordsByType(records)
      .of('keymeta')
      .find(({ hd }) => hd?.keyPath === 's');
    const seedKey = recordsByType(records)
      .of('key')
      .find(({ publicKey }) => toLatin1(publicKey) === toLatin1(seed?.publicKey ?? publicKey));
    const unused = new Set(
      recordsByType(records)
        .of('pool')
        .map(({ publicKey }) => toLatin1(publicKey)),
    );
    const lost = recordsByType(records)
      .of('key')
      .find((key) => key !== seedKey && !unused.has(toLatin1(key.publicKey)));
    for (const key of [seedKey, lost]) file.fill(0, placeOf(key), placeOf(key) + 80);
    const { missing } = salvage(file);
    expect(missing.keys.map(toLatin1).sort()).toEqual(
      [seedKey, lost].map((key) => toLatin1(key?.publicKey ?? new Uint8Array())).sort(),
    );
    // The metadata names both.
    expect(missing.chains).toEqual([]);
    const metadata = recordsByType(records)
      .entries('keymeta')
      .find(({ key }) => toLatin1(key).endsWith(toLatin1(lost?.publicKey ?? file)));
    const name = metadata?.key.byteOffset ?? 0;
    file.fill(0x78, name, name + 8);
    const unnamed = salvage(file).missing;
    expect(unnamed.keys.map(toLatin1)).toEqual([toLatin1(seedKey?.publicKey ?? file)]);
    expect(unnamed.chains).toMatchObject([{ seedSaved: false, indexes: [expect.any(Number)] }]);
  });

  it('misses no keys of another wallet whose rest is in a damaged page', () => {
    const page = 21 * PAGE;
    const { missing, unprovedKeys } = salvage(walletFile('legacy-hd-encrypted').fill(0, page, page + 26));
    expect(unprovedKeys).toHaveLength(134);
    expect([missing.keys, missing.chains.filter(({ seedSaved }) => !seedSaved)]).toEqual([[], []]);
  });

  it('misses no key that it only watches', () => {
    expect(salvage(walletFile('legacy-nokeys')).missing.keys).toEqual([]);
  });

  it('misses no master key if its encrypted keys are opened with it', async () => {
    const [plain, encrypted] = [sampleKey(1), sampleKey(2)];
    const file = writeBerkeley(
      inOrder(keyRecords(plain), encryptedKeyRecords(encrypted), await masterKeyRecord('word')),
    );
    expect(isMasterKeyLost(salvage(file))).toBe(false);
    expect(isMasterKeyLost(salvage(writeBerkeley(inOrder(encryptedKeyRecords(encrypted)))))).toBe(true);
  });

  it('proves encrypted keys only by its passphrase', async () => {
    const name = 'legacy-hd-encrypted';
    const file = walletFile(name);
    const sealed = salvage(file);
    expect(sealed).toMatchObject({ derived: 0, missing: { keys: [] } });
    expect(recordsByType(sealed.records).of('ckey')).toEqual([]);
    const masterKey = await masterKeyOf(
      [...sealed.records, ...sealed.unprovedKeys],
      factsOf(name).passphrase,
    );
    const { records, derived, unprovedKeys } = salvage(file, masterKey);
    expect(contentOf(records)).toEqual(contentOf(await entriesOf(name)));
    expect({ derived, unprovedKeys }).toEqual({ derived: 0, unprovedKeys: [] });
    expect(recordsByType(records).of('ckey')).toHaveLength(sealed.unprovedKeys.length);
    expect(recordsByType(salvage(file, new Uint8Array(32)).records).of('ckey')).toEqual([]);
  });
});

describe('keys of releases before 0.10, whose numbers lack their leading zeros', () => {
  const keys = [1, 2].flatMap((zeros) =>
    [true, false].map((compressed) => shortKey(zeros, compressed, zeros)),
  );
  // Such a wallet names its used keys only by what pays them.
  const payments = keys.map(({ paid }) => transactionRecord([paid]).record);
  const records = inOrder(
    keys.map(({ record }) => record),
    payments,
    keyRecords(sampleKey(0x51)),
  );
  const wifs = wifsIn(records);
  /** The file with the bytes changed before each short key's number. */
  const changed = (change: (file: Uint8Array, number: number) => void) => {
    const file = writeBerkeley(records);
    for (const { number } of keys) change(file, Buffer.from(file.buffer, file.byteOffset).indexOf(number));
    return file;
  };

  it('are saved as they are', () => {
    expect(wifs).toHaveLength(5);
    expect(contentOf(salvage(writeBerkeley(records)).records)).toEqual(contentOf(records));
  });

  it.each<[string, Parameters<typeof changed>[0]]>([
    ['a damaged start', (file, number) => flip(file, number - 6, 3)],
    ['a damaged number, repaired by the checksum', (file, number) => flip(file, number + 9, 3)],
    ['no record around them', (file, number) => file.fill(0, number - 20, number - 9)],
  ])('are saved with %s', (_, change) => {
    expect(wifsIn(salvage(changed(change)).records)).toEqual(wifs);
  });

  /** A key with as many leading zeros, and its record without them. */
  function shortKey(zeros: number, compressed: boolean, fill: number) {
    const privateKey = new Uint8Array(32).fill(0x60 + fill, zeros);
    const { publicKey, der } = makeStoredKey({ privateKey, compressed });
    const start = compressed ? 8 : 9;
    const short = Uint8Array.from([...der.subarray(0, start), ...der.subarray(start + zeros)]);
    for (const at of [start - 1, start - 6]) short[at] = (short[at] ?? 0) - zeros;
    const record = writeRecord({
      type: 'key',
      publicKey,
      der: short,
      checksum: keyChecksum(publicKey, short),
    });
    const keyHash = hash160(publicKey);
    const paid = makeOutputScript(zeros === 1 ? { kind: 'p2pk', publicKey } : { kind: 'p2pkh', keyHash });
    return {
      record,
      paid,
      number: Buffer.concat([Uint8Array.of(4, 32 - zeros), privateKey.subarray(zeros)]),
    };
  }
});

describe('hostile bytes', () => {
  it('saves the rest of a file that ends behind a leaf without its list', () => {
    const file = walletFile('legacy-hd').fill(0, 0, PAGE);
    const leaf = Buffer.alloc(PAGE);
    leaf.writeUInt32LE(file.length / PAGE, 8);
    leaf.set([1, 5], 24);
    const whole = salvage(file).records;
    expect(salvage(Buffer.concat([file, leaf, Buffer.alloc(10)])).records).toHaveLength(whole.length);
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['zeros', new Uint8Array(1 << 20)],
    ['the start of keys, over and over', repeated('\x26\x00\x01\x03key!', 1 << 17)],
    ['the start of private keys, over and over', repeated('\x30\x81\xd3\x02\x01\x01\x04\x20', 1 << 16)],
    ['leaf pages that name what they are made of', repeated('\x01\x00\x01\x05', 1 << 19)],
  ])('%s yield nothing, within the time limit of a test', (_, bytes) => {
    expect(salvage(bytes)).toMatchObject({ records: [], derived: 0 });
  });
});

/** The pages of a file whose type is that of leaves. */
function leafPages(file: Uint8Array): number[] {
  const pages = Array.from({ length: file.length / PAGE }, (_, page) => page);
  return pages.filter((page) => page > 0 && file[page * PAGE + 25] === 5);
}

/** What the damaged file no longer yields of the records of a wallet. */
function lostRecords(name: string, broken: Uint8Array): string[] {
  const saved = new Set(recordTexts(salvage(broken).records));
  return recordTexts(readBerkeley(walletFile(name)).records).filter((text) => !saved.has(text));
}

const contentOf = (records: readonly RawRecord[]) => recordTexts(records).sort();

const flipped = (bytes: Uint8Array, place: number) =>
  bytes.map((byte, at) => (at === place ? byte ^ 0x80 : byte));

function flip(bytes: Uint8Array, at: number, bit: number): void {
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
}

/** The offset of a key's DER form in its file. */
function placeOf(key: { der: Uint8Array } | undefined): number {
  return key?.der.byteOffset ?? 0;
}

async function masterKeyOf(
  records: readonly RawRecord[],
  passphrase: string | null = '',
): Promise<Uint8Array | null> {
  if (passphrase === null) return null;
  const encryption = encryptionOf(recordsByType(records));
  return unlock(encryption?.masterKeys ?? [], encryption?.samples ?? [], passphrase);
}

function repeated(text: string, times: number): Uint8Array {
  return Uint8Array.from(Buffer.from(text.repeat(times), 'latin1'));
}
