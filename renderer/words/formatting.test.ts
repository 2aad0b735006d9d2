import { describe, expect, it } from 'vitest';
import { counted, formatCount } from './formatCount.ts';
import { formatShare } from './formatShare.ts';
import { formatExactSize, formatSize } from './formatSize.ts';

describe('numbers on screen', () => {
  it('groups counts and matches the noun', () => {
    expect(formatCount(850000)).toBe('850,000');
    expect(counted(1, 'wallet')).toBe('1 wallet');
    expect(counted(0, 'wallet')).toBe('0 wallets');
    expect(counted(2, 'copy', 'copies')).toBe('2 copies');
  });

  it('never says 100 % of what is not whole', () => {
    expect(formatShare(0.424242)).toBe('42\u00a0%');
    expect(formatShare(0.999999)).toBe('99.99\u00a0%');
    expect(formatShare(1)).toBe('100\u00a0%');
    expect(formatShare(0)).toBe('0\u00a0%');
  });

  it('gives sizes in the unit that reads best', () => {
    expect(formatSize(0)).toBe('0\u00a0bytes');
    expect(formatSize(1)).toBe('1\u00a0byte');
    expect(formatSize(16_384)).toBe('16.4\u00a0kB');
    expect(formatSize(999_999)).toBe('1.0\u00a0MB');
    expect(formatSize(1_400_000_000)).toBe('1.4\u00a0GB');
    expect(formatExactSize(37)).toBe('37\u00a0bytes');
    expect(formatExactSize(16_384)).toBe('16.4\u00a0kB (16,384 bytes)');
  });
});
