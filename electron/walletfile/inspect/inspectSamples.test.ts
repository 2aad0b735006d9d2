/** Inspects wallets made of a recorded wallet's records, for what the recorded wallets lack. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, it, vi } from 'vitest';
import { repairWallet } from '../../recovery/repair/repairWallet.ts';
import { writeBerkeley } from '../../recovery/repair/writeBerkeley.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { withChecksum } from '../descriptor/checksum.ts';
import { knownBirth } from '../records/recordShapes.ts';
import { recordsByType, type WalletRecord, writeRecord } from '../records/records.ts';
import { addressOf } from '../script/address.ts';
import { hash160, makeOutputScript } from '../script/script.ts';
import { transactionId } from '../script/transaction.ts';
import {
  addressRecords,
  chainRecords,
  inOrder,
  keyRecords,
  multisigOf,
  sampleKey,
  scriptRecord,
  watchRecords,
} from '../testing/sampleWallet.ts';
import {
  changeFirst,
  editedWallet,
  entriesOf,
  factsOf,
  legacyNames,
  walletFile,
} from '../testing/wallets.ts';
import { inspect } from './inspect.ts';

const findings = async (bytes: Uint8Array) => (await inspect(bytes)).problems.map(({ finding }) => finding);
const sized = (text: string) => Buffer.concat([Buffer.of(text.length), Buffer.from(text)]);

const withMore = (more: RawRecord[]) => editedWallet('legacy-hd', undefined, more);
/** Removes the records of these types about a public key (hex). */
const without = (publicKey: string | undefined, types: readonly string[]) => (record: WalletRecord) =>
  types.includes(record.type) && 'publicKey' in record && bytesToHex(record.publicKey) === publicKey
    ? null
    : record;

const NO_BLOCK = '0'.repeat(64);
const ABANDONED = '1'.padStart(64, '0');
const BLOCK = 'ab'.repeat(32);

describe('transactions that are not in a block', () => {
  /** `legacy-imported` has seven coins, each of its own transaction. */
  const withFirst = async (blockHash: string, index: number) => {
    const change = changeFirst('tx', (record) => ({ ...record, blockHash, index }));
    const { transactions, balance } = await inspect(await editedWallet('legacy-imported', change));
    const changed = transactions.shown.find(({ state }) => state !== 'confirmed');
    return { state: changed?.state, amount: changed?.spendable.received ?? 0n, balance: balance.spendable };
  };
  const all = 792000000n;

  it.each([
    ['conflicted', BLOCK, -1],
    ['abandoned', ABANDONED, -1],
  ])('%s ones count for nothing', async (name, blockHash, index) => {
    const { state, amount, balance } = await withFirst(blockHash, index);
    expect(state).toBe(name);
    expect(amount).toBeGreaterThan(0n);
    expect(balance).toMatchObject({
      confirmed: all - amount,
      unconfirmed: 0n,
      ofBlockRewards: 0n,
      invalid: 0n,
    });
  });

  it('unconfirmed ones are listed separately', async () => {
    const { state, amount, balance } = await withFirst(NO_BLOCK, 0);
    expect(state).toBe('unconfirmed');
    expect(balance).toMatchObject({
      confirmed: all - amount,
      unconfirmed: amount,
      ofBlockRewards: 0n,
      invalid: 0n,
    });
  });

  it('an unconfirmed payment spends its coins', async () => {
    const before = (await inspect(walletFile('legacy-hd'))).balance.spendable;
    let payment: bigint | undefined;
    const bytes = await editedWallet('legacy-hd', (record) => {
      if (record.type !== 'tx' || record.fromMe === false) return record;
      payment = record.transaction.outputs.reduce((sum, { value }) => sum + value, 0n);
      return { ...record, blockHash: NO_BLOCK, index: 0 };
    });
    const { transactions, balance } = await inspect(bytes);
    const own = transactions.shown.find(({ state }) => state === 'unconfirmed');
    expect(payment).toBeGreaterThan(0n);
    expect(own?.spendable.spent).toBeGreaterThan(own?.spendable.received ?? 0n);
    // Its change is not confirmed any more, but its payment still counts as spent.
    expect(balance.spendable.unconfirmed).toBe(own?.spendable.received);
    expect(balance.spendable.confirmed + balance.spendable.unconfirmed).toBe(before.confirmed);
  });
});

it('shows block rewards, which may be too young to be spent', async () => {
  const change = changeFirst('tx', (record) => {
    const [input] = record.transaction.inputs;
    const inputs = input ? [{ ...input, txid: NO_BLOCK, index: 0xffffffff }] : [];
    const reward = { ...record.transaction, inputs };
    return { ...record, txid: transactionId(reward), transaction: reward };
  });
  const bytes = await editedWallet('legacy-imported', change);
  const { transactions, balance } = await inspect(bytes);
  const mined = transactions.shown.find(({ coinbase }) => coinbase);
  expect(mined?.spendable.received).toBeGreaterThan(0n);
  expect(balance.spendable).toMatchObject({
    confirmed: 792000000n,
    ofBlockRewards: mined?.spendable.received,
  });
});

describe('what stops a migration', () => {
  it('transactions that concern no key of the wallet', async () => {
    const bytes = await editedWallet(
      'legacy-imported',
      changeFirst('key', () => null),
    );
    const { migration, transactions } = await inspect(bytes);
    const unowned = transactions.shown.filter(
      ({ spendable, watched }) =>
        spendable.received + spendable.spent + watched.received + watched.spent === 0n,
    );
    expect(migration?.unownedTransactions).toEqual({ total: 1, shown: unowned.map(({ txid }) => txid) });
    expect(unowned).toHaveLength(1);
  });

  it('a chain without its seed', async () => {
    const metadata = recordsByType(await entriesOf('legacy-hd')).of('keymeta');
    const seed = metadata.flatMap(({ hd, publicKey }) =>
      hd?.keyPath === 's' ? bytesToHex(publicKey) : [],
    )[0];
    const seedless = await editedWallet('legacy-hd', (record) =>
      record.type === 'key' && bytesToHex(record.publicKey) === seed ? null : record,
    );
    const inspection = await inspect(seedless);
    expect(inspection.hdChains.shown).toMatchObject([{ active: true, hasSeed: false }]);
    expect(inspection.migration?.hazards).toContain('no-seed');
  });

  it('keys with an expiry', async () => {
    const bytes = await editedWallet('legacy-imported', (record) => {
      if (record.type !== 'key') return record;
      const { publicKey, der } = record;
      return { type: 'wkey', publicKey, der, version: 1, createTime: 0, expireTime: 0, comment: '' };
    });
    const { migration, keys, balance } = await inspect(bytes);
    expect(migration?.hazards).toEqual(['wkey']);
    expect(keys.plain).toBe(7);
    expect(balance.spendable.confirmed).toBe(792000000n);
  });
});

describe('what some releases refuse', () => {
  const hazardsOf = async (bytes: Uint8Array) =>
    (await inspect(bytes, { network: 'regtest' })).migration?.hazards;
  const label = (address: string, purpose: string) => addressRecords(address, 'x', purpose);
  // Examples of BIP 173, on regtest and the main network.
  const OTHERS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
  const ELSEWHERE = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';

  it('is nothing in recorded wallets', async () => {
    for (const name of ['legacy-hd', 'legacy-watchonly', 'legacy-solvable']) {
      expect(await hazardsOf(walletFile(name))).toEqual([]);
    }
  });

  it('is a wallet without keys and scripts', async () => {
    expect(await hazardsOf(walletFile('legacy-blank'))).toEqual(['empty']);
  });

  it('is a wallet without a last block', async () => {
    const without = (record: WalletRecord) =>
      record.type === 'bestblock' || record.type === 'bestblock_nomerkle' ? null : record;
    expect(await hazardsOf(await editedWallet('legacy-hd', without))).toEqual(['no-best-block']);
    // The older of the two record types counts even if it is empty.
    const none = { version: 1, blockHashes: [] };
    const empty = writeRecord({ type: 'bestblock_nomerkle', ...none });
    expect(await hazardsOf(await editedWallet('legacy-hd', without, [empty]))).toEqual([]);
  });

  it.each([
    ['a seed that was replaced before its first address', 0, 2, ['unused-seed']],
    ['an older seed with addresses', 1, 0, []],
  ])('of %s', async (_, external, internal, hazards) => {
    const older = chainRecords(sampleKey(1), { external, internal, active: false });
    const newer = chainRecords(sampleKey(2), { external: 0, internal: 0 });
    expect(
      await hazardsOf(await editedWallet('legacy-blank', undefined, [...older.records, ...newer.records])),
    ).toEqual(hazards);
  });

  describe('finds by deriving', () => {
    const conditionsOf = async (bytes: Uint8Array, passphrase?: string) => {
      const { conditions } = await inspect(bytes, { network: 'regtest', passphrase });
      return conditions.map(({ code, records: { shown } }) => [code, ...shown]);
    };
    const publicKeyAt = async (name: string, path: string) =>
      recordsByType(await entriesOf(name))
        .of('keymeta')
        .flatMap(({ hd, publicKey }) => (hd?.keyPath === path ? bytesToHex(publicKey) : []))[0];
    const path = "m/0'/1'/5'";

    it('a chain that lacks a key below its counter', async () => {
      const key = await publicKeyAt('legacy-hd', path);
      expect(await hazardsOf(await editedWallet('legacy-hd', without(key, ['key', 'keymeta'])))).toEqual([
        'chain-gap',
      ]);
      // The metadata alone proves no key.
      expect(await hazardsOf(await editedWallet('legacy-hd', without(key, ['key'])))).toEqual(['chain-gap']);
    });

    it('a chain with a key without its metadata', async () => {
      const bytes = await editedWallet(
        'legacy-hd',
        without(await publicKeyAt('legacy-hd', path), ['keymeta']),
      );
      expect(await hazardsOf(bytes)).toEqual([]);
      expect(await conditionsOf(bytes)).toEqual([['chain-apart', path]]);
    });

    it('a gap, whatever the metadata says', async () => {
      const oddly = (record: WalletRecord) =>
        record.type === 'keymeta' && record.hd?.keyPath === path
          ? { ...record, version: 10, hd: { ...record.hd, keyPath: "m/44'/1'/7" }, origin: null }
          : record;
      const bytes = await editedWallet('legacy-hd', oddly);
      expect(await hazardsOf(bytes)).toEqual([]);
      expect(await conditionsOf(bytes)).toEqual([]);
    });

    it('a chain of an encrypted wallet, once its passphrase is known', async () => {
      const name = 'legacy-hd-encrypted';
      const { passphrase } = factsOf(name);
      const path = "m/0'/1'/0'";
      const bytes = await editedWallet(name, without(await publicKeyAt(name, path), ['ckey']));
      expect((await conditionsOf(bytes)).map(([code]) => code)).toEqual(['chain-unknown']);
      expect(await hazardsOf(bytes)).toEqual([]);
      const found = await inspect(bytes, { network: 'regtest', passphrase });
      expect(found.migration?.hazards).toEqual(['chain-gap']);
      expect(found.conditions).toEqual([]);
      expect(await conditionsOf(walletFile(name), passphrase)).toEqual([]);
    });
  });

  it('is an address that was given out and is not the wallet’s', async () => {
    expect(await hazardsOf(await editedWallet('legacy-hd', undefined, label(OTHERS, 'receive')))).toEqual([
      'unowned-labels',
    ]);
    expect(await hazardsOf(await editedWallet('legacy-hd', undefined, label(ELSEWHERE, 'receive')))).toEqual([
      'unreadable-labels',
    ]);
    expect(await hazardsOf(await editedWallet('legacy-hd', undefined, label(OTHERS, 'send')))).toEqual([]);
  });

  it('is an address of others in a wallet that only watches', async () => {
    const watching = (record: WalletRecord) =>
      ['key', 'keymeta', 'hdchain', 'pool', 'cscript', 'tx', 'name', 'purpose'].includes(record.type)
        ? null
        : record;
    const bytes = (more: RawRecord[]) => editedWallet('legacy-watchonly', watching, more);
    expect(await hazardsOf(await bytes([]))).toEqual([]);
    expect(await hazardsOf(await bytes(label(OTHERS, 'send')))).toEqual(['labels-of-others']);
  });

  it('is a transaction in a wallet that only watches', async () => {
    const watching = (record: WalletRecord) =>
      ['key', 'keymeta', 'hdchain', 'pool', 'cscript', 'name', 'purpose'].includes(record.type)
        ? null
        : record;
    expect(await hazardsOf(await editedWallet('legacy-watchonly', watching))).toEqual([
      'watched-transactions',
    ]);
  });
});

describe('a multisig script that pushes its key in an unusual form', () => {
  const key = sampleKey(1);
  /** 1 of 1, with OP_PUSHDATA1. */
  const odd = Uint8Array.of(0x51, 0x4c, 33, ...key.publicKey, 0x51, 0xae);
  const witness = makeOutputScript({ kind: 'p2wsh', scriptHash: sha256(odd) });
  const hashed = (script: Uint8Array) => makeOutputScript({ kind: 'p2sh', scriptHash: hash160(script) });
  const isFound = async (...records: RawRecord[][]) => {
    const bytes = writeBerkeley(inOrder(await entriesOf('legacy-hd'), ...records));
    const { migration } = await inspect(bytes, { network: 'regtest' });
    return migration?.hazards.includes('non-minimal-pushes');
  };

  it('crashes nodes if it is watched, in any script around it', async () => {
    expect(await isFound(watchRecords(odd))).toBe(true);
    expect(await isFound(watchRecords(hashed(odd)), [scriptRecord(odd)])).toBe(true);
    expect(await isFound(watchRecords(witness), [scriptRecord(odd)])).toBe(true);
    const around = [scriptRecord(odd), scriptRecord(witness)];
    expect(await isFound(watchRecords(hashed(witness)), around)).toBe(true);
  });

  it('crashes nodes if the wallet has all its keys', async () => {
    expect(await isFound(keyRecords(key), [scriptRecord(odd)])).toBe(true);
  });

  it('is harmless if the wallet only knows it, or watches an address without it', async () => {
    expect(await isFound([scriptRecord(odd)])).toBe(false);
    expect(await isFound(watchRecords(hashed(odd)))).toBe(false);
  });

  it('is not reported for the usual push, or for a number in an unusual form', async () => {
    expect(await isFound(watchRecords(multisigOf(1, key)))).toBe(false);
    const number = Uint8Array.of(1, 1, 33, ...key.publicKey, 0x51, 0xae);
    expect(await isFound(watchRecords(number))).toBe(false);
  });
});

describe('what a migration loses', () => {
  const lostOf = async (bytes: Uint8Array) => {
    const { migration } = await inspect(bytes, { network: 'regtest' });
    return { addresses: migration?.lostAddresses, pool: migration?.keylessPool };
  };
  const none = { total: 0, shown: [] };
  const p2shOf = (script: Uint8Array) => makeOutputScript({ kind: 'p2sh', scriptHash: hash160(script) });
  const poolOf = async (name: string) =>
    recordsByType(await entriesOf(name))
      .of('pool')
      .map(({ publicKey }) => publicKey);

  it.each(legacyNames)('is nothing in the recorded wallet %s', async (name) => {
    expect(await lostOf(walletFile(name))).toEqual({ addresses: none, pool: none });
  });

  it('is a receiving address that no one can spend from, and no other entry of the address book', async () => {
    const nested = p2shOf(p2shOf(Uint8Array.of(0x51)));
    const unspendable = p2shOf(nested);
    const address = addressOf(unspendable, 'regtest') ?? '';
    const label = (purpose: string) => addressRecords(address, 'Rent', purpose);
    const scripts = [...watchRecords(unspendable), scriptRecord(nested)];
    const inspection = await withMore([...scripts, ...label('receive')]);
    expect((await lostOf(inspection)).addresses).toEqual({ total: 1, shown: [address] });
    // It is not also a hazard, because no node refuses the wallet for it.
    expect((await inspect(inspection, { network: 'regtest' })).migration?.hazards).toEqual([]);
    const paid = await withMore([...scripts, ...label('send')]);
    expect((await lostOf(paid)).addresses).toEqual(none);
    // Nodes refuse a wallet that does not know the script, which is a hazard instead.
    expect((await lostOf(await withMore(label('receive')))).addresses).toEqual(none);
  });

  it('is an own script that no descriptor can express: its label makes nodes refuse', async () => {
    const [own] = await poolOf('legacy-hd');
    const noPoint = Uint8Array.of(2, ...new Uint8Array(32).fill(0xff));
    const script = Uint8Array.of(0x51, 33, ...(own ?? []), 33, ...noPoint, 0x52, 0xae);
    const watched = p2shOf(script);
    const address = addressOf(watched, 'regtest') ?? '';
    const scripts = [...watchRecords(watched), scriptRecord(script)];
    const label = (purpose: string) => addressRecords(address, 'Rent', purpose);
    for (const [more, hazards] of [
      [[], ['scripts-without-descriptor']],
      [label('send'), ['scripts-without-descriptor']],
      // Release 31: “Address book data in wallet cannot be identified to belong to migrated wallets”.
      [label('receive'), ['scripts-without-descriptor', 'labels-without-descriptor']],
    ] as const) {
      const bytes = await withMore([...scripts, ...more]);
      expect((await lostOf(bytes)).addresses).toEqual({ total: 1, shown: [address] });
      expect((await inspect(bytes, { network: 'regtest' })).migration?.hazards).toEqual(hazards);
    }
    const all = inOrder(await entriesOf('legacy-hd'), scripts, label('receive'));
    const repaired = await repairWallet(writeBerkeley(all), {
      logs: [],
      network: 'regtest',
      withBlock: true,
    });
    expect(repaired.excluded.addresses).toEqual([{ address, isReadable: true }]);
    expect((await inspect(repaired.bytes, { network: 'regtest' })).migration?.hazards).toEqual([
      'scripts-without-descriptor',
    ]);
  });

  it('is a pool key that is not in the file, unless a seed derives it again', async () => {
    const [first] = await poolOf('legacy-hd');
    const hex = bytesToHex(first ?? new Uint8Array());
    const lacking = (types: readonly string[]) => editedWallet('legacy-hd', without(hex, types));
    expect((await lostOf(await lacking(['key', 'keymeta']))).pool).toEqual({ total: 1, shown: [hex] });
    expect((await lostOf(await lacking(['key']))).pool).toEqual(none);
    const allGone = await editedWallet('legacy-hd', (record) => (record.type === 'key' ? null : record));
    const pool = await poolOf('legacy-hd');
    expect((await lostOf(allGone)).pool?.total).toBe(pool.length);
    expect(pool.length).toBeGreaterThan(1);
  });

  it('is not a watched pool key', async () => {
    const [first] = await poolOf('legacy-hd');
    const publicKey = first ?? new Uint8Array();
    const hex = bytesToHex(publicKey);
    const script = makeOutputScript({ kind: 'p2pkh', keyHash: hash160(publicKey) });
    const bytes = await editedWallet('legacy-hd', without(hex, ['key', 'keymeta']), watchRecords(script));
    expect((await lostOf(bytes)).pool).toEqual(none);
  });
});

describe('keys of a chain that a migration does not derive again', () => {
  it('become a descriptor for each of their scripts', async () => {
    const before = await inspect(walletFile('legacy-hd'));
    const after = await inspect(
      await editedWallet('legacy-hd', (record) =>
        record.type === 'hdchain' ? { ...record, externalCounter: record.externalCounter - 2 } : record,
      ),
    );
    const count = (inspection: typeof before) => inspection.migration?.primary?.descriptors ?? 0;
    // The last two keys have four scripts each.
    expect(count(after) - count(before)).toBe(2 * 4);
  });

  it('are those for change too, when the active chain has none', async () => {
    const { migration, hdChains } = await inspect(
      await editedWallet('legacy-hd', (record) =>
        record.type === 'hdchain' ? { ...record, version: 1, internalCounter: null } : record,
      ),
    );
    const [chain] = hdChains.shown;
    expect(chain).toMatchObject({ version: 1, internalKeys: null });
    // One chain instead of two, the seed's own key, eight new ones, and 31 keys for change.
    expect(migration?.primary?.descriptors).toBe(1 + 1 + 8 + 31 * 4);
  });
});

describe('reported damage', () => {
  it('a private key that does not fit its checksum', async () => {
    const bytes = await editedWallet(
      'legacy-imported',
      changeFirst('key', (record) => ({ ...record, der: record.der.with(20, (record.der[20] ?? 0) ^ 1) })),
    );
    expect((await inspect(bytes)).keys.damaged).toBe(1);
    expect(await findings(bytes)).toEqual([{ code: 'keys_damaged', count: 1 }]);
  });

  it('a transaction whose bytes changed', async () => {
    const change = changeFirst('tx', (record) => {
      const outputs = record.transaction.outputs.map((output) => ({ ...output, value: output.value + 1n }));
      return { ...record, transaction: { ...record.transaction, outputs } };
    });
    const bytes = await editedWallet('legacy-imported', change);
    const { transactions, balance } = await inspect(bytes);
    expect(transactions.total).toBe(6);
    expect(balance.spendable.confirmed).toBeLessThan(792000000n);
    expect(await findings(bytes)).toEqual([{ code: 'transactions_damaged', count: 1 }]);
  });

  it('a creation date in the future, as if there were none', async () => {
    const later = 4_000_000_000;
    const bytes = await editedWallet('legacy-imported', (record) =>
      record.type === 'keymeta' ? { ...record, createTime: later } : record,
    );
    const { birth, keys } = await inspect(bytes);
    expect(birth).toEqual({ known: 'at-latest', time: expect.any(Number), undated: keys.plain });
    const { bytes: repaired } = await repairWallet(bytes, { logs: [], network: 'regtest' });
    const text = Buffer.from(repaired).toString('hex');
    expect(text).not.toContain(later.toString(16).match(/../g)?.reverse().join(''));
  });

  it('a birth, also on a computer whose clock fell back', () => {
    vi.useFakeTimers({ now: Date.UTC(2010, 0), toFake: ['Date'] });
    const birth = knownBirth(1_600_000_000);
    vi.useRealTimers();
    expect(birth).toBe(1_600_000_000);
  });

  it('records of unknown types, by name if it is plain, and damaged ones', async () => {
    const strange: RawRecord[] = [
      { key: sized('new-and-secret KxDQYWkbR'), value: sized('x') },
      { key: sized('future'), value: sized('x') },
      { key: Buffer.concat([sized('future'), Buffer.of(1)]), value: sized('x') },
      { key: Buffer.concat([sized('lockedutxo'), Buffer.of(1)]), value: Buffer.of(1) },
    ];
    const bytes = await editedWallet('legacy-blank', undefined, strange);
    const { records, problems } = await inspect(bytes);
    expect(records.unknown).toEqual({
      total: 2,
      shown: [
        { type: 'future', count: 2 },
        { type: 'unnamed', count: 1 },
      ],
    });
    expect(records.damaged).toEqual({ total: 1, shown: [{ type: 'lockedutxo', count: 1 }] });
    expect(problems).toEqual([
      {
        page: null,
        lost: true,
        finding: { code: 'records_of_type_unreadable', type: 'lockedutxo', count: 1 },
      },
      { page: null, lost: false, finding: { code: 'records_of_unknown_types', count: 3 } },
    ]);
  });

  it('an encrypted wallet without the record of its passphrase', async () => {
    const bytes = await editedWallet('legacy-hd-encrypted', (record) =>
      record.type === 'mkey' ? null : record,
    );
    const { passphrase } = await inspect(bytes, { passphrase: 'any' });
    expect(passphrase).toBe('cannot-be-tried');
    expect(await findings(bytes)).toEqual([{ code: 'master_key_missing' }]);
  });

  describe.each(['legacy-hd-encrypted', 'descriptor-encrypted'])(
    'a master key that no passphrase opens, in %s',
    (wallet) => {
      it.each([
        ['derivation method', { derivationMethod: 256 }],
        ['number of rounds', { iterations: 0 }],
        ['salt', { salt: new Uint8Array(16) }],
        ['short key', { encrypted: new Uint8Array(32) }],
        ['long key', { encrypted: new Uint8Array(64) }],
      ])('for its %s', async (_, change) => {
        const bytes = await editedWallet(wallet, (record) =>
          record.type === 'mkey' ? { ...record, ...change } : record,
        );
        const found = await inspect(bytes, { passphrase: factsOf(wallet).passphrase ?? '' });
        expect(found.passphrase).toBe('cannot-be-tried');
        expect(found.problems).toEqual([
          { page: null, finding: { code: 'encryption_record_damaged' }, lost: true },
        ]);
      });
    },
  );

  it('a descriptor that cannot be read', async () => {
    const change = changeFirst('walletdescriptor', (record) => ({
      ...record,
      descriptor: record.descriptor.replace('/0h', '/1h'),
    }));
    const { descriptors, problems } = await inspect(await editedWallet('descriptor-hd', change));
    expect(descriptors.total).toBe(8);
    expect(descriptors.shown.filter(({ text }) => text === null)).toHaveLength(1);
    expect(problems).toEqual([
      { page: null, lost: true, finding: { code: 'descriptors_unreadable', damaged: 1, all: 8 } },
    ]);
  });

  it('addresses that cannot be derived, and ranges that are too long', async () => {
    const lengthen = changeFirst('walletdescriptor', (record) => ({ ...record, rangeEnd: 0x7fffffff }));
    // Without the cache, encrypted keys yield nothing below a hardened step.
    const bytes = await editedWallet('descriptor-encrypted', (record) =>
      record.type === 'walletdescriptorcache' ? null : lengthen(record),
    );
    const { balance, problems } = await inspect(bytes);
    expect(balance.spendable.confirmed).toBe(0n);
    expect(problems.map(({ finding }) => finding)).toEqual([
      { code: 'addresses_unproved' },
      { code: 'balance_lacks_addresses', count: 0x7fffffff - 1000 },
      { code: 'balance_lacks_hardened_addresses', count: 1216 },
    ]);
  });
});

it('derives all addresses that were given out, even if a range is implausibly long', async () => {
  const bytes = await editedWallet('descriptor-hd', (record) =>
    record.type === 'walletdescriptor' && record.descriptor.startsWith('wpkh')
      ? { ...record, rangeEnd: 0x7fffffff }
      : record,
  );
  const { balance, problems } = await inspect(bytes);
  expect(balance.spendable.confirmed).toBe(930000000n);
  expect(problems.map(({ finding }) => finding)).toEqual([
    { code: 'balance_lacks_addresses', count: 4_294_965_292 },
  ]);
});

it.each([
  ['miniscript', (key: string) => `wsh(and_v(v:pk(${key}),older(10)))`],
  ['script-tree', (key: string) => `tr(${key},pk(${key}))`],
  ['musig', (key: string) => `tr(musig(${key},${key}))`],
  ['key-only', (key: string) => `unused(${key})`],
] as const)('recognises a descriptor of the form %s', async (form, write) => {
  const key = '03a34b99f22c790c4e36b2b3c2c35a36db06226e41c692fc82b8b56ac1c540c5bd';
  const descriptor = withChecksum(write(key));
  const change = changeFirst('walletdescriptor', (record) => ({ ...record, descriptor }));
  const bytes = await editedWallet('descriptor-hd', (record) =>
    // The wallet has no private key of it, so it cannot be active.
    record.type.startsWith('active') ? null : change(record),
  );
  const { descriptors, problems } = await inspect(bytes);
  const [special] = descriptors.shown.filter((one) => one.form !== null);
  expect(special).toMatchObject({ form, text: descriptor });
  expect(problems.filter(({ lost }) => lost)).toEqual([]);
});

it('knows the variants of transactions that release 32 writes', async () => {
  const id = 'ab'.repeat(32);
  const twice = writeRecord({ type: 'wtxvariant', txid: id, wtxid: id, transaction: Uint8Array.of(2, 0) });
  const { records } = await inspect(await editedWallet('descriptor-hd', undefined, [twice]));
  expect(records).toMatchObject({ byType: { wtxvariant: 1 }, unknown: { total: 0 }, damaged: { total: 0 } });
});

it('treats a descriptor wallet without private keys as watch-only', async () => {
  const bytes = await editedWallet('descriptor-hd', (record) => {
    if (record.type === 'walletdescriptorkey') return null;
    return record.type === 'flags' ? { ...record, flags: record.flags | (1n << 32n) } : record;
  });
  const { keys, balance } = await inspect(bytes);
  expect(keys).toMatchObject({ plain: 0, watched: 8 });
  expect(balance).toMatchObject({ spendable: { confirmed: 0n }, watched: { confirmed: 930000000n } });
});
