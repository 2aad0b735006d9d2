/** Walks one B-tree of a Berkeley DB file and gives its records in the order of their keys. */
import { AppError } from '../../../shared/errors.ts';
import { say } from '../../../shared/text/say.ts';
import { damaged } from '../bytes/damaged.ts';
import {
  type BerkeleyPages,
  childrenOf,
  itemsOf,
  kindOfPage,
  type LeafItem,
  overflowPart,
} from './berkeleyPage.ts';
import type { RawRecord } from './rawRecord.ts';
import { recordIn } from './recordInPlace.ts';

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
