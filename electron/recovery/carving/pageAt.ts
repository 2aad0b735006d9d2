/** Recognises a page of a wallet's database by its content. */
import { toLatin1 } from '../../walletfile/bytes/textCoding.ts';
import {
  HEAD_SIZE,
  isReadableVersion,
  META,
  PAGE_HEADER_OFFSETS,
  PAGE_TYPES,
  WALLET_DATABASE,
} from '../../walletfile/database/berkeleyPage.ts';
import {
  berkeleyByteOrder,
  hasWalletTable,
  isPageSize,
  networkOfApplicationId,
  readSqliteHeader,
  sqlitePageSize,
  startsLikeSqlite,
} from '../../walletfile/database/fileStart.ts';
import { afterVarint, localSize, TABLE_PAGE, varintAt } from '../../walletfile/database/sqliteWalk.ts';
import { isRecordType, typeIn } from '../../walletfile/records/records.ts';
import { MAX_PAGE_SIZE, SECTOR_SIZE, sizeOfTreePage } from '../salvage/berkeleyPages.ts';
import { PAGE_SIZES } from '../salvage/readableRecords.ts';

export interface PageInBytes {
  /**
   * Berkeley DB: metadata, internal pages, leaves with wallet records, and overflow pages with parts of long values.
   * SQLite: the first page of a wallet, and leaves with wallet records.
   */
  kind: 'meta' | 'internal' | 'leaf' | 'overflow' | 'sqlite-start' | 'sqlite-leaf';
  /** Bytes; 0 for the last part of a long value, whose size is unknown. */
  size: number;
  /** Berkeley DB's page number, counted from 0. Always 0 for SQLite leaves, which hold no number. */
  number: number;
  little: boolean;
}

/** Whether only wallets have such a page. Other kinds occur in any database. */
export function isWalletPage({ kind }: PageInBytes): boolean {
  return kind === 'leaf' || kind === 'sqlite-start' || kind === 'sqlite-leaf';
}

/** Whether keys on it belong to the page, and are no single records. */
export function holdsRecords(page: PageInBytes): boolean {
  return isWalletPage(page) || page.kind === 'internal';
}

/** The page that starts at a byte offset; null if there is none. */
export function pageAt(bytes: Uint8Array, at: number): PageInBytes | null {
  if (bytes[at] === TABLE_PAGE.leaf) {
    const page = sqliteLeaf(bytes, at);
    if (page) return page;
  }
  if (bytes[at] === SQLITE_START) return sqliteStart(bytes, at);
  switch (bytes[at + PAGE_HEADER_OFFSETS.type]) {
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

/** No wallet file is larger. */
const MAX_FILE_SIZE = 0x80000000;

function metaPage(bytes: Uint8Array, at: number): PageInBytes | null {
  const order = berkeleyByteOrder(bytes, at);
  if (order === null) return null;
  const little = order === 'little';
  const view = viewAt(bytes, at);
  const size = view.getUint32(META.pageSize, little);
  if (!isReadableVersion(view.getUint32(META.version, little)) || !isPageSize(size)) return null;
  return numberedPage('meta', view.getUint32(PAGE_HEADER_OFFSETS.number, little), size, little);
}

function treePage(bytes: Uint8Array, at: number, little: boolean): PageInBytes | null {
  const size = sizeOfTreePage(bytes, at, little);
  if (size === null) return null;
  const view = viewAt(bytes, at);
  const number = view.getUint32(PAGE_HEADER_OFFSETS.number, little);
  if (bytes[at + PAGE_HEADER_OFFSETS.type] === PAGE_TYPES.internal)
    return numberedPage('internal', number, size, little);
  for (let index = 0; index < view.getUint16(PAGE_HEADER_OFFSETS.entries, little); index += 2) {
    const item = view.getUint16(HEAD_SIZE + 2 * index, little);
    const key = bytes.subarray(at + item + 3, at + item + 3 + view.getUint16(item, little));
    // The list of the file's databases has their names.
    if (isRecordType(typeIn(key)) || toLatin1(key) === WALLET_DATABASE)
      return numberedPage('leaf', number, size, little);
  }
  return null;
}

/** Checks level, reference count and length. All parts of a long value but the last are full. */
function overflowPage(bytes: Uint8Array, at: number, little: boolean): PageInBytes | null {
  const view = viewAt(bytes, at);
  const length = view.getUint16(PAGE_HEADER_OFFSETS.low, little);
  if (
    bytes[at + PAGE_HEADER_OFFSETS.level] !== 0 ||
    view.getUint16(PAGE_HEADER_OFFSETS.entries, little) !== 1 ||
    length === 0
  )
    return null;
  const isLast = view.getUint32(PAGE_HEADER_OFFSETS.next, little) === 0;
  if (!isLast && !isPageSize(length + HEAD_SIZE)) return null;
  return numberedPage(
    'overflow',
    view.getUint32(PAGE_HEADER_OFFSETS.number, little),
    isLast ? 0 : length + HEAD_SIZE,
    little,
  );
}

function numberedPage(
  kind: PageInBytes['kind'],
  number: number,
  size: number,
  little: boolean,
): PageInBytes | null {
  const fits = (number + 1) * (size || SECTOR_SIZE) <= MAX_FILE_SIZE && (number > 0 || kind === 'meta');
  return fits ? { kind, number, size, little } : null;
}

const SQLITE_START = 0x53;

function sqliteStart(bytes: Uint8Array, at: number): PageInBytes | null {
  const page = bytes.subarray(at, at + MAX_PAGE_SIZE);
  if (!startsLikeSqlite(page) || page.length < SECTOR_SIZE) return null;
  const size = sqlitePageSize(page);
  if (!isPageSize(size)) return null;
  const isWallet =
    networkOfApplicationId(readSqliteHeader(page).applicationId) !== null ||
    hasWalletTable(page.subarray(0, size));
  return isWallet ? { kind: 'sqlite-start', number: 0, size, little: false } : null;
}

/** A table leaf with a wallet record whose rows and free blocks end exactly at a valid page size. */
function sqliteLeaf(bytes: Uint8Array, at: number): PageInBytes | null {
  const view = viewAt(bytes, at);
  const cells = view.getUint16(3);
  if (cells === 0 || (view.getUint16(5) || MAX_PAGE_SIZE) < 8 + 2 * cells) return null;
  const size = PAGE_SIZES.find((one) => 8 + 2 * cells < one && endOfCells(view, bytes, at, one) === one);
  if (size === undefined) return null;
  for (let index = 0; index < cells; index += 1)
    if (isWalletRow(bytes, at + view.getUint16(8 + 2 * index)))
      return { kind: 'sqlite-leaf', number: 0, size, little: false };
  return null;
}

/** Where the last row or free block ends; 0 if they do not fit the page. */
function endOfCells(view: DataView, bytes: Uint8Array, at: number, size: number): number {
  const cells = view.getUint16(3);
  if (view.byteLength < size) return 0;
  let end = 0;
  for (let index = 0; index < cells; index += 1) {
    const cell = view.getUint16(8 + 2 * index);
    if (cell < 8 + 2 * cells || cell + 4 > size) return 0;
    const length = varintAt(bytes, at + cell);
    const start = afterVarint(bytes, afterVarint(bytes, at + cell)) - at;
    const local = localSize(length, TABLE_PAGE.leaf, size);
    end = Math.max(end, cell + 4, start + local + (local < length ? 4 : 0));
  }
  // Each free block points to the next one, at a higher offset.
  for (let block = view.getUint16(1), before = 0; block > before && block + 4 <= size; ) {
    end = Math.max(end, block + view.getUint16(block + 2));
    before = block;
    block = view.getUint16(block);
  }
  return end;
}

/** Whether the key of the row is a blob that starts with a record type. */
function isWalletRow(bytes: Uint8Array, cell: number): boolean {
  const header = afterVarint(bytes, afterVarint(bytes, cell));
  const headerSize = varintAt(bytes, header);
  const keyType = varintAt(bytes, afterVarint(bytes, header));
  if (keyType < 12 || keyType % 2 !== 0) return false;
  const key = header + headerSize;
  return isRecordType(typeIn(bytes.subarray(key, key + (keyType - 12) / 2)));
}

function viewAt(bytes: Uint8Array, at: number): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset + at, Math.min(MAX_PAGE_SIZE, bytes.length - at));
}
