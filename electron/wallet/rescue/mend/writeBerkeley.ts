/** Writes records as a legacy wallet's file, which every node and every reader opens. */
import { sha256 } from '@noble/hashes/sha2.js';
import { createView } from '@noble/hashes/utils.js';
import type { RawRecord } from '../../database/rawRecord.ts';

const PAGE = 4096;
const HEADER = 26;
/** Bytes of the id by which Berkeley DB knows a file again. */
const FILE_ID = 20;
/** Longer values go to pages of their own, as Berkeley DB has it: at least two entries fit on a page. */
const LONGEST_ON_PAGE = Math.floor((PAGE - HEADER) / 4) - 16;

/**
 * The bytes of a file of little endian pages of 4096 bytes. Records in the order of their keys, without two of the same
 * key. Layout: `db_page.h` of Berkeley DB 5.
 */
export function writeBerkeley(records: readonly RawRecord[]): Uint8Array {
  const id = fileIdOf(records);
  const pages: Uint8Array[] = [metaPage(0, 1, id), page(1, 5, 1), metaPage(2, 0, id)];
  const add = (type: number, level: number) => {
    const number = pages.length;
    const made = page(number, type, level);
    pages.push(made);
    return { number, made };
  };
  const itemOf = (bytes: Uint8Array) =>
    bytes.length > LONGEST_ON_PAGE ? overflowItem(writeOverflow(bytes, add), bytes.length) : dataItem(bytes);
  let level = 1;
  let row = fill(
    records.map(({ key, value }) => ({ key, items: [itemOf(key), itemOf(value)] })),
    () => add(5, 1),
  );
  for (const [index, { made }] of row.entries()) {
    createView(made).setUint32(12, row[index - 1]?.number ?? 0, true);
    createView(made).setUint32(16, row[index + 1]?.number ?? 0, true);
  }
  while (row.length > 1) {
    level += 1;
    const here = level;
    row = fill(
      row.map(({ key, number }) => ({
        key,
        items: [childItem(key.length > LONGEST_ON_PAGE ? new Uint8Array() : key, number)],
      })),
      () => add(3, here),
    );
  }
  createView(pages[2] ?? new Uint8Array(PAGE)).setUint32(88, row[0]?.number ?? add(5, 1).number, true);
  const main = new Uint8Array(4);
  // Big endian, whatever the file is.
  createView(main).setUint32(0, 2, false);
  put(pages[1] ?? new Uint8Array(PAGE), [dataItem(new TextEncoder().encode('main')), dataItem(main)]);
  createView(pages[0] ?? new Uint8Array(PAGE)).setUint32(32, pages.length - 1, true);
  const file = new Uint8Array(pages.length * PAGE);
  for (const [number, bytes] of pages.entries()) file.set(bytes, number * PAGE);
  return file;
}

interface Entry {
  readonly key: Uint8Array;
  readonly items: readonly Uint8Array[];
}

type Added = { number: number; made: Uint8Array };

/** Puts entries on as many pages as they need. Gives each page and its first key. */
function fill(entries: readonly Entry[], add: () => Added): (Added & { key: Uint8Array })[] {
  const row: (Added & { key: Uint8Array })[] = [];
  let items: Uint8Array[] = [];
  let first: Uint8Array | null = null;
  let room = PAGE - HEADER;
  const end = () => {
    if (first === null) return;
    const { number, made } = add();
    put(made, items);
    row.push({ key: first, number, made });
  };
  for (const { key, items: own } of entries) {
    const size = own.reduce((sum, item) => sum + aligned(item.length) + 2, 0);
    if (size > room) {
      end();
      [items, first, room] = [[], null, PAGE - HEADER];
    }
    first ??= key;
    items.push(...own);
    room -= size;
  }
  end();
  return row;
}

/** Items lie from the end of the page downwards, their places from its head upwards. */
function put(made: Uint8Array, items: readonly Uint8Array[]): void {
  const view = createView(made);
  let at = PAGE;
  for (const [index, item] of items.entries()) {
    at -= aligned(item.length);
    made.set(item, at);
    view.setUint16(HEADER + 2 * index, at, true);
  }
  view.setUint16(20, items.length, true);
  view.setUint16(22, at, true);
}

function writeOverflow(bytes: Uint8Array, add: (type: number, level: number) => Added): number {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += PAGE - HEADER) parts.push(bytes.subarray(at, at + PAGE - HEADER));
  const added = parts.map((part) => ({ part, ...add(7, 0) }));
  for (const [index, { part, made }] of added.entries()) {
    made.set(part, HEADER);
    createView(made).setUint32(12, added[index - 1]?.number ?? 0, true);
    createView(made).setUint32(16, added[index + 1]?.number ?? 0, true);
    // One item names it.
    createView(made).setUint16(20, 1, true);
    createView(made).setUint16(22, part.length, true);
  }
  return added[0]?.number ?? 0;
}

/** Two files that are open in one node must not have the same. */
function fileIdOf(records: readonly RawRecord[]): Uint8Array {
  const digest = sha256.create();
  for (const { key, value } of records) digest.update(key).update(value);
  return digest.digest().subarray(0, FILE_ID);
}

function metaPage(number: number, root: number, id: Uint8Array): Uint8Array {
  const made = page(number, 9, 0);
  const view = createView(made);
  view.setUint32(12, 0x00053162, true);
  view.setUint32(16, 9, true);
  view.setUint32(20, PAGE, true);
  view.setUint32(32, number, true);
  // It holds named databases.
  view.setUint32(48, 0x20, true);
  made.set(id, 52);
  // How many keys a page holds at least.
  view.setUint32(76, 2, true);
  view.setUint32(84, 0x20, true);
  view.setUint32(88, root, true);
  return made;
}

function page(number: number, type: number, level: number): Uint8Array {
  const made = new Uint8Array(PAGE);
  const view = createView(made);
  // The log position of a file that was closed cleanly.
  view.setUint32(4, 1, true);
  view.setUint32(8, number, true);
  made[24] = level;
  made[25] = type;
  return made;
}

function dataItem(bytes: Uint8Array): Uint8Array {
  const item = new Uint8Array(3 + bytes.length);
  createView(item).setUint16(0, bytes.length, true);
  item[2] = 1;
  item.set(bytes, 3);
  return item;
}

function overflowItem(first: number, length: number): Uint8Array {
  const item = new Uint8Array(12);
  item[2] = 3;
  createView(item).setUint32(4, first, true);
  createView(item).setUint32(8, length, true);
  return item;
}

function childItem(key: Uint8Array, child: number): Uint8Array {
  const item = new Uint8Array(12 + key.length);
  createView(item).setUint16(0, key.length, true);
  item[2] = 1;
  createView(item).setUint32(4, child, true);
  item.set(key, 12);
  return item;
}

function aligned(length: number): number {
  return (length + 3) & ~3;
}
