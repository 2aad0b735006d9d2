/**
 * Applies the changes of a log to a page of a Berkeley DB file. It changes items byte by byte as Berkeley DB does, so
 * that the log's next record still fits the page. Sources: `dbinc/db_page.h`, `db/db_dup.c` (`__db_pitem_nolog`,
 * `__db_ditem_nolog`), `btree/bt_put.c` (`__bam_ritem_nolog`) and `btree/bt_split.c` (`__bam_copy`) of Berkeley DB 5.3.21.
 */
import { createView } from '@noble/hashes/utils.js';
import {
  ITEM_DATA,
  ITEM_DELETED,
  LOG_FILE,
  lsnAt,
  PAGE_HEADER_OFFSETS,
  PAGE_TYPES,
  type PageFormat,
} from '../../walletfile/database/berkeleyPage.ts';
import { aligned } from '../salvage/berkeleyPages.ts';
import type { LogFields, LogRecord, Lsn } from './logRecords.ts';

/** The change of one page by a record. The page gets the record's LSN when the change is redone, and `before` when it is undone. */
export interface Change {
  page: number;
  /** The page's LSN before the change. */
  before: Lsn;
  /** Absent if only the LSN changes. */
  redo?: (page: LoggedPage) => void;
  undo?: (page: LoggedPage) => void;
  /** The pass that creates a missing page. An empty page counts as having the LSN `before`. */
  creates?: 'redo' | 'undo';
  /** The pass that removes the page from the end of the file. */
  cuts?: 'redo' | 'undo';
}

/** Reads a record's changes. `fields`: those after the file's number. Throws RangeError for an invalid record. */
export type ReadChanges = (
  fields: LogFields,
  form: PageFormat,
  record: LogRecord & { operation: number },
) => Change[];

/** The change of a page's previous or next page. None for page 0, which stands for no page. */
export function neighbour(
  side: 'previous' | 'next',
  place: Pick<Change, 'page' | 'before'>,
  other: { redo: number; undo: number },
): Change[] {
  const link = (number: number) => (on: LoggedPage) => {
    on[side] = number;
  };
  return place.page === 0 ? [] : [{ ...place, redo: link(other.redo), undo: link(other.undo) }];
}

/** Throws RangeError for a change that does not fit the page. */
export class LoggedPage {
  private readonly view: DataView;

  /** `bytes`: the page itself, which the methods change. A page image from a log may be shorter than a page. */
  constructor(
    readonly bytes: Uint8Array,
    private readonly form: PageFormat,
  ) {
    this.view = createView(bytes);
  }

  get lsn(): Lsn {
    return lsnAt(this.view, 0, this.form.little);
  }
  set lsn(lsn: Lsn) {
    this.setUint32(0, Math.floor(lsn / LOG_FILE));
    this.setUint32(4, lsn % LOG_FILE);
  }
  get number(): number {
    return this.uint32(PAGE_HEADER_OFFSETS.number);
  }
  set number(number: number) {
    this.setUint32(PAGE_HEADER_OFFSETS.number, number);
  }
  get previous(): number {
    return this.uint32(PAGE_HEADER_OFFSETS.previous);
  }
  set previous(page: number) {
    this.setUint32(PAGE_HEADER_OFFSETS.previous, page);
  }
  get next(): number {
    return this.uint32(PAGE_HEADER_OFFSETS.next);
  }
  set next(page: number) {
    this.setUint32(PAGE_HEADER_OFFSETS.next, page);
  }
  /** The number of items. On a page of a long value: the number of items that refer to it. */
  get entries(): number {
    return this.uint16(PAGE_HEADER_OFFSETS.entries);
  }
  set entries(count: number) {
    this.setUint16(PAGE_HEADER_OFFSETS.entries, count);
  }
  /** The offset of the first item. On a page of a long value: the number of its bytes on this page. */
  get low(): number {
    const low = this.uint16(PAGE_HEADER_OFFSETS.low);
    // 65,536 does not fit into two bytes.
    return low === 0 && this.form.pageSize === 0x10000 && this.type !== PAGE_TYPES.overflow ? 0x10000 : low;
  }
  set low(offset: number) {
    this.setUint16(PAGE_HEADER_OFFSETS.low, offset % 0x10000);
  }
  get level(): number {
    return this.view.getUint8(PAGE_HEADER_OFFSETS.level);
  }
  get type(): number {
    return this.view.getUint8(PAGE_HEADER_OFFSETS.type);
  }

  uint32(at: number): number {
    return this.view.getUint32(at, this.form.little);
  }
  setUint32(at: number, value: number): void {
    this.view.setUint32(at, value, this.form.little);
  }

  /** Makes this an empty page. Its LSN and the rest of its bytes stay. */
  init(head: { number: number; previous: number; next: number; level: number; type: number }): void {
    const { number, previous, next, level, type } = head;
    this.number = number;
    this.previous = previous;
    this.next = next;
    this.entries = 0;
    this.low = this.form.pageSize;
    this.view.setUint8(PAGE_HEADER_OFFSETS.level, level);
    this.view.setUint8(PAGE_HEADER_OFFSETS.type, type);
  }

  /** Makes this a page of a long value, to which one item refers. */
  holdPart(place: { number: number; previous: number; next: number }, part: Uint8Array): void {
    this.init({ ...place, level: 0, type: PAGE_TYPES.overflow });
    this.low = part.length;
    this.entries = 1;
    this.put(this.form.headerSize, part);
  }

  /** Inserts an item with a header and data as the log has them. Without a header, the item is plain data. */
  insert(index: number, size: number, head: Uint8Array, data: Uint8Array = NOTHING): void {
    const { entries, low } = this;
    const first = this.form.headerSize + 2 * (entries + 1);
    if (low > this.form.pageSize || low - size < first || head.length + data.length > size)
      throw misfitError();
    this.low = low - size;
    this.addEntry(index, low - size);
    if (head.length === 0) this.putData(low - size, data);
    else {
      this.put(low - size, head);
      this.put(low - size + head.length, data);
    }
  }

  /** Adds a key and its value behind all others. False if they do not fit. */
  append(key: Uint8Array, value: Uint8Array): boolean {
    const room = this.low - this.form.headerSize - 2 * (this.entries + 2);
    if (dataSize(key.length) + dataSize(value.length) > room) return false;
    for (const data of [key, value]) this.insert(this.entries, dataSize(data.length), NOTHING, data);
    return true;
  }

  remove(index: number, size: number): void {
    const { entries, low } = this;
    if (index >= entries) throw misfitError();
    if (entries === 1) {
      this.entries = 0;
      this.low = this.form.pageSize;
      return;
    }
    const gone = this.offset(index);
    if (gone < low || gone + size > this.form.pageSize) throw misfitError();
    this.bytes.copyWithin(low + size, low, gone);
    this.low = low + size;
    for (let at = 0; at < entries; at += 1) {
      const offset = this.offset(at);
      if (offset < gone) this.setOffset(at, offset + size);
    }
    for (let at = index; at < entries - 1; at += 1) this.setOffset(at, this.offset(at + 1));
    this.entries = entries - 1;
  }

  /** Replaces the data of a plain item. */
  replaceData(index: number, data: Uint8Array): void {
    this.putData(this.resize(index, dataSize(data.length)), data);
  }

  /** Replaces an entry of an internal page. `entry` includes its header. */
  replaceKey(index: number, entry: Uint8Array): void {
    this.put(this.resize(index, aligned(entry.length)), entry);
  }

  setDeleted(index: number, deleted: boolean): void {
    const at = this.itemStart(index) + 2;
    const type = this.view.getUint8(at);
    this.view.setUint8(at, deleted ? type | ITEM_DELETED : type & ~ITEM_DELETED);
  }

  /** The data of a plain item on a leaf page. */
  data(index: number): Uint8Array {
    const at = this.itemStart(index);
    return this.bytes.slice(at + 3, at + 3 + this.uint16(at));
  }

  /** Bytes that an item takes on a page, including padding. */
  itemSize(index: number): number {
    const at = this.itemStart(index);
    const length = this.uint16(at);
    const isData = (this.view.getUint8(at + 2) & ~ITEM_DELETED) === ITEM_DATA;
    if (this.type === PAGE_TYPES.internal) return internalSize(isData ? length : OVERFLOW_SIZE);
    return isData ? dataSize(length) : OVERFLOW_SIZE;
  }

  /** Copies the items from the index `from` up to `end` to another page. */
  copyItems(to: LoggedPage, from: number, end: number): void {
    for (let index = from; index < end; index += 1) {
      // An internal page stores no key for its first child, which has all lower keys.
      const isFirstChild = this.type === PAGE_TYPES.internal && index === from && index !== 0;
      const at = this.itemStart(index);
      const size = isFirstChild ? internalSize(0) : this.itemSize(index);
      if (at + size > this.bytes.length) throw misfitError();
      const item = this.bytes.slice(at, at + size);
      if (isFirstChild) item.set([0, 0, ITEM_DATA]);
      to.insert(to.entries, size, item);
    }
  }

  private itemStart(index: number): number {
    const at = this.offset(index);
    if (index >= this.entries || at < this.form.headerSize || at + 12 > this.form.pageSize + 8)
      throw misfitError();
    return at;
  }

  /** Changes the size of an item. Returns its new offset. */
  private resize(index: number, size: number): number {
    const { entries, low } = this;
    const old = this.itemStart(index);
    const more = size - this.itemSize(index);
    if (old < low || low - more < this.form.headerSize + 2 * entries) throw misfitError();
    if (more === 0) return old;
    this.bytes.copyWithin(low - more, low, old);
    for (let at = 0; at < entries; at += 1) {
      const offset = this.offset(at);
      if (offset <= old) this.setOffset(at, offset - more);
    }
    this.low = low - more;
    return old - more;
  }

  private addEntry(index: number, offset: number): void {
    const { entries } = this;
    if (index > entries) throw misfitError();
    for (let at = entries; at > index; at -= 1) this.setOffset(at, this.offset(at - 1));
    this.setOffset(index, offset);
    this.entries = entries + 1;
  }
  private offset(index: number): number {
    return this.uint16(this.form.headerSize + 2 * index);
  }
  private setOffset(index: number, offset: number): void {
    this.setUint16(this.form.headerSize + 2 * index, offset);
  }
  private uint16(at: number): number {
    return this.view.getUint16(at, this.form.little);
  }
  private setUint16(at: number, value: number): void {
    this.view.setUint16(at, value, this.form.little);
  }
  private putData(at: number, data: Uint8Array): void {
    this.setUint16(at, data.length);
    this.view.setUint8(at + 2, ITEM_DATA);
    this.put(at + 3, data);
  }
  private put(at: number, bytes: Uint8Array): void {
    if (at + bytes.length > this.form.pageSize) throw misfitError();
    this.bytes.set(bytes, at);
  }
}

/** Bytes of plain data on a leaf page (`BKEYDATA_SIZE`). */
function dataSize(length: number): number {
  return aligned(3 + length);
}

/** Bytes of a key on an internal page (`BINTERNAL_SIZE`). */
function internalSize(length: number): number {
  return aligned(12 + length);
}

const OVERFLOW_SIZE = 12;
const NOTHING = new Uint8Array();

function misfitError(): RangeError {
  return new RangeError('the change does not fit the page');
}
