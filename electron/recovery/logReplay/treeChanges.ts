/**
 * Redoes and undoes the changes of a B-tree's log records on its pages. Sources in Berkeley DB 5.3.21, and in 4.8.30 where it
 * differs: `btree/btree.src` and `addrem` in `db/db.src` for the fields, `btree/bt_rec.c` and `db/db_rec.c` for the recovery.
 */
import { equalBytes } from '@noble/curves/utils.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { PAGE_TYPES, type PageFormat } from '../../walletfile/database/berkeleyPage.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { typeIn } from '../../walletfile/records/records.ts';
import { type Change, LoggedPage, neighbour, type ReadChanges } from './loggedPage.ts';
import { ADDREM, isSince5, type LogFields, type LogRecord, pageFieldsOf } from './logRecords.ts';

/** `__bam_repl` */
export const REPLACE = 58;

/** By type of record. Cursor records (`curadj`, `rcuradj`) change no page. */
export const treeReadings: readonly (readonly [number, ReadChanges])[] = [
  [ADDREM, addOrRemove],
  [57, markDeleted],
  [REPLACE, replaceData],
  [62, split],
  [63, reverseSplit],
  [67, replaceInternal],
];

/**
 * The records of the wallet that are added to a page of a tree, in the order of the log, with their last values. Each value follows its
 * key. Long ones have other pages.
 */
export function addedRecords(records: readonly LogRecord[]): RawRecord[] {
  let last: { place: string; key: Uint8Array } = { place: '', key: new Uint8Array() };
  const added: { readonly key: Uint8Array; value: Uint8Array }[] = [];
  const byPage = new Map<number, typeof added>();
  for (const record of records) {
    const { operation, fields } = pageFieldsOf(record);
    if (record.type === REPLACE) {
      const change = replacementIn(fields);
      // Without the whole page, the index does not show the record.
      const fitting = (byPage.get(change.page)?.slice(-MOST_ON_PAGE) ?? []).flatMap((one) => {
        const value = isMasterKeyChange(one.key, change) ? valueAfter(one.value, change) : null;
        return value === null ? [] : [{ one, value }];
      });
      const [only] = fitting;
      if (only && fitting.length === 1) only.one.value = only.value;
      continue;
    }
    const [page, index, , head, data] = [
      fields.uint32(),
      fields.uint32(),
      fields.uint32(),
      fields.bytes(),
      fields.bytes(),
    ];
    const { place, key } = last;
    const placeAt = (at: number) => `${operation} ${record.transaction} ${page} ${at}`;
    last = { place: placeAt(index), key: data };
    const isValue = operation === 1 && index % 2 === 1 && place === placeAt(index - 1);
    if (!isValue || head.length > 0) continue;
    const one = { key, value: data };
    added.push(one);
    const onPage = byPage.get(page) ?? [];
    onPage.push(one);
    byPage.set(page, onPage);
  }
  return added;
}

/** The most records that a page can have. */
const MOST_ON_PAGE = 4096;

/** `__db_addrem`: adds an item to a page or removes it. */
function addOrRemove(fields: LogFields, _form: PageFormat, { operation }: { operation: number }): Change[] {
  const page = fields.uint32();
  const index = fields.uint32();
  const size = fields.uint32();
  const head = fields.bytes();
  const data = fields.bytes();
  const before = fields.lsn();
  const add = (on: LoggedPage) => on.insert(index, size, head, data);
  const remove = (on: LoggedPage) => on.remove(index, size);
  if (operation === 1) return [{ page, before, redo: add, undo: remove }];
  if (operation === 2) return [{ page, before, redo: remove, undo: add }];
  throw new RangeError('neither added nor removed');
}

/** `__bam_cdel`: marks a record as deleted, in its value. */
function markDeleted(fields: LogFields): Change[] {
  const place = fields.place();
  const index = fields.uint32();
  const mark = (deleted: boolean) => (on: LoggedPage) =>
    on.setDeleted(index + (on.type === PAGE_TYPES.leaf ? 1 : 0), deleted);
  return [{ ...place, redo: mark(true), undo: mark(false) }];
}

/** What `__bam_repl` says. It leaves out the bytes that both values start and end with. */
export function replacementIn(fields: LogFields) {
  return {
    ...fields.place(),
    index: fields.uint32(),
    wasDeleted: fields.uint32() !== 0,
    original: fields.bytes(),
    replacement: fields.bytes(),
    prefix: fields.uint32(),
    suffix: fields.uint32(),
  };
}

/** Whether the record of a key is a master key, whose random bytes show it without the page: a shorter value would fit others too. */
export function isMasterKeyChange(key: Uint8Array, { original }: ReturnType<typeof replacementIn>): boolean {
  return typeIn(key) === 'mkey' && original.length > 0;
}

/** The value after a replacement; null if that was of another value. */
export function valueAfter(
  value: Uint8Array,
  { original, replacement, prefix, suffix }: ReturnType<typeof replacementIn>,
): Uint8Array | null {
  const end = value.length - suffix;
  const isOriginal = end - prefix === original.length && equalBytes(value.subarray(prefix, end), original);
  return isOriginal ? concatBytes(value.subarray(0, prefix), replacement, value.subarray(end)) : null;
}

/** `__bam_repl`: replaces data. */
function replaceData(fields: LogFields): Change[] {
  const { page, before, index, wasDeleted, original, replacement, prefix, suffix } = replacementIn(fields);
  const put = (middle: Uint8Array) => (on: LoggedPage) => {
    const old = on.data(index);
    if (prefix + suffix > old.length) throw new RangeError('less than was there');
    const [start, end] = [old.subarray(0, prefix), old.subarray(old.length - suffix)];
    on.replaceData(index, concatBytes(start, middle, end));
  };
  const undo = (on: LoggedPage) => {
    put(original)(on);
    if (wasDeleted) on.setDeleted(index, true);
  };
  return [{ page, before, redo: put(replacement), undo }];
}

/** `__bam_irep`: replaces a key on an internal page. */
function replaceInternal(fields: LogFields): Change[] {
  const place = fields.place();
  const index = fields.uint32();
  fields.uint32();
  const head = fields.bytes();
  const data = fields.bytes();
  const old = fields.bytes();
  const put = (entry: Uint8Array) => (on: LoggedPage) => on.replaceKey(index, entry);
  return [{ ...place, redo: put(concatBytes(head, data)), undo: put(old) }];
}

/** `__bam_split`: splits a page's items over two pages, and adds the second page's key to the page above. */
function split(fields: LogFields, form: PageFormat, record: LogRecord): Change[] {
  if (isSince5(record)) fields.uint32();
  const left = fields.place();
  const right = fields.place();
  const index = fields.uint32();
  const next = fields.place();
  const parent = fields.place();
  const parentIndex = fields.uint32();
  const image = fields.bytes();
  const parentEntry = fields.bytes();
  const rightEntry = fields.bytes();
  const source = new LoggedPage(image, form);
  const { number, level, type } = source;
  const isRoot = parent.page === number;
  const isLeaf = type === PAGE_TYPES.leaf;
  const half =
    (own: { number: number; previous: number; next: number }, from: number, end: number) =>
    (on: LoggedPage) => {
      on.bytes.fill(0);
      on.init({ ...own, level, type });
      source.copyItems(on, from, end);
    };
  const previousOfLeft = isLeaf && !isRoot ? source.previous : 0;
  const nextOfRight = isLeaf && !isRoot ? source.next : 0;
  const leftNumber = isRoot ? left.page : number;
  return [
    {
      ...left,
      redo: half({ number: leftNumber, previous: previousOfLeft, next: isLeaf ? right.page : 0 }, 0, index),
      ...(isRoot ? {} : { undo: (on: LoggedPage) => on.bytes.set(image) }),
    },
    {
      ...right,
      redo: half(
        { number: right.page, previous: isLeaf ? leftNumber : 0, next: nextOfRight },
        index,
        source.entries,
      ),
    },
    {
      page: parent.page,
      before: isRoot ? source.lsn : parent.before,
      redo(on) {
        if (isRoot) {
          on.init({ number, previous: 0, next: 0, level: level + 1, type: PAGE_TYPES.internal });
          on.insert(parentIndex, parentEntry.length, parentEntry);
        }
        on.insert(parentIndex + 1, rightEntry.length, rightEntry);
      },
      undo(on) {
        if (isRoot) on.bytes.set(image);
        else on.remove(parentIndex + 1, on.itemSize(parentIndex + 1));
      },
    },
    ...(isRoot ? [] : neighbour('previous', next, { redo: right.page, undo: left.page })),
  ];
}

/** `__bam_rsplit`: the only child of the root becomes the root. */
function reverseSplit(fields: LogFields, form: PageFormat): Change[] {
  const page = fields.uint32();
  const image = fields.bytes();
  const root = fields.uint32();
  const count = fields.uint32();
  const entry = fields.bytes();
  const rootBefore = fields.lsn();
  return [
    {
      page: root,
      before: rootBefore,
      redo(on) {
        const { previous } = on;
        on.bytes.set(image);
        // An internal root has the number of records in this field.
        if (on.level > 1) on.previous = previous;
        on.number = root;
      },
      undo(on) {
        on.init({ number: root, previous: count, next: 0, level: on.level + 1, type: PAGE_TYPES.internal });
        on.insert(0, entry.length, entry);
      },
    },
    { page, before: new LoggedPage(image, form).lsn, undo: (on) => on.bytes.set(image) },
  ];
}
