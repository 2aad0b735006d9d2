/** The pages of a growing SQLite file, and how cells are put on them. Layout: "B-tree Pages" of SQLite's file format. */
import { SQLITE_HEADER_SIZE } from './fileStart.ts';
import { INDEX_PAGE, localSize, TABLE_PAGE } from './sqliteWalk.ts';

export const PAGE_SIZE = 4096;
/** The page that begins at 1 GiB. */
export const LOCK_PAGE = 2 ** 30 / PAGE_SIZE + 1;
/** Bytes before the offsets of a page's cells. */
export const LEAF_HEADER = 8;
export const INTERIOR_HEADER = 12;

/** Receives the pages of a new file, each of them once, and most in their order. */
export interface PageSink {
  /** `offset`: in the file. The caller uses the array again. */
  write(page: Uint8Array, offset: number): void;
}

/** A new file in memory. */
export class FileInMemory implements PageSink {
  private bytes: Uint8Array;
  private size = 0;

  /** `size`: bytes that will probably suffice. */
  constructor(size: number) {
    this.bytes = new Uint8Array(size);
  }

  write(page: Uint8Array, offset: number): void {
    this.size = Math.max(this.size, offset + page.length);
    if (this.size > this.bytes.length) {
      const larger = new Uint8Array(Math.ceil(this.size * 1.25));
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes.set(page, offset);
  }

  whole(): Uint8Array {
    return this.bytes.subarray(0, this.size);
  }
}

/** Numbers the pages of a new file from 1, and writes them. */
export class PageWriter {
  count = 0;

  constructor(private readonly file: PageSink) {}

  /** The page that `add` gives next. SQLite never uses the page with the byte that it locks (`PENDING_BYTE`). */
  get next(): number {
    return this.count + (this.count + 1 === LOCK_PAGE ? 2 : 1);
  }

  /** Adds an empty page, which the caller writes. Returns its number. */
  add(): number {
    this.count = this.next;
    return this.count;
  }

  write(page: number, bytes: Uint8Array): void {
    this.file.write(bytes, (page - 1) * PAGE_SIZE);
  }
}

/** Fills one page of a tree with cells, from its end, and their offsets from its start. */
export class PageFiller {
  readonly bytes = new Uint8Array(PAGE_SIZE);
  readonly view = new DataView(this.bytes.buffer);
  page = 0;
  private cells = 0;
  private header = 0;
  private content = 0;

  constructor(
    private readonly pages: PageWriter,
    private readonly kind: number,
  ) {}

  /** Begins an empty page. */
  begin(page: number): void {
    this.bytes.fill(0);
    this.page = page;
    this.header = page === 1 ? SQLITE_HEADER_SIZE : 0;
    this.content = PAGE_SIZE;
    this.cells = 0;
  }

  /** `size`: of all these cells together, in bytes. */
  hasRoomFor(size: number, cells = 1): boolean {
    return this.offsets() + 2 * (this.cells + cells) + size <= this.content;
  }

  /** Reserves a cell. Returns its offset on the page. */
  reserve(size: number): number {
    this.content -= size;
    this.view.setUint16(this.offsets() + 2 * this.cells, this.content);
    this.cells += 1;
    return this.content;
  }

  /** Puts a payload that is too long for this page: the start at an offset, the rest on pages of their own. */
  putLong(at: number, payload: Uint8Array, local: number): void {
    this.bytes.set(payload.subarray(0, local), at);
    this.view.setUint32(at + local, this.pages.next);
    for (let done = local; done < payload.length; done += PAGE_SIZE - 4) {
      const page = this.pages.add();
      const part = payload.subarray(done, done + PAGE_SIZE - 4);
      const bytes = new Uint8Array(PAGE_SIZE);
      bytes.set(part, 4);
      if (done + part.length < payload.length) new DataView(bytes.buffer).setUint32(0, this.pages.next);
      this.pages.write(page, bytes);
    }
  }

  /** Writes the page. `right`: the last child of an interior page. */
  end(right = 0): void {
    const { view, bytes } = this;
    bytes[this.header] = this.kind;
    view.setUint16(this.header + 3, this.cells);
    view.setUint16(this.header + 5, this.content);
    if (right > 0) view.setUint32(this.header + 8, right);
    this.pages.write(this.page, bytes);
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
