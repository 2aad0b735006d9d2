/** For tests: a small wallet file for each of Bitcoin Core's conditions, made of a recorded one by editing its records. */
import { sha256 } from '@noble/hashes/sha2.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import type { ConditionCode } from '../../../shared/model/conditions.ts';
import { writeBerkeley } from '../../recovery/repair/writeBerkeley.ts';
import { encode } from '../bytes/serialization.ts';
import { genesisBlocks } from '../coin/coins.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { writeSqlite } from '../database/walletDatabase.ts';
import type { Descriptor } from '../descriptor/descriptor.ts';
import { parseDescriptor } from '../descriptor/descriptorParse.ts';
import { descriptorId, earlierDescriptorId, writePublic } from '../descriptor/descriptorWrite.ts';
import { encryptedKeyChecksum } from '../keys/crypter.ts';
import { keyChecksum, makeStoredKey, readDer } from '../keys/privateKey.ts';
import { publicKeyOf } from '../keys/publicKey.ts';
import {
  flagBits,
  type KnownRecord,
  parseRecord,
  type RecordOfType,
  recordsByType,
  writeRecord,
} from '../records/records.ts';
import { hash160 } from '../script/script.ts';
import { transaction, transactionId } from '../script/transaction.ts';
import { entriesOf } from './wallets.ts';

interface ConditionFile {
  readonly kind: 'legacy' | 'descriptor';
  readonly bytes: Uint8Array;
  readonly passphrase?: string;
}

type Edit = (records: RawRecord[]) => RawRecord[];

/** Functions that make the files. */
export const conditionFiles: Readonly<Record<ConditionCode, () => Promise<ConditionFile>>> = {
  'record-unreadable': descriptors((records) => [
    ...records,
    { key: nameKey(ADDRESS), value: Uint8Array.of() },
  ]),
  'record-longer': legacy(
    'legacy-hd',
    first('name', (record) => ({ ...record, trailing: Uint8Array.of(0x7a, 0x7a) })),
  ),
  'flags-unknown': descriptors(withFlags((flags) => flags | (1n << 40n))),
  'transaction-id': descriptors(first('tx', (tx) => ({ ...tx, transaction: paying(tx, 12_345n) }))),
  'transaction-amount': descriptors(
    first('tx', (tx) => {
      const transaction = paying(tx, 2_200_000_000_000_000n);
      return { ...tx, transaction, txid: transactionId(transaction) };
    }),
  ),
  'transaction-notes': descriptors(
    first('tx', (tx) => ({ ...tx, mapValue: [...tx.mapValue, { name: 'colour', value: 'blue' }] })),
  ),
  'transaction-variant': descriptors((records) => {
    const tx = recordsByType(records).of('tx')[0] as RecordOfType<'tx'>;
    const other = encode(transaction, paying(tx, 12_345n));
    return [
      ...records,
      writeRecord({ type: 'wtxvariant', txid: tx.txid, wtxid: 'ab'.repeat(32), transaction: other }),
    ];
  }),
  'transaction-place': descriptors(first('tx', (tx) => ({ ...tx, index: tx.index + 2 ** 20 }))),
  'reward-conflicted': descriptors((records) => [
    ...records,
    writeRecord({ ...reward(records), blockHash: genesisBlocks.regtest, index: -1 }),
  ]),
  'reward-spent': descriptors((records) => {
    const coinbase = { ...reward(records), blockHash: '0'.repeat(64), index: 0 };
    return [...records, writeRecord(coinbase), writeRecord(spendOf(coinbase))];
  }),
  async 'database-damaged'() {
    const { bytes } = await descriptors((records) => records)();
    const pageSize = new DataView(bytes.buffer, bytes.byteOffset).getUint16(16);
    const longer = new Uint8Array(bytes.length + pageSize);
    longer.set(bytes);
    // A page that belongs to nothing.
    new DataView(longer.buffer).setUint32(28, longer.length / pageSize);
    return { kind: 'descriptor', bytes: longer };
  },
  'flags-missing': descriptors((records) => records.filter((record) => typeOf(record) !== 'flags')),
  'descriptor-flag-watching': descriptors(withFlags((flags) => flags | flagBits.disable_private_keys)),
  'descriptor-flag-signer': descriptors(withFlags((flags) => flags | flagBits.external_signer)),
  'legacy-record': descriptors((records) => [
    ...records,
    writeRecord({ type: 'cscript', scriptId: hash160(Uint8Array.of(0x51)), script: Uint8Array.of(0x51) }),
  ]),
  'descriptor-unknown': descriptors(
    first('walletdescriptor', (record) => ({ ...record, descriptor: `future(${record.descriptor})` })),
  ),
  'descriptor-id': descriptors(
    first('walletdescriptor', (record) => ({ ...record, descriptorId: sha256(record.descriptorId) })),
  ),
  'descriptor-id-earlier': descriptors((records) => [
    ...records,
    single(MINISCRIPT, { id: earlierDescriptorId }),
  ]),
  'descriptor-id-later': descriptors((records) => [...records, single(MINISCRIPT)]),
  'descriptor-range': descriptors((records) => [...records, single(`wpkh(${POINT})`, { rangeEnd: 2 })]),
  'descriptor-range-negative': descriptors(
    first('walletdescriptor', (record) => ({ ...record, rangeStart: -1 })),
  ),
  'descriptor-cache': descriptors(without(firstOf('walletdescriptorcache'))),
  'descriptor-cache-key': descriptors(
    first('walletdescriptorcache', (record) => {
      const extendedPublicKey = record.extendedPublicKey.slice();
      extendedPublicKey.fill(0xff, 42);
      return { ...record, extendedPublicKey };
    }),
  ),
  'descriptor-misfit': descriptors(
    first('walletdescriptorcache', (record) => ({
      ...record,
      // A bit of the chain code.
      extendedPublicKey: record.extendedPublicKey.map((byte, at) => (at === 20 ? byte ^ 1 : byte)),
    })),
  ),
  'descriptor-keyless': descriptors((records) => {
    const id = recordsByType(records).of('walletdescriptor')[0]?.descriptorId as Uint8Array;
    return records.filter((record) => typeOf(record) !== 'walletdescriptorkey' || !holds(record.key, id));
  }),
  'descriptor-key': descriptors(
    first('walletdescriptorkey', (record) => ({ ...record, checksum: sha256(record.checksum) })),
  ),
  'descriptor-keys-mixed': descriptors((records) => {
    const descriptorId = recordsByType(records).of('walletdescriptorckey')[0]?.descriptorId as Uint8Array;
    return [...records, openKey(descriptorId)];
  }, 'descriptor-encrypted'),
  'descriptor-keys-open': descriptors((records) => {
    const watched = single(`wpkh(${POINT})`);
    return [...records, watched, openKey(idIn(watched))];
  }, 'descriptor-encrypted'),
  'descriptor-key-sealed': descriptors(
    first('walletdescriptorckey', (record) => ({
      ...record,
      encrypted: record.encrypted.map((byte, at) => (at === 0 ? byte ^ 1 : byte)),
    })),
    'descriptor-encrypted',
  ),
  'descriptor-cache-locked': descriptors(without(firstOf('walletdescriptorlhcache')), 'descriptor-encrypted'),
  'descriptor-next': descriptors(first('walletdescriptor', (record) => ({ ...record, nextIndex: -5 }))),
  'descriptor-orphan': descriptors((records) => [
    ...records,
    writeRecord({
      ...(recordsByType(records).of('walletdescriptorcache')[0] as RecordOfType<'walletdescriptorcache'>),
      descriptorId: sha256(SECRET),
    }),
  ]),
  'descriptor-seed': descriptors((records) => {
    const id = recordsByType(records).of('walletdescriptor')[0]?.descriptorId as Uint8Array;
    const isDropped = (record: RawRecord) =>
      ['walletdescriptorkey', 'walletdescriptorlhcache'].includes(typeOf(record)) && holds(record.key, id);
    return withFlags((flags) => flags & ~flagBits.last_hardened_xpub_cached)(
      records.filter((record) => !isDropped(record)),
    );
  }),
  'descriptor-size': descriptors(
    first('walletdescriptor', (record) => ({ ...record, rangeEnd: 2_000_000_000 })),
  ),
  'active-unknown': descriptors(
    first('activeexternalspk', (record) => ({ ...record, descriptorId: sha256(record.descriptorId) })),
  ),
  'active-type': descriptors((records) =>
    records.map((record) => {
      if (record !== firstOf('activeexternalspk')(records)) return record;
      const key = record.key.slice();
      key[key.length - 1] = 7;
      return { key, value: record.value };
    }),
  ),
  'active-kind': descriptors((records) => {
    const combo = single(`combo(${POINT})`);
    const id = idIn(combo);
    return [...first('activeexternalspk', (record) => ({ ...record, descriptorId: id }))(records), combo];
  }),
  'descriptor-record': legacy('legacy-hd', (records) => [
    ...records,
    writeRecord({ type: 'activeexternalspk', addressType: 'bech32', descriptorId: sha256(SECRET) }),
  ]),
  'flags-blank': legacy(
    'legacy-hd',
    withFlags((flags) => flags | flagBits.blank),
  ),
  'flags-descriptor': legacy(
    'legacy-hd',
    withFlags(() => flagBits.descriptor_wallet),
  ),
  'flags-signer': legacy(
    'legacy-imported',
    withFlags(() => flagBits.external_signer),
  ),
  'flags-no-keys': legacy(
    'legacy-imported',
    withFlags(() => flagBits.disable_private_keys),
  ),
  'key-damaged': legacy(
    'legacy-hd',
    first('key', (record) => ({ ...record, checksum: sha256(record.checksum as Uint8Array) })),
  ),
  'key-form': legacy('legacy-hd', (records) => [...records, hybridKey()]),
  'key-misfit': legacy('legacy-hd', (records) => {
    const own = makeStoredKey({ privateKey: SECRET, compressed: true });
    const publicKey = publicKeyOf(OTHER_SECRET);
    return [
      ...records,
      writeRecord({ type: 'key', ...own, publicKey, checksum: keyChecksum(publicKey, own.der) }),
    ];
  }),
  'key-sealed': legacy('legacy-hd-encrypted', (records) => {
    const encrypted = new Uint8Array(48).fill(7);
    const checksum = encryptedKeyChecksum(encrypted);
    return [...records, writeRecord({ type: 'ckey', publicKey: publicKeyOf(SECRET), encrypted, checksum })];
  }),
  'keys-mixed': legacy('legacy-hd-encrypted', (records) => [
    ...records,
    writeRecord({ type: 'key', ...makeStoredKey({ privateKey: SECRET, compressed: true }) }),
  ]),
  'default-key': legacy('legacy-hd', (records) => [
    ...records,
    writeRecord({ type: 'defaultkey', publicKey: new Uint8Array(33).fill(5) }),
  ]),
  'master-missing': legacy('legacy-hd-encrypted', (records) =>
    records.filter((record) => typeOf(record) !== 'mkey'),
  ),
  'master-needless': withMasterKey('legacy-hd'),
  'master-watching': withMasterKey('legacy-nokeys'),
  'pool-damaged': legacy('legacy-hd', (records) => {
    const cut = firstOf('pool')(records);
    return records.map((record) =>
      record === cut ? { key: record.key, value: record.value.slice(0, 3) } : record,
    );
  }),
  'pool-longer': legacy(
    'legacy-hd',
    first('pool', (record) => ({ ...record, trailing: Uint8Array.of(0) })),
  ),
  'pool-key': legacy(
    'legacy-hd',
    first('pool', (record) => ({ ...record, publicKey: new Uint8Array(33).fill(5) })),
  ),
  'version-rewrite': legacy(
    'legacy-hd-encrypted',
    first('version', (record) => ({ ...record, version: 40_000 })),
  ),
  'chain-apart': legacy('legacy-hd', (records) => without(chainMetadata)(records)),
  'chain-twice': legacy('legacy-hd', (records) => {
    const byType = recordsByType(records);
    const seedId = byType.one('hdchain')?.seedId as Uint8Array;
    const seed = byType
      .of('key')
      .find(({ publicKey }) => equal(hash160(publicKey), seedId)) as RecordOfType<'key'>;
    const again = makeStoredKey({ privateKey: readDer(seed.der) as Uint8Array, compressed: false });
    const firstMetadata = chainMetadata(records);
    return [
      ...records.map((record) => {
        const parsed = parseRecord(record.key, record.value);
        if (record !== firstMetadata || parsed.type !== 'keymeta' || !parsed.hd) return record;
        return writeRecord({ ...parsed, hd: { ...parsed.hd, seedId: hash160(again.publicKey) } });
      }),
      writeRecord({ type: 'key', ...again }),
    ];
  }),
  'chain-unknown': legacy('legacy-hd-encrypted', (records) => records),
};

const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
/** The private keys 1 and 2, and the public key of the first. */
const SECRET = hexToBytes('01'.padStart(64, '0'));
const OTHER_SECRET = hexToBytes('02'.padStart(64, '0'));
const POINT = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
/** With `h` for hardened steps, as nodes write them today. */
const MINISCRIPT = `wsh(and_v(v:pk([00000000/48h/1h]${POINT}),older(144)))`;
const PASSPHRASES: Readonly<Record<string, string>> = {
  'descriptor-encrypted': 'correct horse battery staple',
  'legacy-hd-encrypted': 'correct horse battery staple',
};

function descriptors(edit: Edit, name = 'descriptor-hd'): () => Promise<ConditionFile> {
  return async () => {
    const records = edit([...(await entriesOf(name))]);
    const passphrase = PASSPHRASES[name];
    const bytes = await writeSqlite(records, 'regtest');
    return { kind: 'descriptor', bytes, ...(passphrase === undefined ? {} : { passphrase }) };
  };
}

/** A plain wallet with the master key of an encrypted one. */
function withMasterKey(name: string): () => Promise<ConditionFile> {
  return async () => {
    const master = firstOf('mkey')(await entriesOf('legacy-hd-encrypted')) as RawRecord;
    const file = await legacy(name, (records) => [...records, master])();
    return { ...file, passphrase: PASSPHRASES['legacy-hd-encrypted'] as string };
  };
}

function legacy(name: string, edit: Edit): () => Promise<ConditionFile> {
  return async () => {
    const records = edit([...(await entriesOf(name))]);
    const bytes = writeBerkeley(records.sort((one, other) => Buffer.compare(one.key, other.key)));
    const passphrase = PASSPHRASES[name];
    return { kind: 'legacy', bytes, ...(passphrase === undefined ? {} : { passphrase }) };
  };
}

function typeOf({ key, value }: RawRecord): string {
  return parseRecord(key, value).type;
}

function firstOf(type: KnownRecord['type']) {
  return (records: readonly RawRecord[]) => records.find((record) => typeOf(record) === type);
}

/** The metadata of the active chain's first address. */
function chainMetadata(records: readonly RawRecord[]): RawRecord | undefined {
  return records.find(({ key, value }) => {
    const record = parseRecord(key, value);
    return record.type === 'keymeta' && record.hd?.keyPath === "m/0'/0'/0'";
  });
}

function without(which: (records: readonly RawRecord[]) => RawRecord | undefined): Edit {
  return (records) => records.filter((record) => record !== which(records));
}

function first<T extends KnownRecord['type']>(
  type: T,
  change: (record: RecordOfType<T>) => RecordOfType<T>,
): Edit {
  return (records) => {
    const one = firstOf(type)(records);
    return records.map((record) =>
      record === one ? writeRecord(change(parseRecord(record.key, record.value) as RecordOfType<T>)) : record,
    );
  };
}

function withFlags(change: (flags: bigint) => bigint): Edit {
  return (records) => {
    const flags = change(recordsByType(records).one('flags')?.flags ?? 0n);
    return [...records.filter((record) => typeOf(record) !== 'flags'), writeRecord({ type: 'flags', flags })];
  };
}

function paying({ transaction }: RecordOfType<'tx'>, value: bigint): RecordOfType<'tx'>['transaction'] {
  const [output, ...others] = transaction.outputs;
  if (!output) throw new Error('a transaction without outputs');
  return { ...transaction, outputs: [{ ...output, value }, ...others] };
}

function single(
  text: string,
  { rangeEnd = 1, id = descriptorId }: { rangeEnd?: number; id?: (of: Descriptor) => Uint8Array | null } = {},
): RawRecord {
  const { descriptor } = parseDescriptor(text, { network: 'regtest', checksum: 'optional' });
  return writeRecord({
    type: 'walletdescriptor',
    descriptorId: id(descriptor) ?? descriptorId(descriptor),
    descriptor: writePublic(descriptor),
    createTime: 1,
    nextIndex: 0,
    rangeStart: 0,
    rangeEnd,
  });
}

function hybridKey(): RawRecord {
  const usual = publicKeyOf(SECRET, false);
  const publicKey = usual.slice();
  publicKey[0] = 6 + ((usual[64] ?? 0) & 1);
  const { der } = makeStoredKey({ privateKey: SECRET, compressed: false });
  return writeRecord({ type: 'key', publicKey, der, checksum: keyChecksum(publicKey, der) });
}

function idIn({ key, value }: RawRecord): Uint8Array {
  return (parseRecord(key, value) as RecordOfType<'walletdescriptor'>).descriptorId;
}

/** The private key 1 as a record of a descriptor. */
function openKey(descriptorId: Uint8Array): RawRecord {
  const stored = makeStoredKey({ privateKey: SECRET, compressed: true });
  return writeRecord({ type: 'walletdescriptorkey', descriptorId, ...stored });
}

function holds(key: Uint8Array, part: Uint8Array): boolean {
  return Buffer.from(key).includes(Buffer.from(part));
}

/** The wallet's first transaction as a block reward. */
function reward(records: readonly RawRecord[]): RecordOfType<'tx'> {
  const tx = recordsByType(records).of('tx')[0] as RecordOfType<'tx'>;
  const scriptSig = Uint8Array.of(0x51, 0x51);
  const input = { txid: '0'.repeat(64), index: 0xffffffff, scriptSig, sequence: 0xffffffff, witness: [] };
  return renamed({ ...tx, transaction: { ...tx.transaction, inputs: [input] } });
}

/** A transaction of the first block that spends it. */
function spendOf(tx: RecordOfType<'tx'>): RecordOfType<'tx'> {
  const input = { txid: tx.txid, index: 0, scriptSig: new Uint8Array(), sequence: 0xffffffff, witness: [] };
  const spend = { ...tx, transaction: { ...tx.transaction, inputs: [input] } };
  return renamed({ ...spend, blockHash: genesisBlocks.regtest, index: 1 });
}

function renamed(tx: RecordOfType<'tx'>): RecordOfType<'tx'> {
  return { ...tx, txid: transactionId(tx.transaction) };
}

function nameKey(address: string): Uint8Array {
  return writeRecord({ type: 'name', address, label: '' }).key;
}

function equal(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
