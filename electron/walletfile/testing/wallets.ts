/** The recorded wallets for tests: their files, what a node said of them, and Berkeley DB files of other shapes. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { readBerkeley } from '../database/berkeley.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { readSqlite } from '../database/walletDatabase.ts';
import { type KnownRecord, parseRecord } from '../records/records.ts';

const wallets = new URL('../../../e2e/fixtures/wallets/', import.meta.url);
const berkeley = new URL('../../../e2e/fixtures/berkeley/', import.meta.url);

export const walletNames = readdirSync(wallets);
export const legacyNames = walletNames.filter((name) => name.startsWith('legacy'));
export const descriptorNames = walletNames.filter((name) => name.startsWith('descriptor'));

/** What a node said of a wallet, as far as tests look at it. */
export interface NodeView {
  getwalletinfo: {
    walletname: string;
    walletversion: number;
    hdseedid?: string;
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

export interface Facts {
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

export function factsOf(name: string): Facts {
  return JSON.parse(readFileSync(new URL(`${name}/facts.json`, wallets), 'utf8'));
}

/** What release 31.0 made of a legacy wallet: one view for each wallet that came of it. */
export function migrated(name: string): NodeView[] {
  return Object.values(factsOf(name).after_by_release?.['31.0']?.wallets ?? {});
}

export async function entriesOf(name: string): Promise<RawRecord[]> {
  const file = walletFile(name);
  return name.startsWith('legacy') ? readBerkeley(file).records : (await readSqlite(file)).records;
}

/** Those of known types, in the order of the file. */
export function knownRecords(entries: readonly RawRecord[]): KnownRecord[] {
  return entries.flatMap(({ key, value }) => {
    const record = parseRecord(key, value);
    return record.type === 'unknown' || record.type === 'damaged' ? [] : [record];
  });
}

/** A file of `e2e/fixtures/berkeley`, whose README tells how each was made. */
export function berkeleyFile(name: string): Uint8Array {
  return Uint8Array.from(gunzipSync(readFileSync(new URL(`${name}.dat.gz`, berkeley))));
}
