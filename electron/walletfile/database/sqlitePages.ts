/** The pages of a growing SQLite file, and how cells are put on them. Layout: "B-tree Pages" of SQLite's file format. */
import { SQLITE_HEADER_SIZE } from './fileStart.ts';
import { INDEX_PAGE, localSize, TABLE_PAGE } from './sqliteWalk.ts';

export const PAGE_SIZE = 4096;
/** Bytes before the offsets of a page's cells. */
export const LEAF_HEADER = 8;
export const INTERIOR_HEADER = 12;

/** The pages of a growing file, numbered from 1. */
export class PageWriter {
  bytes: Uint8Array;
  view: DataView;
  count = 0;

  /** `size`: bytes that will probably suffice. `isShared`: whether other threads will read them. */
  constructor(
    size: number,
    private readonly isShared: boolean,
  ) {
    this.bytes = this.allocate(Math.ceil(size / PAGE_SIZE) * PAGE_SIZE);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Adds empty pages. Returns the number of the last. */
  add(count = 1): number {
    this.count += count;
    const size = this.count * PAGE_SIZE;
    if (size > this.bytes.length) {
      const larger = this.allocate(Math.ceil((size * 1.25) / PAGE_SIZE) * PAGE_SIZE);
      larger.set(this.bytes);
      this.bytes = larger;
      this.view = new DataView(larger.buffer);
    }
    return this.count;
  }

  private allocate(size: number): Uint8Array {
    return new Uint8Array(this.isShared ? new SharedArrayBuffer(size) : new ArrayBuffer(size));
  }

  whole(): Uint8Array {
    return this.bytes.subarray(0, this.count * PAGE_SIZE);
  }

  /** Writes a payload that is too long for its page: the start at an offset, the rest on pages of their own. */
  putLong(at: number, payload: Uint8Array, local: number): void {
    this.bytes.set(payload.subarray(0, local), at);
    let link = at + local;
    for (let done = local; done < payload.length; done += PAGE_SIZE - 4) {
      const page = this.add();
      this.view.setUint32(link, page);
      link = (page - 1) * PAGE_SIZE;
      this.bytes.set(payload.subarray(done, done + PAGE_SIZE - 4), link + 4);
    }
  }
}

/** Fills one page of a tree with cells, from its end, and their offsets from its start. */
export class PageFiller {
  page = 0;
  private cells = 0;
  private start = 0;
  private header = 0;
  private content = 0;

  constructor(
    private readonly pages: PageWriter,
    private readonly kind: number,
  ) {}

  /** Begins an empty page. */
  begin(page: number): void {
    this.page = page;
    this.start = (page - 1) * PAGE_SIZE;
    this.header = this.start + (page === 1 ? SQLITE_HEADER_SIZE : 0);
    this.content = this.start + PAGE_SIZE;
    this.cells = 0;
  }

  /** `size`: of all these cells together, in bytes. */
  hasRoomFor(size: number, cells = 1): boolean {
    return this.offsets() + 2 * (this.cells + cells) + size <= this.content;
  }

  /** Reserves a cell. Returns its offset in the file. */
  reserve(size: number): number {
    this.content -= size;
    this.pages.view.setUint16(this.offsets() + 2 * this.cells, this.content - this.start);
    this.cells += 1;
    return this.content;
  }

  /** `right`: the last child of an interior page. */
  end(right = 0): void {
    const { view, bytes } = this.pages;
    bytes[this.header] = this.kind;
    view.setUint16(this.header + 3, this.cells);
    view.setUint16(this.header + 5, this.content - this.start);
    if (right > 0) view.setUint32(this.header + 8, right);
  }

  private offsets(): number {
    const isLeaf = this.kind === TABLE_PAGE.leaf || this.kind === INDEX_PAGE.leaf;
    return this.header + (isLeaf ? LEAF_HEADER : INTERIOR_HEADER);
  }
}

/** The bytes of a payload on its page, with the number of the page where it continues. */
export function sizeOnPage(payload: number, kind: number): number {
  const local = localSize(payload, kind, PAGE_SIZE);
  return local < payload ? local + 4 : local;
}

export function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size += 1;
  return size;
}

/** Writes a number in groups of seven bits, the highest first. Returns where it ends. */
export function putVarint(bytes: Uint8Array, at: number, value: number): number {
  if (value < 0x80) {
    bytes[at] = value;
    return at + 1;
  }
  const end = at + varintSize(value);
  let rest = value;
  for (let place = end - 1; place >= at; place -= 1) {
    bytes[place] = (rest % 0x80) + (place < end - 1 ? 0x80 : 0);
    rest = Math.floor(rest / 0x80);
  }
  return end;
}
