/** What a page or fragment reveals about its wallet, and the groups of pieces that belong to one wallet. */
import { createView } from '@noble/hashes/utils.js';
import { orNull } from '../../walletfile/bytes/once.ts';
import { quickHash160 } from '../../walletfile/bytes/quickHash.ts';
import { toLatin1 } from '../../walletfile/bytes/textCoding.ts';
import {
  type BerkeleyPages,
  childrenOf,
  HEAD_SIZE,
  itemsOf,
  META,
  PAGE_HEADER_OFFSETS,
  pagesOf,
  walletTreeIn,
} from '../../walletfile/database/berkeleyPage.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { nestedHash } from '../../walletfile/legacy/legacyKeys.ts';
import { parseRecord } from '../../walletfile/records/records.ts';
import { hashesIn } from '../../walletfile/script/address.ts';
import { type ByteRange, fileIdIn } from '../salvage/berkeleyPages.ts';
import { publicKeyInDer } from '../salvage/provedKeys.ts';
import { looseKeys, rawScan } from '../salvage/rawScan.ts';
import { rowsOfLeaf } from '../salvage/readableRecords.ts';
import { isWalletPage, type PageInBytes } from './pageAt.ts';
import type { FoundPage } from './searchPieces.ts';

export interface FoundWallet {
  kind: 'berkeley-db' | 'sqlite';
  /** Bytes; null for a wallet of single records only. */
  pageSize: number | null;
  /** Byte offsets in the source, by page number counted from 0. */
  pages: ReadonlyMap<number, number>;
  /** Byte offsets of pages without a page number. */
  unnumbered: readonly number[];
  /** The number of the last page according to the first page; null if that is lost. */
  lastPage: number | null;
  /** Byte ranges outside of pages that hold records. */
  fragments: readonly ByteRange[];
  /** Number of private keys, plain or encrypted, none of them proved yet. */
  keys: number;
  encrypted: boolean;
  /** Number of different master keys. Only the passphrase can show which one is right. */
  masterKeys: number;
}

/** Identifies the file of a page by where that file would start if it were not fragmented. */
export function fileKeyOf({ offset, number, size, little }: FoundPage): string {
  return `${size} ${little} ${offset - number * size}`;
}

export function formOf({ size, little }: FoundPage): string {
  return `${size} ${little}`;
}

/** Pages and fragments of one wallet. */
export class PieceGroup {
  /** Null if unknown, as for single records. */
  readonly kind: FoundWallet['kind'] | null;
  /** Page size and byte order; null without pages. */
  form: string | null;
  readonly pages = new Map<number, FoundPage & Pick<PieceFacts, 'lastPage' | 'pointsTo' | 'children'>>();
  readonly unnumbered: number[] = [];
  readonly fragments: ByteRange[] = [];
  readonly links = new Set<string>();
  readonly addresses = new Set<string>();
  readonly fileIds = new Set<string>();
  /** The values of `fileKeyOf` of its pages. */
  readonly files = new Set<string>();
  readonly keys = new Set<string>();
  readonly masterKeys = new Set<string>();
  isEncrypted = false;

  constructor(kind: PieceGroup['kind'], page: FoundPage | null) {
    this.kind = kind;
    this.form = page && formOf(page);
  }

  addPage(page: FoundPage, facts: PieceFacts): void {
    const { lastPage, pointsTo, children } = facts;
    if (page.kind === 'sqlite-leaf' && page.number === 0) this.unnumbered.push(page.offset);
    else {
      this.pages.set(page.number, { ...page, lastPage, pointsTo, children });
      this.files.add(fileKeyOf(page));
    }
    this.addFacts(facts);
  }

  addFacts(facts: PieceFacts | PieceGroup): void {
    for (const name of ['links', 'addresses', 'fileIds', 'keys', 'masterKeys'] as const)
      for (const one of facts[name]) this[name].add(one);
    this.isEncrypted ||= facts.isEncrypted;
  }

  /** Whether both may belong to one file. */
  canShareFileWith(other: PieceGroup): boolean {
    const [few, many] = this.pages.size < other.pages.size ? [this, other] : [other, this];
    if (few.kind !== null && many.kind !== null && few.kind !== many.kind) return false;
    if (few.form !== null && many.form !== null && few.form !== many.form) return false;
    const [ownId] = this.fileIds;
    const [otherId] = other.fileIds;
    if (ownId !== undefined && otherId !== undefined && ownId !== otherId) return false;
    for (const number of few.pages.keys()) if (many.pages.has(number)) return false;
    return true;
  }

  /** Whether the other has no page after the last one that the first page of this group names. An unclean file may have some. */
  endsAfter(other: PieceGroup): boolean {
    const last = this.pages.get(0)?.lastPage ?? null;
    return last === null || [...other.pages.keys()].every((number) => number <= last);
  }

  absorb(other: PieceGroup): void {
    this.form ??= other.form;
    for (const [number, page] of other.pages) this.pages.set(number, page);
    this.unnumbered.push(...other.unnumbered);
    this.fragments.push(...other.fragments);
    for (const file of other.files) this.files.add(file);
    this.addFacts(other);
  }

  /** Drops page numbers, which were guessed from the positions of the pages. */
  forgetNumbers(): void {
    for (const { offset } of this.pages.values()) this.unnumbered.push(offset);
    this.pages.clear();
    this.files.clear();
  }

  /** Counts the references between this group, which names no keys, and a wallet. */
  countReferences(wallet: PieceGroup): number {
    if (this.form !== wallet.form) return 0;
    let count = 0;
    for (const [number, page] of this.pages) {
      for (const next of page.pointsTo) if (wallet.pages.get(next)?.pointsTo.includes(number)) count += 2;
      for (const child of page.children) if (wallet.pages.has(child)) count += 1;
    }
    for (const [number, page] of wallet.pages)
      for (const child of page.children) if (this.pages.has(child) && child !== number) count += 1;
    for (const address of this.addresses) if (wallet.links.has(address)) count += 1;
    for (const file of this.files) if (wallet.files.has(file)) count += 2;
    const last = [...wallet.pages.keys()].reduce((most, number) => Math.max(most, number), 0);
    return this.pages.get(0)?.lastPage === last ? count + 2 : count;
  }

  /** Whether it names something unique to one wallet. */
  get identifiesOneWallet(): boolean {
    if (this.kind === 'sqlite' && this.pages.size > 0) return true;
    for (const link of this.links) if (!link.startsWith(FILE_LINK)) return true;
    return false;
  }

  /** Whether its content can only come from a wallet. */
  get hasWalletContent(): boolean {
    return this.fragments.length > 0 || [...this.pages.values()].some(isWalletPage);
  }

  /** Whether it has only the first pages of a file, which are alike in all files. */
  get hasOnlyFirstPages(): boolean {
    return [...this.pages.values()].every(({ kind, number }) => kind === 'meta' || number === 1);
  }

  get size(): number {
    return this.pages.size + this.unnumbered.length;
  }

  toFoundWallet(): FoundWallet {
    const size = this.form === null ? null : Number(this.form.split(' ')[0]);
    return {
      kind: this.kind ?? 'berkeley-db',
      pageSize: size,
      pages: new Map([...this.pages].map(([number, { offset }]) => [number, offset])),
      unnumbered: this.unnumbered,
      lastPage: this.pages.get(0)?.lastPage ?? null,
      fragments: this.fragments,
      keys: this.keys.size,
      encrypted: this.isEncrypted,
      masterKeys: this.masterKeys.size,
    };
  }
}

/**
 * Joins groups with a common name, until no two of them may belong to one file. First those whose pages end where the first page
 * says: an older state of the wallet, which is shorter, has the same names.
 */
export function joinGroups(
  groups: readonly PieceGroup[],
  namesOf: (group: PieceGroup) => ReadonlySet<string>,
): PieceGroup[] {
  let joined = [...groups];
  for (const isExact of [true, false])
    for (let before = -1; before !== joined.length; ) {
      before = joined.length;
      joined = joinOnce(joined, namesOf, isExact);
    }
  return joined;
}

/** Each group joins the one whose file it lies in, otherwise the one with the most common names. */
function joinOnce(
  groups: readonly PieceGroup[],
  namesOf: (group: PieceGroup) => ReadonlySet<string>,
  isExact: boolean,
): PieceGroup[] {
  const joined: PieceGroup[] = [];
  const owners = new Map<string, Set<PieceGroup>>();
  for (const group of [...groups].sort((one, other) => other.size - one.size)) {
    const common = new Map<PieceGroup, number>();
    for (const name of namesOf(group))
      for (const owner of owners.get(name) ?? []) common.set(owner, (common.get(owner) ?? 0) + 1);
    const lies = (owner: PieceGroup) => Number([...group.files].some((file) => owner.files.has(file)));
    const fitting = [...common].filter(
      ([owner]) =>
        owner.canShareFileWith(group) && (!isExact || (owner.endsAfter(group) && group.endsAfter(owner))),
    );
    const [best] = fitting.sort(([a, one], [b, other]) => lies(b) - lies(a) || other - one);
    const owner = best?.[0] ?? group;
    if (owner === group) joined.push(group);
    else owner.absorb(group);
    for (const name of namesOf(group)) owners.set(name, (owners.get(name) ?? new Set()).add(owner));
  }
  return joined;
}

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
const FILE_LINK = 'file ';

function noFacts(): PieceFacts {
  return {
    links: [],
    addresses: [],
    keys: [],
    masterKeys: [],
    isEncrypted: false,
    fileIds: [],
    lastPage: null,
    pointsTo: [],
    children: [],
  };
}

/** Never throws. */
export function readPage(bytes: Uint8Array, { kind, size, little }: PageInBytes): PieceFacts {
  const facts = noFacts();
  if (bytes.length < size) return facts;
  const view = createView(bytes);
  const pages = pagesOf(bytes.subarray(0, size), { little, pageSize: size, headerSize: HEAD_SIZE });
  if (kind === 'meta') {
    const fileId = toLatin1(fileIdIn(bytes));
    facts.fileIds.push(fileId);
    facts.links.push(`${FILE_LINK}${fileId}`);
    facts.lastPage = view.getUint32(META.lastPage, little);
    facts.children.push(view.getUint32(META.root, little));
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
  if ('descriptorId' in record) links.push(`descriptor ${toLatin1(record.descriptorId)}`);
  if (record.type === 'hdchain') links.push(`hash ${toLatin1(record.seedId)}`);
  if (record.type === 'keymeta' && record.hd && record.hd.keyPath !== '')
    links.push(`hash ${toLatin1(record.hd.seedId)}`);
  if (record.type === 'name' || record.type === 'purpose')
    addresses.push(...hashesIn(record.address).map((hash) => `hash ${hash}`));
  if (record.type === 'mkey') masterKeys.push(toLatin1(value));
  else if ('der' in record || 'encrypted' in record) keys.push(toLatin1(record.publicKey));
  facts.isEncrypted ||= 'encrypted' in record;
}

/** The hash of the key, by which records name seeds, and the hash in its P2SH address. */
function linksOfKey(publicKey: Uint8Array): string[] {
  const hash = quickHash160(publicKey);
  return [`hash ${hash}`, `hash ${nestedHash(hash)}`];
}

function neighbours(view: DataView, little: boolean): number[] {
  return [
    view.getUint32(PAGE_HEADER_OFFSETS.previous, little),
    view.getUint32(PAGE_HEADER_OFFSETS.next, little),
  ].filter((number) => number !== 0);
}

function readLeaf(pages: BerkeleyPages, facts: PieceFacts): void {
  const items = orNull(() => itemsOf(pages, 0)) ?? [];
  for (let index = 0; index + 1 < items.length; index += 2) {
    const key = items[index];
    const value = items[index + 1];
    if (key?.storage !== 'page' || !value || value.deleted) continue;
    if (value.storage === 'overflow') facts.children.push(value.page);
    if (value.storage !== 'page') continue;
    const record = { key: key.bytes, value: value.bytes };
    const tree = walletTreeIn(record);
    if (tree === null) learn(facts, record);
    else facts.children.push(tree);
  }
}
