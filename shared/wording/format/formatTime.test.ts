import { afterEach, describe, expect, it } from 'vitest';
import { speak } from '../say.ts';
import { formatClock, formatTime } from './formatTime.ts';

/** Local time, whatever the time zone. */
const MIDDAY = new Date(2026, 10, 20, 12, 30).getTime() / 1000;

afterEach(() => speak('en', {}));

describe('a time', () => {
  it('shows the day and the time', () => {
    expect(formatTime(MIDDAY)).toBe('20 Nov 2026, 12:30');
    expect(formatClock(MIDDAY)).toBe('12:30');
  });

  it('has the format of the user’s region', () => {
    speak('en', {}, ['en-US']);
    expect(formatTime(MIDDAY)).toMatch(/^Nov 20, 2026, 12:30\sPM$/);
    speak('de', {});
    expect(formatTime(MIDDAY)).toBe('20.11.2026, 12:30');
    expect(formatClock(MIDDAY)).toBe('12:30');
  });

  it.each([1e308, -1e308, Number.MAX_SAFE_INTEGER, 8.64e12, Number.POSITIVE_INFINITY])(
    'that no calendar has, as a file can hold it, stops nothing: %d',
    (seconds) => {
      expect(formatTime(seconds)).toMatch(/\d/);
      expect(formatClock(seconds)).toMatch(/\d/);
    },
  );
});
