/** Single pages of a Berkeley DB file: what kind a page is, its entries, its children, its part of a long value. */
import { createView } from '@noble/hashes/utils.js';
import type { Fault } from '../../../shared/model/findings/faults.ts';
import {
  type ByteSource,
  type FileBytes,
  type PlacedPage,
  pageReader,
  sourceOf,
} from '../bytes/byteSource.ts';
import { toLatin1 } from '../bytes/textCoding.ts';
import { berkeleyByteOrder, isPageSize } from './fileStart.ts';
import { damagedError, notWalletError } from './problemLog.ts';
import type { RawRecord } from './rawRecord.ts';

/** The properties that all pages of a file share. */
export interface PageFormat {
  readonly little: boolean;
  /** Bytes. */
  readonly pageSize: number;
  /** Bytes before a page's own content: 26, or 32 with checksums. */
  readonly headerSize: number;
}

/** A file cut into pages. */
export interface BerkeleyPages extends PageFormat {
  readonly source: ByteSource;
  /** Whole pages in the file. */
  readonly count: number;
  readonly at: (page: number) => PlacedPage;
}

type PageKind = 'internal' | 'leaf' | 'overflow' | 'other';

/** One half of a record on a leaf page: the bytes, or the page where a long value starts. */
export type LeafItem =
  /** `start`: the offset of the bytes in the file. */
  | { storage: 'page'; bytes: Uint8Array; start: number; deleted: boolean }
  | { storage: 'overflow'; page: number; length: number; deleted: boolean }
  /** Other items of the page may still be readable. */
  | { storage: 'unreadable'; fault: Fault; deleted: false };

/** The types of pages in a B-tree. */
export const PAGE_TYPES = { free: 0, internal: 3, leaf: 5, overflow: 7, meta: 9 } as const;

/** Byte offsets of the fields at the start of every page (`PAGE` of Berkeley DB's `dbinc/db_page.h`). */
export const PAGE_HEADER_OFFSETS = {
  number: 8,
  previous: 12,
  next: 16,
  entries: 20,
  low: 22,
  level: 24,
  type: 25,
} as const;
/** Bytes of these fields, without checksums. */
export const HEAD_SIZE = 26;

/** Byte offsets of the fields of a tree's first page (`DBMETA` and `BTMETA`). */
export const META = {
  magic: 12,
  version: 16,
  pageSize: 20,
  encryption: 24,
  features: 26,
  free: 28,
  lastPage: 32,
  flags: 48,
  fileId: 52,
  minimumKeys: 76,
  padding: 84,
  root: 88,
} as const;

/** Positions in the log (LSN) count from the log file's number times this. */
export const LOG_FILE = 2 ** 32;

/** The position in the log of the latest change of a page. */
export function lsnAt(view: DataView, page: number, little: boolean): number {
  return view.getUint32(page, little) * LOG_FILE + view.getUint32(page + 4, little);
}

const KINDS: ReadonlyMap<number, PageKind> = new Map([
  [PAGE_TYPES.internal, 'internal'],
  [PAGE_TYPES.leaf, 'leaf'],
  [PAGE_TYPES.overflow, 'overflow'],
]);
/** The types of items on a page (`B_KEYDATA`, `B_OVERFLOW`), and the bit of a deleted one (`B_DELETE`). */
export const ITEM_DATA = 1;
export const ITEM_OVERFLOW = 3;
export const ITEM_DELETED = 0x80;

export const HEAD_SIZE_WITH_CHECKSUM = 32;

export function cutIntoPages(
  file: FileBytes,
  { byteOrder, pageSize, checksums }: BerkeleyMeta,
): BerkeleyPages {
  return pagesOf(file, {
    little: byteOrder === 'little',
    pageSize,
    headerSize: checksums ? HEAD_SIZE_WITH_CHECKSUM : HEAD_SIZE,
  });
}

export function pagesOf(file: FileBytes, { little, pageSize, headerSize }: PageFormat): BerkeleyPages {
  const source = sourceOf(file);
  const count = Math.floor(source.size / pageSize);
  return { little, pageSize, headerSize, source, count, at: pageReader(source, pageSize) };
}

/** The type that a page claims. Throws for a page after the end, or one with another page's number. */
export function kindOfPage(pages: BerkeleyPages, page: number): PageKind {
  const { little } = pages;
  if (page >= pages.count) throw damagedError({ code: 'page_missing', page });
  const { view, start } = pages.at(page);
  const kind = KINDS.get(view.getUint8(start + PAGE_HEADER_OFFSETS.type)) ?? 'other';
  if (kind === 'other') return kind;
  if (view.getUint32(start + PAGE_HEADER_OFFSETS.number, little) !== page)
    throw damagedError({ code: 'page_of_wrong_type', page });
  const level = view.getUint8(start + PAGE_HEADER_OFFSETS.level);
  if ((kind === 'overflow') !== (level === 0)) throw damagedError({ code: 'page_of_wrong_type', page });
  return kind;
}

/** A clean close resets the log position of every page to file 0, offset 1. */
export function isCleanlyClosed(pages: BerkeleyPages, page: number): boolean {
  const { view, start } = pages.at(page);
  return lsnAt(view, start, pages.little) === 1;
}

/**
 * The pages that an internal page points to, in the order of their keys. `longKeys`: whether one of its keys is on overflow
 * pages, which Bitcoin Core's own reader refuses ("Unknown record type in internal page", `src/wallet/migrate.cpp`).
 */
export function childrenOf(pages: BerkeleyPages, page: number): { children: number[]; longKeys: boolean } {
  const { view } = pages.at(page);
  const children: number[] = [];
  let longKeys = false;
  for (const at of itemOffsets(pages, page, 12)) {
    if (at === null) throw damagedError({ code: 'entries_misplaced', page });
    const type = view.getUint8(at + 2);
    longKeys ||= (type & ~ITEM_DELETED) !== ITEM_DATA;
    if ((type & ITEM_DELETED) === 0) children.push(view.getUint32(at + 4, pages.little));
  }
  return { children, longKeys };
}

/**
 * Where the keys and values of a leaf page are in the bytes that `at` gives: for each its start and its end. Null unless all of them are
 * whole, undeleted and on the page itself, as on most pages.
 */
export function inlineItemOffsets(pages: BerkeleyPages, page: number): number[] | null {
  const { little, pageSize, headerSize } = pages;
  const { view, start } = pages.at(page);
  const entries = view.getUint16(start + PAGE_HEADER_OFFSETS.entries, little);
  const first = headerSize + 2 * entries;
  let free = pageSize - headerSize;
  if (entries % 2 !== 0 || first > pageSize) return null;
  const places: number[] = [];
  for (let index = 0; index < entries; index += 1) {
    const offset = view.getUint16(start + headerSize + 2 * index, little);
    if (offset < first || offset + 3 > pageSize || view.getUint8(start + offset + 2) !== ITEM_DATA)
      return null;
    const length = view.getUint16(start + offset, little);
    free -= 2 + 3 + length;
    if (offset + 3 + length > pageSize || free < 0) return null;
    places.push(start + offset + 3, start + offset + 3 + length);
  }
  return places;
}

/** The keys and values of a leaf page, alternating. */
export function itemsOf(pages: BerkeleyPages, page: number): LeafItem[] {
  const offsets = itemOffsets(pages, page, 3);
  if (offsets.length % 2 !== 0) throw damagedError({ code: 'page_of_wrong_type', page });
  const items: LeafItem[] = [];
  let free = pages.pageSize - pages.headerSize;
  for (const at of offsets) {
    const item = itemAt(pages, page, at);
    // Overlapping entries would let a small file take unlimited memory.
    free -= 2 + (item.storage === 'page' ? item.bytes.length + 3 : item.storage === 'overflow' ? 12 : 0);
    if (free < 0) throw damagedError({ code: 'entries_misplaced', page });
    items.push(item);
  }
  return items;
}

function itemAt(pages: BerkeleyPages, page: number, at: number | null): LeafItem {
  const { little, pageSize } = pages;
  const { bytes, view, start } = pages.at(page);
  if (at === null) return unreadable({ code: 'entries_misplaced', page });
  const type = view.getUint8(at + 2);
  const deleted = (type & ITEM_DELETED) !== 0;
  const kind = type & ~ITEM_DELETED;
  if (kind !== ITEM_DATA && kind !== ITEM_OVERFLOW) return unreadable({ code: 'entry_unknown', page });
  const length = kind === ITEM_DATA ? 3 + view.getUint16(at, little) : 12;
  if (at + length > start + pageSize) return unreadable({ code: 'entries_misplaced', page });
  if (kind === ITEM_DATA) {
    const content = bytes.subarray(at + 3, at + length);
    return { storage: 'page', bytes: content, start: page * pageSize + at + 3 - start, deleted };
  }
  const first = view.getUint32(at + 4, little);
  return { storage: 'overflow', page: first, length: view.getUint32(at + 8, little), deleted };
}

function unreadable(fault: Fault): LeafItem {
  return { storage: 'unreadable', fault, deleted: false };
}

/** The name of the wallet's own tree in the list of a file's trees. */
export const WALLET_DATABASE = 'main';

/** The first page of the wallet's own tree, from the record that lists it; null for other records. Big endian in every file. */
export function walletTreeIn({ key, value }: RawRecord): number | null {
  return toLatin1(key) === WALLET_DATABASE && value.length === 4 ? createView(value).getUint32(0) : null;
}

/** One page's part of a long value, and the page with the next part (0 after the last). */
export function overflowPart(pages: BerkeleyPages, page: number): { part: Uint8Array; next: number } {
  const { little, pageSize, headerSize } = pages;
  const { bytes, view, start } = pages.at(page);
  const length = view.getUint16(start + PAGE_HEADER_OFFSETS.low, little);
  if (headerSize + length > pageSize) throw damagedError({ code: 'entries_misplaced', page });
  const from = start + headerSize;
  return {
    part: bytes.subarray(from, from + length),
    next: view.getUint32(start + PAGE_HEADER_OFFSETS.next, little),
  };
}

/** Byte offsets of a page's items in the bytes that `at` gives; null for an item with fewer than `least` bytes before the page's end. */
function itemOffsets(pages: BerkeleyPages, page: number, least: number): (number | null)[] {
  const { little, pageSize, headerSize } = pages;
  const { view, start } = pages.at(page);
  const entries = view.getUint16(start + PAGE_HEADER_OFFSETS.entries, little);
  const first = headerSize + 2 * entries;
  if (first > pageSize) throw damagedError({ code: 'entries_misplaced', page });
  const offsets: (number | null)[] = [];
  for (let index = 0; index < entries; index += 1) {
    const offset = view.getUint16(start + headerSize + 2 * index, little);
    offsets.push(offset < first || offset + least > pageSize ? null : start + offset);
  }
  return offsets;
}

export type BerkeleyMeta = ReturnType<typeof readBerkeleyMeta>;

/** Bytes of a meta page that have a meaning, for every page size. */
const META_SIZE = 512;

/** The version of B-trees in Berkeley DB 4 and 5, which Bitcoin Core uses. */
export const BTREE_VERSION = 9;
/** Self-built nodes could use Berkeley DB 6 or later, which writes the same pages for a wallet. */
const LATEST_BTREE_VERSION = 10;

export function isReadableVersion(version: number): boolean {
  return version === BTREE_VERSION || version === LATEST_BTREE_VERSION;
}

/** A flag of a tree's first page: it lists named trees (`BTM_SUBDB`). */
export const LISTS_DATABASES = 0x20;
const META_FLAG_CHECKSUMS = 0x01;

/**
 * Reads the meta page of a tree; the first page shows the size of all. Layout: `DBMETA` and `BTMETA` of Berkeley DB 4 to 6.
 * Throws `not_a_wallet` for anything but a plain B-tree of version 9 or 10.
 */
export function readBerkeleyMeta(file: FileBytes, page = 0, size = 0) {
  const bytes = sourceOf(file).read(page * size, META_SIZE);
  if (bytes.length < META_SIZE) throw notWalletError({ code: 'not_legacy_wallet' });
  const view = createView(bytes);
  const byteOrder = berkeleyByteOrder(bytes);
  if (byteOrder === null) throw notWalletError({ code: 'not_legacy_wallet' });
  const little = byteOrder === 'little';
  const version = view.getUint32(META.version, little);
  if (!isReadableVersion(version)) throw notWalletError({ code: 'berkeley_version_unknown' });
  if (view.getUint8(META.encryption) !== 0) throw notWalletError({ code: 'berkeley_encrypted' });
  if (
    view.getUint8(PAGE_HEADER_OFFSETS.type) !== PAGE_TYPES.meta ||
    view.getUint32(PAGE_HEADER_OFFSETS.number, little) !== page
  ) {
    throw notWalletError({ code: 'page_without_tree', page });
  }
  const pageSize = view.getUint32(META.pageSize, little);
  if (!isPageSize(pageSize)) throw notWalletError({ code: 'page_size_impossible', size: pageSize });
  const flags = view.getUint32(META.flags, little);
  if ((flags & ~LISTS_DATABASES) !== 0) throw notWalletError({ code: 'berkeley_features_unknown' });
  return {
    /** The tree's version: 9, or 10 in Berkeley DB 6 and later. */
    version,
    byteOrder,
    /** Bytes. */
    pageSize,
    /** The number of the file's last page, according to the file. */
    lastPage: view.getUint32(META.lastPage, little),
    /** The tree's root page. */
    root: view.getUint32(META.root, little),
    /** Whether the tree lists named trees, as in every wallet, instead of records. */
    listsDatabases: flags === LISTS_DATABASES,
    /** Whether each page has a checksum. Bitcoin Core uses none, so they are not verified. */
    checksums: (view.getUint8(META.features) & META_FLAG_CHECKSUMS) !== 0,
  };
}
