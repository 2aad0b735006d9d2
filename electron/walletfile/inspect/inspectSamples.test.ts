/** Inspecting wallets that are made of a recorded one's records, for what the recorded ones lack. */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { repairWallet } from '../../recovery/repair/repairWallet.ts';
import { writeBerkeley } from '../../recovery/repair/writeBerkeley.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { writeSqlite } from '../database/walletDatabase.ts';
import { withChecksum } from '../descriptor/checksum.ts';
import { parseRecord, type WalletRecord, writeRecord } from '../records/records.ts';
import { addressOf } from '../script/address.ts';
import { hash160, makeOutputScript } from '../script/script.ts';
import { type Transaction, transactionId } from '../script/transaction.ts';
import { entriesOf, factsOf } from '../testing/wallets.ts';
import { inspect } from './inspect.ts';

/**
 * A wallet out of a recorded one: `change` gives what becomes of each record. The file is SQLite, as a migration
 * leaves it that was cut off before its first step was done, so that its records are a legacy wallet's still.
 */
async function made(
  name: string,
  change: (record: WalletRecord) => WalletRecord | null,
  more: RawRecord[] = [],
): Promise<Uint8Array> {
  const entries = await entriesOf(name);
  const changed = entries.map(({ key, value }) => change(parseRecord(key, value)));
  const kept = changed.flatMap((record) => (record ? [writeRecord(record)] : []));
  return writeSqlite([...kept, ...more], 'regtest');
}
const same = (record: WalletRecord) => record;
const findings = async (bytes: Uint8Array) => (await inspect(bytes)).problems.map(({ finding }) => finding);
const word = (text: string) => Buffer.concat([Buffer.of(text.length), Buffer.from(text)]);

const NO_BLOCK = '0'.repeat(64);
const ABANDONED = '1'.padStart(64, '0');
const BLOCK = 'ab'.repeat(32);

describe('transactions that are not in a block', () => {
  /** `legacy-imported` has seven coins, each of a transaction of its own. */
  const withFirst = async (blockHash: string, index: number) => {
    let first = true;
    const bytes = await made('legacy-imported', (record) => {
      if (record.type !== 'tx' || !first) return record;
      first = false;
      return { ...record, blockHash, index };
    });
    const { transactions, balance } = await inspect(bytes);
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
      untrue: 0n,
    });
  });

  it('unconfirmed ones are told apart', async () => {
    const { state, amount, balance } = await withFirst(NO_BLOCK, 0);
    expect(state).toBe('unconfirmed');
    expect(balance).toMatchObject({
      confirmed: all - amount,
      unconfirmed: amount,
      ofBlockRewards: 0n,
      untrue: 0n,
    });
  });

  it('an unconfirmed payment spends its coins', async () => {
    const before = (await inspect(await made('legacy-hd', same))).balance.spendable;
    let payment: bigint | undefined;
    const bytes = await made('legacy-hd', (record) => {
      if (record.type !== 'tx' || record.fromMe === false) return record;
      payment = record.transaction.outputs.reduce((sum, { value }) => sum + value, 0n);
      return { ...record, blockHash: NO_BLOCK, index: 0 };
    });
    const { transactions, balance } = await inspect(bytes);
    const own = transactions.shown.find(({ state }) => state === 'unconfirmed');
    expect(payment).toBeGreaterThan(0n);
    expect(own?.spendable.spent).toBeGreaterThan(own?.spendable.received ?? 0n);
    // Its change is not confirmed any more; what it paid is gone all the same.
    expect(balance.spendable.unconfirmed).toBe(own?.spendable.received);
    expect(balance.spendable.confirmed + balance.spendable.unconfirmed).toBe(before.confirmed);
  });
});

it('tells rewards of blocks, which may be too young to be spent', async () => {
  let reward: Transaction | undefined;
  const bytes = await made('legacy-imported', (record) => {
    if (record.type !== 'tx' || reward) return record;
    const [input] = record.transaction.inputs;
    if (!input) return record;
    const inputs = [{ ...input, txid: NO_BLOCK, index: 0xffffffff }];
    reward = { ...record.transaction, inputs };
    return { ...record, txid: transactionId(reward), transaction: reward };
  });
  const { transactions, balance } = await inspect(bytes);
  const fileNetwork = transactions.shown.find(({ coinbase }) => coinbase);
  expect(fileNetwork?.spendable.received).toBeGreaterThan(0n);
  expect(balance.spendable).toMatchObject({
    confirmed: 792000000n,
    ofBlockRewards: fileNetwork?.spendable.received,
  });
});

describe('what stands in the way of a migration', () => {
  it('transactions that no key of the wallet has a part in', async () => {
    let lost = false;
    const bytes = await made('legacy-imported', (record) => {
      if (record.type !== 'key' || lost) return record;
      lost = true;
      return null;
    });
    const { migration, transactions } = await inspect(bytes);
    const unowned = transactions.shown.filter(
      ({ spendable, watched }) =>
        spendable.received + spendable.spent + watched.received + watched.spent === 0n,
    );
    expect(migration?.strayTransactions).toEqual({ total: 1, shown: unowned.map(({ txid }) => txid) });
    expect(unowned).toHaveLength(1);
  });

  it('a chain without its seed', async () => {
    const { hdChains } = await inspect(await made('legacy-hd', same));
    const seedId = hexToBytes(hdChains.shown[0]?.seedId ?? '').reverse();
    let seed = '';
    for (const { key, value } of await entriesOf('legacy-hd')) {
      const record = parseRecord(key, value);
      if (record.type === 'keymeta' && record.hd?.keyPath === 's') seed = bytesToHex(record.publicKey);
    }
    const seedless = await made('legacy-hd', (record) =>
      record.type === 'key' && bytesToHex(record.publicKey) === seed ? null : record,
    );
    const inspection = await inspect(seedless);
    expect(seedId).toHaveLength(20);
    expect(inspection.hdChains.shown).toMatchObject([{ active: true, hasSeed: false }]);
    expect(inspection.migration?.obstacles).toEqual([{ code: 'seeds_missing', missing: 1, chains: 1 }]);
    expect(inspection.migration?.hazards).toContain('no-seed');
  });

  it('keys with an expiry', async () => {
    const bytes = await made('legacy-imported', (record) => {
      if (record.type !== 'key') return record;
      const { publicKey, der } = record;
      return { type: 'wkey', publicKey, der, version: 1, createTime: 0, expireTime: 0, comment: '' };
    });
    const { migration, keys, balance } = await inspect(bytes);
    expect(migration?.obstacles).toEqual([{ code: 'keys_expire', count: 7 }]);
    expect(migration?.hazards).toEqual(['wkey']);
    expect(keys.plain).toBe(7);
    expect(balance.spendable.confirmed).toBe(792000000n);
  });
});

describe('what some releases refuse', () => {
  const hazardsOf = async (bytes: Uint8Array) =>
    (await inspect(bytes, { network: 'regtest' })).migration?.hazards;
  const label = (address: string, purpose: string) => [
    writeRecord({ type: 'name', address, label: 'x' }),
    writeRecord({ type: 'purpose', address, purpose }),
  ];
  // Of BIP 173's examples, on regtest; and one of the main network.
  const OTHERS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
  const ELSEWHERE = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';

  it('is nothing in recorded wallets', async () => {
    for (const name of ['legacy-hd', 'legacy-watchonly', 'legacy-solvable', 'legacy-blank']) {
      expect(await hazardsOf(await made(name, same))).toEqual([]);
    }
  });

  it('is a wallet without the block that it saw last, unless it has nothing to convert', async () => {
    const without = (record: WalletRecord) =>
      record.type === 'bestblock' || record.type === 'bestblock_nomerkle' ? null : record;
    expect(await hazardsOf(await made('legacy-hd', without))).toEqual(['no-best-block']);
    // The older of the two records counts where it is there, though it be empty.
    const none = { version: 1, blockHashes: [] };
    const empty = writeRecord({ type: 'bestblock_nomerkle', ...none });
    expect(await hazardsOf(await made('legacy-hd', without, [empty]))).toEqual([]);
  });

  describe('is found by deriving a chain', () => {
    const conditionsOf = async (bytes: Uint8Array, passphrase?: string) => {
      const { conditions } = await inspect(bytes, { network: 'regtest', passphrase });
      return conditions.map(({ code, records: { shown } }) => [code, ...shown]);
    };
    const publicKeyAt = async (name: string, path: string) =>
      (await entriesOf(name))
        .map(({ key, value }) => parseRecord(key, value))
        .flatMap((one) => (one.type === 'keymeta' && one.hd?.keyPath === path ? one : []))
        .map(({ publicKey }) => bytesToHex(publicKey))[0];
    const without = (publicKey: string | undefined, types: readonly string[]) => (record: WalletRecord) =>
      types.includes(record.type) && 'publicKey' in record && bytesToHex(record.publicKey) === publicKey
        ? null
        : record;
    const path = "m/0'/1'/5'";

    it('that lacks a key below its counter', async () => {
      const key = await publicKeyAt('legacy-hd', path);
      expect(await hazardsOf(await made('legacy-hd', without(key, ['key', 'keymeta'])))).toEqual([
        'chain-gap',
      ]);
      // Its words stay: they prove no key.
      expect(await hazardsOf(await made('legacy-hd', without(key, ['key'])))).toEqual(['chain-gap']);
    });

    it('whose key is there and is told to be a single one', async () => {
      const bytes = await made('legacy-hd', without(await publicKeyAt('legacy-hd', path), ['keymeta']));
      expect(await hazardsOf(bytes)).toEqual([]);
      expect(await conditionsOf(bytes)).toEqual([['chain-apart', path]]);
    });

    it('and not by the words of metadata', async () => {
      const oddly = (record: WalletRecord) =>
        record.type === 'keymeta' && record.hd?.keyPath === path
          ? { ...record, version: 10, hd: { ...record.hd, keyPath: "m/44'/1'/7" }, origin: null }
          : record;
      const bytes = await made('legacy-hd', oddly);
      expect(await hazardsOf(bytes)).toEqual([]);
      expect(await conditionsOf(bytes)).toEqual([]);
    });

    it('of an encrypted wallet, once its passphrase is known', async () => {
      const name = 'legacy-hd-encrypted';
      const { passphrase } = factsOf(name);
      const path = "m/0'/1'/0'";
      const bytes = await made(name, without(await publicKeyAt(name, path), ['ckey']));
      expect((await conditionsOf(bytes)).map(([code]) => code)).toEqual(['chain-unknown']);
      expect(await hazardsOf(bytes)).toEqual([]);
      const found = await inspect(bytes, { network: 'regtest', passphrase });
      expect(found.migration?.hazards).toEqual(['chain-gap']);
      expect(found.conditions).toEqual([]);
      expect(await conditionsOf(await made(name, same), passphrase)).toEqual([]);
    });
  });

  it('is an address that was given out and is not the wallet’s', async () => {
    expect(await hazardsOf(await made('legacy-hd', same, label(OTHERS, 'receive')))).toEqual([
      'stray-labels',
    ]);
    expect(await hazardsOf(await made('legacy-hd', same, label(ELSEWHERE, 'receive')))).toEqual([
      'unreadable-labels',
    ]);
    expect(await hazardsOf(await made('legacy-hd', same, label(OTHERS, 'send')))).toEqual([]);
  });

  it('is an address of others in a wallet that only watches', async () => {
    const watching = (record: WalletRecord) =>
      ['key', 'keymeta', 'hdchain', 'pool', 'cscript', 'tx', 'name', 'purpose'].includes(record.type)
        ? null
        : record;
    const bytes = (more: RawRecord[]) => made('legacy-watchonly', watching, more);
    expect(await hazardsOf(await bytes([]))).toEqual([]);
    expect(await hazardsOf(await bytes(label(OTHERS, 'send')))).toEqual(['labels-of-others']);
  });
});

describe('what will be in none of the new wallets', () => {
  const lostOf = async (bytes: Uint8Array) => {
    const { migration } = await inspect(bytes, { network: 'regtest' });
    return { addresses: migration?.lostAddresses, pool: migration?.keylessPool };
  };
  const none = { total: 0, shown: [] };
  const p2shOf = (script: Uint8Array) => makeOutputScript({ kind: 'p2sh', scriptHash: hash160(script) });
  const poolOf = async (name: string) =>
    (await entriesOf(name))
      .map(({ key, value }) => parseRecord(key, value))
      .flatMap((record) => (record.type === 'pool' ? [record.publicKey] : []));

  it.each([
    'legacy-hd',
    'legacy-hd-encrypted',
    'legacy-imported',
    'legacy-nokeys',
    'legacy-solvable',
    'legacy-watchonly',
    'legacy-blank',
  ])('is nothing of a recorded wallet: %s', async (name) => {
    expect(await lostOf(await made(name, same))).toEqual({ addresses: none, pool: none });
  });

  it('is a receiving address that no one can spend from, and no other entry of the address book', async () => {
    const nested = p2shOf(p2shOf(Uint8Array.of(0x51)));
    const unspendable = p2shOf(nested);
    const address = addressOf(unspendable, 'regtest') ?? '';
    const label = (purpose: string) => [
      writeRecord({ type: 'name', address, label: 'Rent' }),
      writeRecord({ type: 'purpose', address, purpose }),
    ];
    const scripts = [
      writeRecord({ type: 'watchs', script: unspendable, watched: 0x31 }),
      writeRecord({ type: 'cscript', scriptId: hash160(nested), script: nested }),
    ];
    const given = await made('legacy-hd', same, [...scripts, ...label('receive')]);
    expect((await lostOf(given)).addresses).toEqual({ total: 1, shown: [address] });
    // It is told once: no node refuses the wallet over it.
    expect((await inspect(given, { network: 'regtest' })).migration?.hazards).toEqual([]);
    const paid = await made('legacy-hd', same, [...scripts, ...label('send')]);
    expect((await lostOf(paid)).addresses).toEqual(none);
    // A wallet that knows nothing of the script is refused, which is told as a hazard.
    expect((await lostOf(await made('legacy-hd', same, label('receive')))).addresses).toEqual(none);
  });

  it('is an own script that no descriptor can express: its label makes nodes refuse', async () => {
    const [own] = await poolOf('legacy-hd');
    const noPoint = Uint8Array.of(2, ...new Uint8Array(32).fill(0xff));
    const script = Uint8Array.of(0x51, 33, ...(own ?? []), 33, ...noPoint, 0x52, 0xae);
    const watched = p2shOf(script);
    const address = addressOf(watched, 'regtest') ?? '';
    const scripts = [
      writeRecord({ type: 'watchs', script: watched, watched: 0x31 }),
      writeRecord({ type: 'cscript', scriptId: hash160(script), script }),
    ];
    const label = (purpose: string) => [
      writeRecord({ type: 'name', address, label: 'Rent' }),
      writeRecord({ type: 'purpose', address, purpose }),
    ];
    for (const [more, hazards] of [
      [[], ['odd-scripts']],
      [label('send'), ['odd-scripts']],
      // Release 31: “Address book data in wallet cannot be identified to belong to migrated wallets”.
      [label('receive'), ['odd-scripts', 'odd-labels']],
    ] as const) {
      const bytes = await made('legacy-hd', same, [...scripts, ...more]);
      expect((await lostOf(bytes)).addresses).toEqual({ total: 1, shown: [address] });
      expect((await inspect(bytes, { network: 'regtest' })).migration?.hazards).toEqual(hazards);
    }
    const all = [...(await entriesOf('legacy-hd')), ...scripts, ...label('receive')];
    const given = writeBerkeley(all.sort((one, other) => Buffer.compare(one.key, other.key)));
    const mended = await repairWallet(given, { logs: [], network: 'regtest', withBlock: true });
    expect(mended.excluded.addresses).toEqual([{ address, isReadable: true }]);
    expect((await inspect(mended.bytes, { network: 'regtest' })).migration?.hazards).toEqual(['odd-scripts']);
  });

  it('is a key of the pool that is not in the file, unless a seed gives it again', async () => {
    const [first] = await poolOf('legacy-hd');
    const hex = bytesToHex(first ?? new Uint8Array());
    const without = (types: readonly string[]) => (record: WalletRecord) =>
      types.includes(record.type) && 'publicKey' in record && bytesToHex(record.publicKey) === hex
        ? null
        : record;
    expect((await lostOf(await made('legacy-hd', without(['key', 'keymeta'])))).pool).toEqual({
      total: 1,
      shown: [hex],
    });
    expect((await lostOf(await made('legacy-hd', without(['key'])))).pool).toEqual(none);
    const allGone = await made('legacy-hd', (record) => (record.type === 'key' ? null : record));
    const pool = await poolOf('legacy-hd');
    expect((await lostOf(allGone)).pool?.total).toBe(pool.length);
    expect(pool.length).toBeGreaterThan(1);
  });

  it('is not a key of the pool that is only watched', async () => {
    const [first] = await poolOf('legacy-hd');
    const publicKey = first ?? new Uint8Array();
    const hex = bytesToHex(publicKey);
    const script = makeOutputScript({ kind: 'p2pkh', keyHash: hash160(publicKey) });
    const bytes = await made(
      'legacy-hd',
      (record) =>
        (record.type === 'key' || record.type === 'keymeta') && bytesToHex(record.publicKey) === hex
          ? null
          : record,
      [writeRecord({ type: 'watchs', script, watched: 0x31 })],
    );
    expect((await lostOf(bytes)).pool).toEqual(none);
  });
});

describe('keys of a chain that a migration does not derive again', () => {
  it('become a descriptor for each of their scripts', async () => {
    const before = await inspect(await made('legacy-hd', same));
    const after = await inspect(
      await made('legacy-hd', (record) =>
        record.type === 'hdchain' ? { ...record, externalCounter: record.externalCounter - 2 } : record,
      ),
    );
    const count = (inspection: typeof before) => inspection.migration?.primary?.descriptors ?? 0;
    // The last two keys have four scripts each.
    expect(count(after) - count(before)).toBe(2 * 4);
  });

  it('are those for change too, when the active chain has none', async () => {
    const { migration, hdChains } = await inspect(
      await made('legacy-hd', (record) =>
        record.type === 'hdchain' ? { ...record, version: 1, internalCounter: null } : record,
      ),
    );
    const [chain] = hdChains.shown;
    expect(chain).toMatchObject({ version: 1, internalKeys: null });
    // One chain instead of two, the seed's own key, eight new ones, and 31 keys for change.
    expect(migration?.primary?.descriptors).toBe(1 + 1 + 8 + 31 * 4);
  });
});

describe('damage that is told', () => {
  it('a private key that does not fit its checksum', async () => {
    let first = true;
    const bytes = await made('legacy-imported', (record) => {
      if (record.type !== 'key' || !first) return record;
      first = false;
      const der = Uint8Array.from(record.der);
      der[20] = (der[20] ?? 0) ^ 1;
      return { ...record, der };
    });
    expect((await inspect(bytes)).keys.damaged).toBe(1);
    expect(await findings(bytes)).toEqual([{ code: 'keys_damaged', count: 1 }]);
  });

  it('a transaction whose bytes changed', async () => {
    let first = true;
    const bytes = await made('legacy-imported', (record) => {
      if (record.type !== 'tx' || !first) return record;
      first = false;
      const outputs = record.transaction.outputs.map((output) => ({ ...output, value: output.value + 1n }));
      return { ...record, transaction: { ...record.transaction, outputs } };
    });
    const { transactions, balance } = await inspect(bytes);
    expect(transactions.total).toBe(6);
    expect(balance.spendable.confirmed).toBeLessThan(792000000n);
    expect(await findings(bytes)).toEqual([{ code: 'transactions_damaged', count: 1 }]);
  });

  it('records of unknown types, by name where it is a word, and damaged ones', async () => {
    const strange: RawRecord[] = [
      { key: word('new-and-secret KxDQYWkbR'), value: word('x') },
      { key: word('future'), value: word('x') },
      { key: Buffer.concat([word('future'), Buffer.of(1)]), value: word('x') },
      { key: Buffer.concat([word('lockedutxo'), Buffer.of(1)]), value: Buffer.of(1) },
    ];
    const bytes = await made('legacy-blank', same, strange);
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
    const bytes = await made('legacy-hd-encrypted', (record) => (record.type === 'mkey' ? null : record));
    const { passphrase } = await inspect(bytes, { passphrase: 'any' });
    expect(passphrase).toBe('cannot-be-tried');
    expect(await findings(bytes)).toEqual([{ code: 'master_key_missing' }]);
  });

  it('a descriptor that cannot be read', async () => {
    let first = true;
    const bytes = await made('descriptor-hd', (record) => {
      if (record.type !== 'walletdescriptor' || !first) return record;
      first = false;
      return { ...record, descriptor: record.descriptor.replace('/0h', '/1h') };
    });
    const { descriptors, problems } = await inspect(bytes);
    expect(descriptors.total).toBe(8);
    expect(descriptors.shown.filter(({ text }) => text === null)).toHaveLength(1);
    expect(problems).toEqual([
      { page: null, lost: true, finding: { code: 'descriptors_unreadable', damaged: 1, all: 8 } },
    ]);
  });

  it('addresses that cannot be worked out, and ranges too long to look at', async () => {
    let first = true;
    const bytes = await made('descriptor-encrypted', (record) => {
      // Without these nothing below a hardened step can be known, for the private keys are encrypted.
      if (record.type === 'walletdescriptorcache') return null;
      if (record.type !== 'walletdescriptor' || !first) return record;
      first = false;
      return { ...record, rangeEnd: 0x7fffffff };
    });
    const { balance, problems } = await inspect(bytes);
    expect(balance.spendable.confirmed).toBe(0n);
    expect(problems.map(({ finding }) => finding)).toEqual([
      { code: 'balance_lacks_addresses', count: 0x7fffffff - 1000 },
      { code: 'balance_lacks_hardened_addresses', count: 1216 },
    ]);
  });
});

it('looks at all addresses that were given out, where the length of a range cannot be right', async () => {
  const bytes = await made('descriptor-hd', (record) =>
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
] as const)('tells a descriptor of the form %s as such', async (form, write) => {
  const key = '03a34b99f22c790c4e36b2b3c2c35a36db06226e41c692fc82b8b56ac1c540c5bd';
  let first = true;
  const bytes = await made('descriptor-hd', (record) => {
    if (record.type !== 'walletdescriptor' || !first) return record;
    first = false;
    return { ...record, descriptor: withChecksum(write(key)) };
  });
  const { descriptors, problems } = await inspect(bytes);
  const [fileNetwork] = descriptors.shown.filter((one) => one.form !== null);
  expect(fileNetwork).toMatchObject({ form, text: withChecksum(write(key)) });
  expect(problems.filter(({ lost }) => lost)).toEqual([]);
});

it('knows the transactions that release 32 writes twice', async () => {
  const id = 'ab'.repeat(32);
  const twice = writeRecord({ type: 'wtxvariant', txid: id, wtxid: id, transaction: Uint8Array.of(2, 0) });
  const { records } = await inspect(await made('descriptor-hd', same, [twice]));
  expect(records).toMatchObject({ byType: { wtxvariant: 1 }, unknown: { total: 0 }, damaged: { total: 0 } });
});

it('takes a descriptor wallet without private keys for one that watches', async () => {
  const bytes = await made('descriptor-hd', (record) => {
    if (record.type === 'walletdescriptorkey') return null;
    return record.type === 'flags' ? { ...record, flags: record.flags | (1n << 32n) } : record;
  });
  const { keys, balance } = await inspect(bytes);
  expect(keys).toMatchObject({ plain: 0, watched: 8 });
  expect(balance).toMatchObject({ spendable: { confirmed: 0n }, watched: { confirmed: 930000000n } });
});
