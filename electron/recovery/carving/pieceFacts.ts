/** What one page or fragment tells of the wallet it is of. */
import { createView } from '@noble/hashes/utils.js';
import { byteText } from '../../walletfile/bytes/byteText.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { quickHash160 } from '../../walletfile/bytes/quickHash.ts';
import { type BerkeleyPages, childrenOf, itemsOf } from '../../walletfile/database/berkeleyPage.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { nestedHash } from '../../walletfile/legacy/legacyKeys.ts';
import { parseRecord } from '../../walletfile/records/records.ts';
import { fileIdIn } from '../salvage/berkeleyPages.ts';
import { hashesIn } from '../salvage/ownedKeys.ts';
import { publicKeyInDer } from '../salvage/provedKeys.ts';
import { looseKeys, rawScan } from '../salvage/rawScan.ts';
import { rowsOfLeaf } from '../salvage/sqliteRecords.ts';
import type { PageInBytes } from './pageAt.ts';

export interface PieceFacts {
  /** Names of what only one wallet has: keys, seeds, descriptors, its file. */
  links: string[];
  /** Names of keys that an address of the wallet, or one that it paid to, stands for. */
  addresses: string[];
  /** The public keys that it has private keys of, plain or encrypted. */
  keys: string[];
  masterKeys: string[];
  isEncrypted: boolean;
  /** Of a file's first page, and of the first page of its database. */
  fileIds: string[];
  lastPage: number | null;
  /** Numbers of the pages before and after it, which name it in turn. */
  pointsTo: number[];
  /** Numbers of the pages below it. */
  children: number[];
}

/** How the names of links begin that tell a file, and not what is in it. */
export const FILE_LINK = 'file ';

function noFacts(): PieceFacts {
  return {
    ...{ links: [], addresses: [], keys: [], masterKeys: [], isEncrypted: false, fileIds: [] },
    ...{ lastPage: null, pointsTo: [], children: [] },
  };
}

/** Never throws. */
export function readPage(bytes: Uint8Array, { kind, size, little }: PageInBytes): PieceFacts {
  const facts = noFacts();
  if (bytes.length < size) return facts;
  const view = createView(bytes);
  const pages: BerkeleyPages = { bytes, view, little, pageSize: size, headerSize: 26, count: 1 };
  if (kind === 'meta') {
    const fileId = byteText(fileIdIn(bytes));
    facts.fileIds.push(fileId);
    facts.links.push(`${FILE_LINK}${fileId}`);
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
    for (const record of rowsOfLeaf(bytes)) learn(facts, record);
  } else {
    // The header's number of pages.
    facts.lastPage = view.getUint32(28) - 1;
  }
  return facts;
}

/** Never throws. */
export function readFragment(bytes: Uint8Array): PieceFacts {
  const facts = noFacts();
  for (const record of rawScan(bytes, null)) learn(facts, record);
  for (const der of looseKeys(bytes)) facts.links.push(...linksOfKey(publicKeyInDer(der)));
  return facts;
}

function learn(facts: PieceFacts, { key, value }: RawRecord): void {
  const record = parseRecord(key, value);
  const { links, addresses, keys, masterKeys } = facts;
  // That of an account may be empty.
  if ('publicKey' in record && record.type !== 'acc') links.push(...linksOfKey(record.publicKey));
  if ('descriptorId' in record) links.push(`descriptor ${byteText(record.descriptorId)}`);
  if (record.type === 'hdchain') links.push(`hash ${byteText(record.seedId)}`);
  if (record.type === 'keymeta' && record.hd && record.hd.keyPath !== '')
    links.push(`hash ${byteText(record.hd.seedId)}`);
  if (record.type === 'name' || record.type === 'purpose')
    addresses.push(...hashesIn(record.address).map((hash) => `hash ${hash}`));
  if (record.type === 'mkey') masterKeys.push(byteText(value));
  else if ('der' in record || 'encrypted' in record) keys.push(byteText(record.publicKey));
  facts.isEncrypted ||= 'encrypted' in record;
}

/** By its hash, as seeds are named, and by that of its address of the kind p2sh. */
function linksOfKey(publicKey: Uint8Array): string[] {
  const hash = quickHash160(publicKey);
  return [`hash ${hash}`, `hash ${nestedHash(hash)}`];
}

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
    else learn(facts, { key: key.bytes, value: value.bytes });
  }
}
