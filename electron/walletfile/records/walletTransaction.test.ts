import { describe, expect, it } from 'vitest';
import { recordsByType, writeRecord } from './records.ts';
import { lastBlockOf } from './walletTransaction.ts';

/** The list that a node writes at a height, by `LocatorEntries` in `src/chain.cpp`. */
function listAt(height: number): number[] {
  const list: number[] = [];
  for (let at = height, step = 1; ; at = Math.max(at - step, 0)) {
    list.push(at);
    if (at === 0) return list;
    if (list.length > 11) step *= 2;
  }
}

const hashOf = (height: number) => height.toString(16).padStart(64, '0');

function lastBlockAt(height: number) {
  const blockHashes = listAt(height).map(hashOf);
  const record = writeRecord({ type: 'bestblock_nomerkle', version: 1, blockHashes });
  return lastBlockOf(recordsByType([record]));
}

describe('lastBlockOf', () => {
  it('knows how deep each listed block is, except the first of the chain', () => {
    for (const height of [5, 12, 13, 100, 850_000]) {
      const last = lastBlockAt(height);
      expect(last?.hash).toBe(hashOf(height));
      expect(last?.first).toBe(hashOf(0));
      for (const listed of listAt(height).slice(0, -1)) {
        expect(last?.depthOf(hashOf(listed))).toBe(height - listed + 1);
      }
      expect(last?.depthOf(hashOf(height + 1))).toBeNull();
    }
  });

  it('knows the height only while the list has every block', () => {
    expect([0, 1, 11, 12, 13, 100].map((height) => lastBlockAt(height)?.height)).toEqual([
      0,
      1,
      11,
      null,
      null,
      null,
    ]);
  });

  it('knows the least height that the list can be of', () => {
    const least = (height: number) => lastBlockAt(height)?.leastHeight;
    expect([0, 1, 11, 12, 13, 14, 17, 18, 130].map(least)).toEqual([0, 1, 11, 12, 12, 14, 14, 18, 74]);
    // At least half of the height.
    expect(least(850_000)).toBe(524_298);
  });

  it('prefers the older type of record if it names a block, as a node does', () => {
    const record = (type: 'bestblock' | 'bestblock_nomerkle', heights: number[]) =>
      writeRecord({ type, version: 1, blockHashes: heights.map(hashOf) });
    const newer = record('bestblock_nomerkle', [2, 1, 0]);
    expect(lastBlockOf(recordsByType([record('bestblock', [1, 0]), newer]))?.hash).toBe(hashOf(1));
    expect(lastBlockOf(recordsByType([record('bestblock', []), newer]))?.hash).toBe(hashOf(2));
  });

  it('is null for a wallet that saw no block', () => {
    expect(lastBlockOf(recordsByType([]))).toBeNull();
  });
});
