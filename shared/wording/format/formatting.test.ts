import { afterEach, describe, expect, it } from 'vitest';
import { configureLanguage } from '../say.ts';
import { counted, formatCount, formatExactSize, formatShare, formatSize } from './formatNumber.ts';
import { allOf, joinList, oneOf } from './perRegion.ts';

describe('numbers on screen', () => {
  it('groups counts and matches the noun', () => {
    expect(formatCount(850000)).toBe('850,000');
    expect(counted.wallets(1)).toBe('1 wallet');
    expect(counted.wallets(0)).toBe('0 wallets');
    expect(counted.transactions(20_000)).toBe('20,000 transactions');
  });

  it('never says 100% of what is not whole', () => {
    expect(formatShare(0.424242)).toBe('42%');
    expect(formatShare(0.999999)).toBe('99.99%');
    expect(formatShare(1)).toBe('100%');
    expect(formatShare(0)).toBe('0%');
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

describe('in the form of the user’s region', () => {
  afterEach(() => configureLanguage('en', {}));

  it('formats numbers, shares, sizes and lists for German', () => {
    configureLanguage('de', {});
    expect(formatCount(850_000)).toBe('850.000');
    expect(formatShare(0.999999)).toBe('99,99\u00a0%');
    expect(formatShare(1)).toBe('100\u00a0%');
    expect(formatSize(16_384)).toBe('16,4\u00a0kB');
    expect(formatExactSize(16_384)).toContain('16.384');
    expect(joinList(['a', 'b', 'c'])).toBe('a, b und c');
    expect(oneOf(['a', 'b'])).toBe('a oder b');
    expect(allOf(['a', 'b'])).toBe('a und b');
  });

  it('formats counts in sentences, too', () => {
    configureLanguage('en', {}, ['en-IN']);
    expect(counted.transactions(1_200_000)).toBe('12,00,000 transactions');
  });

  it('lists differ between British and American English', () => {
    expect(oneOf(['a', 'b', 'c'])).toBe('a, b or c');
    expect(allOf(['a', 'b', 'c'])).toBe('a, b and c');
    expect(joinList(['a', 'b', 'c'])).toBe('a, b, c');
    configureLanguage('en', {}, ['en-US']);
    expect(oneOf(['a', 'b', 'c'])).toBe('a, b, or c');
    expect(formatShare(0.42)).toBe('42%');
  });
});
