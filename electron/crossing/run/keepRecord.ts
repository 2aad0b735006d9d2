/** Keeps what is known of one running crossing in the journal: every transition is on the disk before it is told. */
import type { Crossing } from '../../../shared/crossing.ts';
import type { Continuation } from '../plan/course.ts';
import type { Journal, JournalEntry } from './journal.ts';

interface CrossingRecord {
  /** Writes what has changed, but for progress and log lines. Never throws. */
  changed(crossing: Crossing): void;
  /** Writes it as it is. `sent`: from now on the call may reach the node. Throws AppError `journal_unwritable`. */
  keep(crossing: Crossing, sent: boolean): void;
  /** What is known of it now, written or not. */
  entry(): JournalEntry;
}

/** `begun` is in the journal already. */
export function keepRecord(
  begun: JournalEntry,
  plan: Continuation,
  journal: Journal | undefined,
): CrossingRecord {
  let entry = begun;
  let kept = lastingText(begun.crossing);
  return {
    changed(crossing) {
      const text = lastingText(crossing);
      if (text === kept) return;
      kept = text;
      entry = { ...entry, crossing, memory: plan.memory() };
      // Under way a full disk is no reason to stop: the last entry that was written says that it was sent.
      writeIfPossible(journal, entry);
    },
    keep(crossing, sent) {
      entry = { ...entry, crossing, memory: plan.memory(), sent };
      journal?.write(entry);
    },
    entry: () => entry,
  };
}

/** For what is known all the same when it cannot be written. */
export function writeIfPossible(journal: Journal | undefined, entry: JournalEntry): void {
  try {
    journal?.write(entry);
  } catch {
    // The entry before it stays.
  }
}

function lastingText({ progress: _, log: __, ...lasting }: Crossing): string {
  return JSON.stringify(lasting, (_key, value) => (typeof value === 'bigint' ? `${value}` : value));
}
