/** When a wallet was born: its first key, as far as its file tells. */
import type { Birth } from '../../../shared/inspection.ts';
import type { RecordsByType } from '../record/recordsByType.ts';

/** The earliest date of a key, a watched script, a descriptor or a transaction. */
export function birthOf(records: RecordsByType): Birth {
  const dated = [
    ...records.of('keymeta'),
    ...records.of('watchmeta'),
    ...records.of('walletdescriptor'),
  ].filter(({ createTime }) => isDate(createTime));
  const owned = [
    ...records.of('key'),
    ...records.of('ckey'),
    ...records.of('wkey'),
    ...records.of('watchs'),
    ...records.of('walletdescriptor'),
  ];
  // A node compares the same two numbers, and takes the wallet for as old as the chain when they differ.
  const undated = Math.max(0, owned.length - dated.length);
  const time = [...dated.map(({ createTime }) => createTime), ...receivedTimes(records)].reduce(
    (first, next) => Math.min(first, next),
    Number.POSITIVE_INFINITY,
  );
  if (time === Number.POSITIVE_INFINITY) return { known: 'no', undated };
  return undated === 0 ? { known: 'exactly', time } : { known: 'at-latest', time, undated };
}

/** 0 and 1 stand for "not known". */
function isDate(time: number): boolean {
  return time > 1;
}

function receivedTimes(records: RecordsByType): number[] {
  return records.of('tx').flatMap(({ timeReceived }) => (isDate(timeReceived) ? [timeReceived] : []));
}
