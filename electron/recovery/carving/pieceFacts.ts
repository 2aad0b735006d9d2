/** What one page or fragment reveals about its wallet. */
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
  /** Names that are unique to one wallet: keys, seeds, descriptors, its file. */
  links: string[];
  /** Key hashes in the wallet's address book, own addresses and recipients. */
  addresses: string[];
  /** Public keys of its private keys, plain or encrypted. */
  keys: string[];
  masterKeys: string[];
  isEncrypted: boolean;
  /** File ids on the first pages of the file and of its database. */
  fileIds: string[];
  lastPage: number | null;
  /** Numbers of the previous and the next page, which point back to it. */
  pointsTo: number[];
  /** Numbers of its child pages. */
  children: number[];
}

/** Prefix of links that name a file instead of its content. */
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
  // The public key of an account may be empty.
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

/** The hash of the key, by which records name seeds, and the hash in its P2SH address. */
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
