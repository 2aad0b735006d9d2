/**
 * Reads the records of Berkeley DB's transaction log (`log.0000000001` and so on), in the order in which they were written.
 * Sources: `dbinc/log.h`, `log/log.c` and `log/log_get.c` of Berkeley DB 4.8.30 and 5.3.21.
 */
import { equalBytes } from '@noble/curves/utils.js';
import { createView } from '@noble/hashes/utils.js';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { Finding } from '../../../shared/model/findings/finding.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { LOG_FILE } from '../../walletfile/database/berkeleyPage.ts';

export interface LogFile {
  /** Usually ends with the number that gives the files their order: `log.0000000001`, with or without a folder. */
  name: string;
  bytes: Uint8Array;
}

/** Log sequence number, the position of a record: its file's number times 2^32, plus its offset there. Each page stores one. */
export type Lsn = number;

/** The LSN of a page that was closed cleanly or never logged (`LSN_NOT_LOGGED`). */
export const NOT_LOGGED: Lsn = 1;

/** Whether an LSN names a record, and is not `NOT_LOGGED` or zero. */
export function isLogged(lsn: Lsn): boolean {
  return lsn >= LOG_FILE;
}

export interface LogRecord {
  lsn: Lsn;
  /** For example 41 for `DB___db_addrem`. */
  type: number;
  /** 0 for a record outside of transactions. */
  transaction: number;
  /** The previous record of the transaction; 0 for its first. */
  previous: Lsn;
  /** The version of its log file (`DB_LOGVERSION`): 16 for Berkeley DB 4.8.30, 19 for 5.3. */
  version: number;
  /** A reader of the fields that its type defines. */
  fields(): LogFields;
}

export interface Log {
  records: LogRecord[];
  /** The positions of the first record and after the last one. */
  start: Lsn;
  end: Lsn;
  /** The name of the last file. */
  newest: string;
  /** Why earlier files are left out: one between is missing or damaged. Only the records after the last checkpoint are needed. */
  gap: FileError | null;
}

/**
 * Reads all records of consecutive log files, whatever their names. Skips copies. An incomplete last record ends the log, as in Berkeley
 * DB. Throws `bad_input` for files that are not logs of Berkeley DB 4.8 to 5.3, and for damage before the end of the last one.
 * `isPartial`: reads what there is instead.
 */
export function readLog(files: readonly LogFile[], isPartial = false): Log {
  const numbered = files
    .filter((file, at) => !files.some((other, index) => isCopyOf(file, other, at < index)))
    .flatMap((file) => {
      const read = () => [{ ...file, ...readRecords(openLogFile(file.name, file.bytes)) }];
      return isPartial ? (orNull(read) ?? []) : read();
    })
    .sort((one, other) => one.number - other.number);
  const faultBetween = (before: (typeof numbered)[number], file: typeof before): FileError | null => {
    const { number, name, isDamaged, last, little } = before;
    if (file.number !== number + 1) return logError({ code: 'log_file_missing', number });
    if (isDamaged) return damagedLogError(name);
    // Each file names the offset of the last record in the previous file.
    return file.previousEnd === last && file.little === little ? null : damagedLogError(file.name);
  };
  const used: typeof numbered = [];
  let gap: FileError | null = null;
  for (const file of numbered) {
    const before = isPartial ? undefined : used.at(-1);
    const fault = before && faultBetween(before, file);
    if (fault && before.number === file.number) throw fault;
    if (fault) used.length = 0;
    gap = fault ?? gap;
    used.push(file);
  }
  const [first, last] = [used[0], used.at(-1)];
  if (!first || !last) throw logError({ code: 'no_log' });
  if (last.isDamaged && !isPartial) throw damagedLogError(last.name);
  const records = used.flatMap(({ number, records }) =>
    records.map(({ at, ...record }) => ({ ...record, lsn: number * LOG_FILE + at })),
  );
  const [start, end] = [first.number * LOG_FILE, last.number * LOG_FILE + last.next];
  return { records, start, end, newest: last.name, gap };
}

/** Whether another file has all bytes of this one and more. `isFirst`: of two equal ones, the first is the copy. */
function isCopyOf({ bytes }: LogFile, other: LogFile, isFirst: boolean): boolean {
  const more = other.bytes.length - bytes.length;
  return (
    (more > 0 || (more === 0 && isFirst)) &&
    Buffer.compare(other.bytes.subarray(0, bytes.length), bytes) === 0
  );
}

/** Whether Berkeley DB 5 wrote the record. Its records of pages differ a little from those of 4.8. */
export function isSince5({ version }: LogRecord): boolean {
  return version > LAST_OF_4_8;
}

/** The first fields in a record of a file's pages: the operation (`OP_MODE_GET`), and the number of the open file. */
export function pageFieldsOf(record: LogRecord): { operation: number; file: number; fields: LogFields } {
  const fields = record.fields();
  // Two types start with an operation. From 5.0 on, its lowest byte is the type of the page.
  const opcode = record.type === ADDREM || record.type === BIG ? fields.uint32() : 0;
  const operation = isSince5(record) ? opcode >>> 8 : opcode;
  return { operation, file: fields.uint32(), fields };
}

/** `__db_addrem` and `__db_big`. */
export const ADDREM = 41;
const BIG = 43;

/** Reads the fields of a record in order. Throws RangeError at the end of the record. */
export class LogFields {
  private readonly view: DataView;
  private at = 0;

  constructor(
    bytes: Uint8Array,
    private readonly little: boolean,
  ) {
    this.view = createView(bytes);
  }

  uint32(): number {
    const value = this.view.getUint32(this.at, this.little);
    this.at += 4;
    return value;
  }

  int32(): number {
    return this.uint32() | 0;
  }

  lsn(): Lsn {
    return this.uint32() * LOG_FILE + this.uint32();
  }

  /** A page, and its LSN before the change. */
  place(): { page: number; before: Lsn } {
    return { page: this.uint32(), before: this.lsn() };
  }

  /** A view of a byte string after its length. */
  bytes(): Uint8Array {
    const size = this.uint32();
    const { buffer, byteOffset, byteLength } = this.view;
    if (this.at + size > byteLength) throw new RangeError('the record ends too soon');
    const bytes = new Uint8Array(buffer, byteOffset + this.at, size);
    this.at += size;
    return bytes;
  }
}

/** `HDR_NORMAL_SZ`: the offset of the previous record, the record's length, and a checksum. */
const HEADER = 12;
/** A file's first record: magic, version, size of the file, and an unused mode (`LOGP`). */
const FIRST_RECORD = 28;
const LOG_MAGIC = 0x040988;
/** The versions of 4.8 to 5.3. Older versions have other records, and no release of Bitcoin Core used a newer one. */
const VERSIONS = { first: 15, last: 19 };
const LAST_OF_4_8 = 16;
/** Type, transaction, and the transaction's previous record. */
const RECORD_START = 16;

interface OpenLogFile {
  name: string;
  bytes: Uint8Array;
  view: DataView;
  little: boolean;
  version: number;
  /** False for a Berkeley DB built without log checksums. */
  checksums: boolean;
  previousEnd: number;
}

/** Whether a file begins like a log, whatever its name. */
export function startsLikeLog(bytes: Uint8Array): boolean {
  return [true, false].some((little) => createView(bytes).getUint32(HEADER, little) === LOG_MAGIC);
}

function openLogFile(name: string, bytes: Uint8Array): OpenLogFile {
  const view = createView(bytes);
  if (bytes.length < FIRST_RECORD) throw damagedLogError(name);
  const little = view.getUint32(HEADER, true) === LOG_MAGIC;
  if (!little && view.getUint32(HEADER, false) !== LOG_MAGIC) throw damagedLogError(name);
  const version = view.getUint32(HEADER + 4, little);
  if (version < VERSIONS.first || version > VERSIONS.last)
    throw logError({ code: 'log_version_unknown', version });
  const checksums = view.getUint32(8, little) !== 0;
  const file = { name, bytes, view, little, version, checksums, previousEnd: view.getUint32(0, little) };
  if (view.getUint32(4, little) !== FIRST_RECORD || !isWhole(file, 0)) throw damagedLogError(name);
  return file;
}

/**
 * Reads a file's records, each with its offset `at`. `last`, `next`: the offset of the last one, and the offset after it. `number`: of
 * the file as its own records give it, because people rename files: each names the one before it in its transaction.
 */
function readRecords(file: OpenLogFile) {
  const { name, bytes, view, little, version, previousEnd } = file;
  const records: (Omit<LogRecord, 'lsn'> & { at: number })[] = [];
  const offsets = new Map<number, number>();
  let number = Number(/(\d{10})[^\\/]*$/.exec(name)?.[1] ?? 1);
  let last = 0;
  let at = FIRST_RECORD;
  while (at + HEADER < bytes.length && isWhole(file, at) && view.getUint32(at, little) === last) {
    const length = view.getUint32(at + 4, little);
    const content = bytes.subarray(at + HEADER, at + length);
    if (content.length < RECORD_START) throw damagedLogError(name);
    const head = new LogFields(content, little);
    const [type, transaction, previous] = [head.uint32(), head.uint32(), head.lsn()];
    if (previous !== 0 && offsets.get(transaction) === previous % LOG_FILE)
      number = Math.floor(previous / LOG_FILE);
    offsets.set(transaction, at);
    records.push({
      type,
      transaction,
      previous,
      at,
      version,
      fields: () => new LogFields(content.subarray(RECORD_START), little),
    });
    last = at;
    at += length;
  }
  return { records, number, last, next: at, little, previousEnd, isDamaged: continuesAfter(file, at) };
}

/** Whether the record at an offset is undamaged, by its checksum. */
function isWhole({ bytes, view, little, checksums }: OpenLogFile, at: number): boolean {
  const length = view.getUint32(at + 4, little);
  if (length <= HEADER || at + length > bytes.length) return false;
  if (!checksums) return true;
  const sum = berkeleyHash(bytes.subarray(at + HEADER, at + length));
  return view.getUint32(at + 8, little) === (sum ^ view.getUint32(at, little) ^ length) >>> 0;
}

/**
 * Whether a whole record names the record at `end` as its predecessor. That record is then damaged, not unwritten: a
 * log cut there would lose changes silently.
 */
function continuesAfter(file: OpenLogFile, end: number): boolean {
  const { bytes, view, little, checksums } = file;
  if (!checksums) return false;
  // Only a hostile log names this place often enough to exceed the limit.
  let left = MAX_TURNS * bytes.length;
  for (let at = end + HEADER; at + HEADER + RECORD_START <= bytes.length; at += 1) {
    if (view.getUint32(at, little) !== end) continue;
    const length = view.getUint32(at + 4, little);
    if (at + length > bytes.length) continue;
    left -= length;
    if (left < 0 || isWhole(file, at)) return true;
  }
  return false;
}

/** How often all bytes of a log file may be read to find a record. */
const MAX_TURNS = 4;

export function logError(finding: Finding): FileError {
  return new FileError('bad_input', finding);
}

export function damagedLogError(name: string): FileError {
  return logError({ code: 'log_file_damaged', name });
}

/** The error for a partial log that does not reach back far enough. */
export function logTooLargeError(): FileError {
  return logError({ code: 'log_too_large' });
}

export function berkeleyHash(bytes: Uint8Array): number {
  let hash = 0;
  const { length } = bytes;
  for (let at = 0; at < length; at += 1) hash = (Math.imul(hash, 33) + (bytes[at] ?? 0)) | 0;
  return hash >>> 0;
}

/** A record of the file. Records name files by the number of the open file. */
interface RecordOfFile {
  record: LogRecord;
  /** `unknown`: began before the log, and was not committed. Berkeley DB does not touch its changes. */
  outcome: 'committed' | 'undone' | 'unknown';
}

export interface FileInLog {
  records: RecordOfFile[];
  /** Whether the log names the file at all. */
  named: boolean;
  /** The LSN of the last checkpoint: the file has all changes before it. */
  checkpoint: Lsn;
  /** Unix seconds of the last commit; null if there is none. */
  lastCommit: number | null;
}

/** `uid`: the id on the file's first page. Throws RangeError for a malformed record. */
export function recordsOfFile(log: Log, uid: Uint8Array, isOfFile: (type: number) => boolean): FileInLog {
  const transactions = new Map<number, Transaction>();
  const open = new Map<number, OpenFile>();
  const found: { record: LogRecord; file: OpenFile; transaction: Transaction | null }[] = [];
  let named = false;
  let checkpoint = log.start;
  let lastCommit: number | null = null;
  for (const record of log.records) {
    const transaction = transactionOf(transactions, record);
    const { type } = record;
    const fields = record.fields();
    if (type === TXN_REGOP) {
      const operation = fields.uint32();
      if (transaction) transaction.committed = operation === COMMIT;
      if (operation === COMMIT) lastCommit = fields.int32();
    } else if (type === TXN_CHILD) {
      const child = transactions.get(fields.uint32());
      if (child && child !== transaction) child.parent = transaction;
    } else if (type === TXN_CHECKPOINT) {
      checkpoint = fields.lsn();
    } else if (type === DBREG_REGISTER) {
      const registered = register(open, fields);
      named ||= equalBytes(registered, uid);
    } else if (isOfFile(type)) {
      found.push({ record, file: fileOf(open, pageFieldsOf(record).file), transaction });
    }
  }
  const records = found
    .filter(({ file }) => file.uid !== null && equalBytes(file.uid, uid))
    .map(({ record, transaction }) => ({ record, outcome: outcomeOf(transaction) }));
  return { records, named, checkpoint, lastCommit };
}

const DBREG_REGISTER = 2;
const TXN_REGOP = 10;
const TXN_CHECKPOINT = 11;
const TXN_CHILD = 12;
const COMMIT = 1;

interface Transaction {
  /** Whether the log has the beginning of the transaction. */
  whole: boolean;
  committed: boolean;
  /** The transaction that it was committed into. */
  parent: Transaction | null;
}

/** Transaction numbers repeat. Each first record begins a new transaction. */
function transactionOf(transactions: Map<number, Transaction>, record: LogRecord): Transaction | null {
  if (record.transaction === 0) return null;
  const known = transactions.get(record.transaction);
  if (known && record.previous !== 0) return known;
  const started = { whole: record.previous === 0, committed: false, parent: null };
  transactions.set(record.transaction, started);
  return started;
}

function outcomeOf(transaction: Transaction | null): RecordOfFile['outcome'] {
  let top = transaction;
  // A damaged log can nest transactions in a circle.
  for (let depth = 0; top?.parent && depth < MAX_DEPTH; depth += 1) top = top.parent;
  if (!top || top.parent) return 'unknown';
  if (top.committed) return 'committed';
  return top.whole ? 'undone' : 'unknown';
}

const MAX_DEPTH = 64;

interface OpenFile {
  uid: Uint8Array | null;
}

/** The ways of opening a file; not its listing at a checkpoint. */
const OPENINGS: ReadonlySet<number> = new Set([3, 4, 6, 8, 9]);
const CLOSINGS: ReadonlySet<number> = new Set([2, 5]);

/** `__dbreg_register`: the id of a file that is opened, closed or listed. */
function register(open: Map<number, OpenFile>, fields: LogFields): Uint8Array {
  const operation = fields.uint32() & 0xf;
  fields.bytes();
  const uid = fields.bytes();
  const number = fields.uint32();
  if (OPENINGS.has(operation)) open.set(number, { uid });
  // The file was opened before the log begins.
  else fileOf(open, number).uid ??= uid;
  if (CLOSINGS.has(operation)) open.delete(number);
  return uid;
}

function fileOf(open: Map<number, OpenFile>, number: number): OpenFile {
  const file = open.get(number) ?? { uid: null };
  open.set(number, file);
  return file;
}
