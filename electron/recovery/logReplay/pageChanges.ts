/**
 * Reads the changes in the log's records of single pages: allocated and freed pages, long values, and the first pages of trees.
 * Sources: `db/db.src`, `db/crdel.src` and `root` and `relink` of `btree/btree.src` for their fields, `db/db_rec.c`,
 * `db/crdel_rec.c` and `btree/bt_rec.c` for what recovery does with them, all of Berkeley DB 5.3.21, and the same of 4.8.30 where
 * they differ.
 */
import { META, PAGE_TYPES, type PageFormat } from '../../walletfile/database/berkeleyPage.ts';
import { type Change, LoggedPage, neighbour, type ReadChanges } from './loggedPage.ts';
import type { LogFields } from './logRecords.ts';

/** `__db_noop`: belongs to both passes, whether or not its transaction was committed. */
export const NOOP = 48;

/** By the type of record. */
export const pageReadings: readonly (readonly [number, ReadChanges])[] = [
  [43, longValue],
  [44, references],
  [NOOP, (fields) => [fields.place()]],
  [49, allocate],
  [50, (fields, form) => free(fields, form, false)],
  [52, (fields, form) => free(fields, form, true)],
  [59, setRoot],
  [142, writeMeta],
  [147, relink],
];

/** `__db_big`: one page of a long value. */
function longValue(fields: LogFields, form: PageFormat, { operation }: { operation: number }): Change[] {
  const page = fields.uint32();
  const previous = fields.uint32();
  const next = fields.uint32();
  const data = fields.bytes();
  const before = fields.lsn();
  const previousBefore = fields.lsn();
  const nextBefore = fields.lsn();
  if (data.length > form.pageSize - form.headerSize) throw new RangeError('more than fits');
  const write = (on: LoggedPage) => on.holdPart({ number: page, previous, next }, data);
  if (operation === 4) return [{ page, before, undo: write }];
  // Only a program that writes a part of a value extends it.
  if (operation !== 3) throw new RangeError('not put or removed');
  return [
    { page, before, redo: write },
    ...neighbour('next', { page: previous, before: previousBefore }, { redo: page, undo: next }),
    ...neighbour('previous', { page: next, before: nextBefore }, { redo: 0, undo: page }),
  ];
}

/** `__db_ovref`: changes the number of items that refer to a long value. */
function references(fields: LogFields): Change[] {
  const page = fields.uint32();
  const by = fields.int32();
  const count = (sign: number) => (on: LoggedPage) => {
    on.entries += sign * by;
  };
  return [{ page, before: fields.lsn(), redo: count(1), undo: count(-1) }];
}

/** `__db_pg_alloc`: allocates a page from the list of free pages, or a new page at the end. */
function allocate(fields: LogFields): Change[] {
  const metaBefore = fields.lsn();
  fields.uint32();
  const before = fields.lsn();
  const page = fields.uint32();
  const type = fields.uint32();
  const next = fields.uint32();
  const lastPage = fields.uint32();
  const level = type === PAGE_TYPES.leaf ? 1 : 0;
  return [
    {
      page: 0,
      before: metaBefore,
      redo(meta) {
        meta.setUint32(META.free, next);
        if (page > meta.uint32(META.lastPage)) meta.setUint32(META.lastPage, page);
      },
      undo(meta) {
        // Undoing removes a new page from the end instead of adding it to the list.
        if (before !== 0) meta.setUint32(META.free, page);
        meta.setUint32(META.lastPage, lastPage);
      },
    },
    {
      page,
      before,
      creates: 'redo',
      redo: (on) => on.init({ number: page, previous: 0, next: 0, level, type }),
      undo: (on) => on.init({ number: page, previous: 0, next, level: 0, type: PAGE_TYPES.free }),
      ...(before === 0 ? { cuts: 'undo' } : {}),
    },
  ];
}

/** `__db_pg_free`, and `__db_pg_freedata` for a page with content. */
function free(fields: LogFields, form: PageFormat, withData: boolean): Change[] {
  const page = fields.uint32();
  const metaBefore = fields.lsn();
  const meta = fields.uint32();
  const head = fields.bytes();
  const next = fields.uint32();
  const lastPage = fields.uint32();
  const data = withData ? fields.bytes() : new Uint8Array();
  const wasLast = page === lastPage;
  const image = new LoggedPage(head, form);
  return [
    {
      page: meta,
      before: metaBefore,
      redo(on) {
        if (wasLast) on.setUint32(META.lastPage, page - 1);
        else if (meta === 0) on.setUint32(META.free, page);
        else on.next = page;
      },
      undo(on) {
        if (meta !== 0) on.next = next;
        else {
          if (on.uint32(META.lastPage) < page) on.setUint32(META.lastPage, page);
          on.setUint32(META.free, next);
        }
      },
    },
    {
      page,
      before: image.lsn,
      creates: 'undo',
      redo: (on) => on.init({ number: page, previous: 0, next, level: 0, type: PAGE_TYPES.free }),
      undo(on) {
        on.bytes.set(head);
        if (data.length > 0) on.bytes.set(data, on.low);
      },
      ...(wasLast ? { cuts: 'redo' } : {}),
    },
  ];
}

/** `__bam_root`: sets the root page of a tree. */
function setRoot(fields: LogFields): Change[] {
  const page = fields.uint32();
  const root = fields.uint32();
  return [{ page, before: fields.lsn(), redo: (meta) => meta.setUint32(META.root, root) }];
}

/** `__crdel_metasub`: writes the first page of a named database. */
function writeMeta(fields: LogFields): Change[] {
  const page = fields.uint32();
  const image = fields.bytes();
  return [{ page, before: fields.lsn(), redo: (meta) => meta.bytes.set(image) }];
}

/** `__db_relink` and `__bam_relink`: link the neighbours of a removed or replaced page. */
function relink(fields: LogFields): Change[] {
  const page = fields.uint32();
  const replacement = fields.uint32();
  const previous = fields.place();
  const next = fields.place();
  return [
    ...neighbour('previous', next, { redo: replacement || previous.page, undo: page }),
    ...neighbour('next', previous, { redo: replacement || next.page, undo: page }),
  ];
}
