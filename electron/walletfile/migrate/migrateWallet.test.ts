/** Migrates the recorded legacy wallets, and compares the results with Bitcoin Core 31.0's. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { satoshiOfBitcoin } from '../../../shared/model/money.ts';
import { readSqlite, writeSqlite } from '../database/walletDatabase.ts';
import { scriptsOfKey } from '../descriptor/makeScripts.ts';
import { readEntries } from '../inspect/identifyWallet.ts';
import { readLegacyWallet } from '../legacy/legacyWallet.ts';
import { addressOf } from '../script/address.ts';
import { conditionFiles } from '../testing/conditionFiles.ts';
import { foreignNote, hasForeignWallets, reportedWallet } from '../testing/foreignWallets.ts';
import { coinsOf, showWallet } from '../testing/newWallet.ts';
import { keyRecords, sampleKey } from '../testing/sampleWallet.ts';
import { entriesOf, factsOf, legacyNames, type NodeDescriptor, walletFile } from '../testing/wallets.ts';
import type { Migration } from './migrateLegacy.ts';
import { migrateWallet, proveKeys, rehearseMigration, walletMasterKey } from './migrateWallet.ts';

/** When the recorded migrations were made. */
const NOW = 1795182461;
/** The recording nodes ran with `-keypool=30`. */
const KEYPOOL_SIZE = 30;

function migrate(
  name: string,
  options: Partial<Parameters<typeof migrateWallet>[0]> = {},
): Promise<Migration> {
  const { passphrase } = factsOf(name);
  return migrateWallet({
    bytes: walletFile(name),
    network: 'regtest',
    name,
    now: NOW,
    keypoolSize: KEYPOOL_SIZE,
    ...(passphrase === undefined ? {} : { passphrase }),
    ...options,
  });
}

async function masterKeyOf(name: string): Promise<Uint8Array | null> {
  const { passphrase } = factsOf(name);
  return walletMasterKey(readLegacyWallet(await entriesOf(name)), passphrase);
}

/** The new wallets by their names in the recording. Computed once for all tests. */
function migrated(name: string) {
  const result = shownOnce.get(name) ?? showMigrated(name);
  shownOnce.set(name, result);
  return result;
}

const shownOnce = new Map<string, ReturnType<typeof showMigrated>>();

async function showMigrated(name: string) {
  const { primary, watchonly, solvables } = await migrate(name);
  const masterKey = await masterKeyOf(name);
  const wallets = Object.entries({
    wallet_name: primary,
    watchonly_name: watchonly,
    solvables_name: solvables,
  }).flatMap(([role, wallet]) => (wallet ? [{ role, wallet }] : []));
  return Promise.all(
    wallets.map(async ({ role, wallet }) => ({
      role,
      name: wallet.name,
      shown: await showWallet(wallet.bytes, masterKey),
    })),
  );
}

describe.each(legacyNames)('%s', (name) => {
  const { before, after_by_release } = factsOf(name);
  const after = after_by_release?.['31.0'] ?? { migratewallet: {}, wallets: {} };
  const hasSeed = before.getwalletinfo.hdseedid !== undefined;

  it('becomes the same wallets by name as on a node', async () => {
    const { backup_path: _, ...names } = after.migratewallet;
    const result = await migrated(name);
    expect(Object.fromEntries(result.map(({ role, name }) => [role, name]))).toEqual(names);
    expect(result.every(({ shown }) => shown.network === 'regtest')).toBe(true);
  });

  it('has the same descriptors, public and private, with range, next index and time', async () => {
    for (const { role, shown: wallet } of await migrated(name)) {
      const theirs = after.wallets[role];
      const comparable = (descriptors: NodeDescriptor[]) =>
        descriptors
          // Without a seed, the active descriptors are random, so only their form is the same.
          .filter(({ active }) => hasSeed || !active)
          .map(({ desc, active, internal, range, next_index, timestamp }) =>
            JSON.stringify({ desc, active, internal, range, next_index, timestamp }),
          );
      const ours = wallet.descriptors.map(({ private: _, ...descriptor }) => descriptor);
      expect(comparable(ours)).toEqual(comparable(theirs?.listdescriptors?.descriptors ?? []));
      const withPrivate = wallet.descriptors.map((descriptor) => ({
        ...descriptor,
        desc: descriptor.private,
      }));
      const sorted = withPrivate.toSorted((a, b) => (a.desc < b.desc ? -1 : 1));
      const listed = theirs?.listdescriptors_private?.descriptors;
      if (listed) expect(comparable(sorted)).toEqual(comparable(listed));
      else expect(wallet.descriptors.map((each) => each.private.includes('prv'))).not.toContain(true);
    }
  });

  it('has active descriptors of the same form', async () => {
    const formOf = ({ desc, active, internal, range, next_index, timestamp }: NodeDescriptor) => ({
      form: desc
        .replace(/\[[0-9a-f]{8}/, '[')
        .replace(/tpub\w+/, 'tpub')
        .replace(/#.*/, ''),
      active,
      internal,
      range,
      next_index,
      timestamp,
    });
    for (const { role, shown: wallet } of await migrated(name)) {
      const theirs = after.wallets[role]?.listdescriptors?.descriptors ?? [];
      const isActive = ({ active }: { active: boolean }) => active;
      expect(wallet.descriptors.filter(isActive).map(formOf)).toEqual(theirs.filter(isActive).map(formOf));
    }
  });

  it('has the same flags, labels and locked coins', async () => {
    for (const { role, shown: wallet } of await migrated(name)) {
      const theirs = after.wallets[role];
      expect(wallet.flags).toEqual(theirs?.getwalletinfo.flags);
      expect(wallet.locked).toEqual(theirs?.listlockunspent);
      // A node lists labels of receiving addresses and of others together.
      expect([...new Set(wallet.labels.values())].sort()).toEqual(theirs?.listlabels?.toSorted());
      for (const { address, label } of theirs?.listreceivedbyaddress ?? []) {
        expect([address, wallet.labels.get(address) ?? '']).toEqual([address, label]);
      }
    }
  });

  it('has the same of the old wallet’s transactions in each', async () => {
    for (const { role, shown: wallet } of await migrated(name)) {
      // A node finds the transactions of solvable scripts in its chain, and the old wallet stored none of them.
      const stored = (after.wallets[role]?.transactions ?? []).filter((txid) =>
        before.transactions.includes(txid),
      );
      expect(wallet.txids).toEqual(role === 'solvables_name' ? [] : stored.toSorted());
    }
  });

  it('has the last known balances of the old wallet', async () => {
    const wallets = new Map((await migrated(name)).map(({ role, shown }) => [role, shown]));
    const { mine, watchonly } = before.getbalances;
    const primary = wallets.get('wallet_name');
    const watching = wallets.get('watchonly_name');
    const watched = watchonly?.trusted ?? 0;
    const onlyWatches = primary?.flags.includes('disable_private_keys');
    expect(primary ? coinsOf(primary) : 0n).toBe(satoshiOfBitcoin(onlyWatches ? watched : mine.trusted));
    expect(watching ? coinsOf(watching) : 0n).toBe(satoshiOfBitcoin(onlyWatches ? 0 : watched));
  });

  it('is proved: every old script, transaction and entry is in a new wallet', async () => {
    const { proof } = await migrate(name);
    const scripts = new Map((await migrated(name)).map(({ role, shown }) => [role, shown.scripts]));
    const fresh = (await migrated(name)).flatMap(({ shown }) =>
      shown.descriptors.filter(({ active }) => active),
    );
    const keptReady = fresh.length * KEYPOOL_SIZE + proof.ready * 4;
    expect(scripts.get('wallet_name')?.size).toBe(proof.scripts.primary + keptReady);
    expect(scripts.get('watchonly_name')?.size ?? 0).toBe(proof.scripts.watchonly);
    expect(scripts.get('solvables_name')?.size ?? 0).toBe(proof.solvable);
    expect(proof.scripts.old).toBe(proof.scripts.primary + proof.scripts.watchonly);
    expect(proof.transactions).toBe(before.transactions.length);
    expect(proof.leftOut).toEqual([]);
  });
});

describe('migrateWallet', () => {
  it('asks for the passphrase of an encrypted wallet, and refuses a wrong one', async () => {
    const encrypted = { bytes: walletFile('legacy-hd-encrypted') };
    await expect(migrate('legacy-hd', encrypted)).rejects.toMatchObject({ code: 'wallet_unlock_needed' });
    await expect(migrate('legacy-hd', { ...encrypted, passphrase: '' })).rejects.toMatchObject({
      code: 'wallet_unlock_needed',
    });
    await expect(migrate('legacy-hd', { ...encrypted, passphrase: 'wrong' })).rejects.toMatchObject({
      code: 'wrong_passphrase',
    });
    await expect(
      migrate('legacy-hd', { ...encrypted, passphrase: 'correct horse battery staple\0' }),
    ).rejects.toMatchObject({ code: 'wrong_passphrase', finding: { code: 'passphrase_wrong_after_zero' } });
  });

  it('keeps private keys encrypted under the same passphrase', async () => {
    const { primary } = await migrate('legacy-hd-encrypted');
    const { records } = await showWallet(primary?.bytes ?? new Uint8Array());
    expect(records.filter(({ type }) => type === 'walletdescriptorkey')).toEqual([]);
    expect(records.filter(({ type }) => type === 'walletdescriptorckey')).toHaveLength(14);
    const masterKeys = (await entriesOf('legacy-hd-encrypted')).filter(
      ({ key }) => key[1] === 0x6d && key[2] === 0x6b,
    );
    const kept = readLegacyWallet(masterKeys).records.of('mkey');
    expect(records.filter(({ type }) => type === 'mkey')).toEqual(kept);
  });

  it('takes a new seed from the given source for a wallet without one', async () => {
    const seedOf = async (fill: number) => {
      const { primary } = await migrate('legacy-imported', {
        random: (size) => new Uint8Array(size).fill(fill),
      });
      const { descriptors } = await showWallet(primary?.bytes ?? new Uint8Array());
      return descriptors.filter(({ active }) => active).map((each) => each.private);
    };
    expect(await seedOf(1)).toEqual(await seedOf(1));
    expect(await seedOf(1)).not.toEqual(await seedOf(2));
  });

  it('makes as many unused keys as requested', async () => {
    const { primary } = await migrate('legacy-hd', { keypoolSize: 50 });
    const { descriptors } = await showWallet(primary?.bytes ?? new Uint8Array());
    const ranges = descriptors.flatMap(({ desc, range }) => (range ? [[desc.slice(0, 5), ...range]] : []));
    expect(ranges.slice(0, 3)).toEqual([
      ['combo', 0, 55],
      ['combo', 0, 50],
      ['pkh([', 0, 49],
    ]);
  });

  it('refuses a file that was not closed cleanly, as nodes do', async () => {
    const bytes = walletFile('legacy-hd');
    // The log position in the header of the second page.
    bytes.set([7, 0, 0, 0], 4096);
    await expect(migrate('legacy-hd', { bytes })).rejects.toMatchObject({
      code: 'wallet_error',
      finding: { code: 'not_closed_cleanly' },
    });
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['a descriptor wallet', walletFile('descriptor-hd')],
    ['a legacy wallet cut short', walletFile('legacy-hd').subarray(0, 40_000)],
  ])('refuses %s', async (_, bytes) => {
    await expect(migrate('legacy-hd', { bytes })).rejects.toMatchObject({ code: 'not_a_wallet' });
  });
});

const options = { network: 'regtest', name: 'w', now: 1_795_200_000, keypoolSize: 2 } as const;

describe('a migration without a node', () => {
  it.each(['key-form', 'key-misfit', 'flags-descriptor', 'flags-signer', 'flags-no-keys'] as const)(
    'refuses what ends a node or is refused by it: %s',
    async (code) => {
      const { bytes } = await conditionFiles[code]();
      await expect(migrateWallet({ ...options, bytes })).rejects.toMatchObject({ code: 'wallet_error' });
    },
  );

  it('refuses a key that another thread finds not to fit', async () => {
    const { bytes } = await conditionFiles['key-misfit']();
    const nextKeyIndex = new Int32Array(new SharedArrayBuffer(4));
    await expect(proveKeys({ bytes, nextKeyIndex })).rejects.toMatchObject({
      finding: { code: 'condition_refused', condition: { code: 'key-misfit' } },
    });
  });

  it.runIf(hasForeignWallets)(
    `keeps every address of keys whose metadata names no path${foreignNote}`,
    async () => {
      const bytes = reportedWallet('legacy-odd-paths');
      const { primary, watchonly, solvables } = await migrateWallet({ ...options, bytes });
      expect([watchonly, solvables]).toEqual([null, null]);
      const { descriptors, scripts } = await showWallet(primary?.bytes ?? new Uint8Array());
      expect(descriptors).toHaveLength(11);
      const { records } = await readEntries(bytes);
      const addresses = readLegacyWallet(records).keys.all.flatMap(({ publicKey }) =>
        scriptsOfKey(publicKey).filter((script) => addressOf(script, 'regtest') !== null),
      );
      // The same number as in a node 31 afterwards.
      expect(addresses).toHaveLength(204);
      expect(addresses.filter((script) => !scripts.has(bytesToHex(script)))).toEqual([]);
    },
  );
});

it('names the companion wallets of the unnamed wallet as a node does', async () => {
  const { wallets } = await rehearseMigration(walletFile('legacy-watchonly'), {
    name: '',
    network: 'regtest',
  });
  expect(wallets.map(({ part, name }) => [part, name])).toEqual([
    ['primary', ''],
    ['watchonly', 'default_wallet_watchonly'],
  ]);
});

it('does not change its input', async () => {
  const bytes = walletFile('legacy-hd');
  const { network } = await rehearseMigration(bytes, { name: 'old' });
  expect(network).toBe('regtest');
  expect(Buffer.from(bytes).equals(walletFile('legacy-hd'))).toBe(true);
});

it('reports a migration that was interrupted between its two writes', async () => {
  const { records } = await readSqlite(walletFile('descriptor-hd'));
  const half = await writeSqlite([...records.filter(isNoFlag), ...keyRecords(sampleKey(1))], 'regtest');
  await expect(rehearseMigration(half, { name: 'old' })).rejects.toMatchObject({
    code: 'wallet_error',
    finding: { code: 'migration_interrupted' },
  });
  await expect(rehearseMigration(walletFile('descriptor-hd'), { name: 'old' })).rejects.toMatchObject({
    finding: { code: 'already_descriptor_wallet' },
  });
});

/** A migration sets the flag of descriptor wallets with its last change. */
function isNoFlag({ key }: { key: Uint8Array }): boolean {
  return !Buffer.from(key).includes('flags');
}
