/** The recorded wallets for tests: their files, what a node said of them, and Berkeley DB files of other shapes. */
import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { readBerkeley } from '../berkeley.ts';
import type { RawRecord } from '../rawRecord.ts';
import { readSqlite } from '../sqlite.ts';

const wallets = new URL('../../../e2e/fixtures/wallets/', import.meta.url);
const berkeley = new URL('../../../e2e/fixtures/berkeley/', import.meta.url);

export const walletNames = readdirSync(wallets);
export const legacyNames = walletNames.filter((name) => name.startsWith('legacy'));
export const descriptorNames = walletNames.filter((name) => name.startsWith('descriptor'));

interface NodeView {
  getwalletinfo: {
    walletversion: number;
    hdseedid?: string;
    keypoolsize: number;
    keypoolsize_hd_internal: number;
  };
  transactions: string[];
  listlabels?: string[];
  listlockunspent?: { txid: string; vout: number }[];
  listreceivedbyaddress: { address: string; label: string }[];
  listunspent: { txid: string; vout: number; amount: number; scriptPubKey: string }[];
  listdescriptors?: { descriptors: NodeDescriptor[] };
  listdescriptors_private?: { descriptors: NodeDescriptor[] };
}

interface NodeDescriptor {
  desc: string;
  active: boolean;
  next?: number;
  range?: [first: number, last: number];
  timestamp: number;
}

export interface Facts {
  passphrase?: string;
  before: NodeView;
  after_by_release?: Record<string, { wallets: Record<string, NodeView> }>;
}

export function walletFile(name: string): Uint8Array {
  return Uint8Array.from(readFileSync(new URL(`${name}/wallet.dat`, wallets)));
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

/** A file of `e2e/fixtures/berkeley`, whose README tells how each was made. */
export function berkeleyFile(name: string): Uint8Array {
  return Uint8Array.from(gunzipSync(readFileSync(new URL(`${name}.dat.gz`, berkeley))));
}
