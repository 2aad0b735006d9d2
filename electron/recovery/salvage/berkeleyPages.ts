/**
 * The pages of a damaged Berkeley DB file, and where they belong. Where the first page still tells their size, they lie at
 * their numbers; else each page is looked for, proved by its own content, and put to its number in a copy. Layout of pages:
 * `dbinc/db_page.h` of Berkeley DB.
 */
import { createView } from '@noble/hashes/utils.js';
import { orNull } from '../../walletfile/bytes/once.ts';
import {
  type BerkeleyPages,
  cutIntoPages,
  readBerkeleyMeta,
} from '../../walletfile/database/berkeleyPage.ts';
import { BERKELEY_BTREE, isPageSize } from '../../walletfile/database/fileStart.ts';

export interface Range {
  start: number;
  end: number;
}

/** What pages of one file have in common. */
export type PageForm = Pick<BerkeleyPages, 'little' | 'pageSize' | 'headerSize'>;

interface FoundPages {
  pages: BerkeleyPages;
  /** Where the list of the file's databases starts; null where the first page does not tell it, and the pages are a copy. */
  root: number | null;
  /** Of the file: what no page was found in, and a last page that is cut off. */
  rest: Uint8Array[];
}

/** Null where neither the first page nor any other is one of Berkeley DB's. */
export function findPages(bytes: Uint8Array): FoundPages | null {
  const meta = orNull(() => readBerkeleyMeta(bytes, 0, 0));
  if (meta) {
    const pages = cutIntoPages(bytes, meta);
    const end = bytes.subarray(pages.count * pages.pageSize);
    return { pages, root: meta.root, rest: end.length > 0 ? [end] : [] };
  }
  const form = guessForm(bytes);
  return form && putInOrder(bytes, form);
}

interface Form {
  little: boolean;
  size: number;
}

/** A file's id, on its first page (`DBMETA`). */
export function fileIdIn(firstPage: Uint8Array): Uint8Array {
  return firstPage.subarray(52, 72);
}

export const PAGE_TYPES = { free: 0, internal: 3, leaf: 5, overflow: 7, meta: 9 } as const;
/** Levels of a tree; Berkeley DB has no more (`MAXBTREELEVEL` is 255), and no wallet comes near. */
const DEEPEST = 15;
/** Bytes before a page's own content, without checksums. */
export const HEADER = 26;
/** Files start at sectors on every disk, and pages at multiples of them. */
export const SECTOR = 512;
/** Bytes of the largest page, of either kind of database. */
export const LARGEST = 0x10000;

/** Bytes that an item of this size takes on a page. */
export function aligned(size: number): number {
  return Math.ceil(size / 4) * 4;
}

/** What most leaf pages say by themselves: their last item ends where they end. */
function guessForm(bytes: Uint8Array): Form | null {
  const votes = new Map<string, { form: Form; count: number }>();
  for (let offset = 0; offset + SECTOR <= bytes.length; offset += SECTOR) {
    for (const little of [true, false]) {
      const size = sizeOfTreePage(bytes, offset, little);
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
 * The size in bytes of a leaf or an internal page, as it says by itself: it is filled from its end. Null for what is no
 * page of a tree with an item on it.
 */
export function sizeOfTreePage(bytes: Uint8Array, offset: number, little: boolean): number | null {
  const level = bytes[offset + 24] ?? 0;
  const isLeaf = bytes[offset + 25] === PAGE_TYPES.leaf;
  if (isLeaf ? level !== 1 : bytes[offset + 25] !== PAGE_TYPES.internal || level < 2 || level > DEEPEST)
    return null;
  const size = Math.min(LARGEST, bytes.length - offset);
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, size);
  const entries = view.getUint16(20, little);
  const low = view.getUint16(22, little);
  if (entries === 0 || (isLeaf && entries % 2 !== 0) || HEADER + 2 * entries > Math.min(low, size))
    return null;
  let end = 0;
  for (let index = 0; index < entries; index += 1) {
    const at = view.getUint16(HEADER + 2 * index, little);
    if (at < low || at + 3 > size) return null;
    const isData = (view.getUint8(at + 2) & 0x7f) === 1;
    const length = (isLeaf ? 3 : 12) + view.getUint16(at, little);
    end = Math.max(end, at + (isData || !isLeaf ? aligned(length) : 12));
  }
  return end <= size && isPageSize(end) ? end : null;
}

/** Copies each page to its number. Of two with the same one, that with the higher place in the log, then the later. */
function putInOrder(bytes: Uint8Array, { little, size }: Form): FoundPages {
  const view = createView(bytes);
  // A file that holds other things too has fewer pages of the wallet than its length would let it have.
  const most = Math.floor(bytes.length / size);
  const places = new Map<number, { offset: number; lsn: number }>();
  const taken: Range[] = [];
  for (let offset = 0; offset + size <= bytes.length; ) {
    const number = view.getUint32(offset + 8, little);
    const lsn = view.getUint32(offset, little) * 0x100000000 + view.getUint32(offset + 4, little);
    const isOlder = () => (places.get(number)?.lsn ?? 0) > lsn;
    if (!isPage(view, offset, { little, size }) || number >= most || isOlder()) {
      offset += SECTOR;
      continue;
    }
    places.set(number, { offset, lsn });
    taken.push({ start: offset, end: offset + size });
    offset += size;
  }
  let count = 0;
  for (const number of places.keys()) count = Math.max(count, number + 1);
  const copy = new Uint8Array(count * size);
  for (const [number, { offset }] of places) copy.set(bytes.subarray(offset, offset + size), number * size);
  const pages: BerkeleyPages = {
    bytes: copy,
    view: new DataView(copy.buffer),
    little,
    pageSize: size,
    headerSize: HEADER,
    count,
  };
  const rest = outside([{ start: 0, end: bytes.length }], taken);
  return { pages, root: null, rest: rest.map(({ start, end }) => bytes.subarray(start, end)) };
}

function isPage(view: DataView, offset: number, { little, size }: Form): boolean {
  const type = view.getUint8(offset + 25);
  const level = view.getUint8(offset + 24);
  const entries = view.getUint16(offset + 20, little);
  const low = view.getUint16(offset + 22, little);
  switch (type) {
    case PAGE_TYPES.meta:
      return view.getUint32(offset + 12, little) === BERKELEY_BTREE;
    case PAGE_TYPES.overflow:
      return level === 0 && low > 0 && low <= size - HEADER && entries > 0;
    case PAGE_TYPES.internal:
    case PAGE_TYPES.leaf: {
      const levelFits = type === PAGE_TYPES.leaf ? level === 1 : level > 1 && level <= DEEPEST;
      return levelFits && HEADER + 2 * entries <= (low || size) && low <= size && entries > 0;
    }
    default:
      return false;
  }
}

/** What of ranges lies in none of others. Both are in order. */
export function outside(ranges: readonly Range[], others: readonly Range[]): Range[] {
  const found: Range[] = [];
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
