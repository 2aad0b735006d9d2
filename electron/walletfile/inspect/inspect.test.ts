import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import type { Inspection } from '../../../shared/model/inspection.ts';
import { bigintAsText, satoshiOfBitcoin } from '../../../shared/model/money.ts';
import { readBerkeley } from '../database/berkeley.ts';
import { lossOf } from '../database/problemLog.ts';
import { readStoredKey } from '../keys/privateKey.ts';
import { recordsByType } from '../records/records.ts';
import {
  berkeleyFile,
  descriptorNames,
  entriesOf,
  factsOf,
  knownRecords,
  legacyNames,
  migrated,
  walletFile,
  walletNames,
} from '../testing/wallets.ts';
import { inspect } from './inspect.ts';

/** The fields of a recorded wallet's `before` that only these tests use. */
interface Recorded {
  getwalletinfo: {
    format: 'bdb' | 'sqlite';
    descriptors: boolean;
    private_keys_enabled: boolean;
    blank: boolean;
    avoid_reuse: boolean;
    birthtime?: number;
    unlocked_until?: number;
    txcount: number;
  };
  getbalances: { mine: { trusted: number }; watchonly?: { trusted: number } };
  listunspent: { amount: number; scriptPubKey: string; spendable: boolean }[];
}
const recorded = (name: string) => ({
  ...factsOf(name).before,
  ...(factsOf(name).before as unknown as Recorded),
});
const inspected = (name: string) => inspect(walletFile(name));
const findings = (inspection: Inspection) => inspection.problems.map(({ finding }) => finding);

describe('inspecting a recorded wallet', () => {
  it.each(walletNames)('%s: kind, network, release, format and flags are those of the node', async (name) => {
    const { getwalletinfo } = recorded(name);
    const inspection = await inspected(name);
    expect(inspection.kind).toBe(getwalletinfo.descriptors ? 'descriptor' : 'legacy');
    expect(inspection.file.format.kind).toBe(getwalletinfo.format === 'bdb' ? 'berkeley-db' : 'sqlite');
    expect(inspection.file.size).toBe(walletFile(name).length);
    expect(inspection.network).toMatchObject({ name: 'regtest', candidates: ['regtest'] });
    expect(inspection.network.from).toBe(getwalletinfo.descriptors ? 'file' : 'genesis-block');
    expect(inspection.lastWrittenBy).toEqual({ version: 280100, text: '28.1' });
    expect(inspection.formatVersion).toBe(factsOf(name).before.getwalletinfo.walletversion);
    const flag = (flag: string) => inspection.flags.includes(flag);
    expect(flag('disable_private_keys')).toBe(!getwalletinfo.private_keys_enabled);
    expect(flag('blank')).toBe(getwalletinfo.blank);
    expect(flag('avoid_reuse')).toBe(getwalletinfo.avoid_reuse);
    expect(flag('descriptor_wallet')).toBe(getwalletinfo.descriptors);
    expect(inspection.encryption !== null).toBe(getwalletinfo.unlocked_until !== undefined);
    expect(inspection.problems).toEqual([]);
  });

  it.each(walletNames)('%s: transactions and balances are those of the node', async (name) => {
    const { transactions, getwalletinfo, getbalances, listunspent } = recorded(name);
    const inspection = await inspected(name);
    expect(inspection.transactions.total).toBe(getwalletinfo.txcount);
    expect(inspection.transactions.shown.map(({ txid }) => txid).sort()).toEqual([...transactions].sort());
    expect(inspection.transactions.shown.every(({ state }) => state === 'confirmed')).toBe(true);
    const { spendable, watched } = inspection.balance;
    const none = { unconfirmed: 0n, ofBlockRewards: 0n, immature: 0n, invalid: 0n };
    const addresses = (wanted: boolean) =>
      new Set(listunspent.filter((coin) => coin.spendable === wanted).map(({ scriptPubKey }) => scriptPubKey))
        .size;
    expect(spendable).toEqual({
      ...none,
      confirmed: satoshiOfBitcoin(getbalances.mine.trusted),
      addresses: addresses(true),
    });
    expect(watched).toEqual({
      ...none,
      confirmed: satoshiOfBitcoin(getbalances.watchonly?.trusted ?? 0),
      addresses: addresses(false),
    });
    const unspent = (wanted: boolean) =>
      listunspent
        .filter((coin) => coin.spendable === wanted)
        .reduce((sum, { amount }) => sum + satoshiOfBitcoin(amount), 0n);
    expect([spendable.confirmed, watched.confirmed]).toEqual([unspent(true), unspent(false)]);
    const effect = inspection.transactions.shown.reduce(
      (sum, each) => sum + each.spendable.received - each.spendable.spent,
      0n,
    );
    expect(effect).toBe(spendable.confirmed);
  });

  it.each(walletNames)('%s: labels are those of the node', async (name) => {
    const { labels } = await inspected(name);
    const listed = factsOf(name).before.listreceivedbyaddress;
    const fileNetwork = new Map(labels.shown.map((entry) => [entry.address, entry.label]));
    for (const { address, label } of listed)
      expect([address, fileNetwork.get(address)]).toEqual([address, label]);
    const own = labels.shown.filter(({ purpose }) => purpose === 'receive').map(({ address }) => address);
    expect(listed.map(({ address }) => address)).toEqual(expect.arrayContaining(own));
    expect(labels.total).toBe(labels.shown.length);
  });

  it.each(walletNames)('%s: birth and last dates are those of the node', async (name) => {
    const { birthtime } = recorded(name).getwalletinfo;
    const { birth, balance, transactions } = await inspected(name);
    if (birthtime === undefined) expect(birth).toEqual({ known: 'no', undated: 0 });
    // 1 means that some keys have no date.
    else if (birthtime === 1)
      expect(birth).toMatchObject({ known: 'at-latest', undated: expect.any(Number) });
    else expect(birth).toEqual({ known: 'exactly', time: birthtime });
    expect(balance.newestTransaction).toBe(transactions.shown[0]?.time ?? null);
    expect(balance.lastBlock).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each(legacyNames)('%s: seed, key pool and locked coins are those of the node', async (name) => {
    const { getwalletinfo } = factsOf(name).before;
    const inspection = await inspected(name);
    expect(inspection.hdChains.shown.find(({ active }) => active)?.seedId).toBe(getwalletinfo.hdseedid);
    expect(inspection.hdChains.shown.every(({ hasSeed }) => hasSeed)).toBe(true);
    expect(inspection.keys.unused).toEqual({
      external: getwalletinfo.keypoolsize,
      internal: getwalletinfo.keypoolsize_hd_internal,
    });
    const locked = migrated(name).flatMap(({ listlockunspent }) => listlockunspent ?? []);
    expect(inspection.lockedCoins.shown.map(({ txid, index }) => ({ txid, vout: index }))).toEqual(locked);
  });

  it.each(descriptorNames)('%s: descriptors are those of the node', async (name) => {
    const { getwalletinfo, listdescriptors } = factsOf(name).before;
    const { descriptors, keys, migration } = await inspected(name);
    const listed = descriptors.shown.map(({ text, active, internal, next, range, created }) => {
      return { active, desc: text, internal, next, next_index: next, range, timestamp: created };
    });
    expect(listed).toEqual(listdescriptors?.descriptors);
    expect(descriptors.total).toBe(8);
    expect(keys.unused.external).toBe(getwalletinfo.keypoolsize);
    // All eight derive from one key.
    expect(keys.plain + keys.encrypted).toBe(1);
    expect(migration).toBeNull();
  });

  it.each(legacyNames)('%s: the preview of its migration is what release 31.0 made of it', async (name) => {
    const wallets = factsOf(name).after_by_release?.['31.0']?.wallets ?? {};
    const count = (part: string) => wallets[part]?.listdescriptors?.descriptors.length;
    const { migration } = await inspected(name);
    expect(migration?.primary?.descriptors).toBe(count('wallet_name'));
    expect(migration?.watchOnly?.descriptors).toBe(count('watchonly_name'));
    expect(migration?.solvables?.descriptors).toBe(count('solvables_name'));
    expect(migration?.unownedTransactions.total).toBe(0);
    const hazards = name === 'legacy-blank' ? ['empty'] : [];
    expect([migration?.leftOut, migration?.hazards]).toEqual([0, hazards]);
  });

  it('counts keys by type', async () => {
    const keys = async (name: string) => (await inspected(name)).keys;
    expect(await keys('legacy-imported')).toMatchObject({ plain: 7, uncompressed: 1, single: 7, seeds: 0 });
    expect(await keys('legacy-hd-encrypted')).toMatchObject({
      plain: 0,
      encrypted: 134,
      seeds: 2,
      fromChains: 132,
      single: 0,
    });
    expect(await keys('legacy-watchonly')).toMatchObject({ plain: 66, watched: 1 });
  });

  it('lists the new and the old chain of an encrypted wallet', async () => {
    const { shown } = (await inspected('legacy-hd-encrypted')).hdChains;
    expect(shown).toMatchObject([
      { active: true, version: 2, externalKeys: 36, internalKeys: 30, fingerprint: 'bb39eddf' },
      { active: false, version: 2, externalKeys: 36, internalKeys: 30 },
    ]);
  });

  it('lists watched and multisig scripts with their addresses and ownership', async () => {
    const watched = (await inspected('legacy-watchonly')).scripts;
    const listed = factsOf('legacy-watchonly').before.listreceivedbyaddress as unknown as {
      address: string;
      involvesWatchonly?: boolean;
    }[];
    const addresses = watched.shown.map(({ address }) => address);
    for (const { address, involvesWatchonly } of listed) {
      if (involvesWatchonly) expect(addresses).toContain(address);
    }
    expect(new Set(watched.shown.map(({ ownership }) => ownership))).toEqual(new Set(['watched']));
    expect(watched.shown.filter(({ multisig }) => multisig)).toMatchObject([
      { kind: 'multisig', address: null, multisig: { required: 2, keys: 2, own: 0 } },
      { kind: 'p2sh', multisig: { required: 2, keys: 2, own: 0 } },
    ]);
    const solvable = (await inspected('legacy-solvable')).scripts.shown;
    expect(solvable.map(({ ownership }) => ownership)).toEqual(Array(6).fill('solvable'));
    expect(solvable.map(({ multisig }) => multisig?.own).sort()).toEqual([0, 0, 0, 1, 1, 1]);
  });

  it('reports the format of the file', async () => {
    const format = async (name: string) => (await inspect(berkeleyFile(name))).file.format;
    expect(await format('hd-512-big')).toMatchObject({ pageSize: 512, byteOrder: 'big' });
    expect(await format('imported-8192-big')).toMatchObject({ pageSize: 8192, byteOrder: 'big' });
    const sqlite = (await inspected('descriptor-hd')).file.format;
    expect(sqlite).toEqual({ kind: 'sqlite', pageSize: 4096, applicationId: 0xfabfb5da, userVersion: 0 });
  });

  it('never holds a private key', async () => {
    for (const name of walletNames) {
      const records = knownRecords(await entriesOf(name));
      const secrets = records.flatMap((record) => {
        if (record.type !== 'key' && record.type !== 'walletdescriptorkey') return [];
        return bytesToHex(readStoredKey(record)?.privateKey ?? new Uint8Array(32));
      });
      const fileNetwork = JSON.stringify(await inspected(name), bigintAsText);
      for (const secret of secrets) expect(fileNetwork.includes(secret)).toBe(false);
      expect(fileNetwork).not.toMatch(/[xt]prv/);
    }
  });
});

it('misses the private key of an encrypted wallet whose public key is damaged', async () => {
  const file = walletFile('legacy-hd-encrypted');
  const key = recordsByType(readBerkeley(file).records).of('ckey')[5];
  const at = (key?.publicKey.byteOffset ?? 0) - file.byteOffset + 9;
  file[at] = (file[at] ?? 0) ^ 4;
  const { problems, keys } = await inspect(file);
  expect(problems).toContainEqual(lossOf({ code: 'keys_missing', count: 1 }));
  // Nothing else shows the damage without the passphrase.
  expect(keys).toMatchObject({ encrypted: 134, damaged: 0 });
});

describe('trying a passphrase', () => {
  const encrypted = ['legacy-hd-encrypted', 'descriptor-encrypted'];
  it.each(encrypted)('%s: distinguishes a right one from a wrong one', async (name) => {
    const { passphrase = '' } = factsOf(name);
    const verdict = async (tried: string) =>
      (await inspect(walletFile(name), { passphrase: tried })).passphrase;
    expect(await verdict(passphrase)).toBe('right');
    expect(await verdict(`${passphrase} `)).toBe('wrong');
    expect(await verdict(`${passphrase}\0and more`)).toBe('right-cut-at-zero');
    expect((await inspected(name)).passphrase).toBe('not-tried');
  });

  it('needs none for a wallet without encryption', async () => {
    const bytes = walletFile('legacy-hd');
    expect((await inspect(bytes, { passphrase: 'any' })).passphrase).toBe('not-encrypted');
  });
});

describe('a file that is not a whole wallet', () => {
  it('refuses other files', async () => {
    for (const bytes of [
      new Uint8Array(),
      new Uint8Array(5000),
      new TextEncoder().encode('SQLite format 3\0'),
    ]) {
      await expect(inspect(bytes)).rejects.toMatchObject({ code: 'not_a_wallet' });
    }
  });

  it('shows what a cut-off file still has, and reports that something is missing', async () => {
    const whole = walletFile('legacy-hd');
    const inspection = await inspect(whole.subarray(0, Math.floor(whole.length * 0.6)));
    expect(inspection.problems.some(({ lost }) => lost)).toBe(true);
    expect(inspection.records.total).toBeGreaterThan(0);
    expect(inspection.records.total).toBeLessThan((await inspected('legacy-hd')).records.total);
  });

  it('reports another network than the expected one', async () => {
    const inspection = await inspect(walletFile('descriptor-hd'), { network: 'main' });
    expect(inspection.network.name).toBe('regtest');
    expect(findings(inspection)).toContainEqual({
      code: 'network_differs',
      network: 'regtest',
      expected: 'main',
    });
  });

  it('reports dates in the future', async () => {
    const inspection = await inspect(walletFile('legacy-hd'), { now: 1_700_000_000 });
    expect(findings(inspection)).toEqual([{ code: 'transaction_in_future' }]);
  });
});
