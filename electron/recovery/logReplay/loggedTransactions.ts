/** Finds the records of one file in a log, and the outcome of their transactions. */
import { equalBytes } from '@noble/curves/utils.js';
import { type Log, type LogFields, type LogRecord, type Lsn, pageFieldsOf } from './logRecords.ts';

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
  for (let depth = 0; top?.parent && depth < DEEPEST; depth += 1) top = top.parent;
  if (!top || top.parent) return 'unknown';
  if (top.committed) return 'committed';
  return top.whole ? 'undone' : 'unknown';
}

const DEEPEST = 64;

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
