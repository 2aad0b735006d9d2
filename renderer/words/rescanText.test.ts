import { describe, expect, it } from 'vitest';
import type { Progress } from '../../shared/operation.ts';
import { blocksText, variantText } from './rescanText.ts';

const rescan: Progress = {
  source: 'log',
  wallet: 'savings',
  fraction: 0.5,
  block: 806_000,
  blocks: 12_001,
  secondsLeft: null,
  fast: null,
};

describe('blocksText', () => {
  it('tells the height and how many blocks are behind', () => {
    expect(blocksText(rescan)).toBe('At block 806,000; 6,000 of 12,001 blocks looked at');
  });

  it('tells what is known only', () => {
    expect(blocksText({ ...rescan, blocks: null })).toBe('At block 806,000');
    expect(blocksText({ ...rescan, block: null })).toBe('6,000 of 12,001 blocks looked at');
    expect(blocksText({ ...rescan, block: null, blocks: null })).toBeNull();
  });
});

describe('variantText', () => {
  it('says nothing until the log does', () => {
    expect(variantText(rescan)).toBeNull();
    expect(variantText({ ...rescan, fast: true })).toMatch(/^The fast way/);
    expect(variantText({ ...rescan, fast: false })).toMatch(/^The slow way/);
  });
});
