/** Migrates made-up wallets, for the cases that the recorded ones lack. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorShapeOf } from '../../../shared/wording/findings/findingWords.ts';
import { toLatin1 } from '../bytes/textCoding.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { CheckedFile } from '../database/walletDatabase.ts';
import { migrationPreview } from '../inspect/inspectLegacy.ts';
import { readLegacyWallet } from '../legacy/legacyWallet.ts';
import { flagBits, writeRecord } from '../records/records.ts';
import { makeOutputScript } from '../script/script.ts';
import { showWallet } from '../testing/newWallet.ts';
import {
  addressOfScript,
  addressRecords,
  chainRecords,
  encryptedKeyRecords,
  flagsRecord,
  hexes,
  inOrder,
  keyRecords,
  lockRecord,
  masterKey,
  masterKeyRecord,
  multisigOf,
  network,
  p2shOf,
  type SampleKey,
  sampleKey,
  scriptRecord,
  scriptsOfWallet,
  transactionRecord,
  watchRecords,
} from '../testing/sampleWallet.ts';
import { type MigrationOptions, migrateLegacy } from './migrateLegacy.ts';

const own = sampleKey(1);
const other = sampleKey(2);
const foreign = sampleKey(9);
const stranger = sampleKey(10);

const options: MigrationOptions = { network, name: 'w', now: 1_700_000_000, keypoolSize: 2 };

const inMemory = (_: unknown, size: number) => new CheckedFile(size);

async function migrate(records: (RawRecord | RawRecord[])[], unlocked: Uint8Array | null = null) {
  const legacy = readLegacyWallet(inOrder(...records));
  const { proof, ...wallets } = await migrateLegacy(legacy, unlocked, options, inMemory);
  const show = async (wallet: { name: string; bytes: Uint8Array } | null) =>
    wallet && showWallet(wallet.bytes, unlocked);
  return {
    proof,
    wallets,
    primary: await show(wallets.primary),
    watchonly: await show(wallets.watchonly),
    solvables: await show(wallets.solvables),
  };
}

/** The number of descriptors of each new wallet by the preview. */
function previewOf(...records: (RawRecord | RawRecord[])[]) {
  const wallet = readLegacyWallet(inOrder(...records));
  const { primary, watchOnly, solvables } = migrationPreview(wallet, wallet.records.of('tx'), []);
  return [primary, watchOnly, solvables].map((part) => part?.descriptors ?? 0);
}

const countsOf = ({ primary, watchonly, solvables }: Awaited<ReturnType<typeof migrate>>) =>
  [primary, watchonly, solvables].map((wallet) => wallet?.descriptors.length ?? 0);

/** The descriptors that are not new, without their checksums. */
function keptOf(wallet: Awaited<ReturnType<typeof migrate>>['primary']): string[] {
  return (wallet?.descriptors ?? [])
    .filter(({ active }) => !active)
    .map(({ desc }) => desc.replace(/#.*/, ''));
}

const fingerprint = ({ p2pkh }: SampleKey) => bytesToHex(p2pkh.subarray(3, 7));
const hexOf = ({ publicKey }: SampleKey) => bytesToHex(publicKey);

describe('a wallet that only watches', () => {
  const address = addressOfScript(foreign.p2pkh);
  const records = [
    watchRecords(foreign.p2pkh, 1_600_000_000),
    addressRecords(address, 'watched', 'receive'),
    addressRecords(addressOfScript(stranger.p2pkh), 'a friend', 'send'),
    writeRecord({ type: 'destdata', address, name: 'used', data: Uint8Array.of(0x31) }),
  ];

  it('becomes only a watch-only wallet, with everything in it', async () => {
    const { txid, record } = transactionRecord([foreign.p2pkh, stranger.p2pkh]);
    const lost = { txid: '33'.repeat(32), index: 0 };
    const { wallets, watchonly, proof } = await migrate([
      ...records,
      record,
      lockRecord({ txid, index: 0 }),
      lockRecord(lost),
    ]);
    expect(wallets.primary).toBeNull();
    expect(wallets.watchonly?.name).toBe('w_watchonly');
    expect(wallets.solvables).toBeNull();
    expect(watchonly?.descriptors).toMatchObject([
      { desc: expect.stringMatching(`^addr\\(${address}\\)#`), active: false, timestamp: 1_600_000_000 },
    ]);
    expect(watchonly?.flags).toEqual([
      'last_hardened_xpub_cached',
      'disable_private_keys',
      'blank',
      'descriptor_wallet',
    ]);
    expect(Object.fromEntries(watchonly?.labels ?? [])).toEqual({
      [address]: 'watched',
      [addressOfScript(stranger.p2pkh)]: 'a friend',
    });
    expect(watchonly?.txids).toEqual([txid]);
    expect(watchonly?.locked.map((coin) => coin.txid).sort()).toEqual([txid, lost.txid].sort());
    expect(watchonly?.records.some(({ type }) => type === 'destdata')).toBe(true);
    expect(proof).toMatchObject({ scripts: { old: 1, primary: 0, watchonly: 1 }, lockedCoins: 2 });
  });

  it('keeps its name and gets no keys if it was created without private keys', async () => {
    const { wallets, primary } = await migrate([...records, flagsRecord(flagBits.disable_private_keys)]);
    expect(wallets.watchonly).toBeNull();
    expect(keptOf(primary)).toEqual([`addr(${address})`]);
    expect(primary?.descriptors).toHaveLength(1);
    expect(primary?.flags).toContain('disable_private_keys');
  });

  it('passes the flag against address reuse on to the new wallets', async () => {
    const flags = flagBits.avoid_reuse | flagBits.key_origin_metadata;
    const { watchonly } = await migrate([...records, flagsRecord(flags)]);
    expect(watchonly?.flags.slice(0, 2)).toEqual(['avoid_reuse', 'key_origin_metadata']);
  });
});

describe('a wallet with keys and watched scripts', () => {
  const whole = multisigOf(2, own, other);
  const part = multisigOf(2, own, foreign);
  const base = [keyRecords(own), keyRecords(other)];

  it('keeps multisig with all its keys, and moves multisig without one', async () => {
    const watched = p2shOf(part);
    const { primary, watchonly, solvables } = await migrate([
      ...base,
      scriptRecord(whole),
      scriptRecord(part),
      watchRecords(watched),
    ]);
    const [first, second] = [own, other].map((key) => `[${fingerprint(key)}]${hexOf(key)}`);
    expect(keptOf(primary)).toContain(`sh(multi(2,${first},${second}))`);
    expect(primary?.descriptors.find(({ desc }) => desc.startsWith('sh(multi'))?.private).toMatch(
      /^sh\(multi\(2,\[\w+\]c\w+,\[\w+\]c\w+\)\)#/,
    );
    expect(keptOf(watchonly)).toEqual([`sh(multi(2,${first},${hexOf(foreign)}))`]);
    expect(keptOf(solvables).map((desc) => desc.slice(0, 12))).toEqual(['wsh(multi(2,', 'wsh(multi(2,']);
    expect(solvables?.records.some(({ type }) => type === 'walletdescriptorkey')).toBe(false);
  });

  it('keeps watched taproot outputs of own keys with their private keys', async () => {
    const [even, odd] = [2, 3].map((form) => [own, other].find(({ publicKey }) => publicKey[0] === form));
    if (!even || !odd) throw new Error('no pair of keys');
    const watch = ({ publicKey }: SampleKey) =>
      watchRecords(makeOutputScript({ kind: 'p2tr', outputKey: publicKey.slice(1) }));
    const { primary, watchonly } = await migrate([...base, watch(even), watch(odd)]);
    expect(watchonly).toBeNull();
    const taproot = primary?.descriptors.filter(({ desc }) => desc.startsWith('rawtr(')) ?? [];
    expect(taproot.map((one) => one.private)).toEqual(
      [even, odd].map(() => expect.stringMatching(/^rawtr\(\[\w+\]c\w+\)#/)),
    );
    const hazards = (...records: RawRecord[][]) =>
      migrationPreview(readLegacyWallet(inOrder(...base, ...records)), [], []).hazards;
    // A node keeps the odd one without its private key, and then cannot list any. Measured on 29.3 and 31.0.
    expect(hazards(watch(odd))).toContain('odd-taproot');
    expect(hazards(watch(even))).not.toContain('odd-taproot');
    expect(previewOf(...base, watch(even), watch(odd))).toEqual([12, 0, 0]);
  });

  it('assigns transactions, locked coins and labels', async () => {
    const mine = transactionRecord([own.p2pkh]);
    const theirs = transactionRecord([foreign.nested]);
    const spending = transactionRecord([stranger.p2pkh], [{ txid: theirs.txid, index: 0 }]);
    const both = transactionRecord([own.p2wpkh, foreign.nested]);
    const { primary, watchonly } = await migrate([
      ...base,
      watchRecords(foreign.nested),
      [mine, theirs, spending, both].map(({ record }) => record),
      lockRecord({ txid: mine.txid, index: 0 }),
      lockRecord({ txid: theirs.txid, index: 0 }),
      lockRecord({ txid: both.txid, index: 1 }),
      addressRecords(addressOfScript(own.p2pkh), 'mine', 'receive'),
      addressRecords(addressOfScript(foreign.nested), 'watched', 'receive'),
      addressRecords(addressOfScript(stranger.p2pkh), 'old entry', null),
      addressRecords('not an address', 'odd', 'receive'),
    ]);
    expect(primary?.txids).toEqual([mine.txid, both.txid].sort());
    expect(watchonly?.txids).toEqual([theirs.txid, spending.txid, both.txid].sort());
    expect(primary?.locked.map(({ txid }) => txid)).toEqual([mine.txid]);
    expect(watchonly?.locked.map(({ txid }) => txid).sort()).toEqual([theirs.txid, both.txid].sort());
    expect([...(primary?.labels.values() ?? [])].sort()).toEqual(['mine', 'odd', 'old entry']);
    expect([...(watchonly?.labels.values() ?? [])].sort()).toEqual(['mine', 'odd', 'old entry', 'watched']);
  });

  it('marks paid descriptors as a node does', async () => {
    const { primary } = await migrate([...base, transactionRecord([own.nested]).record]);
    const next = primary?.records.flatMap((record) =>
      record.type === 'walletdescriptor' && record.rangeEnd === 1 ? [record.nextIndex] : [],
    );
    expect(next?.toSorted()).toEqual([0, 1]);
  });

  it('leaves out scripts without a descriptor, and lists them', async () => {
    const tooMany = multisigOf(1, own, other, foreign, stranger);
    const nested = p2shOf(p2shOf(own.p2pkh));
    const unspendable = p2shOf(nested);
    const { watchonly, proof } = await migrate([
      ...base,
      watchRecords(tooMany),
      watchRecords(unspendable),
      scriptRecord(nested),
      addressRecords(addressOfScript(unspendable), 'nobody’s', 'receive'),
    ]);
    expect(proof.leftOut).toEqual([bytesToHex(tooMany), addressOfScript(unspendable)]);
    expect(proof.addressRecords).toBe(0);
    expect(watchonly).toBeNull();
  });

  it('leaves out watched scripts that nothing satisfies, and finds their coins in no wallet', async () => {
    const never = Uint8Array.of(0);
    const watched = makeOutputScript({ kind: 'p2wsh', scriptHash: sha256(never) });
    const stored = [never, watched].map(scriptRecord);
    const records = [...base, stored, watchRecords(watched), watchRecords(p2shOf(watched))];
    // Measured on 29.3 and 31.0, which leave a half migrated file if such a script has a coin of its own.
    const leftOut = [watched, p2shOf(watched)].map(addressOfScript);
    expect((await migrate(records)).proof.leftOut.toSorted()).toEqual(leftOut.toSorted());
    const { record, txid } = transactionRecord([watched]);
    const wallet = readLegacyWallet(inOrder(...records, record));
    expect(migrationPreview(wallet, wallet.records.of('tx'), [])).toMatchObject({
      unownedTransactions: { shown: [txid] },
      hazards: expect.arrayContaining(['scripts-without-descriptor']),
    });
  });

  it('refuses transactions that belong to none of the wallets, and lists them', async () => {
    const { txid, record } = transactionRecord([stranger.p2pkh]);
    await expect(migrate([...base, record])).rejects.toMatchObject({
      code: 'wallet_error',
      finding: { code: 'transactions_in_no_wallet', transactions: { total: 1, shown: [txid] } },
    });
  });

  it('lists a hundred of them, and their number', async () => {
    const records = Array.from({ length: 130 }, (_, number) =>
      transactionRecord([p2shOf(Uint8Array.of(0x51, 1, number)), stranger.p2pkh]),
    );
    await expect(migrate([...base, ...records.map(({ record }) => record)])).rejects.toMatchObject({
      finding: { transactions: { total: 130, shown: expect.objectContaining({ length: 100 }) } },
    });
  });

  it('refuses addresses that were given out and belong to none of the wallets', async () => {
    const address = addressOfScript(stranger.p2pkh);
    await expect(migrate([...base, addressRecords(address, '', 'receive')])).rejects.toMatchObject({
      code: 'wallet_error',
      finding: { code: 'addresses_in_no_wallet', addresses: { total: 1, shown: [address] } },
    });
  });

  it('keeps unknown records and accounts in the main wallet', async () => {
    const unknown = { key: Uint8Array.of(3, 0x78, 0x79, 0x7a, 1), value: Uint8Array.of(2) };
    const account = writeRecord({ type: 'acc', account: 'rent', version: 1, publicKey: own.publicKey });
    const { wallets } = await migrate([...base, unknown, account, watchRecords(foreign.p2pkh)]);
    const kept = (bytes: Uint8Array | undefined) =>
      Buffer.from(bytes ?? []).includes(Buffer.from(unknown.key));
    expect([kept(wallets.primary?.bytes), kept(wallets.watchonly?.bytes)]).toEqual([true, false]);
    const { records } = await showWallet(wallets.primary?.bytes ?? new Uint8Array());
    expect(records.filter(({ type }) => type === 'acc')).toHaveLength(1);
  });
});

describe('keys', () => {
  it('have the origin in their metadata, or none', async () => {
    const [bare = { key: new Uint8Array(), value: new Uint8Array() }] = keyRecords(own);
    const origin = { fingerprint: Uint8Array.of(1, 2, 3, 4), path: [0x80000001, 7], known: true };
    const { primary } = await migrate([bare, keyRecords(other, { createTime: 1_500_000_000, origin })]);
    expect(keptOf(primary)).toEqual([`combo(${hexOf(own)})`, `combo([01020304/1h/7]${hexOf(other)})`].sort());
    const times = primary?.descriptors.filter(({ active }) => !active).map(({ timestamp }) => timestamp);
    expect(times?.toSorted()).toEqual([0, 1_500_000_000]);
  });

  it('without a checksum, as before 0.8, are proved by their public key', async () => {
    const { publicKey, der } = own;
    const old = (key: Uint8Array) => [writeRecord({ type: 'key', publicKey: key, der, checksum: null })];
    expect((await migrate([old(publicKey)])).proof.scripts.old).toBe(4);
    await expect(migrate([old(other.publicKey)])).rejects.toMatchObject({ code: 'not_a_wallet' });
  });

  it('stop the migration if they are damaged, without their bytes in the error', async () => {
    const { publicKey, der, checksum } = own;
    const damaged = der.with(20, (der[20] ?? 0) ^ 1);
    const refusal = migrate([writeRecord({ type: 'key', publicKey, der: damaged, checksum })]);
    await expect(refusal).rejects.toMatchObject({
      code: 'not_a_wallet',
      finding: { code: 'wallet_damaged', fault: { code: 'private_keys_incomplete', count: 1 } },
    });
    const error = await refusal.catch((thrown: unknown) => thrown);
    expect(JSON.stringify(errorShapeOf(error)) + String(error)).not.toContain('0101');
  });

  it('stay encrypted, even with plain keys in the wallet', async () => {
    const records = [await masterKeyRecord('secret'), encryptedKeyRecords(own), keyRecords(other)];
    const { primary, proof } = await migrate(records, masterKey);
    expect(primary?.records.map(({ type }) => type)).not.toContain('walletdescriptorkey');
    expect(proof.scripts.primary).toBe(8);
    const privateForms = primary?.descriptors.filter(({ active }) => !active).map((each) => each.private);
    expect(privateForms?.every((form) => /^combo\(\[\w+\]c\w{51}\)#/.test(form))).toBe(true);
  });

  it('stop the migration if they do not decrypt to their public key', async () => {
    const [record = { key: new Uint8Array(), value: new Uint8Array() }] = encryptedKeyRecords(own);
    const key = record.key.with(8, (record.key[8] ?? 0) ^ 1);
    await expect(
      migrate([await masterKeyRecord('secret'), { key, value: record.value }], masterKey),
    ).rejects.toMatchObject({ code: 'wallet_error', finding: { code: 'key_not_decrypted' } });
  });
});

describe('chains of keys', () => {
  const seed = sampleKey(20);
  const oldSeed = sampleKey(21);

  it('become ranged descriptors, including inactive chains', async () => {
    const current = chainRecords(seed, { external: 3, internal: 2 });
    const old = chainRecords(oldSeed, { external: 1, internal: 2, active: false });
    const { primary, proof } = await migrate([current.records, old.records]);
    expect(proof.scripts.old).toBe((2 + 5 + 3) * 4);
    expect(primary?.descriptors.filter(({ active }) => !active).map(({ range }) => range?.[1])).toEqual(
      expect.arrayContaining([undefined, undefined, 2, 1, 0, 1]),
    );
    const scripts = [...current.keys, ...old.keys].flatMap(({ p2pk, p2pkh, p2wpkh, nested }) => [
      p2pk,
      p2pkh,
      p2wpkh,
      nested,
    ]);
    expect(hexes(scripts).filter((hex) => !primary?.scripts.has(hex))).toEqual([]);
  });

  it('have one branch in a wallet from before the split', async () => {
    const { primary } = await migrate([chainRecords(seed, { external: 2, internal: null }).records]);
    const ranged = primary?.descriptors.filter(({ active, range }) => !active && range);
    expect(ranged).toMatchObject([
      { desc: expect.stringContaining('/0h/0h/*h)'), range: [0, 1], timestamp: 0 },
    ]);
  });

  it('continue after the last paid key, with unused keys after it', async () => {
    const { records, keys } = chainRecords(seed, { external: 3, internal: 2 });
    const paid = transactionRecord([keys[2]?.p2wpkh ?? new Uint8Array()]).record;
    const { primary, proof } = await migrate([records, paid]);
    const ranges = primary?.descriptors.flatMap(({ active, range, next_index }) =>
      range && !active ? [{ range, next_index }] : [],
    );
    expect(ranges).toEqual(
      expect.arrayContaining([
        { range: [0, 4], next_index: 3 },
        { range: [0, 1], next_index: 0 },
      ]),
    );
    expect(proof.ready).toBe(2);
  });

  it('continue over keys that are beyond the counter', async () => {
    const { records, keys } = chainRecords(seed, { external: 3, internal: 2 });
    const [chain] = chainRecords(seed, { external: 1, internal: 2 }).records;
    const [, ...rest] = records;
    const paid = transactionRecord([keys[0]?.p2wpkh ?? new Uint8Array()]).record;
    const { primary, proof } = await migrate([chain ?? [], rest, paid]);
    const ranges = primary?.descriptors.flatMap(({ active, range }) => (range && !active ? [range[1]] : []));
    // The counter says one key, and the key pool of the test adds two. Both are in the file, and have four descriptors each, too.
    expect(ranges).toEqual(expect.arrayContaining([2, 1]));
    expect(keptOf(primary).filter((text) => !text.startsWith('combo('))).toHaveLength(2 * 4);
    expect(proof.scripts.old).toBe((1 + 5) * 4);
    expect(proof.ready).toBe(0);
  });

  it('are refused if a key is missing', async () => {
    const { records, keys } = chainRecords(seed, { external: 3, internal: 0 });
    const missing = bytesToHex(keys[1]?.publicKey ?? new Uint8Array());
    const rest = records.filter(({ key }) => !bytesToHex(key).endsWith(missing));
    await expect(migrate([rest])).rejects.toMatchObject({
      code: 'wallet_error',
      finding: { code: 'chain_key_missing', index: 1 },
    });
  });

  it('are recognised without metadata by the keys that the seed derives', async () => {
    const { records } = chainRecords(seed, { external: 2, internal: 1 });
    const withoutMetadata = records.filter(({ key }) => !toLatin1(key).includes('keymeta'));
    const { primary, proof } = await migrate([withoutMetadata]);
    expect(proof.scripts.old).toBe(4 * 4);
    expect(keptOf(primary).map((desc) => desc.slice(0, 10))).toEqual([
      `combo(${hexOf(seed).slice(0, 4)}`,
      'combo(tpub',
      'combo(tpub',
    ]);
  });

  it('become single keys without their seed', async () => {
    const { records, keys } = chainRecords(seed, { external: 2, internal: 1 });
    const seedless = records.filter(({ key }) => !bytesToHex(key).endsWith(hexOf(seed)));
    const migrated = await migrate([seedless]);
    const { primary, proof } = migrated;
    expect(previewOf(seedless)).toEqual(countsOf(migrated));
    expect(proof.scripts.old).toBe(keys.length * 4);
    expect(keptOf(primary).every((desc) => /^combo\(\[\w{8}\/0h\/[01]h\/\dh\]\w+\)$/.test(desc))).toBe(true);
  });
});

describe('wallets that are refused', () => {
  it.each([
    ['flags of a later release', [flagsRecord(1n << 40n), keyRecords(own)], 'wallet_error'],
    [
      'flags of a descriptor wallet',
      [flagsRecord(flagBits.descriptor_wallet), keyRecords(own)],
      'wallet_error',
    ],
    [
      'keys where there should be none',
      [flagsRecord(flagBits.disable_private_keys), keyRecords(own)],
      'wallet_error',
    ],
    [
      'keys with an expiry',
      [
        writeRecord({
          type: 'wkey',
          publicKey: own.publicKey,
          version: 1,
          der: own.der,
          createTime: 0,
          expireTime: 0,
          comment: '',
        }),
      ],
      'wallet_error',
    ],
    [
      'a damaged script',
      [{ key: Uint8Array.of(7, ...Buffer.from('cscript')), value: new Uint8Array() }],
      'not_a_wallet',
    ],
    [
      'a damaged label, which would make a wallet that no node loads',
      [{ key: Uint8Array.of(4, ...Buffer.from('name'), 3, 0x61), value: Uint8Array.of(0) }],
      'not_a_wallet',
    ],
    [
      'damaged metadata',
      [{ key: Uint8Array.of(7, ...Buffer.from('keymeta'), 1, 2), value: new Uint8Array(3) }],
      'not_a_wallet',
    ],
  ] as const)('%s', async (_, records, code) => {
    await expect(
      migrate([...records].map((record) => (Array.isArray(record) ? record : [record]).flat())),
    ).rejects.toMatchObject({ code });
  });

  it('except for damaged flags, last blocks and positions, which every node takes for missing', async () => {
    const damaged = (type: string) => ({
      key: Uint8Array.of(type.length, ...Buffer.from(type)),
      value: Uint8Array.of(9),
    });
    const legacy = readLegacyWallet(
      inOrder(
        keyRecords(own),
        damaged('bestblock'),
        writeRecord({ type: 'bestblock_nomerkle', version: 1, blockHashes: ['ab'.repeat(32)] }),
        damaged('flags'),
        damaged('orderposnext'),
      ),
    );
    const { proof, primary } = await migrateLegacy(legacy, null, options, inMemory);
    expect(proof.scripts.old).toBe(4);
    expect(primary?.records.unread().damaged).toEqual([]);
    expect(primary?.records.of('bestblock_nomerkle')).toMatchObject([{ blockHashes: ['ab'.repeat(32)] }]);
  });

  it('except for damage in records that no release reads any more', async () => {
    const account = { key: Uint8Array.of(3, ...Buffer.from('acc'), 0), value: Uint8Array.of(9) };
    const legacy = readLegacyWallet(inOrder(keyRecords(own), account));
    const { primary, proof } = await migrateLegacy(legacy, null, options, inMemory);
    expect(proof.scripts.old).toBe(4);
    expect(Buffer.from(primary?.bytes ?? []).includes(Buffer.from(account.key))).toBe(true);
  });
});

it('keeps exactly the scripts that the rules of legacy wallets accept, whatever is in the wallet', async () => {
  const keys = [own, other, foreign, stranger, sampleKey(5, false), sampleKey(6, false)];
  const key = fc.constantFrom(...keys);
  const script = fc.oneof(
    key.map(({ p2pk }) => p2pk),
    key.map(({ p2pkh }) => p2pkh),
    key.map(({ p2wpkh }) => p2wpkh),
    key.map(({ nested }) => nested),
    fc
      .uniqueArray(key, { minLength: 1, maxLength: 3 })
      .chain((keys) =>
        fc.integer({ min: 1, max: keys.length }).map((required) => multisigOf(required, ...keys)),
      ),
    fc.constantFrom(
      makeOutputScript({ kind: 'p2tr', outputKey: own.publicKey.slice(1) }),
      Uint8Array.of(0x6a, 1, 2),
    ),
  );
  const wrapped = script.chain((inner) => fc.constantFrom(inner, p2shOf(inner)));
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.constantFrom(0, 1, 4, 5), { maxLength: 4 }),
      fc.array(wrapped, { maxLength: 3 }),
      fc.array(wrapped, { maxLength: 3 }),
      async (owned, stored, watched) => {
        const ownKeys = owned.flatMap((at) => keys[at] ?? []);
        const records = new Map(
          [
            ...ownKeys.flatMap((key) => keyRecords(key)),
            ...stored.map(scriptRecord),
            ...watched.flatMap((each) => watchRecords(each)),
          ].map((record) => [bytesToHex(record.key), record]),
        );
        const migrated = await migrate([...records.values()]);
        const { primary, watchonly, proof } = migrated;
        expect(previewOf(...records.values())).toEqual(countsOf(migrated));
        const old = scriptsOfWallet({
          ownKeys: ownKeys.map(({ publicKey }) => publicKey),
          scripts: stored,
          watched,
        });
        const leftOut = new Set(proof.leftOut);
        const expected = hexes(old.mine.values()).filter((hex) => !leftOut.has(hex));
        const kept = [...(primary?.scripts ?? []), ...(watchonly?.scripts ?? [])];
        expect(expected.filter((hex) => !kept.includes(hex))).toEqual([]);
        const fresh = (primary?.descriptors.filter(({ active }) => active).length ?? 0) * 2;
        expect(kept).toHaveLength(expected.length + fresh);
      },
    ),
    { numRuns: 40 },
  );
});
