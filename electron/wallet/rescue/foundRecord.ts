/** A record as it was found in a damaged file, before anything proves it. */
import { byteText } from '../bytes/byteText.ts';
import type { RawRecord } from '../database/rawRecord.ts';

export interface FoundRecord {
  record: RawRecord;
  /** `tree`: where it belongs; `stray`: on a page that no tree reaches; `scan`: among bytes that are no whole page. */
  source: 'tree' | 'stray' | 'scan';
  /** The place in the log that its page carries, or 0. The higher one is newer. */
  lsn: number;
}

/** What is sure comes first: from the tree, then from stray pages, then from elsewhere; in each the newest. */
export function bySource(one: FoundRecord, other: FoundRecord): number {
  return SOURCES.indexOf(one.source) - SOURCES.indexOf(other.source) || other.lsn - one.lsn;
}

const SOURCES: readonly FoundRecord['source'][] = ['tree', 'stray', 'scan'];

/** Those of each key in the database. */
export function byKey(found: readonly FoundRecord[]): FoundRecord[][] {
  const groups = new Map<string, FoundRecord[]>();
  for (const one of found) {
    const name = byteText(one.record.key);
    const group = groups.get(name);
    if (group) group.push(one);
    else groups.set(name, [one]);
  }
  return [...groups.values()];
}
