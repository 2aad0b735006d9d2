/** Proves migrations whose new files were changed afterwards. The proof must find each change. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { errorShapeOf } from '../../../shared/wording/findings/findingWords.ts';
import { toLatin1 } from '../bytes/textCoding.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { writeSqlite } from '../database/walletDatabase.ts';
import { legacyPrivateKeys } from '../legacy/legacyKeys.ts';
import { readLegacyWallet } from '../legacy/legacyWallet.ts';
import { RecordWriter, recordsByType, typeIn } from '../records/records.ts';
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

/** Migrates a wallet with records of every kind, changes the new records, and proves the files. */
async function prove(change: Change = (records) => records) {
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
  const changed = change({
    primary: mainRecords(contents),
    watchonly: companionRecords('watchonly', contents),
    solvables: companionRecords('solvables', contents),
  });
  const written = async (records: RawRecord[]) => ({
    records,
    byType: () => recordsByType(records),
    bytes: await writeSqlite(records, network),
  });
  const files = {
    primary: await written(changed.primary),
    watchonly: await written(changed.watchonly),
    solvables: await written(changed.solvables),
  };
  const input = { ...contents, masterKey: null, main: 'primary', files } as const;
  return { input, proof: proveMigration(input) };
}

type Part = keyof Records;
type Change = (records: Records) => Records;

const edit =
  (part: Part, change: (records: RawRecord[]) => RawRecord[]): Change =>
  (records) => ({ ...records, [part]: change(records[part]) });
const remove = (part: Part, isRemoved: (record: RawRecord) => boolean) =>
  edit(part, (records) => records.filter((record) => !isRemoved(record)));
const removeFirst = (part: Part, isRemoved: (record: RawRecord) => boolean) =>
  edit(part, (records) => {
    const first = records.find(isRemoved);
    return records.filter((record) => record !== first);
  });
/** Moves records of the watch-only wallet to the main one. */
const move =
  (isMoved: (record: RawRecord) => boolean): Change =>
  ({ primary, watchonly, solvables }) => ({
    primary: [...primary, ...watchonly.filter(isMoved)],
    watchonly: watchonly.filter((record) => !isMoved(record)),
    solvables,
  });

const contains = (text: string) => (record: RawRecord) =>
  `${toLatin1(record.key)}${toLatin1(record.value)}`.includes(text);
const isOf = (type: string) => (record: RawRecord) => typeIn(record.key) === type;
const isOwnKey = (record: RawRecord) =>
  isOf('walletdescriptorkey')(record) && toLatin1(record.key).endsWith(toLatin1(own.publicKey));
const hexOf = ({ publicKey }: typeof own) => bytesToHex(publicKey);
const watchedAddress = addressOfScript(foreign.p2pkh);

/** The records of a key that the wallet does not have. */
function foreignRecords(): RawRecord[] {
  const wallet = readLegacyWallet(keyRecords(sampleKey(30)));
  const privateKeys = legacyPrivateKeys(wallet, null);
  return wallet.keys.all.flatMap((key) => [
    ...descriptorRecords(keyDescriptor(key, privateKeys, false), new RecordWriter()),
  ]);
}

const refusal = (fault: object) => ({
  code: 'wallet_error',
  finding: {
    code: 'proof_failed',
    faults: { shown: expect.arrayContaining([expect.objectContaining(fault)]) },
  },
});

describe('proveMigration', () => {
  it('returns what it proved', async () => {
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

  it.each<[title: string, fault: object, change: Change]>([
    [
      'a missing key',
      { code: 'script_lost', address: addressOfScript(own.p2pkh) },
      remove('primary', (record) => isOwnKey(record) || contains(`]${hexOf(own)})#`)(record)),
    ],
    [
      'a missing watched script',
      { code: 'script_lost', address: watchedAddress },
      remove('watchonly', contains(`addr(${watchedAddress})`)),
    ],
    ['a missing private key', { code: 'private_key_lost' }, remove('primary', isOwnKey)],
    [
      'a private key of another public key',
      { code: 'private_key_lost' },
      edit('primary', (records) => {
        const value = Uint8Array.of(other.der.length, ...other.der, ...other.checksum);
        return records.map((record) => (isOwnKey(record) ? { key: record.key, value } : record));
      }),
    ],
    [
      'a key of a range that is not cached',
      { code: 'descriptor_key_lost' },
      removeFirst('primary', ({ key }) => key.length === 1 + 21 + 32 + 8),
    ],
    [
      'a script that the old wallet did not have',
      { code: 'script_added' },
      edit('primary', (records) => [...records, ...foreignRecords()]),
    ],
    ['a watched script in the main wallet', { code: 'script_keys_lost' }, move(isOf('walletdescriptor'))],
    [
      'a missing solvable script',
      { code: 'solvable_scripts_lost' },
      removeFirst('solvables', isOf('walletdescriptor')),
    ],
    ['a missing transaction', { code: 'transaction_records_lost' }, remove('primary', isOf('tx'))],
    ['a transaction in the wrong wallet', { code: 'transaction_records_lost' }, move(isOf('tx'))],
    ['a missing locked coin', { code: 'transaction_records_lost' }, remove('primary', isOf('lockedutxo'))],
    ['a missing label', { code: 'address_records_lost' }, remove('watchonly', contains('watched'))],
    [
      'an address in the wrong wallet',
      { code: 'addresses_in_wrong_wallet' },
      move((record) => isOf('purpose')(record) && contains(watchedAddress)(record)),
    ],
  ])('finds %s', async (_, fault, change) => {
    await expect(prove(change)).rejects.toMatchObject(refusal(fault));
  });

  it('finds a file that differs from its records', async () => {
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
    // Everywhere in the file, because SQLite leaves old copies in the free space of pages.
    const changed = Buffer.from(primary.bytes).toString('latin1').replaceAll(hexOf(own), hexOf(foreign));
    const otherBytes = { ...primary, bytes: Uint8Array.from(Buffer.from(changed, 'latin1')) };
    const otherNetwork = { ...primary, bytes: await writeSqlite(primary.records, 'signet') };
    for (const file of [lessRecords, moreRecords, otherBytes, otherNetwork]) {
      expect(proveWith(file)).toThrow(expect.objectContaining(failure));
    }
  });

  it('quotes no private keys in its error', async () => {
    const broken = prove(remove('watchonly', contains('addr(')));
    await expect(broken).rejects.toSatisfy((error) => {
      const text = JSON.stringify(errorShapeOf(error));
      return !text.includes(bytesToHex(own.privateKey)) && !/prv|\bc[1-9A-HJ-NP-Za-km-z]{51}/.test(text);
    });
  });
});
