/** Writes records as a legacy wallet's file, which every node and every reader opens. */
import { sha256 } from '@noble/hashes/sha2.js';
import { createView } from '@noble/hashes/utils.js';
import {
  BTREE_VERSION,
  HEAD_SIZE,
  META,
  PAGE_TYPES,
  type PageForm,
} from '../../walletfile/database/berkeleyPage.ts';
import { BERKELEY_BTREE } from '../../walletfile/database/fileStart.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { LoggedPage } from '../logReplay/loggedPage.ts';
import { NOT_LOGGED } from '../logReplay/logRecords.ts';
import { aligned, FILE_ID_SIZE } from '../salvage/berkeleyPages.ts';

const PAGE = 4096;
const FORM: PageForm = { little: true, pageSize: PAGE, headerSize: HEAD_SIZE };
/** Longer values go to overflow pages: Berkeley DB fits at least two entries on a page. */
const LONGEST_ON_PAGE = Math.floor((PAGE - HEAD_SIZE) / 4) - 16;

/**
 * Returns a file with little endian pages of 4096 bytes. `records` must be sorted by key, without duplicates. Layout:
 * `db_page.h` of Berkeley DB 5.
 */
export function writeBerkeley(records: readonly RawRecord[]): Uint8Array {
  const id = fileIdOf(records);
  const head = metaPage(0, 1, id);
  const list = newPage(1, PAGE_TYPES.leaf, 1);
  const meta = metaPage(2, 0, id);
  const pages = [head, list, meta];
  const add = (type: number, level: number) => {
    const page = newPage(pages.length, type, level);
    pages.push(page);
    return page;
  };
  const itemOf = (bytes: Uint8Array): Item =>
    bytes.length > LONGEST_ON_PAGE
      ? { head: headFor(writeOverflow(bytes, add), { type: 3, total: bytes.length }), data: NOTHING }
      : { head: NOTHING, data: bytes };
  let row = fill(
    records.map(({ key, value }) => ({ key, items: [itemOf(key), itemOf(value)] })),
    () => add(PAGE_TYPES.leaf, 1),
  );
  for (const [index, { page }] of row.entries()) {
    page.previous = row[index - 1]?.page.number ?? 0;
    page.next = row[index + 1]?.page.number ?? 0;
  }
  for (let level = 2; row.length > 1; level += 1) {
    const children = row.map(({ key, page }) => {
      const shown = key.length > LONGEST_ON_PAGE ? NOTHING : key;
      return { key, items: [{ head: headFor(page.number, { size: shown.length }), data: shown }] };
    });
    row = fill(children, () => add(PAGE_TYPES.internal, level));
  }
  meta.setUint32(META.root, row[0]?.page.number ?? add(PAGE_TYPES.leaf, 1).number);
  // This page number is always big endian.
  put(list, [new TextEncoder().encode('main'), Uint8Array.of(0, 0, 0, 2)].map(itemOf));
  head.setUint32(META.lastPage, pages.length - 1);
  const file = new Uint8Array(pages.length * PAGE);
  for (const [number, { bytes }] of pages.entries()) file.set(bytes, number * PAGE);
  return file;
}

/** As `LoggedPage.insert` takes it. */
interface Item {
  readonly head: Uint8Array;
  readonly data: Uint8Array;
}

const NOTHING = new Uint8Array();

interface Entry {
  readonly key: Uint8Array;
  readonly items: readonly Item[];
}

/** Writes entries to as many pages as they need. Returns each page with its first key. */
function fill(entries: readonly Entry[], add: () => LoggedPage): { key: Uint8Array; page: LoggedPage }[] {
  const row: { key: Uint8Array; page: LoggedPage }[] = [];
  let page: LoggedPage | null = null;
  for (const { key, items } of entries) {
    const size = items.reduce((sum, item) => sum + sizeOf(item) + 2, 0);
    if (!page || size > page.low - HEAD_SIZE - 2 * page.entries) {
      page = add();
      row.push({ key, page });
    }
    put(page, items);
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

/** Returns the number of the first page. */
function writeOverflow(bytes: Uint8Array, add: (type: number, level: number) => LoggedPage): number {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += PAGE - HEAD_SIZE)
    parts.push(bytes.subarray(at, at + PAGE - HEAD_SIZE));
  const pages = parts.map(() => add(PAGE_TYPES.overflow, 0));
  for (const [index, part] of parts.entries()) {
    const [previous = 0, number = 0, next = 0] = [-1, 0, 1].map((step) => pages[index + step]?.number);
    pages[index]?.holdPart({ number, previous, next }, part);
  }
  return pages[0]?.number ?? 0;
}

/** Two files that one node has open must have different ids. */
function fileIdOf(records: readonly RawRecord[]): Uint8Array {
  const digest = sha256.create();
  for (const { key, value } of records) digest.update(key).update(value);
  return digest.digest().subarray(0, FILE_ID_SIZE);
}

function metaPage(number: number, root: number, id: Uint8Array): LoggedPage {
  const page = newPage(number, PAGE_TYPES.meta, 0);
  page.setUint32(META.magic, BERKELEY_BTREE);
  page.setUint32(META.version, BTREE_VERSION);
  page.setUint32(META.pageSize, PAGE);
  page.setUint32(META.lastPage, number);
  // Flag: the file holds named databases.
  page.setUint32(META.flags, 0x20);
  page.bytes.set(id, META.fileId);
  // Minimum number of keys on a page.
  page.setUint32(76, 2);
  page.setUint32(84, 0x20);
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
function headFor(page: number, { size = 0, type = 1, total = 0 }): Uint8Array {
  const head = createView(new Uint8Array(12));
  head.setUint16(0, size, true);
  head.setUint8(2, type);
  head.setUint32(4, page, true);
  head.setUint32(8, total, true);
  return new Uint8Array(head.buffer);
}
