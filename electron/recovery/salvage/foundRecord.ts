/** A record as it was found in a damaged file, before anything proves it. */
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';

export interface FoundRecord {
  record: RawRecord;
  /**
   * `tree`: where it belongs; `stray`: on a page that no tree reaches; `listed`: by what is left of a damaged page's list;
   * `piece`: anywhere among bytes that are no whole page; `old`: in the free room of whole pages, where copies stay of
   * what was moved or is gone, and of what the node had in memory from elsewhere.
   */
  source: (typeof SOURCES)[number];
  /** The place in the log that its page carries, or 0. The higher one is newer. */
  lsn: number;
}

/** Whether a page named it as its own. */
export function isWholeSource({ source }: FoundRecord): boolean {
  return source !== 'piece' && source !== 'old';
}

/** What is sure comes first: from the tree, then from stray pages, then from elsewhere; in each the newest. */
export function bySource(one: FoundRecord, other: FoundRecord): number {
  return SOURCES.indexOf(one.source) - SOURCES.indexOf(other.source) || other.lsn - one.lsn;
}

const SOURCES = ['tree', 'stray', 'listed', 'piece', 'old'] as const;
