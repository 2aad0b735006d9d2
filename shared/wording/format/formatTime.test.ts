import { afterEach, describe, expect, it } from 'vitest';
import { configureLanguage } from '../say.ts';
import { formatClock, formatElapsed, formatLeft, formatTime } from './formatTime.ts';

/** Local time, whatever the time zone. */
const MIDDAY = new Date(2026, 10, 20, 12, 30).getTime() / 1000;

afterEach(() => configureLanguage('en', {}));

describe('a time', () => {
  it('shows the day and the time', () => {
    expect(formatTime(MIDDAY)).toBe('20 Nov 2026, 12:30');
    expect(formatClock(MIDDAY)).toBe('12:30');
  });

  it('has the format of the user’s region', () => {
    configureLanguage('en', {}, ['en-US']);
    expect(formatTime(MIDDAY)).toMatch(/^Nov 20, 2026, 12:30\sPM$/);
    configureLanguage('de', {});
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

describe('formatElapsed', () => {
  it.each([
    [-5, '0 s'],
    [0.9, '0 s'],
    [59.99, '59 s'],
    [60, '1 min 00 s'],
    [185, '3 min 05 s'],
    [3599, '59 min 59 s'],
    [3600, '1 h 00 min'],
    [8040, '2 h 14 min'],
    [86_399, '23 h 59 min'],
    [273_600, '3 d 4 h'],
  ])('says %d seconds as %j', (seconds, text) => {
    expect(formatElapsed(seconds)).toBe(text);
  });
});

describe('formatLeft', () => {
  it.each([
    [0, 'under a minute left'],
    [59, 'under a minute left'],
    [60, 'about 1 min left'],
    [500, 'about 8 min left'],
    [2130, 'about 35 min left'],
    [5399, 'about 90 min left'],
    [9100, 'about 2.5 h left'],
    [40_000, 'about 11 h left'],
    [200_000, 'about 2 days left'],
  ])('says %d seconds as %j', (seconds, text) => {
    expect(formatLeft(seconds)).toBe(text);
  });
});
