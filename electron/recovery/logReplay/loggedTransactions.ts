/** Which records of a log are of one file, and what became of their transactions. */
import { equalBytes } from '@noble/curves/utils.js';
import { type Log, type LogFields, type LogRecord, type Lsn, pageFieldsOf } from './logRecords.ts';

/** A record with the number of an open file as its file, of the file that was asked for. */
export interface RecordOfFile {
  record: LogRecord;
  /** `unknown`: it began before the log does, and was not committed. Berkeley DB leaves it alone. */
  outcome: 'committed' | 'undone' | 'unknown';
}

export interface FileInLog {
  records: RecordOfFile[];
  /** Whether the log names the file at all. */
  named: boolean;
  /** The last checkpoint's: all changes before it were in the file by then. */
  checkpoint: Lsn;
  /** Unix seconds; null where nothing was committed. */
  lastCommit: number | null;
}

/** `uid` is what the file's first page has. Throws RangeError for a record that is not what its type should be. */
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
      const told = register(open, fields);
      named ||= equalBytes(told, uid);
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
  /** Whether the log has its beginning. */
  whole: boolean;
  committed: boolean;
  /** The one that it was committed into. */
  parent: Transaction | null;
}

/** Numbers of transactions are used again; each first record begins another one. */
function transactionOf(transactions: Map<number, Transaction>, record: LogRecord): Transaction | null {
  if (record.transaction === 0) return null;
  const known = transactions.get(record.transaction);
  if (known && record.previous !== 0) return known;
  const begun = { whole: record.previous === 0, committed: false, parent: null };
  transactions.set(record.transaction, begun);
  return begun;
}

function outcomeOf(transaction: Transaction | null): RecordOfFile['outcome'] {
  let top = transaction;
  // Transactions that would be within each other are not followed for ever.
  for (let depth = 0; top?.parent && depth < DEEPEST; depth += 1) top = top.parent;
  if (!top || top.parent) return 'unknown';
  if (top.committed) return 'committed';
  return top.whole ? 'undone' : 'unknown';
}

const DEEPEST = 64;

interface OpenFile {
  uid: Uint8Array | null;
}

/** Opened, opened for the cache only, opened again, and the same of one user alone; not the list at a checkpoint. */
const OPENINGS: ReadonlySet<number> = new Set([3, 4, 6, 8, 9]);
const CLOSINGS: ReadonlySet<number> = new Set([2, 5]);

/** `__dbreg_register`: gives the id of the file that is opened, closed or listed. */
function register(open: Map<number, OpenFile>, fields: LogFields): Uint8Array {
  const operation = fields.uint32() & 0xf;
  fields.bytes();
  const uid = fields.bytes();
  const number = fields.uint32();
  if (OPENINGS.has(operation)) open.set(number, { uid });
  // It was opened before the log begins, and is the same file up to here.
  else fileOf(open, number).uid ??= uid;
  if (CLOSINGS.has(operation)) open.delete(number);
  return uid;
}

function fileOf(open: Map<number, OpenFile>, number: number): OpenFile {
  const file = open.get(number) ?? { uid: null };
  open.set(number, file);
  return file;
}
