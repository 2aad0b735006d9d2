/**
 * Finds the pages of a damaged Berkeley DB file. If the first page still gives their size, each page lies at its number. Otherwise it
 * searches for pages, recognises each by its content, and puts it at its number. Layout: `dbinc/db_page.h` of Berkeley DB.
 */
import { createView } from '@noble/hashes/utils.js';
import {
  type ByteSource,
  type FileBytes,
  partOf,
  sourceOf,
  sourceOfPages,
} from '../../walletfile/bytes/byteSource.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import {
  type BerkeleyPages,
  cutIntoPages,
  HEAD_SIZE,
  ITEM_DATA,
  ITEM_DELETED,
  lsnAt,
  META,
  PAGE_HEADER_OFFSETS,
  PAGE_TYPES,
  pagesOf,
  readBerkeleyMeta,
} from '../../walletfile/database/berkeleyPage.ts';
import { BERKELEY_BTREE, isPageSize } from '../../walletfile/database/fileStart.ts';

export interface ByteRange {
  start: number;
  end: number;
}

interface FoundPages {
  pages: BerkeleyPages;
  /** The root page of the list of databases; null if the first page is lost, and `pages` are put in order. */
  root: number | null;
  /** The parts of the file outside of pages, including an incomplete last page. */
  rest: ByteSource[];
  /** How many pages the first page counts that the file lacks. */
  cutPages: number;
}

/** Null if the file has no page of Berkeley DB. */
export function findPages(file: FileBytes): FoundPages | null {
  const source = sourceOf(file);
  const meta = orNull(() => readBerkeleyMeta(source));
  if (meta) {
    const pages = cutIntoPages(source, meta);
    const end = partOf(source, pages.count * pages.pageSize, source.size);
    const cutPages = Math.max(0, meta.lastPage + 1 - pages.count);
    return { pages, root: meta.root, rest: end.size > 0 ? [end] : [], cutPages };
  }
  const form = guessForm(source);
  return form && putInOrder(source, form);
}

interface Form {
  little: boolean;
  size: number;
}

/** Bytes of the id by which Berkeley DB identifies a file. */
export const FILE_ID_SIZE = 20;

/** The file id on a file's first page (`DBMETA`). */
export function fileIdIn(firstPage: Uint8Array): Uint8Array {
  return firstPage.subarray(META.fileId, META.fileId + FILE_ID_SIZE);
}

/** The highest level of a tree that counts as plausible. Berkeley DB's limit is 255 (`MAXBTREELEVEL`); all wallets are far below. */
const MAX_DEPTH = 15;
/** Bytes. On every disk, files and their pages start at multiples of it. */
export const SECTOR_SIZE = 512;
/** Bytes of the largest page in either kind of database. */
export const MAX_PAGE_SIZE = 0x10000;

/** Bytes that an item of this size takes on a page. */
export function aligned(size: number): number {
  return Math.ceil(size / 4) * 4;
}

/** The page size and byte order that most tree pages show by themselves. */
function guessForm({ size: end, read }: ByteSource): Form | null {
  const votes = new Map<string, { form: Form; count: number }>();
  for (let offset = 0; offset + SECTOR_SIZE <= end; offset += SECTOR_SIZE) {
    const type = read(offset, HEAD_SIZE)[PAGE_HEADER_OFFSETS.type];
    if (type !== PAGE_TYPES.leaf && type !== PAGE_TYPES.internal) continue;
    const bytes = read(offset, MAX_PAGE_SIZE);
    for (const little of [true, false]) {
      const size = sizeOfTreePage(bytes, 0, little);
      if (size === null) continue;
      const name = `${size} ${little}`;
      const vote = votes.get(name) ?? { form: { little, size }, count: 0 };
      vote.count += 1;
      votes.set(name, vote);
    }
  }
  const [best] = [...votes.values()].sort((one, other) => other.count - one.count);
  return best?.form ?? null;
}

/**
 * The size in bytes of a leaf or internal page by its own content: items fill a page from its end, so the last one ends where the page
 * ends. Null if there is no tree page with items at the offset.
 */
export function sizeOfTreePage(bytes: Uint8Array, offset: number, little: boolean): number | null {
  const level = bytes[offset + PAGE_HEADER_OFFSETS.level] ?? 0;
  const type = bytes[offset + PAGE_HEADER_OFFSETS.type];
  const isLeaf = type === PAGE_TYPES.leaf;
  if (isLeaf ? level !== 1 : type !== PAGE_TYPES.internal || level < 2 || level > MAX_DEPTH) return null;
  const size = Math.min(MAX_PAGE_SIZE, bytes.length - offset);
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, size);
  const entries = view.getUint16(PAGE_HEADER_OFFSETS.entries, little);
  const low = view.getUint16(PAGE_HEADER_OFFSETS.low, little);
  if (entries === 0 || (isLeaf && entries % 2 !== 0) || HEAD_SIZE + 2 * entries > Math.min(low, size))
    return null;
  let end = 0;
  for (let index = 0; index < entries; index += 1) {
    const at = view.getUint16(HEAD_SIZE + 2 * index, little);
    if (at < low || at + 3 > size) return null;
    const isData = (view.getUint8(at + 2) & ~ITEM_DELETED) === ITEM_DATA;
    const length = (isLeaf ? 3 : 12) + view.getUint16(at, little);
    end = Math.max(end, at + (isData || !isLeaf ? aligned(length) : 12));
  }
  return end <= size && isPageSize(end) ? end : null;
}

/** Puts each page at its number. If two have the same number, the one with the higher LSN wins, then the later one. */
function putInOrder(source: ByteSource, { little, size }: Form): FoundPages {
  // No page number can exceed the number of pages that fit the file.
  const most = Math.floor(source.size / size);
  const places = new Map<number, { offset: number; lsn: number }>();
  const pageRanges: ByteRange[] = [];
  for (let offset = 0; offset + size <= source.size; ) {
    const view = createView(source.read(offset, SECTOR_SIZE));
    const number = view.getUint32(PAGE_HEADER_OFFSETS.number, little);
    const lsn = lsnAt(view, 0, little);
    const isOlder = () => (places.get(number)?.lsn ?? 0) > lsn;
    if (!isPage(view, { little, size }) || number >= most || isOlder()) {
      offset += SECTOR_SIZE;
      continue;
    }
    places.set(number, { offset, lsn });
    pageRanges.push({ start: offset, end: offset + size });
    offset += size;
  }
  let count = 0;
  for (const number of places.keys()) count = Math.max(count, number + 1);
  const missing = new Uint8Array(size);
  const ordered = sourceOfPages(count, size, (page) => {
    const place = places.get(page);
    return place ? source.read(place.offset, size) : missing;
  });
  const file = source.inMemory === null ? ordered : ordered.read(0, ordered.size);
  const pages = pagesOf(file, { little, pageSize: size, headerSize: HEAD_SIZE });
  const rest = subtractRanges([{ start: 0, end: source.size }], pageRanges);
  return { pages, root: null, rest: rest.map(({ start, end }) => partOf(source, start, end)), cutPages: 0 };
}

function isPage(view: DataView, { little, size }: Form): boolean {
  const type = view.getUint8(PAGE_HEADER_OFFSETS.type);
  const level = view.getUint8(PAGE_HEADER_OFFSETS.level);
  const entries = view.getUint16(PAGE_HEADER_OFFSETS.entries, little);
  const low = view.getUint16(PAGE_HEADER_OFFSETS.low, little);
  switch (type) {
    case PAGE_TYPES.meta:
      return view.getUint32(META.magic, little) === BERKELEY_BTREE;
    case PAGE_TYPES.overflow:
      return level === 0 && low > 0 && low <= size - HEAD_SIZE && entries > 0;
    case PAGE_TYPES.internal:
    case PAGE_TYPES.leaf: {
      const levelFits = type === PAGE_TYPES.leaf ? level === 1 : level > 1 && level <= MAX_DEPTH;
      return levelFits && HEAD_SIZE + 2 * entries <= (low || size) && low <= size && entries > 0;
    }
    default:
      return false;
  }
}

/** The parts of ranges outside of `others`. Both must be sorted. */
export function subtractRanges(ranges: readonly ByteRange[], others: readonly ByteRange[]): ByteRange[] {
  const found: ByteRange[] = [];
  let next = 0;
  for (const { start, end } of ranges) {
    let from = start;
    for (let other = others[next]; other && other.end <= start; other = others[next]) next += 1;
    for (let at = next, other = others[at]; other && other.start < end; at += 1, other = others[at]) {
      if (other.start > from) found.push({ start: from, end: other.start });
      from = Math.max(from, other.end);
    }
    if (from < end) found.push({ start: from, end });
  }
  return found;
}
