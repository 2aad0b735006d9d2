/**
 * Brings a wallet file that was not closed cleanly to where its transaction log says that it was: what was committed is done
 * where the file lacks it, what was not is undone. The rules are those of Berkeley DB's recovery (`env/env_recover.c`,
 * `db/db_dispatch.c`, `txn/txn_rec.c`, `dbreg/dbreg_rec.c` of 5.3.21), for one file. Beyond them, a page that was lost is
 * made again where the log goes back to its first day, and a log that does not fit the file is refused.
 */
import type { FileError } from '../../../shared/model/findings/fileError.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { readBerkeleyMeta } from '../../walletfile/database/berkeleyPage.ts';
import { fileIdIn } from '../salvage/berkeleyPages.ts';
import { LoggedFile } from './loggedFile.ts';
import type { Change, LoggedPage, Reading } from './loggedPage.ts';
import { type FileInLog, recordsOfFile } from './loggedTransactions.ts';
import {
  isLogged,
  type Log,
  type LogFile,
  type Lsn,
  logError,
  logTooLarge,
  NOT_LOGGED,
  pageFieldsOf,
  readLog,
} from './logRecords.ts';
import { META, NOOP, pageReadings } from './pageChanges.ts';
import { treeReadings } from './treeChanges.ts';

export interface ReplayedWallet {
  /** The whole file, closed cleanly: every node and every reader opens it. */
  bytes: Uint8Array;
  /** Changes of pages that the file lacked, and those in it that were never committed. */
  redone: number;
  undone: number;
  /** When the last transaction in the log was committed, in Unix seconds; null where none was. */
  lastCommit: number | null;
}

/**
 * `logs` are all files `log.…` of the folder `database` that lay beside the wallet file, in any order; where they are a part,
 * the newest of them. Neither is changed.
 * Throws `bad_input` where the file does not start like a wallet (a lost first page tells no file id, without
 * which a log cannot be held against it), and for a log that is damaged, not of this file, or older or newer than it, and
 * for a part that does not go back to where recovery begins.
 */
export function replayLogs(wallet: Uint8Array, logs: readonly LogFile[], isPart = false): ReplayedWallet {
  const meta = orNull(() => readBerkeleyMeta(wallet, 0, 0));
  if (!meta) throw logError({ code: 'log_unusable' });
  const log = readLog(logs);
  // Berkeley DB could; no release of Bitcoin Core ran on machines of both kinds with the same log.
  if (log.little !== (meta.byteOrder === 'little')) throw misfit();
  const file = new LoggedFile(wallet, meta);
  try {
    const found = recordsOfFile(log, fileIdIn(wallet), (type) => readings.has(type));
    // All before the last checkpoint is in the file, and nothing of it was still open.
    if (isPart && found.checkpoint <= log.start) throw logTooLarge();
    if (!found.named) throw misfit();
    const records = readChanges(found, file);
    checkPlaces(file, log, records);
    return { ...new Replay(file, found.checkpoint).run(records), lastCommit: found.lastCommit };
  } catch (error) {
    if (error instanceof RangeError) throw misfit();
    throw error;
  }
}

/**
 * Records that move pages about when a file is made smaller or is emptied: `realloc`, `pg_init`, `pg_sort`, `pg_trunc`,
 * `merge` and `pgno`. No wallet ever was.
 */
const MOVES = [36, 60, 61, 66, 148, 149];

const refuse: Reading = () => {
  throw new RangeError('a change that no wallet has');
};
const readings: ReadonlyMap<number, Reading> = new Map([
  ...pageReadings,
  ...treeReadings,
  ...MOVES.map((type) => [type, refuse] as const),
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

/** What a page carries must be the place of a record that changed it, as far as the log goes back. */
function checkPlaces(file: LoggedFile, { start, end }: Log, records: ReadRecords): void {
  const places = new Set(
    records.flatMap(({ lsn, changes }) => changes.map(({ page }) => placeOf(page, lsn))),
  );
  for (let number = 0; number < file.count; number += 1) {
    const lsn = file.page(number)?.lsn ?? 0;
    if (lsn >= end || (isLogged(lsn) && lsn >= start && !places.has(placeOf(number, lsn)))) throw misfit();
  }
}

function placeOf(page: number, lsn: Lsn): string {
  return `${page} ${lsn}`;
}

class Replay {
  private mostPages = 0;
  private redone = 0;
  private undone = 0;

  /** Before the checkpoint, a page that was closed cleanly is newer than the log: it could have been so closed more than once. */
  constructor(
    private readonly file: LoggedFile,
    private readonly checkpoint: Lsn,
  ) {}

  run(records: ReadRecords): { bytes: Uint8Array; redone: number; undone: number } {
    const { file } = this;
    // Pages are added one by one, so a page number far behind the end is none.
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
    if (own < before) throw misfit();
    // The file was closed cleanly in between, which took the page's place away and changed nothing else of it.
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

  /** Pages behind the last one that the first page tells go. */
  private cut(page: number): void {
    const last = this.file.page(0)?.uint32(META.lastPage) ?? 0;
    if (last <= page) this.file.cutBefore(page);
  }
}

function misfit(): FileError {
  return logError({ code: 'log_of_other_file' });
}
