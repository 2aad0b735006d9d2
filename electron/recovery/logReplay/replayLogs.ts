/**
 * Replays the transaction log on a wallet file that was not closed cleanly: redoes committed changes that the file lacks, and
 * undoes the others. Follows Berkeley DB's recovery (`env/env_recover.c`, `db/db_dispatch.c`, `txn/txn_rec.c`,
 * `dbreg/dbreg_rec.c` of 5.3.21) for one file. In addition, it rebuilds lost pages if the log reaches back to their creation, and
 * refuses a log that does not fit the file.
 */
import type { FileError } from '../../../shared/model/findings/fileError.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { toLatin1 } from '../../walletfile/bytes/textCoding.ts';
import { readBerkeley } from '../../walletfile/database/berkeley.ts';
import {
  type BerkeleyMeta,
  cutIntoPages,
  HEAD_SIZE_WITH_CHECKSUM,
  LOG_FILE,
  META,
  PAGE_TYPES,
  type PageFormat,
  readBerkeleyMeta,
} from '../../walletfile/database/berkeleyPage.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { typeIn } from '../../walletfile/records/records.ts';
import { fileIdIn } from '../salvage/berkeleyPages.ts';
import { type Change, LoggedPage, type ReadChanges } from './loggedPage.ts';
import {
  ADDREM,
  berkeleyHash,
  damagedLogError,
  type FileInLog,
  isLogged,
  type Log,
  type LogFile,
  type LogRecord,
  type Lsn,
  logError,
  logTooLargeError,
  NOT_LOGGED,
  pageFieldsOf,
  readLog,
  recordsOfFile,
} from './logRecords.ts';
import { NOOP, pageReadings } from './pageChanges.ts';
import {
  addedRecords,
  isMasterKeyChange,
  REPLACE,
  replacementIn,
  treeReadings,
  valueAfter,
} from './treeChanges.ts';

export interface ReplayedWallet {
  /** The file after the replay, closed cleanly: every node and every reader opens it. */
  bytes: Uint8Array;
  /** The number of committed page changes that the file lacked, and of uncommitted ones that it had. */
  redone: number;
  undone: number;
  /** Unix seconds of the last commit in the log; null if there is none. */
  lastCommit: number | null;
}

/**
 * `logs`: all files `log.…` of the folder `database` next to the wallet file, in any order, or the newest of them if they are a
 * part. Changes neither the file nor the logs. Throws `bad_input` for a file without the first page of a wallet (it has the file
 * id that the log must match), for a log that is damaged, cut, of another file, or older or newer than the file, and for a part that
 * does not reach back to the start of the recovery.
 */
export function replayLogs(
  wallet: Uint8Array,
  logs: readonly LogFile[],
  isLogTruncated = false,
): ReplayedWallet {
  const meta = orNull(() => readBerkeleyMeta(wallet));
  if (!meta) throw logError({ code: 'log_unusable' });
  const log = readLog(logs);
  // A log has the byte order of its machine. The pages in it have that of the file.
  const file = new LoggedFile(wallet, meta);
  try {
    const found = recordsOfFile(log, fileIdIn(wallet), (type) => readings.has(type));
    // The file has all changes before the last checkpoint, and no transaction was open then.
    if ((log.gap || isLogTruncated) && found.checkpoint <= log.start) throw log.gap ?? logTooLargeError();
    if (!found.named) throw logError({ code: 'log_of_other_file' });
    const records = readChanges(found, file);
    checkPageLsns(file, log, records);
    return { ...new Replay(file, found.checkpoint).run(records), lastCommit: found.lastCommit };
  } catch (error) {
    if (error instanceof RangeError) throw logMismatchError();
    throw error;
  }
}

/**
 * For a log that cannot be replayed, because it is damaged, cut or of another time: the file with the records that the log adds and that
 * the file lacks, on pages behind its end, and with the values that the log changes in place. Null if the log does not name the file.
 */
export function addLoggedRecords(wallet: Uint8Array, logs: readonly LogFile[]): ReplayedWallet | null {
  const meta = orNull(() => readBerkeleyMeta(wallet));
  const isWanted = (type: number) => type === ADDREM || type === REPLACE;
  const found = meta && orNull(() => recordsOfFile(readLog(logs, true), fileIdIn(wallet), isWanted));
  if (!meta || !found?.named) return null;
  const own = new Set(orNull(() => readBerkeley(wallet).records)?.map(({ key }) => toLatin1(key)));
  // The commit of what looks undone may be in the lost part.
  const inOrder = [true, false].flatMap((undone) =>
    found.records.filter(({ outcome }) => (outcome === 'undone') === undone).map(({ record }) => record),
  );
  const logged = orNull(() => addedRecords(inOrder)) ?? [];
  const lacking = logged.filter(({ key }) => KEPT_TYPES.has(typeIn(key)) && !own.has(toLatin1(key)));
  // The log may add a key again after it removed it. The last value counts.
  const added = [...new Map(lacking.map((record) => [toLatin1(record.key), record])).values()];
  const file = new LoggedFile(wallet, meta);
  const changed = found.records.filter(
    ({ record, outcome }) => record.type === REPLACE && outcome !== 'undone' && changeValue(file, record),
  );
  file.append(added);
  const redone = added.length + changed.length;
  return { bytes: file.content(), redone, undone: 0, lastCommit: found.lastCommit };
}

/**
 * Changes a value in the file, if the page is as it was before the change, or if the value is the master key of a changed passphrase. On
 * a page of another time, the index may belong to another record.
 */
function changeValue(file: LoggedFile, record: LogRecord): boolean {
  const changed = orNull(() => {
    const change = replacementIn(pageFieldsOf(record).fields);
    const page = file.page(change.page);
    if (page?.type !== PAGE_TYPES.leaf) return false;
    const isNext = isLogged(page.lsn) && page.lsn === change.before;
    const key = page.data(change.index - 1);
    if (!KEPT_TYPES.has(typeIn(key)) || !(isNext || isMasterKeyChange(key, change))) return false;
    const value = valueAfter(page.data(change.index), change);
    if (value === null) return false;
    page.replaceData(change.index, value);
    if (isNext) page.lsn = record.lsn;
    return true;
  });
  return changed === true;
}

/** What does no harm if the wallet deleted it meanwhile. An old entry of the key pool would give out a used key again. */
const KEPT_TYPES: ReadonlySet<string> = new Set([
  'key',
  'ckey',
  'mkey',
  'keymeta',
  'name',
  'purpose',
  'tx',
  'cscript',
  'watchs',
]);

/**
 * Records that move pages when a file is compacted or emptied (`realloc`, `pg_init`, `pg_sort`, `pg_trunc`, `merge` and `pgno`), and
 * those of trees with duplicate keys (`adj`) or record numbers (`cadjust`). Bitcoin Core has none of them in a wallet.
 */
const UNUSED_TYPES = [36, 55, 56, 60, 61, 66, 148, 149];

const refuse: ReadChanges = () => {
  throw new RangeError('a change that no wallet has');
};
const readings: ReadonlyMap<number, ReadChanges> = new Map([
  ...pageReadings,
  ...treeReadings,
  ...UNUSED_TYPES.map((type) => [type, refuse] as const),
]);

type ReadRecords = ReturnType<typeof readChanges>;

function readChanges({ records }: FileInLog, { form }: LoggedFile) {
  return records.map(({ record, outcome }) => {
    const { lsn, type } = record;
    const { operation, fields } = pageFieldsOf(record);
    const read = readings.get(type) ?? refuse;
    return { lsn, outcome, isNoop: type === NOOP, changes: read(fields, form, { ...record, operation }) };
  });
}

/** The LSN of a page must be that of a record that changed the page, as far back as the log reaches. */
function checkPageLsns(file: LoggedFile, { start, end, newest }: Log, records: ReadRecords): void {
  const places = new Set(
    records.flatMap(({ lsn, changes }) => changes.map(({ page }) => pageStateKey(page, lsn))),
  );
  let latest: Lsn = 0;
  for (let number = 0; number < file.count; number += 1) {
    const lsn = file.page(number)?.lsn ?? 0;
    if (!isLogged(lsn) || lsn < start) continue;
    latest = Math.max(latest, lsn);
    if (lsn < end && !places.has(pageStateKey(number, lsn))) throw logMismatchError();
  }
  if (latest < end) return;
  const own = Math.floor(end / LOG_FILE);
  throw latest >= (own + 1) * LOG_FILE
    ? logError({ code: 'log_file_missing', number: own })
    : damagedLogError(newest);
}

function pageStateKey(page: number, lsn: Lsn): string {
  return `${page} ${lsn}`;
}

class Replay {
  private mostPages = 0;
  private redone = 0;
  private undone = 0;

  /** Before the checkpoint, a page without an LSN is newer than the log: the file may have been closed cleanly several times. */
  constructor(
    private readonly file: LoggedFile,
    private readonly checkpoint: Lsn,
  ) {}

  run(records: ReadRecords): { bytes: Uint8Array; redone: number; undone: number } {
    const { file } = this;
    // A file grows by one page at a time, so a page number far after the end is damaged.
    const added = records.reduce(
      (sum, { changes }) => sum + changes.filter(({ creates }) => creates).length,
      0,
    );
    this.mostPages = file.count + added;
    for (const record of [...records].reverse())
      if (record.lsn >= this.checkpoint && (record.outcome === 'undone' || record.isNoop))
        for (const change of record.changes) this.undo(change, record.lsn);
    for (const record of records)
      if (record.outcome === 'committed' || record.isNoop)
        for (const change of record.changes) this.redo(change, record.lsn);
    return { bytes: file.closed(), redone: this.redone, undone: this.undone };
  }

  private redo(change: Change, lsn: Lsn): void {
    const { file } = this;
    const page = this.pageOf(change, change.creates === 'redo');
    if (!page) {
      if (change.cuts === 'redo') this.cut(change.page);
      return;
    }
    if (!this.isBefore(page, change, lsn)) return;
    this.redone += 1;
    change.redo?.(page);
    page.lsn = lsn;
    if (change.cuts !== 'redo') return;
    this.cut(change.page);
    file.page(change.page)?.bytes.fill(0);
  }

  private isBefore(page: LoggedPage, { before, creates }: Change, lsn: Lsn): boolean {
    const own = page.lsn;
    if (own === 0 && creates) return true;
    if (!isLogged(own)) return own === before && lsn >= this.checkpoint;
    if (own < before) throw logMismatchError();
    // The file was closed cleanly in between, which only removed the page's LSN.
    return own === before || (before === NOT_LOGGED && own < lsn);
  }

  private undo(change: Change, lsn: Lsn): void {
    const page = this.pageOf(change, change.creates === 'undo');
    const isEmpty = page?.lsn === 0 && change.creates === 'undo';
    if (page && (page.lsn === lsn || isEmpty)) {
      this.undone += 1;
      change.undo?.(page);
      page.lsn = change.before;
    }
    if (change.cuts === 'undo' && (page?.lsn ?? 0) === 0) this.cut(change.page);
  }

  private pageOf({ page }: Change, create: boolean): LoggedPage | null {
    if (!create) return this.file.page(page);
    if (page >= this.mostPages) throw new RangeError('a page far behind the end');
    return this.file.pageToWrite(page);
  }

  /** Removes the pages after the last one that the first page names. */
  private cut(page: number): void {
    const last = this.file.page(0)?.uint32(META.lastPage) ?? 0;
    if (last <= page) this.file.cutBefore(page);
  }
}

function logMismatchError(): FileError {
  return logError({ code: 'log_unusable' });
}

/** The pages of a Berkeley DB file during the replay of its log. The file can grow and shrink. */
class LoggedFile {
  readonly form: PageFormat;
  private bytes: Uint8Array;
  /** Whole pages. */
  count: number;

  /** Copies the bytes, without a last page that is cut off. */
  constructor(bytes: Uint8Array, meta: BerkeleyMeta) {
    const { little, pageSize, headerSize, count } = cutIntoPages(bytes, meta);
    this.form = { little, pageSize, headerSize };
    this.count = count;
    this.bytes = Uint8Array.from(bytes.subarray(0, count * pageSize));
  }

  /** Null for a page after the end. */
  page(number: number): LoggedPage | null {
    const { pageSize } = this.form;
    if (number >= this.count) return null;
    return new LoggedPage(this.bytes.subarray(number * pageSize, (number + 1) * pageSize), this.form);
  }

  /** The page. Extends the file with zeros if it ends before the page. */
  pageToWrite(number: number): LoggedPage {
    const { pageSize } = this.form;
    if (number >= this.count) {
      const needed = (number + 1) * pageSize;
      if (needed > this.bytes.length) {
        const larger = new Uint8Array(Math.max(needed, 2 * this.bytes.length));
        larger.set(this.bytes);
        this.bytes = larger;
      }
      this.count = number + 1;
    }
    return new LoggedPage(this.bytes.subarray(number * pageSize, (number + 1) * pageSize), this.form);
  }

  /** Adds records on new pages, without the tree above them. Leaves out those that are too long for a page. */
  append(records: readonly RawRecord[]): void {
    let page: LoggedPage | null = null;
    for (const { key, value } of records) {
      if (page?.append(key, value)) continue;
      const number = this.count;
      page = this.pageToWrite(number);
      page.init({ number, previous: 0, next: 0, level: 1, type: PAGE_TYPES.leaf });
      page.append(key, value);
    }
  }

  content(): Uint8Array {
    return this.bytes.subarray(0, this.count * this.form.pageSize);
  }

  /** Truncates the file before a page. */
  cutBefore(number: number): void {
    if (number < 1 || number >= this.count) return;
    this.bytes.fill(0, number * this.form.pageSize, this.count * this.form.pageSize);
    this.count = number;
  }

  /** The file as a node leaves it at a clean end: without LSNs (`DB_ENV->lsn_reset`). */
  closed(): Uint8Array {
    for (let number = 0; number < this.count; number += 1) {
      const page = this.pageToWrite(number);
      page.lsn = NOT_LOGGED;
      if (this.form.headerSize === HEAD_SIZE_WITH_CHECKSUM) writeChecksum(page);
    }
    return this.content();
  }
}

/** `DBMETASIZE`, and the offsets of the checksum in `BTMETA` and `PG_CHKSUM`. */
const META_PAGE = { size: 512, checksum: 492 };
const PAGE_CHECKSUM = 28;

/** Source: `__db_pgout` and `__db_chksum` of Berkeley DB. */
function writeChecksum(page: LoggedPage): void {
  const isMeta = page.type === PAGE_TYPES.meta;
  const at = isMeta ? META_PAGE.checksum : PAGE_CHECKSUM;
  page.setUint32(at, 0);
  page.setUint32(at, berkeleyHash(isMeta ? page.bytes.subarray(0, META_PAGE.size) : page.bytes));
}
