/** The recorded wallets for tests: their files, what a node reported about them, and Berkeley DB files of other forms. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Network } from '../../../shared/model/network.ts';
import type { ByteSource } from '../bytes/byteSource.ts';
import { readBerkeley } from '../database/berkeley.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { readSqlite, writeSqlite } from '../database/walletDatabase.ts';
import { decryptKey } from '../keys/crypter.ts';
import { readDer, writeWif } from '../keys/privateKey.ts';
import {
  type KnownRecord,
  parseRecord,
  type RecordOfType,
  recordsByType,
  type WalletRecord,
  writeRecord,
} from '../records/records.ts';

const wallets = new URL('../../../e2e/fixtures/wallets/', import.meta.url);
const berkeley = new URL('../../../e2e/fixtures/berkeley/', import.meta.url);

export const walletNames = readdirSync(wallets);
export const legacyNames = walletNames.filter((name) => name.startsWith('legacy'));
export const descriptorNames = walletNames.filter((name) => name.startsWith('descriptor'));

/** A node's answers about a wallet, as far as tests use them. */
export interface NodeView {
  getwalletinfo: {
    walletname: string;
    walletversion: number;
    format: 'bdb' | 'sqlite';
    txcount: number;
    birthtime?: number;
    hdseedid?: string;
    private_keys_enabled: boolean;
    keypoolsize: number;
    keypoolsize_hd_internal: number;
    flags?: string[];
  };
  getbalances: { mine: { trusted: number }; watchonly?: { trusted: number } };
  transactions: string[];
  listlabels?: string[];
  listlockunspent?: { txid: string; vout: number }[];
  listreceivedbyaddress: { address: string; label: string; amount: number }[];
  listunspent: {
    txid: string;
    vout: number;
    amount: number;
    scriptPubKey: string;
    address?: string;
    desc?: string;
    solvable: boolean;
    spendable: boolean;
  }[];
  listdescriptors?: { descriptors: NodeDescriptor[] };
  listdescriptors_private?: { descriptors: NodeDescriptor[] };
}

export interface NodeDescriptor {
  desc: string;
  active: boolean;
  internal?: boolean;
  range?: [first: number, last: number];
  next?: number;
  next_index?: number;
  timestamp: number;
}

interface Facts {
  passphrase?: string;
  before: NodeView;
  after_by_release?: Record<
    string,
    {
      migratewallet: Partial<
        Record<'wallet_name' | 'watchonly_name' | 'solvables_name' | 'backup_path', string>
      >;
      wallets: Record<string, NodeView>;
    }
  >;
}

export function walletPath(name: string): string {
  return fileURLToPath(new URL(`${name}/wallet.dat`, wallets));
}

export function walletFile(name: string): Uint8Array {
  return Uint8Array.from(readFileSync(walletPath(name)));
}

/** The path and the bytes of a recorded wallet, and its passphrase if it is encrypted. */
export function recordingOf(name: string): { file: string; bytes: Buffer; passphrase: string | undefined } {
  const { passphrase } = factsOf(name);
  return { file: walletPath(name), bytes: Buffer.from(walletFile(name)), passphrase };
}

/** The bytes as those of a file that is too large for memory. */
export function sourceOnDisk(bytes: Uint8Array): ByteSource {
  const read = (offset: number, length: number) => bytes.slice(offset, offset + length);
  return { size: bytes.length, inMemory: null, read };
}

export function factsOf(name: string): Facts {
  return JSON.parse(readFileSync(new URL(`${name}/facts.json`, wallets), 'utf8'));
}

/** The wallets that release 31.0 made of a legacy wallet. */
export function migrated(name: string): NodeView[] {
  return Object.values(factsOf(name).after_by_release?.['31.0']?.wallets ?? {});
}

export async function entriesOf(name: string): Promise<RawRecord[]> {
  const file = walletFile(name);
  return name.startsWith('legacy') ? readBerkeley(file).records : (await readSqlite(file)).records;
}

type RecordChange = (record: WalletRecord) => WalletRecord | null;

/**
 * A recorded wallet with other records, as an SQLite file. `change` returns null to remove a record. A legacy wallet in SQLite is what an
 * interrupted migration leaves.
 */
export async function editedWallet(
  name: string,
  change: RecordChange = (record) => record,
  more: readonly RawRecord[] = [],
): Promise<Uint8Array> {
  const changed = (await entriesOf(name)).flatMap(({ key, value }) => change(parseRecord(key, value)) ?? []);
  return writeSqlite([...changed.map(writeRecord), ...more], 'regtest');
}

/** Changes the first record of a type, or removes it if `change` returns null. */
export function changeFirst<T extends KnownRecord['type']>(
  type: T,
  change: (record: RecordOfType<T>) => WalletRecord | null,
): RecordChange {
  let isFirst = true;
  return (record) => {
    if (record.type !== type || !isFirst) return record;
    isFirst = false;
    return change(record as RecordOfType<T>);
  };
}

/** Records as text, which Vitest compares much faster than bytes. */
export function recordTexts(records: readonly RawRecord[]): string[] {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  return records.map(({ key, value }) => `${hex(key)} ${hex(value)}`);
}

/** The private keys in records as WIF, sorted. Encrypted keys count only with their master key. */
export function wifsIn(
  entries: readonly RawRecord[],
  masterKey: Uint8Array | null = null,
  network: Network = 'regtest',
): string[] {
  const records = recordsByType(entries);
  const plain = records.of('key').map(({ publicKey, der }) => ({ publicKey, privateKey: readDer(der) }));
  const encrypted = records
    .of('ckey')
    .map((key) => ({ publicKey: key.publicKey, privateKey: masterKey && decryptKey(masterKey, key) }));
  return [...plain, ...encrypted]
    .flatMap(({ publicKey, privateKey }) =>
      privateKey ? writeWif({ privateKey, compressed: publicKey.length === 33 }, network) : [],
    )
    .sort();
}

/** The records of known types, in the order of the file. */
export function knownRecords(entries: readonly RawRecord[]): KnownRecord[] {
  return entries.flatMap(({ key, value }) => {
    const record = parseRecord(key, value);
    return record.type === 'unknown' || record.type === 'damaged' ? [] : [record];
  });
}

/** A file of `e2e/fixtures/berkeley`, whose README describes how each was made. */
export function berkeleyFile(name: string): Uint8Array {
  return Uint8Array.from(gunzipSync(readFileSync(new URL(`${name}.dat.gz`, berkeley))));
}
