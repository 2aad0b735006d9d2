/** Tells a page of a wallet's database by its own content, wherever it lies. */
import { berkeleyByteOrder, startsLikeSqlite } from '../../walletfile/database/fileStart.ts';
import {
  networkOfApplicationId,
  readSqliteHeader,
  sqlitePageSize,
} from '../../walletfile/database/sqliteHeader.ts';
import { localSize, readVarint } from '../../walletfile/database/sqliteWalk.ts';
import { isRecordType } from '../../walletfile/records/records.ts';
import { typeIn } from '../../walletfile/records/recordsByType.ts';
import { HEADER, LARGEST, PAGE_TYPES, SECTOR, sizeOfTreePage } from '../salvage/berkeleyPages.ts';
import { SIZES } from '../salvage/sqliteRecords.ts';

export interface PageInBytes {
  /**
   * Of Berkeley DB: what tells of a tree, its inner pages, its leaves with records of wallets, and parts of long values.
   * Of SQLite: the first page of a wallet, and leaves with records of wallets.
   */
  kind: 'meta' | 'internal' | 'leaf' | 'overflow' | 'sqlite-start' | 'sqlite-leaf';
  /** Bytes; 0 for the last part of a long value, which does not tell it. */
  size: number;
  /** Of Berkeley DB, counted from 0. SQLite's leaves do not tell it, and have 0. */
  number: number;
  little: boolean;
}

/** Whether it can be of nothing but a wallet, rather than of any other database. */
export function isWalletPage({ kind }: PageInBytes): boolean {
  return kind === 'leaf' || kind === 'sqlite-start' || kind === 'sqlite-leaf';
}

/** Whether what names keys on it is its own, rather than a record that stands alone. */
export function holdsRecords(page: PageInBytes): boolean {
  return isWalletPage(page) || page.kind === 'internal';
}

/** The page that starts at a place, null for none. */
export function pageAt(bytes: Uint8Array, at: number): PageInBytes | null {
  if (bytes[at] === SQLITE_LEAF) {
    const page = sqliteLeaf(bytes, at);
    if (page) return page;
  }
  if (bytes[at] === SQLITE_START) return sqliteStart(bytes, at);
  switch (bytes[at + 25]) {
    case PAGE_TYPES.meta:
      return metaPage(bytes, at);
    case PAGE_TYPES.internal:
    case PAGE_TYPES.leaf:
      return treePage(bytes, at, true) ?? treePage(bytes, at, false);
    case PAGE_TYPES.overflow:
      return overflowPage(bytes, at, true) ?? overflowPage(bytes, at, false);
    default:
      return null;
  }
}

/** An image that needs more is none of a wallet. */
const LARGEST_FILE = 0x80000000;
/** Of B-trees: 9 in Berkeley DB 4 and 5, 10 in 6 and later. */
const VERSIONS: ReadonlySet<number> = new Set([9, 10]);

function metaPage(bytes: Uint8Array, at: number): PageInBytes | null {
  const order = berkeleyByteOrder(bytes, at);
  if (order === null) return null;
  const little = order === 'little';
  const view = viewAt(bytes, at);
  const size = view.getUint32(20, little);
  if (!VERSIONS.has(view.getUint32(16, little)) || !isPageSize(size)) return null;
  return numbered('meta', view.getUint32(8, little), size, little);
}

function treePage(bytes: Uint8Array, at: number, little: boolean): PageInBytes | null {
  const size = sizeOfTreePage(bytes, at, little);
  if (size === null) return null;
  const view = viewAt(bytes, at);
  const number = view.getUint32(8, little);
  if (bytes[at + 25] === PAGE_TYPES.internal) return numbered('internal', number, size, little);
  for (let index = 0; index < view.getUint16(20, little); index += 2) {
    const item = view.getUint16(HEADER + 2 * index, little);
    const key = bytes.subarray(at + item + 3, at + item + 3 + view.getUint16(item, little));
    if (isRecordType(typeIn(key)) || isMain(key)) return numbered('leaf', number, size, little);
  }
  return null;
}

/** What the list of a wallet file's databases has in it. */
function isMain(key: Uint8Array): boolean {
  return key.length === 4 && Buffer.from(key).toString('latin1') === 'main';
}

/** Type and level, one user of the value, and how many of its bytes are here. All parts but the last are full. */
function overflowPage(bytes: Uint8Array, at: number, little: boolean): PageInBytes | null {
  const view = viewAt(bytes, at);
  const length = view.getUint16(22, little);
  if (bytes[at + 24] !== 0 || view.getUint16(20, little) !== 1 || length === 0) return null;
  const isLast = view.getUint32(16, little) === 0;
  if (!isLast && !isPageSize(length + HEADER)) return null;
  return numbered('overflow', view.getUint32(8, little), isLast ? 0 : length + HEADER, little);
}

function numbered(
  kind: PageInBytes['kind'],
  number: number,
  size: number,
  little: boolean,
): PageInBytes | null {
  const fits = (number + 1) * (size || SECTOR) <= LARGEST_FILE && (number > 0 || kind === 'meta');
  return fits ? { kind, number, size, little } : null;
}

const SQLITE_START = 0x53;
const SQLITE_LEAF = 0x0d;
/** What a wallet of a network with a number of its own has all the same. */
const WALLET_TABLE = 'main(key BLOB PRIMARY KEY';

function sqliteStart(bytes: Uint8Array, at: number): PageInBytes | null {
  const page = bytes.subarray(at, at + LARGEST);
  if (!startsLikeSqlite(page) || page.length < SECTOR) return null;
  const size = sqlitePageSize(page);
  if (!isPageSize(size)) return null;
  const isWallet =
    networkOfApplicationId(readSqliteHeader(page).applicationId) !== null ||
    Buffer.from(page.buffer, page.byteOffset, Math.min(size, page.length)).includes(WALLET_TABLE);
  return isWallet ? { kind: 'sqlite-start', number: 0, size, little: false } : null;
}

/** A leaf of a table whose rows and free room end where a page of a size does, and that has a record of a wallet. */
function sqliteLeaf(bytes: Uint8Array, at: number): PageInBytes | null {
  const view = viewAt(bytes, at);
  const cells = view.getUint16(3);
  if (cells === 0 || (view.getUint16(5) || LARGEST) < 8 + 2 * cells) return null;
  const size = SIZES.find((one) => 8 + 2 * cells < one && endOfCells(view, bytes, at, one) === one);
  if (size === undefined) return null;
  for (let index = 0; index < cells; index += 1)
    if (isWalletRow(bytes, at + view.getUint16(8 + 2 * index)))
      return { kind: 'sqlite-leaf', number: 0, size, little: false };
  return null;
}

/** 0 where they do not fit. */
function endOfCells(view: DataView, bytes: Uint8Array, at: number, size: number): number {
  const cells = view.getUint16(3);
  if (view.byteLength < size) return 0;
  let end = 0;
  for (let index = 0; index < cells; index += 1) {
    const cell = view.getUint16(8 + 2 * index);
    if (cell < 8 + 2 * cells || cell + 4 > size) return 0;
    const [length, afterLength] = readVarint(bytes, at + cell);
    const start = readVarint(bytes, afterLength)[1] - at;
    const local = localSize(length, SQLITE_LEAF, size);
    end = Math.max(end, cell + 4, start + local + (local < length ? 4 : 0));
  }
  // Each free block names the next, which lies behind it.
  for (let block = view.getUint16(1), before = 0; block > before && block + 4 <= size; ) {
    end = Math.max(end, block + view.getUint16(block + 2));
    before = block;
    block = view.getUint16(block);
  }
  return end;
}

/** Its row's key is bytes that start with a type. */
function isWalletRow(bytes: Uint8Array, cell: number): boolean {
  const header = readVarint(bytes, readVarint(bytes, cell)[1])[1];
  const [headerSize, types] = readVarint(bytes, header);
  const [keyType] = readVarint(bytes, types);
  if (keyType < 12 || keyType % 2 !== 0) return false;
  const key = header + headerSize;
  return isRecordType(typeIn(bytes.subarray(key, key + (keyType - 12) / 2)));
}

function isPageSize(size: number): boolean {
  return size >= SECTOR && size <= LARGEST && (size & (size - 1)) === 0;
}

function viewAt(bytes: Uint8Array, at: number): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset + at, Math.min(LARGEST, bytes.length - at));
}
