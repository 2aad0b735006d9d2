/**
 * An SQLite file as SQLite itself reads it: with the journal that lies beside it. SQLite is not asked to do that: it would
 * read a file's tables before we have walked them (see `sqliteWalk.ts`). The tests hold it to what SQLite does.
 */
import { byteText } from '../bytes/byteText.ts';
import type { RawRecord } from './rawRecord.ts';
import { isJournalOf, type RollbackJournal, readRollbackJournal, rollBack } from './sqliteJournal.ts';
import { applyLog, isLogOf, readWriteAheadLog, type WriteAheadLog } from './sqliteWal.ts';
import { readSqlite } from './walletDatabase.ts';

/** The files that lie beside a database; null for one that is not there. */
interface SqliteJournals {
  readonly journal: Uint8Array | null;
  readonly wal: Uint8Array | null;
}

/**
 * What a journal means for its file. `idle`: nothing, as SQLite ignores it or it changes nothing. `used`: the wallet is both
 * together. `other`: it is of another file, or of another time of this one, and was left out. `damaged`: the part of it
 * that can be read was used, where that gives a whole file.
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
  const [first, journalVerdict] = await step(file, journal, (bytes) => rolledBack(file, bytes, isThere));
  const [second, walVerdict] = await step(first, wal, (bytes) => withLog(first, bytes));
  return { bytes: second, recovered: second !== file, journal: journalVerdict, wal: walVerdict };
}

/** Null for a journal that SQLite ignores. `bytes`: null if the journal belongs to another file. */
type Outcome = { readonly bytes: Uint8Array | null; readonly damaged: boolean } | null;

function rolledBack(file: Uint8Array, bytes: Uint8Array, isThere: (path: string) => boolean): Outcome {
  const journal: RollbackJournal | null = readRollbackJournal(bytes, file);
  if (journal === null || (journal.superJournal !== null && !isThere(journal.superJournal))) return null;
  if (!isJournalOf(journal, file)) return { bytes: null, damaged: journal.unread > 0 };
  return { bytes: rollBack(file, journal), damaged: journal.unread > 0 };
}

function withLog(file: Uint8Array, bytes: Uint8Array): Outcome {
  const log: WriteAheadLog | null = readWriteAheadLog(bytes);
  if (log === null) return null;
  if (log.pages === 0) return { bytes: file, damaged: log.damaged };
  if (!isLogOf(log, file)) return { bytes: null, damaged: log.damaged };
  return { bytes: applyLog(file, log), damaged: log.damaged };
}

async function step(
  file: Uint8Array,
  beside: Uint8Array | null,
  recover: (beside: Uint8Array) => Outcome,
): Promise<[bytes: Uint8Array, verdict: JournalVerdict]> {
  if (beside === null || beside.length === 0) return [file, 'none'];
  const outcome = recover(beside);
  if (outcome === null) return [file, 'idle'];
  const { bytes, damaged } = outcome;
  if (bytes === null) return [file, 'other'];
  if (isEqual(bytes, file)) return [file, damaged ? 'damaged' : 'idle'];
  const [alone, together] = [await recordsOf(file), await recordsOf(bytes)];
  // A journal that damages an undamaged file belongs to another database, or lacks pages of a change.
  if (alone !== null && together === null) return [file, damaged ? 'damaged' : 'other'];
  if (alone !== null && together !== null && areStrangers(alone, together)) return [file, 'other'];
  return [bytes, damaged ? 'damaged' : 'used'];
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && Buffer.compare(one, other) === 0;
}

/** Null for a file that is not a whole wallet. */
async function recordsOf(file: Uint8Array): Promise<readonly RawRecord[] | null> {
  return readSqlite(file).then(
    ({ records }) => records,
    () => null,
  );
}

/** No change takes all keys and descriptors out of a wallet and puts others in. */
function areStrangers(one: readonly RawRecord[], other: readonly RawRecord[]): boolean {
  const [ours, theirs] = [ownNames(one), ownNames(other)];
  return ours.size > 0 && theirs.size > 0 && ![...ours].some((name) => theirs.has(name));
}

/** Of the records that no other wallet has. */
function ownNames(records: readonly RawRecord[]): Set<string> {
  return new Set(records.map(({ key }) => byteText(key)).filter((name) => OWN.test(name)));
}

const OWN = /^.(?:walletdescriptor|key|ckey|watchs|cscript)/s;
