/** The keys and scripts that a legacy wallet's file holds, out of its records. */
import type { Of, RecordsByType } from '../record/recordsByType.ts';
import type { LegacyHoldings } from './legacyScripts.ts';

export function legacyHoldings(records: RecordsByType): LegacyHoldings {
  const keys = [...records.of('key'), ...records.of('wkey'), ...records.of('ckey')];
  return {
    ownKeys: keys.map(({ publicKey }) => publicKey),
    scripts: records.of('cscript').map(({ script }) => script),
    watched: records
      .of('watchs')
      .filter(isWatched)
      .map(({ script }) => script),
  };
}

/** A script that is not watched any more keeps its record, with another byte in it. */
export function isWatched({ watched }: Of<'watchs'>): boolean {
  return watched === YES;
}

/** The character `1`. */
const YES = 0x31;
