import { describe, expect, it } from 'vitest';
import { formatClock, formatTime } from './formatTime.ts';

describe('a time', () => {
  it('is told by day and clock', () => {
    expect(formatTime(1_795_180_000)).toMatch(/2026/);
    expect(formatClock(1_795_180_000)).toMatch(/\d\d:\d\d/);
  });

  it.each([1e308, -1e308, Number.MAX_SAFE_INTEGER, 8.64e12, Number.POSITIVE_INFINITY])(
    'that no calendar has, as a file can hold it, stops nothing: %d',
    (seconds) => {
      expect(formatTime(seconds)).toMatch(/\d/);
      expect(formatClock(seconds)).toMatch(/\d/);
    },
  );
});
