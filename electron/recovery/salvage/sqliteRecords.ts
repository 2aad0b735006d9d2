/** Every record that can still be read from a damaged SQLite file: from its tree, free and orphaned pages, and what is left. */
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { cut, eachPayload, type Pages, rowIn, walkSqlite } from '../../walletfile/database/sqliteWalk.ts';
import type { FoundInFile } from './berkeleyRecords.ts';
import { looseKeys } from './rawScan.ts';

/** Never throws. Nothing is proved yet, and a key of the database may be there more than once. */
export function findSqliteRecords(bytes: Uint8Array): FoundInFile {
  const { rows, faults, sql } = walkSqlite(bytes);
  const found = rows.map((record) => ({ record, source: 'tree' as const, lsn: 0 }));
  // Pages that a whole file has no use for hold what is gone for good reason.
  if (faults.length === 0 && sql !== null) return { found, loose: [] };
  const orphaned = orphanedRows(bytes).map((record) => ({ record, source: 'orphaned' as const, lsn: 0 }));
  return { found: [...found, ...orphaned], loose: looseKeys(bytes) };
}

/** Rows of every page that looks like a leaf of a table, whether a tree names it, or the list of free pages, or nothing. */
function orphanedRows(bytes: Uint8Array): RawRecord[] {
  const pages = cut(bytes) ?? cutByGuess(bytes);
  return pages ? rowsOfLeaves(pages) : [];
}

/** Rows of a single page. */
export function rowsOfLeaf(page: Uint8Array): RawRecord[] {
  // The first page of a file starts with the file's head.
  const file = new Uint8Array(2 * page.length);
  file.set(page, page.length);
  return rowsOfLeaves(cutInto(file, page.length));
}

function rowsOfLeaves(pages: Pages): RawRecord[] {
  const { view, size, count, visited, file } = pages;
  const isLeaf = (page: number) =>
    view.getUint8((page - 1) * size + (page === 1 ? FILE_HEADER : 0)) === TABLE_LEAF;
  // No leaf is a part of a long row. Every page is used once, so that the work is in proportion to the file.
  for (let page = 1; page <= count; page += 1) if (isLeaf(page)) visited[page] = 1;
  const rows: RawRecord[] = [];
  for (let page = 1; page <= count; page += 1) {
    if (!isLeaf(page)) continue;
    visited[page] = 0;
    eachPayload(pages, { page, table: true }, ignore, (payload) => {
      const row = rowIn(payload, file);
      if (row) rows.push(row);
    });
  }
  return rows;
}

const FILE_HEADER = 100;
const TABLE_LEAF = 0x0d;
/** Bytes that a page can have. */
export const SIZES = [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536];

function ignore(): void {}

/** The page size under which the most pages are leaves of tables, for a file whose head is lost. */
function cutByGuess(bytes: Uint8Array): Pages | null {
  const guesses = SIZES.map((size) => ({ size, leaves: leavesOf(bytes, size) }));
  const [best] = guesses.sort((one, other) => other.leaves * other.size - one.leaves * one.size);
  if (!best || best.leaves === 0) return null;
  return cutInto(bytes, best.size);
}

function cutInto(bytes: Uint8Array, size: number): Pages {
  const { buffer, byteOffset, byteLength } = bytes;
  const count = Math.floor(byteLength / size);
  return {
    file: bytes,
    view: new DataView(buffer, byteOffset, byteLength),
    size,
    usable: size,
    count,
    visited: new Uint8Array(count + 1),
    text: new TextDecoder(),
  };
}

/** How many pages of a size start like a leaf whose content starts where its entries allow. */
function leavesOf(bytes: Uint8Array, size: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let leaves = 0;
  for (let start = 0; start + size <= bytes.length; start += size) {
    if (view.getUint8(start) !== TABLE_LEAF) continue;
    const cells = view.getUint16(start + 3);
    const content = view.getUint16(start + 5) || 0x10000;
    if (cells > 0 && content >= 8 + 2 * cells && content < size && view.getUint16(start + 8) < size)
      leaves += 1;
  }
  return leaves;
}
