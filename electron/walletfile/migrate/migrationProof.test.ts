/** Files that were tampered with after a right migration: each must be found out. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { errorShapeOf } from '../../../shared/wording/errorWords.ts';
import { byteText } from '../bytes/byteText.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { writeSqlite } from '../database/walletDatabase.ts';
import { legacyPrivateKeys } from '../legacy/legacyKeys.ts';
import { readLegacyWallet } from '../legacy/legacyWallet.ts';
import { RecordWriter } from '../records/records.ts';
import {
  addressOfScript,
  addressRecords,
  chainRecords,
  inOrder,
  keyRecords,
  lockRecord,
  multisigOf,
  network,
  p2shOf,
  sampleKey,
  scriptRecord,
  transactionRecord,
  watchRecords,
} from '../testing/sampleWallet.ts';
import { companionRecords, mainRecords } from './migratedRecords.ts';
import { migrationContents } from './migrateLegacy.ts';
import { proveMigration } from './migrationProof.ts';
import { descriptorRecords, keyDescriptor } from './plannedDescriptor.ts';

const own = sampleKey(1);
const other = sampleKey(2);
const foreign = sampleKey(9);
const whole = multisigOf(2, own, other);
const part = multisigOf(2, own, foreign);
const chain = chainRecords(sampleKey(20), { external: 2, internal: 1 });
const paid = transactionRecord([own.p2pkh]);
const watched = transactionRecord([foreign.p2pkh]);

const random = (size: number) => new Uint8Array(size);

interface Records {
  primary: RawRecord[];
  watchonly: RawRecord[];
  solvables: RawRecord[];
}

/** A wallet with a bit of everything, its new records changed as asked, written and proved. */
async function prove(change: (records: Records) => Records = (records) => records) {
  const wallet = readLegacyWallet(
    inOrder(
      keyRecords(own),
      keyRecords(other),
      chain.records,
      scriptRecord(whole),
      scriptRecord(part),
      watchRecords(foreign.p2pkh),
      watchRecords(p2shOf(part)),
      paid.record,
      watched.record,
      lockRecord({ txid: paid.txid, index: 0 }),
      addressRecords(addressOfScript(own.p2pkh), 'mine', 'receive'),
      addressRecords(addressOfScript(foreign.p2pkh), 'watched', 'receive'),
    ),
  );
  const contents = migrationContents(wallet, null, { network, name: 'w', now: 1, keypoolSize: 2, random });
  const made = change({
    primary: [...mainRecords(contents)],
    watchonly: [...companionRecords('watchonly', contents)],
    solvables: [...companionRecords('solvables', contents)],
  });
  const written = async (records: RawRecord[]) => ({ records, bytes: await writeSqlite(records, network) });
  const files = {
    primary: await written(made.primary),
    watchonly: await written(made.watchonly),
    solvables: await written(made.solvables),
  };
  const input = { ...contents, masterKey: null, main: 'primary', files } as const;
  return { input, proof: proveMigration(input) };
}

/** Every record whose key or value holds a text, taken out or changed. */
const without = (records: RawRecord[], text: string) =>
  records.filter(({ key, value }) => !`${byteText(key)}${byteText(value)}`.includes(text));
const hexOf = ({ publicKey }: typeof own) => bytesToHex(publicKey);
const refusal = (fault: object) => ({
  code: 'wallet_error',
  finding: {
    code: 'proof_failed',
    faults: { shown: expect.arrayContaining([expect.objectContaining(fault)]) },
  },
});

describe('proveMigration', () => {
  it('tells what it proved', async () => {
    const { proof } = await prove();
    expect(proof).toEqual({
      scripts: { old: 2 * 4 + 4 * 4 + 1 + 2, primary: 2 * 4 + 4 * 4 + 1, watchonly: 2 },
      solvable: 2,
      ready: 0,
      addressRecords: 4,
      transactions: 2,
      lockedCoins: 1,
      leftOut: [],
    });
  });

  it('finds a key that is missing', async () => {
    // Its descriptor, and the record of its private key.
    const lost = (records: Records) => ({
      ...records,
      primary: records.primary.filter(({ key, value }) => {
        if (byteText(value).includes(`combo([`) && byteText(value).includes(hexOf(own))) return false;
        return !(
          byteText(key).includes('walletdescriptorkey') && byteText(key).includes(byteText(own.publicKey))
        );
      }),
    });
    await expect(prove(lost)).rejects.toMatchObject(
      refusal({ code: 'script_lost', address: addressOfScript(own.p2pkh) }),
    );
  });

  it.each([
    [
      'a watched script that is missing',
      { code: 'script_lost', address: addressOfScript(foreign.p2pkh) },
      (records: Records) => ({
        ...records,
        watchonly: without(records.watchonly, `addr(${addressOfScript(foreign.p2pkh)})`),
      }),
    ],
    [
      'a private key that is missing',
      { code: 'private_key_lost' },
      (records: Records) => ({
        ...records,
        primary: records.primary.filter(
          ({ key }) =>
            !/walletdescriptorkey/.test(byteText(key)) || !byteText(key).endsWith(byteText(own.publicKey)),
        ),
      }),
    ],
    [
      'a private key of another public key',
      { code: 'private_key_lost' },
      (records: Records) => ({
        ...records,
        primary: records.primary.map((record) =>
          /walletdescriptorkey/.test(byteText(record.key)) &&
          byteText(record.key).endsWith(byteText(own.publicKey))
            ? { key: record.key, value: Uint8Array.of(other.der.length, ...other.der, ...other.checksum) }
            : record,
        ),
      }),
    ],
    [
      'a key of a range that is not remembered',
      { code: 'descriptor_key_lost' },
      (records: Records) => {
        const [first] = records.primary.filter(({ key }) => key.length === 1 + 21 + 32 + 8);
        return { ...records, primary: records.primary.filter((record) => record !== first) };
      },
    ],
    [
      'a script that the old wallet did not have',
      { code: 'script_added' },
      (records: Records) => {
        const stranger = readLegacyWallet(keyRecords(sampleKey(30)));
        const privateKeys = legacyPrivateKeys(stranger, null);
        const writer = new RecordWriter();
        const strangers = stranger.keys.all.flatMap((key) => [
          ...descriptorRecords(keyDescriptor(key, privateKeys, false), writer),
        ]);
        return {
          ...records,
          primary: [...records.primary, ...strangers],
        };
      },
    ],
    [
      'a watched script in the main wallet',
      { code: 'script_keys_lost' },
      (records: Records) => {
        const moved = records.watchonly.filter(({ key }) => byteText(key).startsWith('\x10walletdescriptor'));
        const rest = records.watchonly.filter((record) => !moved.includes(record));
        return { ...records, primary: [...records.primary, ...moved], watchonly: rest };
      },
    ],
    [
      'a solvable script that is missing',
      { code: 'solvable_scripts_lost' },
      (records: Records) => {
        const [first] = records.solvables.filter(({ key }) =>
          byteText(key).startsWith('\x10walletdescriptor'),
        );
        return { ...records, solvables: records.solvables.filter((record) => record !== first) };
      },
    ],
    [
      'a transaction that is missing',
      { code: 'transaction_records_lost' },
      (records: Records) => ({
        ...records,
        primary: records.primary.filter((record) => record.key[0] !== 2),
      }),
    ],
    [
      'a transaction in the wrong wallet',
      { code: 'transaction_records_lost' },
      (records: Records) => {
        const moved = records.watchonly.filter(({ key }) => byteText(key).startsWith('\x02tx'));
        const watchonly = records.watchonly.filter((record) => !moved.includes(record));
        return { ...records, primary: [...records.primary, ...moved], watchonly };
      },
    ],
    [
      'a locked coin that is missing',
      { code: 'transaction_records_lost' },
      (records: Records) => ({
        ...records,
        primary: records.primary.filter(({ key }) => !byteText(key).startsWith('\x0alockedutxo')),
      }),
    ],
    [
      'a label that is missing',
      { code: 'address_records_lost' },
      (records: Records) => ({ ...records, watchonly: without(records.watchonly, 'watched') }),
    ],
    [
      'an address in the wrong wallet',
      { code: 'addresses_in_wrong_wallet' },
      (records: Records) => {
        const moved = records.watchonly.filter(
          ({ key }) =>
            byteText(key).includes('purpose') && byteText(key).includes(addressOfScript(foreign.p2pkh)),
        );
        const watchonly = records.watchonly.filter((record) => !moved.includes(record));
        return { ...records, primary: [...records.primary, ...moved], watchonly };
      },
    ],
  ])('finds %s', async (_, fault, change) => {
    await expect(prove(change)).rejects.toMatchObject(refusal(fault));
  });

  it('finds a file that does not hold what was to be written', async () => {
    const { input } = await prove();
    const { primary } = input.files;
    const failure = { code: 'internal', finding: { code: 'new_wallet_not_read_back' } };
    const proveWith = (file: typeof primary) => () =>
      proveMigration({ ...input, files: { ...input.files, primary: file } });
    const lessRecords = { ...primary, records: primary.records.slice(0, -1) };
    const moreRecords = {
      ...primary,
      records: [...primary.records, { key: Uint8Array.of(1), value: Uint8Array.of() }],
    };
    // Everywhere in the file: SQLite leaves old copies in the unused room of its pages.
    const changed = Buffer.from(primary.bytes).toString('latin1').replaceAll(hexOf(own), hexOf(foreign));
    const otherBytes = { ...primary, bytes: Uint8Array.from(Buffer.from(changed, 'latin1')) };
    const otherNetwork = { ...primary, bytes: await writeSqlite(primary.records, 'signet') };
    for (const file of [lessRecords, moreRecords, otherBytes, otherNetwork]) {
      expect(proveWith(file)).toThrow(expect.objectContaining(failure));
    }
  });

  it('tells neither private keys nor descriptors with them', async () => {
    const broken = prove((records) => ({ ...records, watchonly: without(records.watchonly, 'addr(') }));
    await expect(broken).rejects.toSatisfy((error) => {
      const text = JSON.stringify(errorShapeOf(error));
      return !text.includes(bytesToHex(own.privateKey)) && !/prv|\bc[1-9A-HJ-NP-Za-km-z]{51}/.test(text);
    });
  });
});
