/** What one page or fragment tells of the wallet it is of. */
import { byteText } from '../../bytes/byteText.ts';
import { orNull } from '../../bytes/once.ts';
import { quickHash160 } from '../../bytes/quickHash.ts';
import { type BerkeleyPages, childrenOf, itemsOf } from '../../database/berkeleyPage.ts';
import type { RawRecord } from '../../database/rawRecord.ts';
import { parseRecord } from '../../record/records.ts';
import { publicKeyInDer } from '../provedKeys.ts';
import { looseKeys, rawScan } from '../rawScan.ts';
import { rowsOfLeaf } from '../sqliteRecords.ts';
import { hashesIn, nestedHash } from '../ties.ts';
import type { PageInBytes } from './pageAt.ts';

export interface PieceFacts {
  records: RawRecord[];
  /** Names of what only one wallet has, beside those in the records. */
  links: string[];
  /** Names of keys that an address of the wallet, or one that it paid to, stands for. */
  addresses: string[];
  /** Of a file's first page, and of the first page of its database. */
  fileId: string | null;
  lastPage: number | null;
  /** Numbers of the pages before and after it, which name it in turn. */
  pointsTo: number[];
  /** Numbers of the pages below it. */
  children: number[];
}

/** How the names of links begin that tell a file, and not what is in it. */
export const FILE_LINK = 'file ';

export function noFacts(): PieceFacts {
  return {
    records: [],
    links: [],
    addresses: [],
    fileId: null,
    lastPage: null,
    pointsTo: [],
    children: [],
  };
}

/** Never throws. */
export function readPage(bytes: Uint8Array, { kind, size, little }: PageInBytes): PieceFacts {
  const facts = noFacts();
  if (bytes.length < size) return facts;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pages: BerkeleyPages = { bytes, view, little, pageSize: size, headerSize: 26, count: 1 };
  if (kind === 'meta') {
    facts.fileId = byteText(bytes.subarray(FILE_ID.start, FILE_ID.end));
    facts.links.push(`${FILE_LINK}${facts.fileId}`);
    facts.lastPage = view.getUint32(32, little);
    facts.children.push(view.getUint32(88, little));
  } else if (kind === 'internal') {
    facts.children.push(...(orNull(() => childrenOf(pages, 0))?.children ?? []));
  } else if (kind === 'overflow') {
    facts.pointsTo.push(...neighbours(view, little));
  } else if (kind === 'leaf') {
    facts.pointsTo.push(...neighbours(view, little));
    readLeaf(pages, facts);
  } else if (kind === 'sqlite-leaf') {
    facts.records.push(...rowsOfLeaf(bytes));
  } else {
    // The header's number of pages.
    facts.lastPage = view.getUint32(28) - 1;
  }
  tellAddresses(facts);
  return facts;
}

/** Never throws. */
export function readFragment(bytes: Uint8Array): PieceFacts {
  const links = looseKeys(bytes).flatMap((der) => linksOfKey(publicKeyInDer(der)));
  return { ...noFacts(), records: rawScan(bytes, null), links };
}

export interface RecordLinks {
  links: string[];
  /** The public key that it has a private key of, as `byteText`. */
  key: string | null;
  masterKey: RawRecord | null;
  encrypted: boolean;
}

/** Keys, seeds and descriptors that a record names. */
export function linksOf(record: RawRecord): RecordLinks {
  const parsed = parseRecord(record.key, record.value);
  const told: RecordLinks = { links: [], key: null, masterKey: null, encrypted: false };
  switch (parsed.type) {
    case 'mkey':
      return {
        ...told,
        masterKey: { key: record.key.slice(), value: record.value.slice() },
        encrypted: true,
      };
    case 'hdchain':
      return { ...told, links: [`hash ${byteText(parsed.seedId)}`] };
    case 'keymeta': {
      const seed = parsed.hd && parsed.hd.keyPath !== '' ? [`hash ${byteText(parsed.hd.seedId)}`] : [];
      return { ...told, links: [...linksOfKey(parsed.publicKey), ...seed] };
    }
    case 'pool':
    case 'defaultkey':
      return { ...told, links: linksOfKey(parsed.publicKey) };
    case 'key':
    case 'wkey':
    case 'ckey': {
      const { publicKey } = parsed;
      const encrypted = parsed.type === 'ckey';
      return { ...told, links: linksOfKey(publicKey), key: byteText(publicKey), encrypted };
    }
    case 'walletdescriptorkey':
    case 'walletdescriptorckey': {
      const links = [...linksOfKey(parsed.publicKey), `descriptor ${byteText(parsed.descriptorId)}`];
      const encrypted = parsed.type === 'walletdescriptorckey';
      return { ...told, links, key: byteText(parsed.publicKey), encrypted };
    }
    case 'walletdescriptor':
    case 'walletdescriptorcache':
    case 'walletdescriptorlhcache':
    case 'activeexternalspk':
    case 'activeinternalspk':
      return { ...told, links: [`descriptor ${byteText(parsed.descriptorId)}`] };
    default:
      return told;
  }
}

export function sameMasterKey(one: RawRecord, other: RawRecord): boolean {
  return byteText(one.value) === byteText(other.value);
}

/** By its hash, as seeds are named, and by that of its address of the kind p2sh. */
function linksOfKey(publicKey: Uint8Array): string[] {
  const hash = quickHash160(publicKey);
  return [`hash ${hash}`, `hash ${nestedHash(hash)}`];
}

/** The file's id on its first page (`DBMETA`). */
const FILE_ID = { start: 52, end: 72 };

function neighbours(view: DataView, little: boolean): number[] {
  return [view.getUint32(12, little), view.getUint32(16, little)].filter((number) => number !== 0);
}

function readLeaf(pages: BerkeleyPages, facts: PieceFacts): void {
  const items = orNull(() => itemsOf(pages, 0)) ?? [];
  for (let index = 0; index + 1 < items.length; index += 2) {
    const key = items[index];
    const value = items[index + 1];
    if (key?.at !== 'page' || !value || value.deleted) continue;
    if (value.at === 'overflow') facts.children.push(value.page);
    if (value.at !== 'page') continue;
    if (byteText(key.bytes) === 'main' && value.bytes.length === 4)
      facts.children.push(new DataView(value.bytes.buffer, value.bytes.byteOffset).getUint32(0, false));
    else facts.records.push({ key: key.bytes, value: value.bytes });
  }
}

function tellAddresses(facts: PieceFacts): void {
  for (const { key, value } of facts.records) {
    const record = parseRecord(key, value);
    if (record.type === 'name' || record.type === 'purpose')
      for (const hash of hashesIn(record.address)) facts.addresses.push(`hash ${hash}`);
  }
}
