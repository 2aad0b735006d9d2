/** The newest block that a wallet knew, and what its list of older ones tells of depths. */
import type { RecordsByType } from './recordsByType.ts';

export type LastBlock = NonNullable<ReturnType<typeof lastBlockOf>>;

/** Null for a wallet that never saw a block. Of its two records the first that names one counts (`ReadBestBlock`). */
export function lastBlockOf(records: RecordsByType) {
  const hashes = [records.one('bestblock'), records.one('bestblock_nomerkle')]
    .map((record) => record?.blockHashes ?? [])
    .find((found) => found.length > 0);
  const [newest, first] = [hashes?.[0], hashes?.at(-1)];
  if (!hashes || newest === undefined || first === undefined) return null;
  const depths = new Map(hashes.slice(0, -1).map((hash, place) => [hash, offsetAt(place) + 1]));
  return {
    /** Hex, as shown. */
    hash: newest,
    /** The first block of its chain, with which the list ends. */
    first,
    /** Blocks; null where more than one is possible: up to here the list has every block down to the first. */
    height: hashes.length <= ONE_BY_ONE ? hashes.length - 1 : null,
    /** The least that the height can be: above the last block that the list names before the first. */
    leastHeight: offsetAt(hashes.length - 2) + 1,
    /** How many blocks lie on a block, itself included, when it is one of those the wallet listed; else null. */
    depthOf: (blockHash: string) => depths.get(blockHash) ?? null,
  };
}

/** The list goes back one by one for twelve blocks, then in steps of 2, 4, 8…, and ends with block 0. */
const ONE_BY_ONE = 12;

/** How many blocks below the newest the one at a place of the list is. Source: `LocatorEntries`. */
function offsetAt(place: number): number {
  if (place < ONE_BY_ONE) return place;
  return ONE_BY_ONE - 1 + 2 ** (place - ONE_BY_ONE + 2) - 2;
}
