/** Reads from the journal which interrupted wallets were restored, and which copies nodes named. */
import type { Crossing } from '../../../shared/model/crossing.ts';
import type { JournalRecords } from '../safetyCopies/interruptions.ts';

/** `crossings`: the newest first. */
export function interruptionsInJournal(crossings: readonly Crossing[]): JournalRecords {
  return {
    putBacks: crossings.flatMap(({ state, result }) => {
      if (state !== 'done' || (result?.kind !== 'restore' && result?.kind !== 'migrate')) return [];
      const halves = (result.setAside ?? []).flatMap(({ path }) => path ?? []);
      return halves.length === 0 ? [] : [{ walletName: result.walletName, halves }];
    }),
    copies: crossings.flatMap(({ interruption }) =>
      (interruption?.copies ?? []).filter(({ from, isOther }) => from === 'legacy-backup' && !isOther),
    ),
  };
}
