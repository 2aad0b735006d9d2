/** Reads from the journal which interrupted wallets were restored, and which copies nodes named. */
import type { Job } from '../../../shared/model/job.ts';
import type { JournalRecords } from '../safetyCopies/interruptions.ts';

/** `jobs`: the newest first. */
export function interruptionsInJournal(jobs: readonly Job[]): JournalRecords {
  return {
    putBacks: jobs.flatMap(({ state, result }) => {
      if (state !== 'done' || (result?.kind !== 'restore' && result?.kind !== 'migrate')) return [];
      const movedPaths = (result.movedWallets ?? []).flatMap(({ path }) => path ?? []);
      return movedPaths.length === 0 ? [] : [{ walletName: result.walletName, movedPaths }];
    }),
    copies: jobs.flatMap(({ interruption }) =>
      (interruption?.copies ?? []).filter(({ from, isOther }) => from === 'legacy-backup' && !isOther),
    ),
    interrupted: jobs.flatMap(({ kind, state, wallet, interruption }) =>
      state === 'interrupted' && interruption
        ? [
            {
              ...{ isRestore: kind === 'restore', wallet, file: interruption.file },
              // The node's own are among `copies`, and the app lists its safety copies.
              copies: interruption.copies.filter(({ from }) => from !== 'legacy-backup'),
            },
          ]
        : [],
    ),
  };
}
