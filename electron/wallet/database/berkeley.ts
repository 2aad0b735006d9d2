/** Reads the records of a legacy wallet file, a Berkeley DB B-tree, without Berkeley DB. */

import { AppError } from '../../../shared/errors.ts';
import type { FileProblem } from '../../../shared/inspection.ts';
import { say } from '../../../shared/text/say.ts';
import { byteText } from '../bytes/byteText.ts';
import {
  type BerkeleyPages,
  childrenOf,
  cutIntoPages,
  isCleanlyClosed,
  itemsOf,
  kindOfPage,
  type LeafItem,
  notWallet,
  overflowPart,
  readBerkeleyMeta,
} from './berkeleyPage.ts';
import { damaged, type ProblemLog, problemLog } from './problemLog.ts';
import type { RawRecord } from './rawRecord.ts';
import { recordIn } from './recordInPlace.ts';

interface BerkeleyFile {
  /** In the order of their keys. Mostly views of the file's bytes, so keep those unchanged. */
  records: RawRecord[];
  /** Bytes. */
  pageSize: number;
  byteOrder: 'little' | 'big';
  /** Whether pages carry checksums. They are not verified. */
  checksums: boolean;
  /** False when the database was not closed cleanly: Bitcoin Core 30 and later refuses such a file. */
  cleanLsns: boolean;
  /** Pages whose log position was not reset. */
  uncleanPages: number;
  problems: FileProblem[];
}

interface BerkeleyOptions {
  /**
   * What to do about damaged pages. `refuse` (the default) throws at the first, for work that needs the whole
   * wallet. `salvage` reads all that can be read, and tells in `problems` what could not.
   */
  onDamage?: 'refuse' | 'salvage';
}

const WALLET_DATABASE = 'main';

/**
 * Reads every record of the database `main`. A file without named databases is read as it stands, with a problem.
 * Throws `not_a_wallet` for what is not a Berkeley DB B-tree or, under `refuse`, is damaged.
 */
export function readBerkeley(file: Uint8Array, options: BerkeleyOptions = {}): BerkeleyFile {
  // A Buffer's views would be Buffers again; records are plain byte arrays wherever they come from.
  const bytes = new Uint8Array(file.buffer, file.byteOffset, file.byteLength);
  const meta = readBerkeleyMeta(bytes, 0, 0);
  const pages = cutIntoPages(bytes, meta);
  const log = problemLog(options.onDamage ?? 'refuse');
  if (meta.lastPage >= pages.count) {
    log.onDamage(
      damaged(
        say(
          'it should have {pages, plural, one {# page} other {# pages}} and has {present, number}: its end is missing',
          { pages: meta.lastPage + 1, present: pages.count },
        ),
      ),
      null,
    );
  } else if (meta.lastPage + 1 < pages.count) {
    log.note(
      say(
        'The file has {pages, plural, one {# page} other {# pages}} and says that it has {named, number}.',
        { pages: pages.count, named: meta.lastPage + 1 },
      ),
    );
  }
  const visited: VisitedPages = new Uint8Array(pages.count);
  visited[0] = 1;
  const root = meta.listsDatabases ? findWallet(pages, meta.root, visited, log) : meta.root;
  if (!meta.listsDatabases) {
    log.note(
      say('The file has no database named main; its only one was read. A node does not open it as it is.'),
    );
  }
  const reached = root === null ? [] : readTree(pages, root, visited, log.onDamage);
  const records = log.lost() ? reached.concat(salvaged(pages, visited, reached, log)) : reached;
  const uncleanPages = countUnclean(pages);
  return {
    records,
    pageSize: meta.pageSize,
    byteOrder: meta.byteOrder,
    checksums: meta.checksums,
    cleanLsns: uncleanPages === 0,
    uncleanPages,
    problems: log.problems,
  };
}

/** The root page of the wallet's own tree, out of the tree that lists the file's databases. */
function findWallet(
  pages: BerkeleyPages,
  listRoot: number,
  visited: VisitedPages,
  log: ProblemLog,
): number | null {
  const databases = readTree(pages, listRoot, visited, log.onDamage);
  const main = databases.find((database) => byteText(database.key) === WALLET_DATABASE);
  if (!main && !log.lost())
    throw notWallet(say('The file is a Berkeley DB file without a database named main.'));
  if (main?.value.length !== 4) {
    log.onDamage(damaged(say('it does not say where its database main is')), null);
    return null;
  }
  // Written big endian whatever the byte order of the file.
  const page = new DataView(main.value.buffer, main.value.byteOffset, 4).getUint32(0, false);
  try {
    return readInnerMeta(pages, page, visited).root;
  } catch (error) {
    log.onDamage(error, page);
    return null;
  }
}

function readInnerMeta(pages: BerkeleyPages, page: number, visited: VisitedPages) {
  if (page >= pages.count) throw damaged(say('its database main starts behind the end of the file'));
  visited[page] = 1;
  const meta = readBerkeleyMeta(pages.bytes, page * pages.pageSize, page);
  if (meta.pageSize !== pages.pageSize || (meta.byteOrder === 'little') !== pages.little) {
    throw damaged(say('its database main has another page size than the file'));
  }
  return meta;
}

/** Records of leaf pages that the broken tree no longer reaches, less those whose key was already read. */
function salvaged(
  pages: BerkeleyPages,
  visited: VisitedPages,
  known: RawRecord[],
  log: ProblemLog,
): RawRecord[] {
  const keys = new Set(known.map((record) => byteText(record.key)));
  const found: RawRecord[] = [];
  for (const record of readStrayLeaves(pages, visited, log.onDamage)) {
    const key = byteText(record.key);
    if (keys.has(key) || key === WALLET_DATABASE) continue;
    keys.add(key);
    found.push(record);
  }
  if (found.length > 0) {
    log.note(
      say(
        '{count, plural, one {# entry was found on a page} other {# entries were found on pages}} that the damaged tree does not reach.',
        { count: found.length },
      ),
    );
  }
  return found;
}

function countUnclean(pages: BerkeleyPages): number {
  let unclean = 0;
  for (let page = 0; page < pages.count; page += 1) if (!isCleanlyClosed(pages, page)) unclean += 1;
  return unclean;
}

/** Told of each page that cannot be read. It throws to stop there, or returns to go on without the page. */
type OnDamage = (error: AppError, page: number) => void;

/** Pages already used, one byte each. Shared between the trees of a file, so that no page is used twice. */
export type VisitedPages = Uint8Array;

/**
 * The records under a root page. Pages are kept on a list, not on the call stack, and each is used once, so that
 * no arrangement of page numbers makes it loop or grow.
 */
export function readTree(
  pages: BerkeleyPages,
  root: number,
  visited: VisitedPages,
  onDamage: OnDamage,
): RawRecord[] {
  const records: RawRecord[] = [];
  const waiting = [root];
  for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
    const here = page;
    guard(here, onDamage, () => {
      const kind = visit(pages, here, visited);
      if (kind === 'leaf') readLeaf(pages, here, visited, onDamage, records);
      else if (kind === 'internal')
        for (const child of childrenOf(pages, here).reverse()) waiting.push(child);
      else throw damaged(say('page {page} is not a part of the tree that names it', { page: here }));
    });
  }
  return records;
}

/** Every record on leaf pages that no tree reached, for a file whose tree is broken. */
export function readStrayLeaves(
  pages: BerkeleyPages,
  visited: VisitedPages,
  onDamage: OnDamage,
): RawRecord[] {
  const records: RawRecord[] = [];
  for (let page = 0; page < pages.count; page += 1) {
    if (visited[page] !== 0) continue;
    guard(page, onDamage, () => {
      if (kindOfPage(pages, page) !== 'leaf') return;
      visit(pages, page, visited);
      readLeaf(pages, page, visited, onDamage, records);
    });
  }
  return records;
}

function readLeaf(
  pages: BerkeleyPages,
  page: number,
  visited: VisitedPages,
  onDamage: OnDamage,
  records: RawRecord[],
): void {
  const items = itemsOf(pages, page);
  for (let index = 0; index + 1 < items.length; index += 2) {
    const key = items[index];
    const value = items[index + 1];
    // Berkeley DB marks the value of a deleted record, not its key.
    if (!key || !value || key.deleted || value.deleted) continue;
    guard(page, onDamage, () => {
      records.push(recordIn(pages.bytes, bytesOf(pages, key, visited), bytesOf(pages, value, visited)));
    });
  }
}

function bytesOf(pages: BerkeleyPages, item: LeafItem, visited: VisitedPages): Uint8Array {
  if (item.at === 'page') return item.bytes;
  if (item.at === 'nowhere') throw damaged(item.problem);
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let page = item.page; page !== 0; ) {
    if (visit(pages, page, visited) !== 'overflow')
      throw damaged(say('page {page} is not a part of a long value', { page }));
    const { part, next } = overflowPart(pages, page);
    parts.push(part);
    length += part.length;
    page = next;
  }
  if (length !== item.length)
    throw damaged(
      say('a long value should have {wanted, number} bytes and has {present, number}', {
        wanted: item.length,
        present: length,
      }),
    );
  return joined(parts, length);
}

function joined(parts: Uint8Array[], length: number): Uint8Array {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function visit(pages: BerkeleyPages, page: number, visited: VisitedPages) {
  const kind = kindOfPage(pages, page);
  if (visited[page] !== 0) throw damaged(say('page {page} is named twice', { page }));
  visited[page] = 1;
  return kind;
}

function guard(page: number, onDamage: OnDamage, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    onDamage(error, page);
  }
}
