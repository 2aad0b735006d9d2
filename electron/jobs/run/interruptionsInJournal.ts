/** Reads from the journal which interrupted wallets were restored, and which copies nodes named. */
import type { Job } from '../../../shared/model/job.ts';
import type { JournalRecords } from '../safetyCopies/interruptions.ts';

/** `jobs`: the newest first. */
export function interruptionsInJournal(jobs: readonly Job[]): JournalRecords {
  return {
    putBacks: jobs.flatMap(({ state, result }) => {
      if (state !== 'done' || (result?.kind !== 'restore' && result?.kind !== 'migrate')) return [];
      const halves = (result.movedWallets ?? []).flatMap(({ path }) => path ?? []);
      return halves.length === 0 ? [] : [{ walletName: result.walletName, halves }];
    }),
    copies: jobs.flatMap(({ interruption }) =>
      (interruption?.copies ?? []).filter(({ from, isOther }) => from === 'legacy-backup' && !isOther),
    ),
    restores: jobs.flatMap(({ kind, state, interruption }) =>
      kind === 'restore' && state === 'interrupted' && interruption?.file
        ? [{ file: interruption.file, backups: interruption.copies.filter(({ from }) => from === 'backup') }]
        : [],
    ),
  };
}
