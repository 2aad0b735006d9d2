/** Writes records as a legacy wallet's file, which every node and every reader opens. */
import { sha256 } from '@noble/hashes/sha2.js';
import { createView } from '@noble/hashes/utils.js';
import { type ByteSource, sourceOfPages } from '../../walletfile/bytes/byteSource.ts';
import {
  BTREE_VERSION,
  HEAD_SIZE,
  ITEM_DATA,
  ITEM_OVERFLOW,
  LISTS_DATABASES,
  META,
  PAGE_TYPES,
  type PageFormat,
} from '../../walletfile/database/berkeleyPage.ts';
import { BERKELEY_BTREE } from '../../walletfile/database/fileStart.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { LoggedPage } from '../logReplay/loggedPage.ts';
import { NOT_LOGGED } from '../logReplay/logRecords.ts';
import { aligned, FILE_ID_SIZE } from '../salvage/berkeleyPages.ts';

const PAGE = 4096;
/** Bytes of a page after its own fields. */
const ROOM = PAGE - HEAD_SIZE;
const FORM: PageFormat = { little: true, pageSize: PAGE, headerSize: HEAD_SIZE };
/** Longer values go to overflow pages: Berkeley DB fits at least two entries on a page. */
const MAX_ON_PAGE_LENGTH = Math.floor(ROOM / 4) - 16;

/**
 * Returns a file with little endian pages of 4096 bytes. `records` must be sorted by key, without duplicates. Layout:
 * `db_page.h` of Berkeley DB 5.
 */
export function writeBerkeley(records: readonly RawRecord[]): Uint8Array {
  const { read, size } = berkeleySource(records);
  return read(0, size);
}

/**
 * The same file without its bytes: writes each page when it is read, because a repaired wallet can be larger than memory. Reads each
 * record twice if the pages are read in their order.
 */
export function berkeleySource(records: readonly RawRecord[]): ByteSource {
  const { id, long, leaves } = layOut(records);
  const leafStart = FIRST_FREE + long.pages;
  const numberOf = (leaf: number) => (leaf >= 0 && leaf < leaves.length ? leafStart + leaf : 0);
  let count = leafStart + leaves.length;
  /** The pages of the file's structure. */
  const structure = new Map<number, LoggedPage>();
  const keep = (page: LoggedPage) => {
    structure.set(page.number, page);
    return page;
  };
  const add = (type: number, level: number) => {
    count += 1;
    return keep(newPage(count - 1, type, level));
  };
  const head = keep(metaPage(0, 1, id));
  const list = keep(newPage(1, PAGE_TYPES.leaf, 1));
  const meta = keep(metaPage(2, 0, id));
  let row = leaves.map((first, leaf) => ({
    key: records[first]?.key ?? NOTHING,
    number: numberOf(leaf),
  }));
  for (let level = 2; row.length > 1; level += 1) row = fill(row, () => add(PAGE_TYPES.internal, level));
  meta.setUint32(META.root, row[0]?.number ?? add(PAGE_TYPES.leaf, 1).number);
  // This page number is always big endian.
  put(
    list,
    [new TextEncoder().encode('main'), Uint8Array.of(0, 0, 0, 2)].map((data) => ({ head: NOTHING, data })),
  );
  head.setUint32(META.lastPage, count - 1);

  const valueAt = latestOf((place: number) => partOf(records, long.parts[place] ?? 0));
  const itemOf = (part: number): Item => {
    const place = placeIn(long.parts, part);
    if (long.parts[place] !== part) return { head: NOTHING, data: partOf(records, part) };
    const [start = 0, total = 0] = [long.starts[place], long.sizes[place]];
    return { head: headFor(start, { type: ITEM_OVERFLOW, total }), data: NOTHING };
  };
  const pageAt = latestOf((number: number) => {
    const known = structure.get(number);
    if (known) return known.bytes;
    if (number < leafStart) {
      const place = placeIn(long.starts, number);
      const start = long.starts[place] ?? 0;
      return overflowPage(number, start, valueAt(place));
    }
    const leaf = number - leafStart;
    const page = newPage(number, PAGE_TYPES.leaf, 1);
    page.previous = numberOf(leaf - 1);
    page.next = numberOf(leaf + 1);
    const end = leaves[leaf + 1] ?? records.length;
    for (let record = leaves[leaf] ?? end; record < end; record += 1)
      put(page, [itemOf(2 * record), itemOf(2 * record + 1)]);
    return page.bytes;
  });
  return sourceOfPages(count, PAGE, pageAt);
}

/** The number of the first page after the two trees' first pages and the list of trees. */
const FIRST_FREE = 3;

/** Where the records lie. A part is a record's key or value: twice the record's place, plus 1 for the value. */
interface Layout {
  /** For the file's id. */
  readonly id: Uint8Array;
  /** The first record of each leaf. */
  readonly leaves: readonly number[];
  /** The parts on overflow pages, the first page and the size of each, and the number of all these pages. */
  readonly long: {
    readonly parts: readonly number[];
    readonly starts: readonly number[];
    /** In bytes. */
    readonly sizes: readonly number[];
    readonly pages: number;
  };
}

function layOut(records: readonly RawRecord[]): Layout {
  // Two files that one node has open must have different ids.
  const digest = sha256.create();
  const leaves: number[] = [];
  const parts: number[] = [];
  const starts: number[] = [];
  const sizes: number[] = [];
  let pages = 0;
  let free = 0;
  for (const [record, { key, value }] of records.entries()) {
    digest.update(key).update(value);
    let needed = 0;
    for (const [which, { length }] of [key, value].entries()) {
      needed += 2 + sizeOnPage(length);
      if (length <= MAX_ON_PAGE_LENGTH) continue;
      parts.push(2 * record + which);
      starts.push(FIRST_FREE + pages);
      sizes.push(length);
      pages += Math.ceil(length / ROOM);
    }
    if (needed > free) {
      leaves.push(record);
      free = ROOM;
    }
    free -= needed;
  }
  return { id: digest.digest().subarray(0, FILE_ID_SIZE), leaves, long: { parts, starts, sizes, pages } };
}

function partOf(records: readonly RawRecord[], part: number): Uint8Array {
  const record = records[part >> 1];
  return (part % 2 === 0 ? record?.key : record?.value) ?? NOTHING;
}

/** The place of the last number that is not above `wanted`. */
function placeIn(ascending: readonly number[], wanted: number): number {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ascending[middle] ?? 0) <= wanted) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

/** Returns a function that keeps its latest result. */
function latestOf<T>(find: (number: number) => T): (number: number) => T {
  let latest: { readonly number: number; readonly found: T } | null = null;
  return (number) => {
    if (latest?.number !== number) latest = { number, found: find(number) };
    return latest.found;
  };
}

/** As `LoggedPage.insert` takes it. */
interface Item {
  readonly head: Uint8Array;
  readonly data: Uint8Array;
}

const NOTHING = new Uint8Array();

/** A page by its first key. */
interface Child {
  readonly key: Uint8Array;
  readonly number: number;
}

/** Writes references to as many pages as they need. Returns each of these pages with its first key. */
function fill(children: readonly Child[], add: () => LoggedPage): Child[] {
  const row: Child[] = [];
  let page: LoggedPage | null = null;
  for (const { key, number } of children) {
    const firstKey = key.length > MAX_ON_PAGE_LENGTH ? NOTHING : key;
    const item = { head: headFor(number, { size: firstKey.length }), data: firstKey };
    if (!page || sizeOf(item) + 2 > page.low - HEAD_SIZE - 2 * page.entries) {
      page = add();
      row.push({ key, number: page.number });
    }
    put(page, [item]);
  }
  return row;
}

function put(page: LoggedPage, items: readonly Item[]): void {
  for (const item of items) page.insert(page.entries, sizeOf(item), item.head, item.data);
}

/** Bytes that an item takes on a page. Size and type precede plain data. */
function sizeOf({ head, data }: Item): number {
  return aligned((head.length || 3) + data.length);
}

/** Bytes that a key or value of this length takes on a leaf. */
function sizeOnPage(length: number): number {
  return aligned(length > MAX_ON_PAGE_LENGTH ? REFERENCE : 3 + length);
}

/** Bytes of the reference to a long value. */
const REFERENCE = 12;

/** `start`: the first page of the long value. */
function overflowPage(number: number, start: number, value: Uint8Array): Uint8Array {
  const from = (number - start) * ROOM;
  const page = newPage(number, PAGE_TYPES.overflow, 0);
  const previous = number === start ? 0 : number - 1;
  const next = from + ROOM < value.length ? number + 1 : 0;
  page.holdPart({ number, previous, next }, value.subarray(from, from + ROOM));
  return page.bytes;
}

function metaPage(number: number, root: number, id: Uint8Array): LoggedPage {
  const page = newPage(number, PAGE_TYPES.meta, 0);
  page.setUint32(META.magic, BERKELEY_BTREE);
  page.setUint32(META.version, BTREE_VERSION);
  page.setUint32(META.pageSize, PAGE);
  page.setUint32(META.lastPage, number);
  page.setUint32(META.flags, LISTS_DATABASES);
  page.bytes.set(id, META.fileId);
  page.setUint32(META.minimumKeys, 2);
  // Berkeley DB fills this field, which a B-tree does not use, with a space (`re_pad`).
  page.setUint32(META.padding, 0x20);
  page.setUint32(META.root, root);
  return page;
}

/** As in a file that was closed cleanly. */
function newPage(number: number, type: number, level: number): LoggedPage {
  const page = new LoggedPage(new Uint8Array(PAGE), FORM);
  page.lsn = NOT_LOGGED;
  page.init({ number, previous: 0, next: 0, level, type });
  return page;
}

/** The header of a key on an internal page (`BINTERNAL`), or the reference to a long value (`BOVERFLOW`). */
function headFor(page: number, { size = 0, type = ITEM_DATA, total = 0 }): Uint8Array {
  const head = createView(new Uint8Array(12));
  head.setUint16(0, size, true);
  head.setUint8(2, type);
  head.setUint32(4, page, true);
  head.setUint32(8, total, true);
  return new Uint8Array(head.buffer);
}
