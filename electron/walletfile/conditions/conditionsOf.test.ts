import { bytesToHex, createView } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { type ConditionCode, conditionCodes } from '../../../shared/model/conditions.ts';
import { repairDescriptors } from '../../recovery/repair/repairDescriptors.ts';
import { writeBerkeley } from '../../recovery/repair/writeBerkeley.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { writeSqlite } from '../database/walletDatabase.ts';
import { withChecksum } from '../descriptor/checksum.ts';
import { parseDescriptor } from '../descriptor/descriptorParse.ts';
import { descriptorId } from '../descriptor/descriptorWrite.ts';
import { readEntries } from '../inspect/identifyWallet.ts';
import { inspect, inspectLoaded } from '../inspect/inspect.ts';
import {
  deriveChild,
  extendedKeyOfSeed,
  extendedPublicKeyRecord,
  readExtendedPublicKeyRecord,
  withoutPrivateKey,
  writeExtendedPrivateKey,
  writeExtendedPublicKey,
} from '../keys/extendedKey.ts';
import { byChecksum, type KeyMatcher } from '../legacy/legacyKeys.ts';
import { migrateWallet } from '../migrate/migrateWallet.ts';
import {
  flagBits,
  parseRecord,
  type RecordOfType,
  recordsByType,
  typeIn,
  type WalletRecord,
  writeRecord,
} from '../records/records.ts';
import { addressOf } from '../script/address.ts';
import { makeOutputScript } from '../script/script.ts';
import { conditionFiles } from '../testing/conditionFiles.ts';
import {
  changeFirst,
  editedWallet,
  entriesOf,
  factsOf,
  walletFile,
  walletNames,
} from '../testing/wallets.ts';
import { CONDITION_RULES } from './conditionTable.ts';
import { addressEvidence, givenOutScripts } from './misfitConditions.ts';
import { misplacedTransactions } from './recordConditions.ts';

async function conditionsIn(bytes: Uint8Array, passphrase?: string, fits?: KeyMatcher) {
  const { conditions } = await inspect(bytes, { network: 'regtest', passphrase, ...(fits && { fits }) });
  return conditions.map(({ code }) => code);
}

describe('a file in which Bitcoin Core meets a condition', () => {
  it.each(conditionCodes)('%s, of which a quick read finds what crashes a node', async (code) => {
    const { bytes, passphrase } = await conditionFiles[code]();
    const found = await conditionsIn(bytes, code === 'key-sealed' ? passphrase : undefined);
    const besides = ['chain-unknown', ...(COME_WITH[code] ?? [])];
    expect(found.filter((one) => one === code || !besides.includes(one))).toEqual([code]);

    const crashing = (codes: readonly ConditionCode[], ...ways: readonly unknown[]) =>
      codes.filter((one) => CONDITION_RULES.some((rule) => rule.code === one && ways.includes(rule.loading)));
    const isLocked = passphrase !== undefined;
    const unlocked = isLocked && code !== 'key-sealed' ? await conditionsIn(bytes, passphrase) : found;
    // Without deriving keys.
    const read = await conditionsIn(bytes, passphrase, byChecksum);
    expect(crashing(read, 'crashes', 'ends-later')).toEqual(crashing(unlocked, 'crashes', 'ends-later'));

    const { conditions } = await inspect(bytes, { network: 'regtest', fits: byChecksum });
    const { conditions: ofLoaded } = await inspectLoaded(bytes);
    const later = (all: typeof conditions) =>
      all.filter((one) => crashing([one.code], 'ends-later').length > 0);
    expect(later(ofLoaded)).toEqual(later(conditions));
  });

  it('ignores an extra byte after the last record of its type', async () => {
    const records = [...(await entriesOf('legacy-hd'))].sort((one, other) =>
      Buffer.compare(one.key, other.key),
    );
    const ofType = (type: string) => records.filter(({ key }) => typeIn(key) === type);
    const withByteAfter = (longer: RawRecord | undefined) =>
      writeBerkeley(
        records.map((record) =>
          record === longer ? { key: record.key, value: Uint8Array.of(...record.value, 0) } : record,
        ),
      );
    expect(await conditionsIn(withByteAfter(ofType('tx').at(-1)))).toEqual([]);
    expect(await conditionsIn(withByteAfter(ofType('tx').at(-2)))).toEqual(['record-longer']);
    expect(await conditionsIn(withByteAfter(ofType('pool')[0]))).toEqual(['pool-longer']);
  });

  it('is found in a loaded wallet of a custom signet, whose header names no known network', async () => {
    const records = (await entriesOf('descriptor-hd')).map(({ key, value }) => {
      const record = parseRecord(key, value);
      if (record.type !== 'walletdescriptor') return { key, value };
      const [expression] = /tpub[^)]*/.exec(record.descriptor) ?? [];
      return writeRecord({ ...record, descriptor: withChecksum(`combo(${expression})`) });
    });
    const bytes = await writeSqlite(records, 'regtest');
    // The application id in SQLite's header.
    createView(bytes).setUint32(68, 0x01020304);
    expect((await inspectLoaded(bytes)).conditions.map(({ code }) => code)).toEqual(['active-kind']);
  });

  it.each<[string, ConditionCode[], (text: string) => string]>([
    ['right', ['descriptor-id', 'descriptor-keyless', 'descriptor-next'], withChecksum],
    ['wrong', ['descriptor-unknown'], (text) => `${text}#00000000`],
  ])('lists no private key of a stored descriptor with a %s checksum', async (_, codes, withSum) => {
    const secret = writeExtendedPrivateKey(extendedKeyOfSeed(new Uint8Array(32).fill(7)), 'regtest');
    const descriptor = withSum(`wpkh(${secret}/0/*)`);
    const file = await editedWallet(
      'descriptor-hd',
      changeFirst('walletdescriptor', (record) => ({ ...record, descriptor, nextIndex: -5 })),
    );
    const { conditions } = await inspect(file);
    expect(conditions.map(({ code }) => code)).toEqual(expect.arrayContaining(codes));
    const { conditions: ofLoaded } = await inspectLoaded(file);
    expect(JSON.stringify([conditions, ofLoaded])).not.toContain(secret);
  });

  it('is found in an unfinished file without flags, which crashes nodes', async () => {
    const records = (await entriesOf('legacy-hd')).filter(({ key }) => typeIn(key) !== 'flags');
    expect(await conditionsIn(await writeSqlite(records, 'regtest'))).toEqual(['flags-missing']);
    expect(await conditionsIn(await writeSqlite(await entriesOf('legacy-hd'), 'regtest'))).toEqual([]);
  });
});

/** What one brings about by itself. */
const COME_WITH: Partial<Record<ConditionCode, readonly ConditionCode[]>> = {
  'descriptor-keys-mixed': ['descriptor-keys-open'],
  'descriptor-id': ['descriptor-orphan'],
  'descriptor-seed': ['descriptor-keyless'],
  'active-kind': ['descriptor-keyless'],
  'descriptor-id-earlier': ['descriptor-keyless'],
  'descriptor-id-later': ['descriptor-keyless'],
  'descriptor-range': ['descriptor-keyless'],
};

it.each(walletNames)('the recorded wallet %s has none', async (name) => {
  const { passphrase } = factsOf(name);
  const found = await conditionsIn(walletFile(name));
  expect(found.filter((code) => code !== 'chain-unknown')).toEqual([]);
  expect(await conditionsIn(walletFile(name), passphrase)).toEqual([]);
});

describe('cached keys of somebody else', () => {
  const thief = extendedPublicKeyRecord(withoutPrivateKey(extendedKeyOfSeed(new Uint8Array(32).fill(7))));
  type CacheRecord = RecordOfType<'walletdescriptorcache' | 'walletdescriptorlhcache'>;
  const isCache = (record: WalletRecord): record is CacheRecord =>
    record.type === 'walletdescriptorcache' || record.type === 'walletdescriptorlhcache';
  /** The wallet with the thief's chain code and key in its cache. */
  const withThief = async (name: string, isReplaced: (record: CacheRecord, at: number) => boolean) => {
    let at = 0;
    const records = (await entriesOf(name)).map(({ key, value }) => {
      const record = parseRecord(key, value);
      if (!isCache(record) || !isReplaced(record, at++)) return { key, value };
      const extendedPublicKey = record.extendedPublicKey.slice();
      extendedPublicKey.set(thief.subarray(9), 9);
      return writeRecord({ ...record, extendedPublicKey });
    });
    return writeSqlite(records, 'regtest');
  };
  const { passphrase } = factsOf('descriptor-encrypted');

  it('are found in every record of a wallet', async () => {
    const { conditions } = await inspect(await withThief('descriptor-hd', () => true), {});
    expect(conditions).toMatchObject([{ code: 'descriptor-misfit', records: { total: 8 } }]);
  });

  it('are found in every record of a locked wallet with its passphrase', async () => {
    const file = await withThief('descriptor-encrypted', () => true);
    expect(await conditionsIn(file, passphrase)).toEqual(['descriptor-misfit']);
  });

  it.each(['walletdescriptorcache', 'walletdescriptorlhcache'] as const)(
    'are found in one %s of a locked wallet without its passphrase',
    async (type) => {
      const [one] = recordsByType(await entriesOf('descriptor-encrypted')).of(type);
      const isOne = (record: CacheRecord) =>
        record.type === type && record.descriptorId.every((byte, at) => byte === one?.descriptorId[at]);
      const file = await withThief('descriptor-encrypted', isOne);
      expect(await conditionsIn(file)).toEqual(['descriptor-misfit']);
    },
  );

  it.each([3, 2500])('are found as the key of address %i alone, which a node reads first', async (last) => {
    const records = await entriesOf('descriptor-encrypted');
    const [one] = recordsByType(records).of('walletdescriptorcache');
    const parent = one && readExtendedPublicKeyRecord(one.extendedPublicKey);
    if (!parent) throw new Error('no cache');
    const added = Array.from({ length: last + 1 }, (_, index) => {
      const own = extendedPublicKeyRecord(deriveChild(parent, [index]));
      return writeRecord({ ...one, derivationIndex: index, extendedPublicKey: index === last ? thief : own });
    });
    const file = await writeSqlite([...records, ...added], 'regtest');
    expect(await conditionsIn(file)).toEqual(['descriptor-misfit']);
  });

  /** The locked wallet with nodes of the thief, which agree, after the hardened steps of these purposes. */
  const withChainsOf = async (purposes: string, isKept: (record: WalletRecord) => boolean = () => true) => {
    const records = await entriesOf('descriptor-encrypted');
    const texts = new Map(
      recordsByType(records)
        .of('walletdescriptor')
        .map(({ descriptorId: id, descriptor }) => [bytesToHex(id), descriptor]),
    );
    const swapped = records.flatMap(({ key, value }) => {
      const record = parseRecord(key, value);
      if (!isKept(record)) return [];
      const [, purpose = '', branch] =
        /\/(\d+)h\/1h\/0h\/([01])\//.exec(
          isCache(record) ? (texts.get(bytesToHex(record.descriptorId)) ?? '') : '',
        ) ?? [];
      if (!isCache(record) || !new RegExp(purposes).test(purpose)) return [{ key, value }];
      const node = extendedKeyOfSeed(new Uint8Array(32).fill(Number(purpose)));
      const steps = record.type === 'walletdescriptorcache' ? [Number(branch)] : [];
      const extendedPublicKey = extendedPublicKeyRecord(withoutPrivateKey(deriveChild(node, steps)));
      return [writeRecord({ ...record, extendedPublicKey })];
    });
    return writeSqlite(swapped, 'regtest');
  };
  const isNoPurpose = ({ type }: WalletRecord) => type !== 'purpose' && type !== 'name';

  it('are found in all chains of a locked wallet by its addresses', async () => {
    expect(await conditionsIn(await withChainsOf('.'))).toEqual(['descriptor-misfit']);
    expect(await conditionsIn(await withChainsOf('^$'))).toEqual([]);
  });

  it.each<[string, string, (texts: string) => boolean]>([
    ['the wallet derives some of its addresses', '84', () => true],
    ['it has no descriptor of their kind', '.', (text) => !text.startsWith('wpkh')],
  ])('may be of lost descriptors if %s', async (_, purposes, isKept) => {
    const isOther = (record: WalletRecord) =>
      (record.type !== 'walletdescriptor' || isKept(record.descriptor)) &&
      (record.type !== 'purpose' || isKept('') || record.address.startsWith('bcrt1q'));
    const { conditions, problems } = await inspect(await withChainsOf(purposes, isOther));
    expect(conditions.map(({ code }) => code)).not.toContain('descriptor-misfit');
    expect(problems).toContainEqual({ finding: { code: 'addresses_unproved' }, lost: false, page: null });
  });

  it.each<[string, typeof isNoPurpose]>([
    ['was never used', (record) => isNoPurpose(record) && record.type !== 'tx'],
    ['has no address book', isNoPurpose],
  ])('need the passphrase in a locked wallet that %s', async (_, isKept) => {
    const file = await withChainsOf('.', isKept);
    const { conditions, problems } = await inspect(file);
    expect({ conditions, problems }).toEqual({
      conditions: [],
      problems: [{ finding: { code: 'addresses_unproved' }, lost: false, page: null }],
    });
    expect(await conditionsIn(file, passphrase)).toEqual(['descriptor-misfit']);
    expect((await inspect(await withChainsOf('^$', isKept), { passphrase })).problems).toEqual([]);
  });

  const isWpkh = (record: WalletRecord) =>
    record.type === 'walletdescriptor' && record.descriptor.startsWith('wpkh');

  it.each(['descriptor-hd', 'descriptor-encrypted'] as const)(
    'are counted in %s once its keys are open and their descriptor is lost',
    async (wallet) => {
      const file = await editedWallet(wallet, (record) => (isWpkh(record) ? null : record));
      const { conditions, problems } = await inspect(file, { passphrase });
      const bech32 = recordsByType(await entriesOf(wallet))
        .of('purpose')
        .filter(({ address }) => address.startsWith('bcrt1q'));
      expect(conditions.map(({ code }) => code)).not.toContain('descriptor-misfit');
      expect(problems).toContainEqual({
        finding: { code: 'addresses_without_key', count: bech32.length },
        lost: false,
        page: null,
      });
    },
  );

  it('are of no account in a watch-only wallet, which a migration gives the address book of others too', async () => {
    const [flags] = recordsByType(await entriesOf('descriptor-hd')).of('flags');
    if (!flags) throw new Error('no flags');
    const watching = writeRecord({ ...flags, flags: flags.flags | flagBits.disable_private_keys });
    const file = await editedWallet(
      'descriptor-hd',
      (record) => (/^(?:walletdescriptorkey|flags)$/.test(record.type) || isWpkh(record) ? null : record),
      [watching],
    );
    expect((await inspect(file)).problems).toEqual([]);
  });

  it('are no misfit where a descriptor only lost its private key', async () => {
    const { problems } = await inspect((await conditionFiles['descriptor-keyless']()).bytes);
    expect(problems).toMatchObject([{ finding: { code: 'descriptor_without_key' }, lost: true }]);
  });

  it('are found as an active descriptor of the thief', async () => {
    const records = await entriesOf('descriptor-encrypted');
    const node = extendedKeyOfSeed(new Uint8Array(32).fill(7));
    const text = withChecksum(`wpkh(${writeExtendedPublicKey(node, 'regtest')}/*)`);
    const { descriptor } = parseDescriptor(text, { network: 'regtest', checksum: 'required' });
    const id = descriptorId(descriptor);
    const [usual] = recordsByType(records).of('walletdescriptor');
    const [cached] = recordsByType(records).of('walletdescriptorcache');
    if (!usual || !cached) throw new Error('no descriptor');
    const file = await writeSqlite(
      [
        ...records.map(({ key, value }) => {
          const record = parseRecord(key, value);
          const isReplaced = record.type === 'activeexternalspk' && record.addressType === 'bech32';
          return isReplaced ? writeRecord({ ...record, descriptorId: id }) : { key, value };
        }),
        writeRecord({ ...usual, descriptorId: id, descriptor: text }),
        writeRecord({ ...cached, descriptorId: id, extendedPublicKey: thief }),
      ],
      'regtest',
    );
    expect(await conditionsIn(file)).toEqual(['descriptor-keyless']);
    const repair = await repairDescriptors(file, { network: 'regtest', passphrase });
    expect(await conditionsIn(repair?.bytes ?? new Uint8Array(), passphrase)).toEqual([]);
  });

  it('are found among the hardened keys of a migrated wallet', async () => {
    const how = { name: 'old', network: 'regtest', now: 1_795_182_461, keypoolSize: 3 } as const;
    const { primary } = await migrateWallet({ ...how, bytes: walletFile('legacy-hd') });
    expect(await conditionsIn(primary?.bytes ?? new Uint8Array())).toEqual([]);
    const records = (await readEntries(primary?.bytes ?? new Uint8Array())).records.map(({ key, value }) => {
      const record = parseRecord(key, value);
      if (record.type !== 'walletdescriptorcache' || record.derivationIndex !== 2) return { key, value };
      return writeRecord({ ...record, extendedPublicKey: thief });
    });
    expect(await conditionsIn(await writeSqlite(records, 'regtest'))).toEqual(['descriptor-misfit']);
  });
});

it.each([undefined, 'with its passphrase'])(
  'an encrypted key of a descriptor is damaged if it differs from its copies, %s',
  async (how) => {
    const { bytes, passphrase } = await conditionFiles['descriptor-key-sealed']();
    const { conditions, keys, problems } = await inspect(bytes, { passphrase: how && passphrase });
    expect(conditions).toMatchObject([{ code: 'descriptor-key-sealed', records: { total: 1 } }]);
    expect(keys).toMatchObject({ encrypted: 1, damaged: 1 });
    expect(problems).toMatchObject([{ finding: { code: 'keys_damaged', count: 1 }, lost: true }]);
  },
);

it.each(['with', 'without'])('an inspection derives each key once, %s checksums', async (which) => {
  const records = (await entriesOf('legacy-hd')).map(({ key, value }) => ({
    key,
    value: which === 'without' && typeIn(key) === 'key' ? value.subarray(0, -32) : value,
  }));
  const derived: string[] = [];
  const fits: KeyMatcher = (_, publicKey) => {
    derived.push(bytesToHex(publicKey));
    return true;
  };
  await inspect(writeBerkeley(records), { fits });
  const keys = records
    .filter(({ key }) => typeIn(key) === 'key')
    .map(({ key }) => bytesToHex(key.subarray(5)));
  expect(keys.length).toBeGreaterThan(10);
  expect(derived.sort()).toEqual(keys.sort());
});

it('counts each address without a key of a wallet with more than are checked at once', () => {
  const scripts = Array.from({ length: 5000 }, (_, at) => {
    const keyHash = new Uint8Array(20);
    createView(keyHash).setUint32(0, at);
    return makeOutputScript({ kind: 'p2wpkh', keyHash });
  });
  const records = recordsByType(
    scripts.map((script) =>
      writeRecord({ type: 'purpose', address: addressOf(script, 'regtest') ?? '', purpose: 'receive' }),
    ),
  );
  const lost = new Set(scripts.slice(0, 3000).map((script) => bytesToHex(script)));
  const ownerOf = (script: Uint8Array) => (lost.has(bytesToHex(script)) ? null : 'spendable');
  const ownership = { ownerOf, tooMany: 0, underivable: 0, isLocked: false };
  const { problems } = addressEvidence(records, givenOutScripts(records), [], ownership);
  expect(problems).toMatchObject([{ finding: { code: 'addresses_without_key', count: 3000 } }]);
});

it.each([
  ['the first place, of a payment', { index: 0 }],
  ['a place that no block has', { index: 16_666 }],
  ['a place beyond its proof', { index: 8, merkleBranch: Array.from({ length: 3 }, () => 'ab'.repeat(32)) }],
] as const)('finds a transaction with %s', async (_, change) => {
  const [tx] = recordsByType(await entriesOf('legacy-hd')).of('tx');
  if (!tx) throw new Error('no transaction');
  const atEnd = { ...tx, index: 7, merkleBranch: [...('merkleBranch' in change ? change.merkleBranch : [])] };
  expect(misplacedTransactions([atEnd])).toEqual(new Set());
  const moved = { ...atEnd, index: change.index };
  expect(misplacedTransactions([moved])).toEqual(new Set([moved]));
});

it('finds two transactions at one place, and a reward that is not the first', async () => {
  const [one, two] = recordsByType(await entriesOf('legacy-hd')).of('tx');
  if (!one || !two) throw new Error('no transactions');
  const atSamePlace = { ...two, blockHash: one.blockHash, index: one.index };
  expect(misplacedTransactions([one, atSamePlace])).toEqual(new Set([one, atSamePlace]));
  expect(misplacedTransactions([one, two])).toEqual(new Set());
  const [input] = one.transaction.inputs;
  const mined = { ...input, txid: '0'.repeat(64), index: 0xffffffff } as typeof input;
  const reward = { ...one, transaction: { ...one.transaction, inputs: [mined] } } as typeof one;
  expect(misplacedTransactions([{ ...reward, index: 0 }])).toEqual(new Set());
  expect(misplacedTransactions([{ ...reward, index: 1 }]).size).toBe(1);
});
