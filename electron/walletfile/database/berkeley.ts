/** Reads the records of a legacy wallet file, a Berkeley DB B-tree, without Berkeley DB. */
import { type FileBytes, sourceOf } from '../bytes/byteSource.ts';
import { ByteWriter } from '../bytes/serialization.ts';
import { toLatin1 } from '../bytes/textCoding.ts';
import {
  type BerkeleyMeta,
  type BerkeleyPages,
  BTREE_VERSION,
  childrenOf,
  cutIntoPages,
  inlineItemOffsets,
  isCleanlyClosed,
  itemsOf,
  kindOfPage,
  type LeafItem,
  overflowPart,
  PAGE_HEADER_OFFSETS,
  readBerkeleyMeta,
  WALLET_DATABASE,
  walletTreeIn,
} from './berkeleyPage.ts';
import { damagedError, notWalletError, type ProblemLog, problemLog } from './problemLog.ts';
import {
  type DamageMode,
  type Entries,
  type RawRecord,
  RecordInFile,
  RecordInPlace,
  recordIn,
} from './rawRecord.ts';

/**
 * Reads every record of the database `main`, in the order of their keys. Also reads a file without named databases, and notes
 * that as a problem. Throws `not_a_wallet` for any other file and, under `refuse`, for a damaged one. `isWanted`
 * chooses records by their keys. It gets the array and the key's start, because copying a million keys would be slow. `keepsShort`:
 * whether to copy short records of a file on a disk to memory, in less of it than the file takes, and read only the others when needed.
 */
export function readBerkeley(
  file: FileBytes,
  mode: DamageMode = 'refuse',
  isWanted: IsWanted = () => true,
  keepsShort = false,
): Entries & { format: { kind: 'berkeley-db' } } {
  const source = sourceOf(file);
  const meta = readBerkeleyMeta(source);
  const pages = cutIntoPages(source, meta);
  const log = problemLog(mode);
  if (meta.lastPage >= pages.count) {
    const missing = { code: 'end_missing', pages: meta.lastPage + 1, present: pages.count } as const;
    log.reportDamage(damagedError(missing), null);
  } else if (meta.lastPage + 1 < pages.count) {
    log.note({ code: 'page_count_differs', pages: pages.count, claimed: meta.lastPage + 1 });
  }
  const short = keepsShort ? new ByteWriter() : null;
  const reading: Reading = { pages, visited: new Uint8Array(pages.count), log, longKeys: false, short };
  reading.visited[0] = 1;
  const tree = meta.listsDatabases ? findWallet(reading, meta.root) : meta;
  if (!meta.listsDatabases) log.note({ code: 'main_database_unnamed' });
  const reached = tree === null ? [] : readTree(reading, tree.root, isWanted);
  const records = log.lost() ? reached.concat(salvageOrphans(reading, reached)) : reached;
  const { pageSize, byteOrder } = meta;
  const refusals = refusalsOf(meta, tree, reading);
  const format = { kind: 'berkeley-db', pageSize, byteOrder, ...uncleanOf(pages), refusals } as const;
  return { records, countInTree: reached.length, format, network: null, problems: log.problems };
}

type IsWanted = (bytes: Uint8Array, start: number) => boolean;

/** Why Bitcoin Core's own reader (`BerkeleyRODatabase::Open` in `src/wallet/migrate.cpp`) or Berkeley DB (`Db::verify`) refuses a file. */
function refusalsOf(meta: BerkeleyMeta, tree: BerkeleyMeta | null, { pages, longKeys }: Reading) {
  // It expects the same flag in both, and never lets the tree end after the file, though Berkeley DB ignores where it ends.
  const lacksFlag = [meta, tree].some((one) => one?.listsDatabases === false);
  const endsAfter = tree !== null && tree.lastPage > meta.lastPage;
  const isRefused = {
    version: [meta, tree].some((one) => one !== null && one.version !== BTREE_VERSION),
    length: meta.lastPage + 1 !== pages.count,
    tree: lacksFlag || meta.checksums || endsAfter || longKeys || !listsOneDatabase(pages, meta.root),
    'partial-page': pages.source.size % pages.pageSize !== 0,
  };
  return (['version', 'length', 'tree', 'partial-page'] as const).filter((reason) => isRefused[reason]);
}

/** Whether the tree that lists the file's databases is one page with one name, which counts as two entries. */
function listsOneDatabase(pages: BerkeleyPages, root: number): boolean {
  if (root >= pages.count) return false;
  const { view, start } = pages.at(root);
  return view.getUint16(start + PAGE_HEADER_OFFSETS.entries, pages.little) === 2;
}

/** The first page of the wallet's own tree, according to the tree that lists the file's databases. */
function findWallet(reading: Reading, listRoot: number): BerkeleyMeta | null {
  const { log } = reading;
  const databases = readTree(reading, listRoot);
  const main = databases.find(({ key }) => toLatin1(key) === WALLET_DATABASE);
  if (!main && !log.lost()) throw notWalletError({ code: 'no_main_database' });
  const page = main ? walletTreeIn(main) : null;
  if (page === null) {
    log.reportDamage(damagedError({ code: 'main_database_missing' }), null);
    return null;
  }
  try {
    return readInnerMeta(reading, page);
  } catch (error) {
    log.reportDamage(error, page);
    return null;
  }
}

function readInnerMeta({ pages, visited }: Reading, page: number) {
  if (page >= pages.count) throw damagedError({ code: 'main_database_missing' });
  visited[page] = 1;
  const meta = readBerkeleyMeta(pages.source, page, pages.pageSize);
  if (meta.pageSize !== pages.pageSize || (meta.byteOrder === 'little') !== pages.little) {
    throw damagedError({ code: 'main_database_page_size' });
  }
  return meta;
}

/** Records of leaf pages that the broken tree no longer reaches, except those whose key is in `known`. */
function salvageOrphans(reading: Reading, known: RawRecord[]): RawRecord[] {
  const keys = new Set(known.map((record) => toLatin1(record.key)));
  const found: RawRecord[] = [];
  for (const record of readOrphanedLeaves(reading)) {
    const key = toLatin1(record.key);
    if (keys.has(key) || key === WALLET_DATABASE) continue;
    keys.add(key);
    found.push(record);
  }
  if (found.length > 0) {
    reading.log.note({ code: 'entries_outside_tree', count: found.length });
  }
  return found;
}

/** Releases 30.0 to 31.0 do not check the last page (bitcoin/bitcoin#35227). */
function uncleanOf(pages: BerkeleyPages) {
  let uncleanPages = 0;
  for (let page = 0; page < pages.count; page += 1) if (!isCleanlyClosed(pages, page)) uncleanPages += 1;
  return {
    cleanlyClosed: uncleanPages === 0,
    uncleanPages,
    onlyLastUnclean: uncleanPages === 1 && !isCleanlyClosed(pages, pages.count - 1),
  };
}

/** The state of reading one file's trees. */
export interface TreeReading {
  pages: BerkeleyPages;
  /** One byte for each page: 1 once it was used. No page is used twice, not even by two trees. */
  visited: Uint8Array;
  /** Whether an internal page has a key on overflow pages. */
  longKeys: boolean;
  /** Receives the short records of a file on a disk. */
  short?: ByteWriter | null;
  /** Receives each page that cannot be read. Throws to stop, or returns to continue without the page. */
  log: Pick<ProblemLog, 'reportDamage'>;
}

interface Reading extends TreeReading {
  log: ProblemLog;
}

/**
 * The records under a root page, in the order of their keys. Keeps the pages ahead in a list instead of recursing, and uses
 * each page once, so that hostile page numbers can neither cause a loop nor exhaust the stack.
 */
export function readTree(reading: TreeReading, root: number, isWanted: IsWanted = () => true): RawRecord[] {
  const records: RawRecord[] = [];
  const ahead = [root];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const page = next;
    reportingDamage(reading, page, () => {
      const kind = visit(reading, page);
      if (kind === 'leaf') readLeaf(reading, page, records, isWanted);
      else if (kind === 'internal') {
        const { children, longKeys } = childrenOf(reading.pages, page);
        reading.longKeys ||= longKeys;
        ahead.push(...children.reverse());
      } else throw damagedError({ code: 'page_of_wrong_type', page });
    });
  }
  return records;
}

/** Every record on leaf pages that no tree reached, for a file with a broken tree. */
export function readOrphanedLeaves(reading: TreeReading): RawRecord[] {
  const records: RawRecord[] = [];
  for (let page = 0; page < reading.pages.count; page += 1) {
    if (reading.visited[page] !== 0) continue;
    reportingDamage(reading, page, () => {
      if (kindOfPage(reading.pages, page) !== 'leaf') return;
      visit(reading, page);
      readLeaf(reading, page, records);
    });
  }
  return records;
}

function readLeaf(
  reading: TreeReading,
  page: number,
  records: RawRecord[],
  isWanted: IsWanted = () => true,
): void {
  const { pages, short } = reading;
  const places = inlineItemOffsets(pages, page);
  if (places === null) {
    readItems(reading, page, records, isWanted);
    return;
  }
  const { source, pageSize } = pages;
  const { bytes, start: pageStart } = pages.at(page);
  const isInMemory = source.inMemory !== null;
  const moved = page * pageSize - pageStart;
  for (let at = 0; at < places.length; at += 4) {
    const start = places[at] ?? 0;
    const keyEnd = places[at + 1] ?? 0;
    const valueStart = places[at + 2] ?? 0;
    const valueEnd = places[at + 3] ?? 0;
    if (!isWanted(bytes, start)) continue;
    if (isInMemory) records.push(new RecordInPlace(bytes, start, keyEnd, valueStart, valueEnd));
    else if (short && valueEnd - valueStart <= MAX_SHORT) {
      short.bytes(bytes.subarray(start, keyEnd));
      const size = keyEnd - start;
      short.bytes(bytes.subarray(valueStart, valueEnd));
      const { piece, start: from, end } = short.take();
      records.push(new RecordInPlace(piece, from, from + size, from + size, end));
    } else
      records.push(
        new RecordInFile(source, moved + start, moved + keyEnd, moved + valueStart, moved + valueEnd),
      );
  }
}

/** Bytes of a value: more than those of a private key, and less than those of most transactions. */
const MAX_SHORT = 350;

function readItems(reading: TreeReading, page: number, records: RawRecord[], isWanted: IsWanted): void {
  const items = itemsOf(reading.pages, page);
  for (let index = 0; index + 1 < items.length; index += 2) {
    const key = items[index];
    const value = items[index + 1];
    // Berkeley DB marks the value of a deleted record, not its key.
    if (!key || !value || key.deleted || value.deleted) continue;
    reportingDamage(reading, page, () => {
      const record = recordFrom(reading, key, value);
      if (isWanted(record.key, 0)) records.push(record);
    });
  }
}

function recordFrom(reading: TreeReading, key: LeafItem, value: LeafItem): RawRecord {
  const { pages } = reading;
  const { source } = pages;
  if (source.inMemory !== null)
    return recordIn(source.inMemory, itemBytes(reading, key), itemBytes(reading, value));
  if (key.storage !== 'page' || value.storage === 'unreadable')
    return { key: itemBytes(reading, key), value: itemBytes(reading, value) };
  const end = key.start + key.bytes.length;
  if (value.storage === 'page')
    return new RecordInFile(source, key.start, end, value.start, value.start + value.bytes.length);
  eachPart(reading, value, () => {});
  return new LongRecordInFile(pages, key.start, end, value.page, value.length);
}

/** A record on a disk whose value is on overflow pages. */
class LongRecordInFile extends RecordInFile {
  /** `first`: the first of the pages. `length`: of the value, in bytes. */
  constructor(
    private readonly pages: BerkeleyPages,
    keyStart: number,
    keyEnd: number,
    first: number,
    length: number,
  ) {
    super(pages.source, keyStart, keyEnd, first, length);
  }

  override get valueSize(): number {
    return this.valueEnd;
  }

  protected override readValue(first: number, length: number): Uint8Array {
    const value = new Uint8Array(length);
    for (let page = first, filled = 0; page !== 0 && filled < length; ) {
      const { part, next } = overflowPart(this.pages, page);
      value.set(part.subarray(0, length - filled), filled);
      filled += part.length;
      // The file may have changed since the first reading: a circle of empty pages would never end.
      page = part.length === 0 ? 0 : next;
    }
    return value;
  }
}

function itemBytes(reading: TreeReading, item: LeafItem): Uint8Array {
  if (item.storage === 'page') return item.bytes;
  const parts: Uint8Array[] = [];
  eachPart(reading, item, (part) => parts.push(part));
  const [only] = parts;
  return only && parts.length === 1 ? only : Uint8Array.from(Buffer.concat(parts));
}

/** Passes the parts of a long value to `take`, and uses their pages. Throws if the value is not whole. */
function eachPart(reading: TreeReading, item: LeafItem, take: (part: Uint8Array) => void): void {
  if (item.storage === 'page') return;
  if (item.storage === 'unreadable') throw damagedError(item.fault);
  let present = 0;
  for (let page = item.page; page !== 0; ) {
    if (visit(reading, page) !== 'overflow') throw damagedError({ code: 'page_of_wrong_type', page });
    const { part, next } = overflowPart(reading.pages, page);
    take(part);
    present += part.length;
    page = next;
  }
  if (present !== item.length)
    throw damagedError({ code: 'long_value_incomplete', present, wanted: item.length });
}

function visit({ pages, visited }: TreeReading, page: number) {
  const kind = kindOfPage(pages, page);
  if (visited[page] !== 0) throw damagedError({ code: 'page_repeated', page });
  visited[page] = 1;
  return kind;
}

function reportingDamage({ log }: TreeReading, page: number, work: () => void): void {
  try {
    work();
  } catch (error) {
    log.reportDamage(error, page);
  }
}
