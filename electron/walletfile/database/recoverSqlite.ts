/**
 * Applies the journal next to an SQLite file, as SQLite does when it opens the file. SQLite itself cannot do it here: it would
 * read the file's tables before `sqliteWalk.ts` has checked them. The tests compare the results with SQLite's.
 */
import { toLatin1 } from '../bytes/textCoding.ts';
import type { RawRecord } from './rawRecord.ts';
import {
  applyLog,
  isJournalOf,
  isLogOf,
  readRollbackJournal,
  readWriteAheadLog,
  rollBack,
} from './sqliteJournal.ts';
import { readSqlite } from './walletDatabase.ts';

/** The files next to a database; null for a missing one. */
interface SqliteJournals {
  readonly journal: Uint8Array | null;
  readonly wal: Uint8Array | null;
}

/**
 * The effect of a journal. `idle`: SQLite ignores it, or it changes nothing. `used`: the wallet consists of both files.
 * `other`: it belongs to another file or an earlier state of this one, and was ignored. `damaged`: its readable part was used
 * if that gives a whole file.
 */
type JournalVerdict = 'none' | 'idle' | 'used' | 'other' | 'damaged';

export interface RecoveredSqlite {
  /** The file's own bytes if nothing changes them. */
  readonly bytes: Uint8Array;
  /** Whether the bytes differ from the file's. */
  readonly recovered: boolean;
  readonly journal: JournalVerdict;
  readonly wal: JournalVerdict;
}

/**
 * Never throws for the content of the files. `isThere`: whether a file exists; if a super-journal does not, its change has ended.
 * Time and memory are in proportion to the files.
 */
export async function recoverSqlite(
  file: Uint8Array,
  { journal, wal }: SqliteJournals,
  isThere: (path: string) => boolean,
): Promise<RecoveredSqlite> {
  const [first, journalVerdict] = await applyJournal(file, journal, (bytes) =>
    rolledBack(file, bytes, isThere),
  );
  const [second, walVerdict] = await applyJournal(first, wal, (bytes) => withLog(first, bytes));
  return { bytes: second, recovered: second !== file, journal: journalVerdict, wal: walVerdict };
}

/** Null for a journal that SQLite ignores. `bytes`: null if the journal belongs to another file. */
type Outcome = { readonly bytes: Uint8Array | null; readonly damaged: boolean } | null;

function rolledBack(file: Uint8Array, bytes: Uint8Array, isThere: (path: string) => boolean): Outcome {
  const journal = readRollbackJournal(bytes, file);
  if (journal === null || (journal.superJournal !== null && !isThere(journal.superJournal))) return null;
  if (!isJournalOf(journal, file)) return { bytes: null, damaged: journal.unread > 0 };
  const { before, pages, unread } = journal;
  return { bytes: rollBack(file, journal), damaged: unread > 0 || lacksPages(file, pages, before) };
}

function withLog(file: Uint8Array, bytes: Uint8Array): Outcome {
  const log = readWriteAheadLog(bytes);
  if (log === null) return null;
  if (log.pages === 0) return { bytes: file, damaged: log.damaged };
  if (!isLogOf(log, file)) return { bytes: null, damaged: log.damaged };
  return { bytes: applyLog(file, log), damaged: log.damaged || lacksPages(file, log.pages, log.after) };
}

/** Whether a journal has only some pages of a database that is empty. */
function lacksPages(file: Uint8Array, pages: number, journaled: ReadonlyMap<number, Uint8Array>): boolean {
  return file.length === 0 && journaled.size < pages;
}

async function applyJournal(
  file: Uint8Array,
  journal: Uint8Array | null,
  recover: (journal: Uint8Array) => Outcome,
): Promise<[bytes: Uint8Array, verdict: JournalVerdict]> {
  if (journal === null || journal.length === 0) return [file, 'none'];
  const outcome = recover(journal);
  if (outcome === null) return [file, 'idle'];
  const { bytes, damaged } = outcome;
  if (bytes === null) return [file, 'other'];
  if (Buffer.compare(bytes, file) === 0) return [file, damaged ? 'damaged' : 'idle'];
  const [alone, together] = [await recordsOf(file), await recordsOf(bytes)];
  // A journal that damages an undamaged file belongs to another database, or lacks pages of a change.
  if (alone !== null && together === null) return [file, damaged ? 'damaged' : 'other'];
  if (alone !== null && together !== null && areUnrelated(alone, together)) return [file, 'other'];
  return [bytes, damaged ? 'damaged' : 'used'];
}

/** Null for a file that is not a whole wallet. */
async function recordsOf(file: Uint8Array): Promise<readonly RawRecord[] | null> {
  return readSqlite(file).then(
    ({ records }) => records,
    () => null,
  );
}

/** Whether two wallets have no key or descriptor in common, as two states of one wallet always do. */
function areUnrelated(one: readonly RawRecord[], other: readonly RawRecord[]): boolean {
  const [ours, theirs] = [ownNames(one), ownNames(other)];
  return ours.size > 0 && theirs.size > 0 && ![...ours].some((name) => theirs.has(name));
}

/** Names the records that no other wallet has. */
function ownNames(records: readonly RawRecord[]): Set<string> {
  return new Set(records.map(({ key }) => toLatin1(key)).filter((name) => OWN.test(name)));
}

const OWN = /^.(?:walletdescriptor|key|ckey|watchs|cscript)/s;
