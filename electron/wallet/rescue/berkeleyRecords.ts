/** Every record that can still be read from a damaged Berkeley DB file: from its tree, stray pages, and what is left. */
import { AppError } from '../../../shared/errors.ts';
import { byteText } from '../bytes/byteText.ts';
import { readBerkeleyMeta } from '../database/berkeleyMeta.ts';
import { type BerkeleyPages, kindOfPage } from '../database/berkeleyPage.ts';
import { readStrayLeaves, readTree, type VisitedPages } from '../database/berkeleyTree.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { type FoundPages, findPages, type Range } from './berkeleyPages.ts';
import type { FoundRecord } from './foundRecord.ts';
import { looseKeys, rawScan } from './rawScan.ts';

export interface FoundInFile {
  found: FoundRecord[];
  /** DER forms of private keys among what is no whole page. */
  loose: Uint8Array[];
}

/** Never throws. Nothing is proved yet, and a key of the database may be there more than once. */
export function findBerkeleyRecords(bytes: Uint8Array): FoundInFile {
  const at = findPages(bytes);
  const whole = { start: 0, end: bytes.length };
  if (!at) return scanned(bytes, [whole], null);
  const { pages } = at;
  const broken = new Uint8Array(pages.count);
  const visited: VisitedPages = new Uint8Array(pages.count);
  visited[0] = 1;
  const onDamage = (_: unknown, page: number) => {
    broken[page] = 1;
  };
  const tree = treeRecords(at, visited, onDamage);
  const stray = readStrayLeaves(pages, visited, onDamage).filter((record) => !namesDatabase(record));
  const ranges = [...brokenRanges(pages, broken), ...endOf(at, bytes)];
  const form = { little: pages.little, size: pages.pageSize, header: pages.headerSize };
  const inPages = scanned(pages.bytes, ranges, form);
  const outside = at.inPlace ? { found: [], loose: [] } : scanned(bytes, at.rest, form);
  const from = (source: FoundRecord['source']) => (record: RawRecord) => ({
    record,
    source,
    lsn: lsnOf(pages, record),
  });
  return {
    found: [...tree.map(from('tree')), ...stray.map(from('stray')), ...inPages.found, ...outside.found],
    loose: [...inPages.loose, ...outside.loose],
  };
}

const WALLET_DATABASE = 'main';

function treeRecords(
  { pages, root }: FoundPages,
  visited: VisitedPages,
  onDamage: (error: AppError, page: number) => void,
): RawRecord[] {
  if (root === null) return [];
  const databases = readTree(pages, root, visited, onDamage);
  const main = databases.find(namesDatabase);
  // A file of a single database without a name.
  if (!main) return databases;
  const page = new DataView(main.value.buffer, main.value.byteOffset, 4).getUint32(0, false);
  try {
    const meta = readBerkeleyMeta(pages.bytes, page * pages.pageSize, page);
    visited[page] = 1;
    return readTree(pages, meta.root, visited, onDamage);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [];
  }
}

function namesDatabase({ key, value }: RawRecord): boolean {
  return value.length === 4 && byteText(key) === WALLET_DATABASE;
}

/** Pages that are not what they say, and those that were read in part. */
function brokenRanges(pages: BerkeleyPages, broken: Uint8Array): Range[] {
  const ranges: Range[] = [];
  for (let page = 0; page < pages.count; page += 1) {
    if (broken[page] !== 1 && isKnown(pages, page)) continue;
    const start = page * pages.pageSize;
    const last = ranges.at(-1);
    if (last?.end === start) last.end = start + pages.pageSize;
    else ranges.push({ start, end: start + pages.pageSize });
  }
  return ranges;
}

const FREE = 0;
const META = 9;

function isKnown(pages: BerkeleyPages, page: number): boolean {
  try {
    if (kindOfPage(pages, page) !== 'other') return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return false;
  }
  const start = page * pages.pageSize;
  const type = pages.view.getUint8(start + 25);
  return (type === FREE || type === META) && pages.view.getUint32(start + 8, pages.little) === page;
}

/** A last page that is cut off. */
function endOf({ inPlace, pages }: FoundPages, bytes: Uint8Array): Range[] {
  const start = pages.count * pages.pageSize;
  return inPlace && start < bytes.length ? [{ start, end: bytes.length }] : [];
}

function lsnOf({ bytes, view, little, pageSize, count }: BerkeleyPages, { key }: RawRecord): number {
  const page = Math.floor((key.byteOffset - bytes.byteOffset) / pageSize);
  if (key.buffer !== bytes.buffer || page < 0 || page >= count) return 0;
  const start = page * pageSize;
  return view.getUint32(start, little) * 0x100000000 + view.getUint32(start + 4, little);
}

function scanned(
  bytes: Uint8Array,
  ranges: readonly Range[],
  form: { little: boolean; size: number; header: number } | null,
): FoundInFile {
  return {
    found: ranges.flatMap((range) =>
      rawScan(bytes, range, form).map((record) => ({ record, source: 'scan' as const, lsn: 0 })),
    ),
    loose: ranges.flatMap((range) => looseKeys(bytes, range)),
  };
}
