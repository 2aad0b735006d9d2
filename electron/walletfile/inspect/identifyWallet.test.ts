import { describe, expect, it } from 'vitest';
import type { FixtureName } from '../../../e2e/testNode/walletFixture.ts';
import { type Network, networks } from '../../../shared/model/network.ts';
import { fileVerdict } from '../../../shared/wording/verdictWords.ts';
import { repairDescriptors } from '../../recovery/repair/repairDescriptors.ts';
import { identifyCoin } from '../coin/identifyCoin.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { readSqlite, writeSqlite } from '../database/walletDatabase.ts';
import { withChecksum } from '../descriptor/checksum.ts';
import { parseDescriptor } from '../descriptor/descriptorParse.ts';
import { descriptorId } from '../descriptor/descriptorWrite.ts';
import { extendedKeyOfSeed, writeExtendedPublicKey } from '../keys/extendedKey.ts';
import { flagBits, type RecordsByType, recordsByType, typeIn, writeRecord } from '../records/records.ts';
import { addressOf } from '../script/address.ts';
import { makeOutputScript } from '../script/script.ts';
import { migratedFile } from '../testing/newWallet.ts';
import { keyRecords, sampleKey, scriptRecord, watchRecords } from '../testing/sampleWallet.ts';
import { entriesOf, walletFile } from '../testing/wallets.ts';
import { addressNetwork, findNetwork, keySourcesOf, walletKind } from './identifyWallet.ts';
import { inspect } from './inspect.ts';

const keyHash = new Uint8Array(20).fill(7);
const segwit = (network: Network) => addressOf(makeOutputScript({ kind: 'p2wpkh', keyHash }), network) ?? '';
const plain = (network: Network) => addressOf(makeOutputScript({ kind: 'p2pkh', keyHash }), network) ?? '';
const named = (...addresses: string[]) =>
  recordsByType(addresses.map((address) => writeRecord({ type: 'name', address, label: '' })));

const networkIn = (
  records: RecordsByType,
  { ofHeader = null, expected }: { ofHeader?: Network | null; expected?: Network } = {},
) => findNetwork(records, { coin: identifyCoin(records, ofHeader), ofHeader, expected });

/** Block 0 of each network, as its nodes show it (`getblockhash 0`). */
const genesis: [Network, string][] = [
  ['main', '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'],
  ['testnet3', '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943'],
  ['testnet4', '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043'],
  ['signet', '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6'],
  ['regtest', '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206'],
];

describe('the network of a wallet', () => {
  it.each(genesis)('%s: is known by the chain’s first block', (network, first) => {
    const blockHashes = ['ab'.repeat(32), first];
    const records = recordsByType([writeRecord({ type: 'bestblock_nomerkle', version: 1, blockHashes })]);
    expect(networkIn(records, { expected: 'main' })).toEqual({
      name: network,
      from: 'genesis-block',
      candidates: [network],
    });
  });

  it('is that in the file’s header, before all else', () => {
    expect(networkIn(named(segwit('main')), { ofHeader: 'signet', expected: 'main' })).toMatchObject({
      name: 'signet',
      from: 'file',
    });
  });

  it('is the caller’s if the file does not show it for certain', () => {
    expect(networkIn(named(plain('signet')), { expected: 'signet' })).toMatchObject({
      name: 'signet',
      from: 'asked',
    });
  });

  it('is known by addresses of a form that only one network has', () => {
    for (const network of ['main', 'regtest'] as const) {
      const found = networkIn(named(plain(network), segwit(network)));
      expect(found).toEqual({ name: network, from: 'addresses', candidates: [network] });
      expect(addressNetwork(found)).toBe(network);
    }
  });

  it('is unknown among the test networks, which share the form of addresses', () => {
    const found = networkIn(named(segwit('testnet4')));
    expect(found).toEqual({
      name: 'unknown',
      from: 'addresses',
      candidates: ['testnet3', 'testnet4', 'signet'],
    });
    // All of these networks have the same addresses.
    expect(networks).toContain(addressNetwork(found));
    const older = networkIn(named(plain('testnet4')));
    expect(older.candidates).toEqual(['testnet3', 'testnet4', 'signet', 'regtest']);
    expect(addressNetwork(older)).toBeNull();
  });

  it('follows the majority of the addresses', () => {
    const found = networkIn(named(segwit('main'), plain('main'), segwit('regtest'), 'x'));
    expect(found.name).toBe('main');
  });

  it('is unknown without evidence', () => {
    const found = networkIn(named());
    expect(found).toEqual({ name: 'unknown', from: 'nothing', candidates: [] });
    expect(addressNetwork(found)).toBeNull();
  });
});

const kindOf = (records: readonly RawRecord[], kind: 'sqlite' | 'berkeley-db' = 'sqlite') =>
  walletKind(
    kind === 'sqlite'
      ? { kind, pageSize: 4096, applicationId: 0, userVersion: 0 }
      : {
          kind,
          pageSize: 4096,
          byteOrder: 'little',
          cleanlyClosed: true,
          uncleanPages: 0,
          onlyLastUnclean: false,
          refusals: [],
        },
    recordsByType(records),
  );

const flags = (bits: bigint) => writeRecord({ type: 'flags', flags: bits });
const isFlags = ({ key }: RawRecord) => Buffer.from(key).equals(flags(0n).key);

describe('walletKind', () => {
  it('recognises undamaged wallets of either kind', async () => {
    expect(kindOf(await entriesOf('descriptor-hd'))).toBe('descriptor');
    expect(kindOf(await entriesOf('legacy-hd'), 'berkeley-db')).toBe('legacy');
  });

  it('counts an unfinished migration as a legacy wallet', async () => {
    const entries = await entriesOf('descriptor-hd');
    const withoutFlags = entries.filter((record) => !isFlags(record));
    expect(withoutFlags).toHaveLength(entries.length - 1);
    const unset = flags(flagBits.last_hardened_xpub_cached);
    // After the first of the two writes: descriptors, legacy records, and the old flags.
    expect(kindOf([...withoutFlags, unset, ...keyRecords(sampleKey(1))])).toBe('legacy');
    // Before it: only the records were copied.
    expect(kindOf(await entriesOf('legacy-blank'))).toBe('legacy');
    expect(kindOf(await entriesOf('legacy-hd'))).toBe('legacy');
  });

  it('calls a migration unfinished that removed the legacy records and did not set the flag', async () => {
    const { records } = await readSqlite(await migratedFile(walletFile('legacy-hd'), 'w'));
    const isLater = ({ key }: RawRecord) => isFlags({ key, value: key }) || /^active/.test(typeIn(key));
    const rest = records.filter((record) => !isLater(record));
    const found = async (own: RawRecord[]) => inspect(await writeSqlite([...rest, ...own], 'regtest'));
    const unfinished = { incomplete: 'legacy-records', kind: 'descriptor', problems: [] };
    expect(await found([flags(flagBits.last_hardened_xpub_cached)])).toMatchObject(unfinished);
    // Bitcoin Core gives a legacy wallet this row as it loads it.
    const problems = [{ finding: { code: 'records_of_type_unreadable', type: 'flags' } }];
    expect(await found([])).toMatchObject({ incomplete: null, kind: 'descriptor', problems });
  });

  it('counts a wallet with the flag as a descriptor wallet, because a migration sets it last', async () => {
    expect(kindOf([...(await entriesOf('descriptor-hd')), ...keyRecords(sampleKey(1))])).toBe('descriptor');
  });

  it('names the cached key without which a node lists no descriptors of a locked wallet', async () => {
    const entries = await entriesOf('descriptor-encrypted');
    const lost = entries.find(({ key }) => Buffer.from(key).includes('walletdescriptorlhcache'));
    const textWith = async (records: readonly RawRecord[]) =>
      fileVerdict(await inspect(await writeSqlite(records, 'regtest')), null).text;
    expect(await textWith(entries)).toBe('Safe. Any current Bitcoin Core can open it.');
    expect(await textWith(entries.filter((record) => record !== lost))).toBe(
      'Safe. Missing cached public keys.',
    );
  });

  it('recognises a descriptor wallet with damaged flags', async () => {
    const entries = await entriesOf('descriptor-hd');
    const withoutFlags = entries.filter((record) => !isFlags(record));
    for (const rest of [withoutFlags, [...withoutFlags, flags(flagBits.last_hardened_xpub_cached)]]) {
      expect(kindOf(rest)).toBe('descriptor');
      const found = await inspect(await writeSqlite(rest, 'regtest'));
      expect([found.incomplete, found.keys.plain, found.balance.spendable.confirmed]).toEqual([
        null,
        1,
        930_000_000n,
      ]);
      expect(found.conditions.map(({ code }) => code)).toEqual(['flags-missing']);
      expect(fileVerdict(found, null).text).toBe('Damaged. A rescue saves what is left.');
      const repair = await repairDescriptors(await writeSqlite(rest, 'regtest'), {});
      const { problems, flags: restored } = await inspect(repair?.bytes ?? new Uint8Array());
      expect([problems, restored]).toEqual([[], expect.arrayContaining(['descriptor_wallet'])]);
    }
  });
});

describe('a descriptor wallet whose header names no known network', () => {
  const withHeader = async (records: readonly RawRecord[]) => {
    const bytes = await writeSqlite(records, 'regtest');
    bytes[68] = 0xf8;
    const { problems, conditions } = await inspect(bytes);
    return { lost: problems.filter(({ lost }) => lost), conditions: conditions.map(({ code }) => code) };
  };
  const own = () => entriesOf('descriptor-hd');
  const withFirstBlock = (records: readonly RawRecord[], first: string) => [
    ...records.filter(({ key }) => !Buffer.from(key).includes('bestblock')),
    writeRecord({ type: 'bestblock_nomerkle', version: 1, blockHashes: ['ab'.repeat(32), first] }),
  ];
  const damage = {
    lost: [
      {
        page: null,
        lost: true,
        finding: {
          code: 'wallet_damaged',
          fault: { code: 'header_field_invalid', field: 'application_id' },
        },
      },
    ],
    conditions: ['database-damaged'],
  };

  it('is damaged if its first block belongs to a known network', async () => {
    expect(await withHeader(await own())).toEqual(damage);
  });

  it('is undamaged if it can be of a custom signet', async () => {
    const [, , , [, signet] = ['', '']] = genesis;
    expect(await withHeader(withFirstBlock(await own(), signet))).toEqual({ lost: [], conditions: [] });
    const unsynced = (await own()).filter(({ key }) => !Buffer.from(key).includes('bestblock'));
    expect(await withHeader(unsynced)).toEqual({ lost: [], conditions: [] });
  });

  it('is damaged if its keys are of the main network', async () => {
    const key = extendedKeyOfSeed(new Uint8Array(32).fill(7));
    const text = withChecksum(`wpkh(${writeExtendedPublicKey(key, 'main')}/0/*)`);
    const { descriptor } = parseDescriptor(text, { network: 'main', checksum: 'required' });
    const watched = [
      writeRecord({ type: 'flags', flags: flagBits.descriptor_wallet | flagBits.disable_private_keys }),
      writeRecord({
        type: 'walletdescriptor',
        descriptorId: descriptorId(descriptor),
        descriptor: text,
        createTime: 1,
        nextIndex: 0,
        rangeStart: 0,
        rangeEnd: 1,
      }),
    ];
    expect((await withHeader(watched)).lost).toEqual(damage.lost);
  });
});

describe('the id of a wallet’s keys', () => {
  const keysIdOf = (records: ReturnType<typeof recordsByType>) => keySourcesOf(records).keysId;
  const idOf = async (name: FixtureName) => keysIdOf(recordsByType(await entriesOf(name)));

  it('differs between wallets, and stays if records are added that hold no seed or descriptor', async () => {
    const ids = await Promise.all(
      (['descriptor-hd', 'descriptor-encrypted', 'legacy-hd'] as const).map(idOf),
    );
    expect(new Set(ids).size).toBe(3);
    const label = writeRecord({ type: 'name', address: plain('regtest'), label: 'new' });
    expect(keysIdOf(recordsByType([...(await entriesOf('legacy-hd')), label]))).toBe(ids[2]);
    const reversed = (await entriesOf('descriptor-hd')).toReversed();
    expect(keysIdOf(recordsByType(reversed))).toBe(ids[0]);
  });

  it('differs with a further private key in a legacy wallet, but not with a derived one', async () => {
    const before = await entriesOf('legacy-hd');
    const withKey = (keyPath: string) => {
      const hd = { keyPath, seedId: new Uint8Array(20).fill(1) };
      return keysIdOf(recordsByType([...before, ...keyRecords(sampleKey(9), { hd })]));
    };
    const id = keysIdOf(recordsByType(before));
    expect(withKey('')).not.toBe(id);
    expect(withKey("m/0'/0'/9'")).toBe(id);
  });

  it('leaves out scripts, which have an id of their own', async () => {
    const before = await entriesOf('legacy-hd');
    const sources = (...more: RawRecord[]) => keySourcesOf(recordsByType([...before, ...more]));
    const { keysId, keySources, scriptsId } = sources();
    const changed = { keysId, keySources, scriptsId: expect.not.stringMatching(`${scriptsId}`) };
    const multisig = makeOutputScript({
      kind: 'multisig',
      required: 1,
      publicKeys: [sampleKey(9).publicKey],
    });
    expect(sources(scriptRecord(multisig))).toEqual(changed);
    expect(sources(...watchRecords(multisig))).toEqual(changed);
    const ofKey = makeOutputScript({ kind: 'p2wpkh', keyHash });
    expect(sources(scriptRecord(ofKey))).toEqual({ keysId, keySources, scriptsId });
  });

  it('changes with the passphrase in an id of its own', async () => {
    const before = await entriesOf('descriptor-encrypted');
    const { passphraseId, ...others } = keySourcesOf(recordsByType(before));
    const changed = before.map((record) =>
      typeIn(record.key) === 'mkey' ? { key: record.key, value: record.value.toReversed() } : record,
    );
    const after = keySourcesOf(recordsByType(changed));
    expect(after).toEqual({ ...others, passphraseId: expect.not.stringMatching(`${passphraseId}`) });
  });

  it('is unknown without keys and descriptors', () => {
    expect(keySourcesOf(recordsByType([]))).toEqual({ keySources: 0, scriptsId: expect.any(String) });
  });
});
